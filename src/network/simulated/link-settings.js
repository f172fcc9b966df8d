import { subStream } from '../../kit/random.js'
import { LinkModel } from '../links/link-model.js'

/**
 * @typedef {import('../../scenarios/gossip/plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('../links/link-model.js').LinkSettings} LinkSettings
 * @typedef {Pick<GossipPlan, 'linkLatencyMs' | 'linkLatencies' | 'linkJitter' | 'linkLossShare' | 'linkBandwidthBytesPerSecond'
 *   | 'upBandwidthBytesPerSecond' | 'downBandwidthBytesPerSecond' | 'partitions' | 'muxer' | 'security' | 'ideal'>} LinksOf
 */

/**
 * linkSettingsOf gives what joins the nodes of a plan. Ideal networks have no windows, unless something has to be sent again.
 *
 * @param {LinksOf} plan
 * @returns {LinkSettings}
 */
export function linkSettingsOf(plan) {
  const { linkLatencyMs, linkLatencies, partitions, muxer, security, ideal } = plan
  const lossShare = plan.linkLossShare ?? 0
  return {
    latency: linkLatencies ?? { kind: 'constant', ms: linkLatencyMs },
    jitter: plan.linkJitter,
    lossShare,
    upBytesPerSecond: plan.upBandwidthBytesPerSecond,
    downBytesPerSecond: plan.downBandwidthBytesPerSecond,
    linkBytesPerSecond: plan.linkBandwidthBytesPerSecond,
    cuts: partitions,
    layers: { muxer: /** @type {'yamux' | 'mplex'} */ (muxer), security, tcp: true },
    tcp: !ideal || lossShare > 0 || partitions.length > 0
  }
}

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
