import { isCensored } from '../../load/outcomes.js'
import { Histogram, merged } from '../../measure/histogram.js'
import { summarize } from '../../measure/summary.js'
import { gossipPrimaryMetrics } from './gossip-primary-metrics.js'

/**
 * @typedef {import('../../result/types.js').Result} Result
 * @typedef {import('../../scenarios/gossip/gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../result/types.js').OperationResult} OperationResult
 * @typedef {import('../../result/types.js').Summary} Summary
 *
 * @typedef {import('../../plan/compared-metrics.js').MetricName} MetricName
 *
 * @typedef {object} Figure - of one run
 * @property {number} value
 * @property {boolean} atLeast - operations without a reply reach into it: it would be larger
 * @property {boolean} doubtful - the load generator had too large a part in it
 *
 * @typedef {Partial<Record<MetricName, Figure | null>>} PrimaryMetrics - those of the run's scenario
 */

/** A connection is part of the operation after it. @param {Result} result */
const measured = ({ outcome }) =>
  Object.entries(outcome.operations)
    .filter(([type]) => type !== 'CONNECT')
    .map(([, operation]) => operation)

/** @param {OperationResult[]} operations @param {(outcome: string) => boolean} chosen */
function pooled(operations, chosen) {
  const parts = operations.flatMap(({ histograms }) =>
    Object.entries(histograms)
      .filter(([outcome]) => chosen(outcome))
      .map(([, encoded]) => Histogram.decode(encoded))
  )
  const all = merged(parts)
  for (const part of parts) part.destroy()
  return all
}

/**
 * The response times of all types together; of one type they are in the result.
 *
 * @param {OperationResult[]} operations
 * @returns {Pick<Summary, 'p50' | 'p99'>}
 */
function responseTimes(operations) {
  if (operations.length === 1) return operations[0].rt.all
  const all = pooled(operations, () => true)
  const answered = pooled(operations, outcome => !isCensored(outcome))
  try {
    const { p50, p99 } = summarize(all, { answered })
    return { p50: withDoubt(p50, operations, 'p50'), p99: withDoubt(p99, operations, 'p99') }
  } finally {
    all.destroy()
    answered.destroy()
  }
}

/** @param {Summary['p50']} percentile @param {OperationResult[]} operations @param {'p50' | 'p99'} key */
const withDoubt = (percentile, operations, key) =>
  percentile && { ...percentile, doubtful: operations.some(({ rt }) => rt.all[key]?.doubtful) }

/** @param {Summary['p50']} percentile @returns {Figure | null} */
const time = percentile =>
  percentile && { value: percentile.ms, atLeast: percentile.censored, doubtful: percentile.doubtful }

/** @param {OperationResult[]} operations @returns {Figure} */
const throughput = operations => ({
  value: operations.reduce((sum, { throughputPerSecond }) => sum + throughputPerSecond, 0),
  atLeast: false,
  doubtful: operations.some(({ throughputIsLowerBound }) => throughputIsLowerBound)
})

/** @param {Result} result @param {OperationResult[]} operations @returns {number | null} µs */
function cpuPerOperation({ outcome }, operations) {
  const alone = operations.length === 1 ? operations[0].serverCpuMicrosPerOperation : null
  if (alone !== null) return alone
  const percent = outcome.server?.cpu.averagePercent ?? null
  const probes = Object.values(outcome.probe?.operations ?? {})
  const served = [...operations, ...probes].reduce((sum, { count }) => sum + count, 0)
  return percent === null || served === 0 ? null : (percent * outcome.measuredMs * 10) / served
}

/** @param {number | null} micros @returns {Figure | null} */
const cost = micros => (micros === null ? null : { value: micros, atLeast: false, doubtful: false })

/**
 * primaryMetrics gives the figures of a run that comparisons decide on.
 *
 * @param {Result | GossipResult} result
 * @returns {PrimaryMetrics}
 */
export const primaryMetrics = result =>
  result.scenario === 'gossip' ? gossipPrimaryMetrics(result) : rendezvousPrimaryMetrics(result)

/**
 * Throughput of all operations, p50 and p99 of their response times, and the server's CPU time for each. Several types count
 * together.
 *
 * @param {Result} result
 * @returns {PrimaryMetrics}
 */
function rendezvousPrimaryMetrics(result) {
  const operations = measured(result)
  if (operations.length === 0) return { throughput: null, p50: null, p99: null, cpu: null }
  const { p50, p99 } = responseTimes(operations)
  return {
    throughput: throughput(operations),
    p50: time(p50),
    p99: time(p99),
    cpu: cost(cpuPerOperation(result, operations))
  }
}
