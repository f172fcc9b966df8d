/** Options by which something is asked of links, and what a plan has of each. */
const IN_PLAN = Object.freeze({
  linkLatency: ['linkLatencyMs', 'linkLatencies'],
  linkLoss: ['linkLossShare'],
  linkBandwidth: ['linkBandwidthBytesPerSecond'],
  upBandwidth: ['upBandwidthBytesPerSecond'],
  downBandwidth: ['downBandwidthBytesPerSecond'],
  partition: ['partitions'],
  linkJitter: ['linkJitter']
})

/** IMPAIRING are all options that `impairments` looks at. */
export const IMPAIRING = Object.keys(IN_PLAN)

/** A share is one of the latency: nothing, where that is not asked for. @param {any} value */
const asks = value =>
  value != null && value !== 0 && value.length !== 0 && value.ms !== 0 && value.kind !== 'share'

/**
 * impairments names the options by which something is done to links that a network does not do by itself.
 *
 * @param {Record<string, any>} values - of options, by flag
 */
export const impairments = values => IMPAIRING.filter(flag => asks(values[flag]))

/**
 * asksOfLinks says whether a plan has any.
 *
 * @param {Pick<import('../../scenarios/gossip/plan/gossip-plan.js').GossipPlan, 'linkLatencyMs' | 'linkLatencies' | 'linkJitter' |
 *   'linkLossShare' | 'linkBandwidthBytesPerSecond' | 'upBandwidthBytesPerSecond' | 'downBandwidthBytesPerSecond' | 'partitions'>} plan
 */
export const asksOfLinks = plan =>
  Object.values(IN_PLAN)
    .flat()
    .some(key => asks(plan[/** @type {keyof typeof plan} */ (key)]))
