import { present } from '../kit/lists.js'
import { conditionOf } from './threshold.js'

/** @typedef {import('./threshold.js').Threshold} Threshold */

/**
 * The types of operations that a plan measures.
 *
 * @param {Record<string, any>} values - of options
 * @returns {string[]}
 */
function measuredTypes({ benchmarkType, mix, connectionPerOperation, churn }) {
  const mixed = Object.entries(mix).filter(([, share]) => share > 0)
  const sent = benchmarkType === 'MIXED' ? mixed.map(([name]) => name.toUpperCase()) : [benchmarkType]
  // clients that come connect, and all register
  if (churn != null) return [...new Set(['CONNECT', 'REGISTER', 'DISCOVER', ...sent])]
  return connectionPerOperation ? ['CONNECT', ...sent] : sent
}

/**
 * lackOf says what a plan would need for a figure.
 *
 * @param {import('../measure/figure.js').Figure} figure
 * @param {object} plan - as far as figures look at it
 * @returns {string | null} null: nothing
 */
function lackOf({ name, lacks }, plan) {
  const lack = lacks?.(/** @type {any} */ (plan)) ?? null
  return lack && `asks for ${name}, which needs ${lack}`
}

/**
 * withoutSample says which threshold is on a metric that a run cannot have a sample of, and would fail in any case.
 *
 * @param {readonly Threshold[]} thresholds
 * @param {readonly import('../measure/figure.js').Figure[]} figures - of the scenario
 * @param {Record<string, any>} values - of options, and what figures look at in a plan
 * @returns {string | null} what to change; null: there is none
 */
export function withoutSample(thresholds, figures, values) {
  const types = measuredTypes(values)
  const { target, targets, targetPid, targetContainer } = values
  const serverKnown =
    (target ?? targets) === undefined || targetPid !== undefined || targetContainer !== undefined
  for (const threshold of thresholds) {
    const { figure } = conditionOf(threshold, figures)
    const { name: metric, type, ofServer } = figure
    const lack = lackOf(figure, values)
    if (lack !== null) return lack
    if (type !== undefined && !types.includes(type))
      return `asks for ${metric}, and this run measures ${types.join(', ')} only`
    if (ofServer && !serverKnown) return `asks for ${metric}, which needs --targetPid or --targetContainer`
  }
  return null
}

/**
 * lackIn says which threshold is on a figure that runs of a plan cannot have.
 *
 * @param {readonly Threshold[]} thresholds
 * @param {readonly import('../measure/figure.js').Figure[]} figures - of the scenario
 * @param {object} plan
 * @returns {string | null} what it would need; null: there is none
 */
export const lackIn = (thresholds, figures, plan) =>
  present(thresholds.map(threshold => lackOf(conditionOf(threshold, figures).figure, plan)))[0] ?? null

/**
 * ofThePlan refuses thresholds on figures that runs of a plan cannot have.
 *
 * @param {readonly import('../measure/figure.js').Figure[]} figures - of the scenario
 * @param {(values: Record<string, any>) => object} planOf - of values of options: what figures look at
 * @param {readonly string[]} needs - the options it comes from
 * @returns {import('./option.js').Rule[]}
 */
export const ofThePlan = (figures, planOf, needs) => [
  {
    flag: 'threshold',
    needs,
    refuse: ({ threshold = [], ...values }) => lackIn(threshold, figures, planOf(values)) ?? undefined
  }
]
