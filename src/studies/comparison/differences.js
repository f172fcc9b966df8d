import { isDeepStrictEqual } from 'node:util'

/**
 * @typedef {import('../../plan/plan.js').AnyPlan} Plan
 * @typedef {import('../../scenarios/scenario.js').ComparableScenario} Scenario
 *
 * @typedef {import('../../result/types.js').AnyResult} Result
 * @typedef {Pick<Result['run'], 'machine' | 'versions'>} Environment
 *
 * @typedef {object} Difference
 * @property {string} what
 * @property {unknown} base
 * @property {unknown} candidate
 */

/** NO_MATTER: what of a plan changes nothing that is measured. */
const NO_MATTER = new Set(['iOwnTheTarget', 'targetPid', 'targetContainer', 'thresholds'])

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

/** What of a machine makes it another one. */
const MACHINE = /** @type {const} */ (['platform', 'arch', 'cpu', 'cores', 'memoryBytes'])

/**
 * machineDifferences are what tells the machines of two runs apart.
 *
 * @param {Environment} base
 * @param {Environment} candidate
 * @returns {Difference[]}
 */
export const machineDifferences = (base, candidate) =>
  MACHINE.map(what => ({ what, base: base.machine[what], candidate: candidate.machine[what] })).filter(
    difference => difference.base !== difference.candidate
  )

/**
 * versionDifferences are the programs and packages of which two runs had other versions.
 *
 * @param {Environment} base
 * @param {Environment} candidate
 * @returns {Difference[]}
 */
export const versionDifferences = (base, candidate) =>
  Object.keys({ ...base.versions, ...candidate.versions })
    .map(what => ({
      what,
      base: base.versions[what] ?? null,
      candidate: candidate.versions[what] ?? null
    }))
    .filter(difference => difference.base !== difference.candidate)

/**
 * serverDifferences are what tells apart where the servers of two runs ran.
 *
 * @param {Pick<Result, 'outcome'>} base
 * @param {Pick<Result, 'outcome'>} candidate
 * @returns {Difference[]}
 */
export function serverDifferences(base, candidate) {
  const [one, other] = [base, candidate].map(({ outcome }) =>
    // those of transfers are an address, or ours: nothing is told of where it ran
    'target' in outcome ? (outcome.target?.kind ?? null) : null
  )
  return one === other ? [] : [{ what: 'server in', base: one, candidate: other }]
}
