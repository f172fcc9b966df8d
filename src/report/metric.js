/**
 * @typedef {import('../plan/plan.js').AnyPlan} AnyPlan
 * @typedef {import('../result/types.js').ThresholdResult} ThresholdResult
 *
 * @typedef {object} State - what is known of a run just now
 * @property {string} id
 * @property {AnyPlan | null} plan
 * @property {string | null} phase
 * @property {Partial<import('../result/types.js').ProgressRecord>} progress
 * @property {any} figures - of the scenario of the plan: its figures in types.js or gossip-types.js; null: nothing was measured
 * @property {number[]} utilizations
 * @property {readonly ThresholdResult[]} thresholds
 *
 * @typedef {{ labels?: Record<string, string | number>, value: number }} Sample
 *
 * @typedef {object} Metric - what Prometheus is told
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
 * seconds are the base unit of times.
 *
 * @param {number | null | undefined} ms
 */
export const seconds = ms => (ms == null ? null : ms / 1000)
