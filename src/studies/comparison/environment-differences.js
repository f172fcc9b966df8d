/**
 * @typedef {import('./comparison.js').Result} Result
 * @typedef {import('./plan-differences.js').Difference} Difference
 * @typedef {Pick<Result['run'], 'machine' | 'versions'>} Environment
 */

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
    // those of perf are an address, or ours: nothing is told of where it ran
    'target' in outcome ? (outcome.target?.kind ?? null) : null
  )
  return one === other ? [] : [{ what: 'server in', base: one, candidate: other }]
}
