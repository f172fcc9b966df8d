// Starts and ends the Linux network namespaces of a rendezvous or transfer run, whose links are impaired as planned.
import { findLoopbackHost } from '../kit/host-address.js'
import { DEFAULT_JITTER } from './network-options.js'

/**
 * @typedef {import('./gossip/outcome.js').NamespaceFigures} NamespaceFigures
 * @typedef {import('../network/namespace-network.js').NamespaceNetwork} NamespaceNetwork
 */

/** NamespaceRun is the optional network of namespaces of a run. It ends with the run, even during its start. */
export class NamespaceRun {
  #ending = new AbortController()
  /** @type {Promise<NamespaceNetwork> | null} */
  #starting = null
  /** @type {NamespaceNetwork | null} null: there is none, or it has not started */
  network = null

  /**
   * start makes the namespaces, then measures their links.
   *
   * @param {NetworkPlan} plan
   * @param {(error: Error) => void} onFailure
   */
  async start(plan, onFailure) {
    const { signal } = this.#ending
    // loaded here, for few runs need it
    this.#starting = import('../network/namespace-network.js').then(({ NamespaceNetwork }) =>
      NamespaceNetwork.start(plan, { originNs: process.hrtime.bigint(), onFailure, signal })
    )
    this.network = await this.#starting
  }

  /** through is a command that replaces itself by another one in a namespace; empty without namespaces. @param {number} namespace @returns {readonly string[]} */
  through(namespace) {
    return this.network?.enter(namespace) ?? []
  }

  /** inside says how to start a process in a namespace. @param {number} namespace @returns {{ host: string, through: readonly string[] } | null} null: there is none */
  inside(namespace) {
    if (this.network === null) return null
    return { host: this.host(namespace), through: this.through(namespace) }
  }

  /** host is the address of the processes in a namespace. @param {number} namespace */
  host(namespace) {
    return this.network?.address(namespace) ?? findLoopbackHost()
  }

  /** hold sets the processes in the namespaces. @param {readonly number[]} pids - one of each */
  hold(pids) {
    this.network?.hold(pids)
  }

  /** begin resets the counts of the router. */
  async begin() {
    await this.network?.begin()
  }

  /** over freezes the figures. */
  async over() {
    await this.network?.over()
  }

  /** figures are the measurements so far. @returns {NamespaceFigures | null} null: there is none */
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
 *   | 'downBandwidthBytesPerSecond' | 'congestionControl'>} LinkSettings
 *
 * @typedef {LinkSettings & Pick<GossipPlan, 'seed' | 'nodes' | 'workers' | 'linkLatencyMs' | 'linkLatencies' | 'linkJitter' | 'partitions'
 *   | 'muxer' | 'security'> & { star?: boolean, topology?: GossipPlan['topology'], networkFile?: GossipPlan['networkFile'] }} NetworkPlan - as much of a plan as a network of namespaces needs;
 *   star: all others speak with namespace 0 alone
 *
 * @typedef {Partial<Pick<GossipPlan, 'linkLossShare' | 'upBandwidthBytesPerSecond'>> & { linkLatency?: GossipPlan['linkLatencies'] }} NamespaceLinkPlan - the
 *   options of links
 */

/** @type {LinkSettings} */
const UNIMPAIRED = {
  linkLossShare: null,
  linkBandwidthBytesPerSecond: null,
  upBandwidthBytesPerSecond: null,
  downBandwidthBytesPerSecond: null,
  congestionControl: null
}

/**
 * makeNetworkPlan makes the plan of a network of namespaces for scenarios other than gossip: a server in namespace 0, clients in the others.
 *
 * @param {NamespaceLinkPlan & Partial<LinkSettings> & { seed: number, linkJitter?: GossipPlan['linkJitter'] }} asked
 * @param {number} namespaces
 * @returns {NetworkPlan}
 */
export function makeNetworkPlan({ linkLatency, linkJitter, seed, ...settings }, namespaces) {
  const latency = linkLatency ?? { kind: 'constant', ms: 0 }
  const isSame = latency.kind === 'constant'
  const links = /** @type {LinkSettings} */ (
    Object.fromEntries(
      Object.entries(UNIMPAIRED).map(([key, none]) => [
        key,
        settings[/** @type {keyof LinkSettings} */ (key)] ?? none
      ])
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
    linkJitter: linkJitter ?? DEFAULT_JITTER,
    partitions: [],
    // the overhead of libp2p is part of the real packets
    muxer: 'yamux',
    security: 'noise'
  }
}
