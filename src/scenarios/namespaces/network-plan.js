import { USUAL_JITTER } from '../gossip/plan/link-jitter-option.js'

/**
 * @typedef {import('../gossip/plan/gossip-plan.js').GossipPlan} GossipPlan
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
 * @property {import('../../network/links/link-latencies.js').LatencySpec | null} [linkLatency]
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
