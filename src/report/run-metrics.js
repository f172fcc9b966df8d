import { Counter, Gauge, Registry } from 'prom-client'
import { QUANTILES } from '../measure/summary.js'

/**
 * @typedef {import('../result/types.js').Record_} Record_
 * @typedef {import('../result/types.js').Figures} Figures
 * @typedef {import('../result/types.js').OperationFigures} OperationFigures
 * @typedef {import('../result/types.js').ThresholdResult} ThresholdResult
 *
 * @typedef {object} State - what is known of a run just now
 * @property {string} id
 * @property {string | null} phase
 * @property {Partial<import('../result/types.js').ProgressRecord>} progress
 * @property {Figures} figures
 * @property {number[]} utilizations
 * @property {readonly ThresholdResult[]} thresholds
 *
 * @typedef {{ labels?: Record<string, string | number>, value: number }} Sample
 *
 * @typedef {object} Metric
 * @property {string} name
 * @property {string} help
 * @property {string[]} [labelNames]
 * @property {(state: State) => Sample[]} read
 */

/** @param {number | null | undefined} value @param {Sample['labels']} [labels] @returns {Sample[]} */
const sample = (value, labels = {}) => (value == null ? [] : [{ labels, value }])

/** @param {State} state @param {(type: string, operation: OperationFigures) => Sample[]} read */
const byType = ({ figures }, read) =>
  Object.entries(figures.operations).flatMap(([type, operation]) => read(type, operation))

/** @param {number | null | undefined} ms */
const seconds = ms => (ms == null ? null : ms / 1000)

/** @type {Metric} */
const OPERATIONS = {
  name: 'loadtest_operations_total',
  help: 'Operations measured so far, by type and outcome',
  labelNames: ['type', 'outcome'],
  read: state =>
    byType(state, (type, { outcomes }) =>
      Object.entries(outcomes).flatMap(([outcome, count]) => sample(count, { type, outcome }))
    )
}

/** @type {readonly Metric[]} */
const GAUGES = Object.freeze([
  {
    name: 'loadtest_run_info',
    help: '1, with the id of the run',
    labelNames: ['id'],
    read: ({ id }) => sample(1, { id })
  },
  {
    name: 'loadtest_phase',
    help: '1 for the phase that goes on',
    labelNames: ['phase'],
    read: ({ phase }) => (phase === null ? [] : sample(1, { phase }))
  },
  {
    name: 'loadtest_progress_ratio',
    help: 'Done part of the phase that goes on, as far as it is known how much there is to do',
    read: ({ progress: { done, total } }) => (total ? sample(Math.min(1, (done ?? 0) / total)) : [])
  },
  {
    name: 'loadtest_measured_seconds',
    help: 'Time that the operations were measured in, so far',
    read: ({ figures }) => sample(seconds(figures.measuredMs))
  },
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
  },
  {
    name: 'loadtest_generator_utilization_ratio',
    help: 'Event-loop utilisation of each worker process over the measured time so far',
    labelNames: ['worker'],
    read: ({ utilizations }) => utilizations.flatMap((ratio, worker) => sample(ratio, { worker }))
  },
  {
    name: 'loadtest_threshold_passed',
    help: '1 for a threshold that is met by what was measured so far, 0 for one that is not',
    labelNames: ['threshold'],
    read: ({ thresholds }) =>
      thresholds.flatMap(({ text, passed }) => sample(passed ? 1 : 0, { threshold: text }))
  }
])

/** @returns {State} */
const nothing = () => ({
  id: '',
  phase: null,
  progress: {},
  figures: { operations: {}, server: null, measuredMs: 0 },
  utilizations: [],
  thresholds: []
})

/**
 * What a record changes.
 *
 * @param {State} state
 * @param {Record_} record
 * @returns {Partial<State>}
 */
function changes({ progress }, record) {
  switch (record.type) {
    case 'start':
      return { ...nothing(), id: record.id }
    case 'phase':
      return record.state === 'begin' ? { phase: record.name, progress: {} } : {}
    case 'progress':
      return { progress: { ...progress, ...record } }
    case 'interval':
      return { figures: record.figures, utilizations: record.utilizations, thresholds: record.thresholds }
    case 'partial':
    case 'result': {
      const { outcome, run } = record.result
      return { figures: outcome, utilizations: run.health.map(({ utilization }) => utilization) }
    }
    default:
      return {}
  }
}

/**
 * runMetrics keeps the metrics of a run for Prometheus, from its records. They are put together only when somebody asks.
 *
 * @returns {{ contentType: string, text: () => Promise<string>, add: (record: Record_) => void }}
 */
export function runMetrics() {
  const registry = new Registry()
  const registers = [registry]
  let state = nothing()
  const { read: operations, ...counter } = OPERATIONS
  new Counter({
    ...counter,
    registers,
    collect() {
      this.reset()
      for (const { labels = {}, value } of operations(state)) this.inc(labels, value)
    }
  })
  for (const { read, ...gauge } of GAUGES)
    new Gauge({
      ...gauge,
      registers,
      collect() {
        this.reset()
        // prom-client keeps a gauge without labels at 0, which would read like a figure
        if (gauge.labelNames === undefined) this.remove()
        for (const { labels = {}, value } of read(state)) this.set(labels, value)
      }
    })
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    add(record) {
      state = { ...state, ...changes(state, record) }
    }
  }
}
