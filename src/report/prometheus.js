// Collects the metrics of a run while it runs, for Prometheus to scrape.
import { groupBy } from '../kit/collections.js'

/**
 * @typedef {import('../scenarios/index.js').AnyPlan} AnyPlan
 * @typedef {import('./schema.js').RunRecord} RunRecord
 * @typedef {import('./run-report.js').View} View
 */

/** Gauges of every run. @type {readonly GaugeSpec[]} */
const RUN_GAUGES = [
  {
    name: 'loadtest_run_info',
    help: '1, with the id of the run',
    labelNames: ['id'],
    read: ({ id }) => makeGaugeSample(1, { id })
  },
  {
    name: 'loadtest_phase',
    help: '1 for the current phase',
    labelNames: ['phase'],
    read: ({ phase }) => (phase === null ? [] : makeGaugeSample(1, { phase }))
  },
  {
    name: 'loadtest_progress_ratio',
    help: 'Completed share of the current phase, where its total is known',
    read: ({ progress: { done, total } }) => (total ? makeGaugeSample(Math.min(1, (done ?? 0) / total)) : [])
  },
  {
    name: 'loadtest_measured_seconds',
    help: 'Time that the operations were measured in, so far',
    read: ({ figures }) => makeGaugeSample((figures?.measuredMs ?? 0) / 1000)
  }
]

/** Gauges of the load generator and of thresholds. @type {readonly GaugeSpec[]} */
const VERDICT_GAUGES = [
  {
    name: 'loadtest_generator_utilization_ratio',
    help: 'Event-loop utilisation of each worker process over the measured time so far',
    labelNames: ['worker'],
    read: ({ utilizations }) => utilizations.flatMap((ratio, worker) => makeGaugeSample(ratio, { worker }))
  },
  {
    name: 'loadtest_threshold_passed',
    help: '1 for a threshold that is met by what was measured so far, 0 for one that is not',
    labelNames: ['threshold'],
    read: ({ thresholds }) =>
      thresholds.flatMap(({ text, passed }) => makeGaugeSample(passed ? 1 : 0, { threshold: text }))
  }
]

/** The gauges of a scenario have samples while a run of it goes on. @param {View} view @returns {GaugeSpec[]} several may have one name */
const scenarioGauges = ({ scenario: { name, gauges = [], figures } }) =>
  [
    ...gauges,
    ...figures.flatMap(figure => (figure.prometheus === undefined ? [] : gaugeOf(figure, figure.prometheus)))
  ].map(gauge => ({
    ...gauge,
    read: state => (state.plan?.scenario === name && state.figures !== null ? gauge.read(state) : [])
  }))

/** @type {MetricsState} */
const EMPTY = {
  ...{ id: '', plan: null, phase: null, progress: {} },
  ...{ figures: null, utilizations: [], thresholds: [] }
}

/** @param {MetricsState} state @param {RunRecord} record @returns {Partial<MetricsState>} what the record changes */
function changes({ progress }, record) {
  switch (record.type) {
    case 'start':
      return { ...EMPTY, id: record.id, plan: record.plan }
    case 'phase':
      return record.state === 'begin' ? { phase: record.name, progress: {} } : {}
    case 'progress':
      return { progress: { ...progress, ...record } }
    case 'interval':
      return { figures: record.figures, utilizations: record.utilizations, thresholds: record.thresholds }
    case 'partial':
    case 'result': {
      const { plan, outcome, run } = record.result
      return { plan, figures: outcome, utilizations: run.health.map(({ utilization }) => utilization) }
    }
    default:
      return {}
  }
}

/**
 * makeRunMetrics keeps the metrics of a run for Prometheus, from its records. Samples are read only when they are scraped.
 *
 * @param {readonly View[]} views - of the scenarios that are run
 * @returns {Promise<{ contentType: string, text: () => Promise<string>, add: (record: RunRecord) => void }>}
 */
export async function makeRunMetrics(views) {
  // loaded only by runs that have metrics
  const { Counter, Gauge, Registry } = (await import('prom-client')).default
  const registry = new Registry()
  let state = EMPTY
  const all = [...RUN_GAUGES, ...views.flatMap(scenarioGauges), ...VERDICT_GAUGES]
  for (const [name, same] of groupBy(all, gauge => gauge.name)) {
    const { help, labelNames = [], counts = false } = same[same.length - 1]
    const Kind = /** @type {typeof Gauge} */ (counts ? Counter : Gauge)
    new Kind({
      ...{ name, help, labelNames },
      registers: [registry],
      collect() {
        this.reset()
        // prom-client keeps one without labels at 0, which would read like a figure
        if (labelNames.length === 0) this.remove()
        for (const { labels = {}, value } of same.flatMap(({ read }) => read(state))) this.inc(labels, value)
      }
    })
  }
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    add(record) {
      state = { ...state, ...changes(state, record) }
    }
  }
}

/**
 * @typedef {import('./schema.js').ThresholdResult} ThresholdResult
 * @typedef {import('../measure/figure.js').Figure} Figure
 * @typedef {import('../measure/figure.js').PrometheusFigure} PrometheusFigure
 * @typedef {import('../kit/numbers.js').Quantity} Quantity
 *
 * @typedef {object} MetricsState - what is known of a run just now
 * @property {string} id
 * @property {AnyPlan | null} plan
 * @property {string | null} phase
 * @property {Partial<import('./schema.js').ProgressRecord>} progress
 * @property {import('../measure/figure.js').MeasuredOutcome | null} figures - of the scenario of the plan; null: nothing was measured
 * @property {number[]} utilizations
 * @property {readonly ThresholdResult[]} thresholds
 *
 * @typedef {{ labels?: Record<string, string | number>, value: number }} GaugeSample
 *
 * @typedef {object} GaugeSpec - what Prometheus is told
 * @property {string} name
 * @property {string} help
 * @property {boolean} [counts] - a counter; else a gauge
 * @property {string[]} [labelNames]
 * @property {(state: MetricsState) => GaugeSample[]} read
 */

/**
 * makeGaugeSample is a figure with its labels.
 *
 * @param {number | null | undefined} value - none: there is no sample
 * @param {GaugeSample['labels']} [labels]
 * @returns {GaugeSample[]}
 */
export const makeGaugeSample = (value, labels = {}) => (value == null ? [] : [{ labels, value }])

/**
 * makeCoreSample are CPU as Prometheus is told it.
 *
 * @param {number | null | undefined} percent - of one core
 */
export const makeCoreSample = percent => makeGaugeSample(percent == null ? null : percent / 100)

/** How much of the unit of a quantity makes one of its base unit. @type {Readonly<Partial<Record<Quantity, number>>>} */
const PER_BASE_UNIT = { time: 1000, share: 100, memory: 1e-6 }

/** @param {Figure} figure @param {PrometheusFigure} told @returns {GaugeSpec} */
const gaugeOf = ({ read, quantity }, { name, help, counts, labels = {} }) => ({
  name: `loadtest_${name}`,
  help,
  counts,
  labelNames: Object.keys(labels),
  read({ figures }) {
    const value = figures && read(figures).value
    return makeGaugeSample(value === null ? null : value / (PER_BASE_UNIT[quantity] ?? 1), labels)
  }
})
