import { subStream } from '../../kit/random.js'
import { placementOf } from '../../load/placement.js'
import { LinkModel } from '../links/link-model.js'

/**
 * @typedef {import('../../scenarios/gossip/plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('../links/link-model.js').LinkSettings} LinkSettings
 * @typedef {Pick<GossipPlan, 'linkLatencyMs' | 'linkLatencies' | 'linkJitter' | 'linkLossShare' | 'linkBandwidthBytesPerSecond'
 *   | 'upBandwidthBytesPerSecond' | 'downBandwidthBytesPerSecond' | 'partitions' | 'muxer' | 'security'>
 *   & { topology?: GossipPlan['topology'], networkFile?: GossipPlan['networkFile'], nodes?: number, seed?: number }} LinksOf
 */

/**
 * What a network file says of links and nodes, but for latencies, which the plan has.
 *
 * @param {LinksOf} plan
 * @returns {Pick<LinkSettings, 'hosts' | 'zones'>}
 */
function fromNetworkFile({ networkFile, nodes = 0, seed = 0 }) {
  if (networkFile === undefined) return {}
  const { classes, zones } = networkFile
  const placement = placementOf({ networkFile, nodes, seed })
  if (placement === null) return {}
  const { classOf, zoneOf } = placement
  return {
    ...(classes.length > 0 && {
      hosts: classOf.map(place => ({
        upBytesPerSecond: classes[place].upBytesPerSecond ?? undefined,
        downBytesPerSecond: classes[place].downBytesPerSecond ?? undefined
      }))
    }),
    ...(zones !== null && { zones: { zoneOf, jitter: zones.jitter, lossShare: zones.lossShare } })
  }
}

/**
 * linkSettingsOf gives what joins the nodes of a plan.
 *
 * @param {LinksOf} plan
 * @returns {LinkSettings}
 */
export function linkSettingsOf(plan) {
  const { linkLatencyMs, linkLatencies, partitions, muxer, security, topology } = plan
  return {
    ...fromNetworkFile(plan),
    ...(topology?.kind === 'file' && {
      links: topology.links,
      ...(topology.hosts !== undefined && { hosts: topology.hosts })
    }),
    latency: linkLatencies ?? { kind: 'constant', ms: linkLatencyMs },
    jitter: plan.linkJitter,
    lossShare: plan.linkLossShare ?? 0,
    upBytesPerSecond: plan.upBandwidthBytesPerSecond,
    downBytesPerSecond: plan.downBandwidthBytesPerSecond,
    linkBytesPerSecond: plan.linkBandwidthBytesPerSecond,
    cuts: partitions,
    layers: { muxer: /** @type {'yamux' | 'mplex'} */ (muxer), security, tcp: true },
    tcp: true
  }
}

/**
 * Half of a round trip between two processes of one host. In a network without any latency a node is done with all it does before the next one
 * begins: the first to dial had all of the mesh peers that the last ones lacked.
 */
const LEAST_LATENCY_MS = 0.025

/**
 * withLeastLatency gives simulated links the time that real ones take where none is asked for.
 *
 * @template {LinksOf} P
 * @param {P} plan
 * @returns {P}
 */
export const withLeastLatency = plan => ({
  ...plan,
  linkLatencyMs: Math.max(LEAST_LATENCY_MS, plan.linkLatencyMs)
})

/**
 * linkModelOf makes what joins the nodes of a plan.
 *
 * @param {LinksOf & Pick<GossipPlan, 'nodes' | 'seed'>} plan
 * @param {Partial<LinkSettings>} [other] - settings
 * @returns {LinkModel}
 */
export const linkModelOf = (plan, other = {}) =>
  new LinkModel(
    { ...linkSettingsOf(plan), ...other },
    { nodes: plan.nodes, streams: (...name) => subStream(plan.seed, ...name) }
  )
