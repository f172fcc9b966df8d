import { loopbackHost } from '../../kit/ip-address.js'

/**
 * @typedef {import('../gossip/gossip-types.js').NamespaceFigures} NamespaceFigures
 * @typedef {import('./namespace-network.js').NamespaceNetwork} NamespaceNetwork
 */

/** Joined is the network of namespaces of a run, where its plan asks for one: it ends with the run, also while it is being started. */
export class Joined {
  #ending = new AbortController()
  /** @type {Promise<NamespaceNetwork> | null} */
  #starting = null
  /** @type {NamespaceNetwork | null} null: nothing is joined by one, or not yet */
  network = null

  /**
   * start makes the namespaces, and measures their links.
   *
   * @param {import('./network-plan.js').NetworkPlan} plan
   * @param {(error: Error) => void} onTrouble
   */
  async start(plan, onTrouble) {
    this.#starting = this.#startNetwork(plan, onTrouble)
    this.network = await this.#starting
  }

  /** Few runs have one: what makes it is loaded then. @param {import('./network-plan.js').NetworkPlan} plan @param {(error: Error) => void} onTrouble */
  async #startNetwork(plan, onTrouble) {
    const { NamespaceNetwork } = await import('./namespace-network.js')
    return NamespaceNetwork.start(plan, {
      originNs: process.hrtime.bigint(),
      onTrouble,
      signal: this.#ending.signal
    })
  }

  /** through is a command that becomes another one in a namespace, and nothing where there is none. @param {number} namespace @returns {readonly string[]} */
  through(namespace) {
    return this.network?.enter(namespace) ?? []
  }

  /** inside is a namespace, for whoever starts a process there. @param {number} namespace @returns {{ host: string, through: readonly string[] } | null} null: there is none */
  inside(namespace) {
    if (this.network === null) return null
    return { host: this.host(namespace), through: this.through(namespace) }
  }

  /** host is where a process in a namespace is reached. @param {number} namespace */
  host(namespace) {
    return this.network?.address(namespace) ?? loopbackHost()
  }

  /** hold is told the processes in the namespaces. @param {readonly number[]} pids - one of each */
  hold(pids) {
    this.network?.hold(pids)
  }

  /** begin has what the router carries counted anew. */
  async begin() {
    await this.network?.begin()
  }

  /** over keeps the figures as they are now. */
  async over() {
    await this.network?.over()
  }

  /** figures are what is known of it so far. @returns {NamespaceFigures | null} null: there is none */
  get figures() {
    return this.network?.figures ?? null
  }

  async stop() {
    this.#ending.abort()
    const network = await this.#starting?.catch(() => null)
    await network?.stop()
  }
}
