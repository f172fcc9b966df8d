/** Options by which something is asked of links, and what a plan has of each. */
const IN_PLAN = Object.freeze({
  linkLatency: ['linkLatencyMs', 'linkLatencies'],
  linkLoss: ['linkLossShare'],
  linkBandwidth: ['linkBandwidthBytesPerSecond'],
  upBandwidth: ['upBandwidthBytesPerSecond'],
  downBandwidth: ['downBandwidthBytesPerSecond'],
  partition: ['partitions'],
  linkJitter: ['linkJitter'],
  topology: ['topology'],
  networkFile: ['networkFile']
})

/** IMPAIRING are all options that `impairments` looks at. */
export const IMPAIRING = Object.keys(IN_PLAN)

/** A share is one of the latency: nothing, where that is not asked for. @param {any} value @param {string} key */
function asks(value, key) {
  if (key === 'topology') return saysOfLinks(value)
  if (key === 'networkFile')
    return (
      describesLinks(value) ||
      value?.script.some((/** @type {{ action: string }} */ { action }) => action === 'partition')
    )
  return value != null && value !== 0 && value.length !== 0 && value.ms !== 0 && value.kind !== 'share'
}

/** @param {import('../../scenarios/gossip/plan/network-file.js').NetworkFile | null} [file] */
const describesLinks = file =>
  file != null &&
  (file.zones !== null ||
    file.classes.some(each => each.upBytesPerSecond !== null || each.downBytesPerSecond !== null))

/**
 * hasOwnLinks says whether links or nodes of a plan differ in what they carry.
 *
 * @param {{ topology?: Parameters<typeof saysOfLinks>[0], networkFile?: Parameters<typeof describesLinks>[0] }} plan
 */
export const hasOwnLinks = ({ topology, networkFile }) => saysOfLinks(topology) || describesLinks(networkFile)

/**
 * saysOfLinks says whether a topology has data of links or nodes, which only a file has.
 *
 * @param {{ kind: string, links?: readonly unknown[], hosts?: readonly unknown[] }} [topology]
 */
export const saysOfLinks = topology => (topology?.links ?? topology?.hosts) !== undefined

/**
 * impairments names the options by which something is done to links that a network does not do by itself.
 *
 * @param {Record<string, any>} values - of options, by flag
 */
export const impairments = values => IMPAIRING.filter(flag => asks(values[flag], flag))

/**
 * asksOfLinks says whether a plan has any.
 *
 * @param {Pick<import('../../scenarios/gossip/plan/gossip-plan.js').GossipPlan, 'linkLatencyMs' | 'linkLatencies' | 'linkJitter' |
 *   'linkLossShare' | 'linkBandwidthBytesPerSecond' | 'upBandwidthBytesPerSecond' | 'downBandwidthBytesPerSecond' | 'partitions' | 'topology' | 'networkFile'>} plan
 */
export const asksOfLinks = plan =>
  Object.values(IN_PLAN)
    .flat()
    .some(key => asks(plan[/** @type {keyof typeof plan} */ (key)], key))

/**
 * isRouted says whether what nodes of a plan send goes through a router of ours.
 *
 * @param {Parameters<typeof asksOfLinks>[0] & Pick<import('../../scenarios/gossip/plan/gossip-plan.js').GossipPlan, 'network'>} plan
 */
export const isRouted = plan =>
  plan.network === 'namespaces' || (plan.network === 'docker' && asksOfLinks(plan))
