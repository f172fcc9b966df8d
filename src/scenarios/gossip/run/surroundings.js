import { asksOfLinks } from '../../../network/links/asks-of-links.js'
import { NamespaceNetwork } from '../../namespaces/namespace-network.js'

/**
 * @typedef {import('../plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('../../containers/node-containers.js').NodeContainers} NodeContainers
 *
 * @typedef {object} Parts
 * @property {string} id - of the run
 * @property {string | null} folder - that nodes may write into; null: none
 * @property {AbortSignal} signal
 * @property {bigint} originNs
 * @property {Pick<import('./gossip-result.js').GossipKnown, 'joinedBy' | 'containers'>} known - is told what was started
 * @property {(error: Error) => void} onTrouble
 * @property {import('../../../docker/progress.js').OnProgress} onProgress - of an image that is made
 */

/** Surroundings are what the processes of a run are in, and are joined by: namespaces, containers, or nothing but this machine. */
export class Surroundings {
  #plan
  #parts
  /** @type {Promise<NamespaceNetwork | null>} null: nothing of ours joins nodes */
  #network = Promise.resolve(null)
  /** @type {Promise<NodeContainers | null>} null: nodes are in none */
  #containers = Promise.resolve(null)

  /** @param {GossipPlan} plan @param {Parts} parts */
  constructor(plan, parts) {
    this.#plan = plan
    this.#parts = parts
  }

  /** places makes what workers are started in. @returns {Promise<import('./gossip-pool.js').GossipPoolOptions['placeOf']>} */
  async places() {
    const { network } = this.#plan
    if (network === 'namespaces') {
      const between = await this.#startNetwork()
      return worker => ({ through: between.enter(worker) })
    }
    if (network !== 'docker') return
    const containers = await this.#startContainers()
    return worker => containers.placeOf(worker)
  }

  /** join joins workers that have started, where that takes more than to have started them. @param {readonly number[]} pids */
  async join(pids) {
    if (this.#plan.network === 'docker' && asksOfLinks(this.#plan))
      await this.#startNetwork(pids.map(pid => `/proc/${pid}/ns/net`))
    const network = await this.#network
    network?.hold(pids)
  }

  /** ends are the steps that end all of it. */
  get ends() {
    return [() => stopped(this.#network), () => stopped(this.#containers)]
  }

  #startContainers() {
    // nothing of Docker is loaded before somebody asks for it
    const starting = import('../../containers/node-containers.js').then(({ NodeContainers }) =>
      NodeContainers.start(this.#plan, this.#parts)
    )
    this.#containers = starting
    return starting.then(containers => {
      this.#parts.known.containers = containers
      return containers
    })
  }

  /** @param {readonly string[]} [given] - namespaces that are there already */
  #startNetwork(given) {
    const { known, ...parts } = this.#parts
    const starting = NamespaceNetwork.start(this.#plan, { ...parts, given }).then(network => {
      known.joinedBy = network
      return network
    })
    this.#network = starting
    return starting
  }
}

/** @param {Promise<{ stop: () => Promise<void> } | null>} starting */
async function stopped(starting) {
  const started = await starting.catch(() => null)
  await started?.stop()
}
