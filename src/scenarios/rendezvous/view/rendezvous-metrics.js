import { QUANTILES } from '../../../measure/summary.js'
import { sample, seconds } from '../../../report/metric.js'

/**
 * @typedef {import('../../../result/types.js').Figures} Figures
 * @typedef {import('../../../result/types.js').OperationFigures} OperationFigures
 * @typedef {import('../../../report/metric.js').Metric} Metric
 * @typedef {import('../../../report/metric.js').Sample} Sample
 * @typedef {import('../../../report/metric.js').State} State
 */

/** @param {State} state @param {(type: string, operation: OperationFigures) => Sample[]} read */
const byType = ({ figures }, read) =>
  Object.entries(/** @type {Figures} */ (figures).operations).flatMap(([type, operation]) =>
    read(type, operation)
  )

/** OPERATIONS counts the operations of the rendezvous scenario. @type {Metric} */
export const OPERATIONS = Object.freeze({
  name: 'loadtest_operations_total',
  help: 'Operations measured so far, by type and outcome',
  counts: true,
  labelNames: ['type', 'outcome'],
  read: state =>
    byType(state, (type, { outcomes }) =>
      Object.entries(outcomes).flatMap(([outcome, count]) => sample(count, { type, outcome }))
    )
})

/** RENDEZVOUS_METRICS are the figures of the rendezvous scenario. @type {readonly Metric[]} */
export const RENDEZVOUS_METRICS = Object.freeze([
  {
    name: 'loadtest_response_time_seconds',
    help: 'Percentiles of the response time so far, operations without a reply at the time waited; only with enough samples',
    labelNames: ['type', 'quantile'],
    read: state =>
      byType(state, (type, { rt }) =>
        Object.entries(QUANTILES).flatMap(([name, quantile]) =>
          sample(seconds(rt.all[/** @type {keyof typeof QUANTILES} */ (name)]?.ms), { type, quantile })
        )
      )
  },
  {
    name: 'loadtest_response_time_average_seconds',
    help: 'Average response time so far',
    labelNames: ['type'],
    read: state => byType(state, (type, { rt }) => sample(seconds(rt.all.avg?.ms), { type }))
  },
  {
    name: 'loadtest_response_time_max_seconds',
    help: 'Longest response time so far',
    labelNames: ['type'],
    read: state => byType(state, (type, { rt }) => sample(seconds(rt.all.max?.ms), { type }))
  },
  {
    name: 'loadtest_throughput_operations_per_second',
    help: 'Successful operations per second of measured time, so far',
    labelNames: ['type'],
    read: state => byType(state, (type, { throughputPerSecond }) => sample(throughputPerSecond, { type }))
  },
  {
    name: 'loadtest_server_cpu_cores',
    help: 'CPU of the server at the last sample, in cores',
    read: ({ progress: { cpuPercent } }) => sample(cpuPercent == null ? null : cpuPercent / 100)
  },
  {
    name: 'loadtest_server_cpu_average_cores',
    help: 'CPU of the server over the measured time so far, in cores',
    read: ({ figures: { server } }) =>
      sample(server?.cpu.averagePercent == null ? null : server.cpu.averagePercent / 100)
  },
  {
    name: 'loadtest_server_memory_bytes',
    help: 'Memory of the server at the last sample',
    read: ({ progress: { rssBytes } }) => sample(rssBytes)
  }
])
