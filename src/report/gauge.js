/**
 * @typedef {import('../plan/plan.js').AnyPlan} AnyPlan
 * @typedef {import('../result/types.js').ThresholdResult} ThresholdResult
 * @typedef {import('../measure/figure.js').Figure} Figure
 * @typedef {import('../measure/figure.js').Told} Told
 * @typedef {import('../kit/units.js').Quantity} Quantity
 *
 * @typedef {object} State - what is known of a run just now
 * @property {string} id
 * @property {AnyPlan | null} plan
 * @property {string | null} phase
 * @property {Partial<import('../result/types.js').ProgressRecord>} progress
 * @property {import('../measure/figure.js').Outcome | null} figures - of the scenario of the plan; null: nothing was measured
 * @property {number[]} utilizations
 * @property {readonly ThresholdResult[]} thresholds
 *
 * @typedef {{ labels?: Record<string, string | number>, value: number }} Sample
 *
 * @typedef {object} Gauge - what Prometheus is told
 * @property {string} name
 * @property {string} help
 * @property {boolean} [counts] - a counter; else a gauge
 * @property {string[]} [labelNames]
 * @property {(state: State) => Sample[]} read
 */

/**
 * sample is a figure with its labels.
 *
 * @param {number | null | undefined} value - none: there is no sample
 * @param {Sample['labels']} [labels]
 * @returns {Sample[]}
 */
export const sample = (value, labels = {}) => (value == null ? [] : [{ labels, value }])

/**
 * cores are CPU as Prometheus is told it.
 *
 * @param {number | null | undefined} percent - of one core
 */
export const cores = percent => sample(percent == null ? null : percent / 100)

/** How much of the unit of a quantity makes one of its base unit. @type {Readonly<Partial<Record<Quantity, number>>>} */
const BASE = { time: 1000, share: 100, memory: 1e-6 }

/** @param {Figure} figure @param {Told} told @returns {Gauge} */
const gaugeOf = ({ read, quantity }, { name, help, counts, labels = {} }) => ({
  name: `loadtest_${name}`,
  help,
  counts,
  labelNames: Object.keys(labels),
  read({ figures }) {
    const value = figures && read(figures).value
    return sample(value === null ? null : value / (BASE[quantity] ?? 1), labels)
  }
})

/**
 * gaugesOf are the figures that are told while a run goes on.
 *
 * @param {readonly Figure[]} figures
 * @returns {Gauge[]} several of one name, where they differ in labels
 */
export const gaugesOf = figures =>
  figures.flatMap(figure => (figure.told === undefined ? [] : gaugeOf(figure, figure.told)))
