/**
 * asksOfLinks says whether a plan has something done to links that a network does not do by itself.
 *
 * @param {Pick<import('../../scenarios/gossip/plan/gossip-plan.js').GossipPlan, 'linkLatencyMs' | 'linkLatencies' | 'linkJitter' |
 *   'linkLossShare' | 'linkBandwidthBytesPerSecond' | 'upBandwidthBytesPerSecond' | 'downBandwidthBytesPerSecond' | 'partitions'>} plan
 */
export const asksOfLinks = ({
  linkLatencyMs,
  linkLatencies,
  linkJitter,
  linkLossShare,
  linkBandwidthBytesPerSecond,
  upBandwidthBytesPerSecond,
  downBandwidthBytesPerSecond,
  partitions
}) =>
  linkLatencyMs > 0 ||
  linkLatencies !== null ||
  (linkJitter?.kind === 'time' && linkJitter.ms > 0) ||
  Number(linkLossShare) > 0 ||
  [linkBandwidthBytesPerSecond, upBandwidthBytesPerSecond, downBandwidthBytesPerSecond].some(
    limit => limit !== null
  ) ||
  partitions.length > 0
