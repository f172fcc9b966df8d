// The network of namespaces of a run, where its plan asks for one.
import { loopbackHost } from '../kit/host-address.js'
import { USUAL_JITTER } from './network-options.js'

/**
 * @typedef {import('./gossip/outcome.js').NamespaceFigures} NamespaceFigures
 * @typedef {import('../network/namespace-network.js').NamespaceNetwork} NamespaceNetwork
 */

/** NamespaceRun is the network of namespaces of a run, where its plan asks for one: it ends with the run, also while it is being started. */
export class NamespaceRun {
  #ending = new AbortController()
  /** @type {Promise<NamespaceNetwork> | null} */
  #starting = null
  /** @type {NamespaceNetwork | null} null: nothing is joined by one, or not yet */
  network = null

  /**
   * start makes the namespaces, and measures their links.
   *
   * @param {NetworkPlan} plan
   * @param {(error: Error) => void} onTrouble
   */
  async start(plan, onTrouble) {
    this.#starting = this.#startNetwork(plan, onTrouble)
    this.network = await this.#starting
  }

  /** Few runs have one: what makes it is loaded then. @param {NetworkPlan} plan @param {(error: Error) => void} onTrouble */
  async #startNetwork(plan, onTrouble) {
    const { NamespaceNetwork } = await import('../network/namespace-network.js')
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

/**
 * @typedef {import('./gossip/options.js').GossipPlan} GossipPlan
 *
 * @typedef {Pick<GossipPlan, 'linkLossShare' | 'linkBandwidthBytesPerSecond' | 'upBandwidthBytesPerSecond'
 *   | 'downBandwidthBytesPerSecond' | 'congestionControl'>} Asked
 *
 * @typedef {Asked & Pick<GossipPlan, 'seed' | 'nodes' | 'workers' | 'linkLatencyMs' | 'linkLatencies' | 'linkJitter' | 'partitions'
 *   | 'muxer' | 'security'> & { star?: boolean, topology?: GossipPlan['topology'], networkFile?: GossipPlan['networkFile'] }} NetworkPlan - as much of a plan as a network of namespaces needs;
 *   star: all others speak with namespace 0 alone
 *
 * @typedef {object} LinksAsked - of links, as options have it
 * @property {number | null} [linkLossShare]
 * @property {number | null} [upBandwidthBytesPerSecond]
 * @property {import('../network/link-properties.js').LatencySpec | null} [linkLatency]
 */

/** @type {Asked} */
const NOTHING = {
  linkLossShare: null,
  linkBandwidthBytesPerSecond: null,
  upBandwidthBytesPerSecond: null,
  downBandwidthBytesPerSecond: null,
  congestionControl: null
}

/**
 * networkPlan is what a network of namespaces is made from, where a plan is not of gossip: somebody in namespace 0, and whoever asks it
 * in the others.
 *
 * @param {LinksAsked & Partial<Asked> & { seed: number, linkJitter?: GossipPlan['linkJitter'] }} asked
 * @param {number} namespaces
 * @returns {NetworkPlan}
 */
export function networkPlan({ linkLatency, linkJitter, seed, ...asked }, namespaces) {
  const latency = linkLatency ?? { kind: 'constant', ms: 0 }
  const isSame = latency.kind === 'constant'
  const links = /** @type {Asked} */ (
    Object.fromEntries(
      Object.entries(NOTHING).map(([key, none]) => [key, asked[/** @type {keyof Asked} */ (key)] ?? none])
    )
  )
  return {
    ...links,
    seed,
    nodes: namespaces,
    workers: namespaces,
    star: true,
    linkLatencyMs: isSame ? latency.ms : 0,
    linkLatencies: isSame ? null : latency,
    linkJitter: linkJitter ?? USUAL_JITTER,
    partitions: [],
    // packets of the kernel have what libp2p puts around bytes
    muxer: 'yamux',
    security: 'noise'
  }
}
