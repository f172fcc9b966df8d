import { doubtsOf } from '../../result/doubtful.js'
import { cpuMsPerDelivery, workerResources } from '../../result/machine-figures.js'

/**
 * @typedef {import('../../scenarios/gossip/gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../result/types.js').Summary} Summary
 * @typedef {import('../../plan/compared-metrics.js').GossipMetric} GossipMetric
 * @typedef {import('./primary-metrics.js').Figure} Figure
 */

/** @param {number | null} value @returns {Figure | null} */
const plain = value => (value === null ? null : { value, atLeast: false, doubtful: false })

/** @param {GossipResult} result @returns {number | null} MB; null: not measured in every worker */
function memory(result) {
  const workers = workerResources(result).map(({ memory: { averageBytes } }) => averageBytes)
  const known = workers.filter(bytes => bytes !== null)
  if (known.length === 0 || known.length < workers.length) return null
  return known.reduce((sum, bytes) => sum + bytes, 0) / 1e6
}

/**
 * gossipPrimaryMetrics gives the figures of a gossip run that comparisons decide on: times of deliveries and of messages, what was
 * delivered, and what a delivery costs. Times of a run whose machine was too busy are doubtful.
 *
 * @param {GossipResult} result
 * @returns {Record<GossipMetric, Figure | null>}
 */
export function gossipPrimaryMetrics(result) {
  const { latency, dissemination, delivery, cost } = result.outcome
  const doubtful = doubtsOf(result).length > 0
  /** @param {Summary['p50']} percentile @returns {Figure | null} */
  const time = percentile =>
    percentile && {
      value: percentile.ms,
      atLeast: percentile.censored,
      doubtful: doubtful || percentile.doubtful
    }
  return {
    'latency.p50': time(latency.all.p50),
    'latency.p99': time(latency.all.p99),
    'dissemination.p50': time(dissemination.all.p50),
    'dissemination.p99': time(dissemination.all.p99),
    deliveryRatio: plain(delivery.ratio === null ? null : 100 * delivery.ratio),
    cpuPerDelivery: plain(cpuMsPerDelivery(result)),
    duplicatesPerDelivery: plain(cost.duplicatesPerDelivery),
    bytesPerDelivery: plain(cost.bytesPerDelivery),
    memory: plain(memory(result))
  }
}
