import { table } from '../../report/description/tables.js'
import { hotSpotDifferences } from './measure/hot-spot-differences.js'

/**
 * @typedef {import('./profile-types.js').ProfileResult} ProfileResult
 * @typedef {import('../../report/description/description.js').Description} Description
 */

const NOTHING = { categories: [] }

/** By category. @param {ProfileResult} base @param {ProfileResult} candidate */
const list = (base, candidate) =>
  hotSpotDifferences(
    base.outcome.profile?.hotSpots ?? NOTHING,
    candidate.outcome.profile?.hotSpots ?? NOTHING
  )

/** @param {ReturnType<typeof list>} differences */
function headlineOf([first]) {
  if (first === undefined) return 'No CPU time was sampled in either run.'
  const { category, base, candidate, selfPoints } = first
  const [before, after] = [base, candidate].map(({ selfShare }) => `${(100 * selfShare).toFixed(1)} %`)
  return selfPoints === 0
    ? 'Both runs spent their CPU time alike.'
    : `The largest difference: ${category}, ${before} of the busy CPU time in A, ${after} in B.`
}

/**
 * Shares of the busy CPU time, and their changes in percentage points.
 *
 * @param {ProfileResult} base
 * @param {ProfileResult} candidate
 * @returns {Description}
 */
function describe(base, candidate) {
  const differences = list(base, candidate)
  return {
    title: `${base.id} against ${candidate.id}`,
    headline: headlineOf(differences),
    tiles: differences
      .slice(0, 4)
      .map(({ category, selfPoints }) => [`${category}, points`, selfPoints, 'number']),
    tables: [
      {
        ...table('cpu-time-by-category', 'CPU time by category', differences, [
          ['Category', ({ category }) => category, 'text'],
          ['Self % A', ({ base }) => 100 * base.selfShare, 'percent'],
          ['Self % B', ({ candidate }) => 100 * candidate.selfShare, 'percent'],
          ['Points', ({ selfPoints }) => selfPoints, 'number'],
          ['Total % A', ({ base }) => 100 * base.totalShare, 'percent', 'wide'],
          ['Total % B', ({ candidate }) => 100 * candidate.totalShare, 'percent', 'wide'],
          ['Total: points', ({ totalPoints }) => totalPoints, 'number']
        ]),
        note: `A is ${base.id}, B is ${candidate.id}. Shares of the busy CPU time of each run: where one category shrinks, the others grow. Differences of single runs: chance is not known.`
      }
    ],
    plots: [],
    warnings: []
  }
}

/** DIFFERENCES say how a profile differs from another one. @type {import('../scenario.js').Differences} */
export const DIFFERENCES = {
  missing: (/** @type {ProfileResult} */ { outcome: { profile } }) =>
    profile === null
      ? 'holds no profile of CPU time: the run ended before anything was sampled, or --profile had heap alone'
      : null,
  list,
  describe
}
