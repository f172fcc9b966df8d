import { isDeepStrictEqual } from 'node:util'

/**
 * @typedef {import('../../plan/plan.js').AnyPlan} Plan
 * @typedef {import('../../scenarios/scenario.js').ComparableScenario} Scenario
 *
 * @typedef {object} Difference
 * @property {string} what
 * @property {unknown} base
 * @property {unknown} candidate
 */

/** NO_MATTER: what of a plan changes nothing that is measured. */
export const NO_MATTER = new Set(['iOwnTheTarget', 'targetPid', 'targetContainer', 'thresholds'])

/**
 * obstacles say why results of two plans cannot be compared.
 *
 * @param {Plan} base
 * @param {Plan} candidate
 * @param {Scenario} scenario - of the first one
 * @returns {Difference[]} none: they can
 */
export const obstacles = (base, candidate, { compared }) =>
  Object.entries({
    scenario: (/** @type {Plan} */ { scenario }) => scenario,
    ...(base.scenario === candidate.scenario ? compared.same : {})
  })
    .map(([what, of]) => ({ what, base: of(base), candidate: of(candidate) }))
    .filter(difference => !isDeepStrictEqual(difference.base, difference.candidate))

/**
 * planDifferences are the parameters in which two plans differ, as far as they can change a figure.
 *
 * @param {Plan} base
 * @param {Plan} candidate
 * @returns {Difference[]}
 */
export function planDifferences(base, candidate) {
  const [one, other] = /** @type {Record<string, unknown>[]} */ ([{ ...base }, { ...candidate }])
  return Object.keys({ ...one, ...other })
    .filter(key => !NO_MATTER.has(key) && !isDeepStrictEqual(one[key] ?? null, other[key] ?? null))
    .map(what => ({ what, base: one[what] ?? null, candidate: other[what] ?? null }))
}
