import { asMarkdown } from '../../../kit/table.js'
import { hotSpotDifferences } from '../measure/hot-spot-differences.js'
import { percentOf } from './hot-spot-tables.js'

/** @typedef {import('../profile-types.js').ProfileResult} ProfileResult */

/** @param {number} points */
const signed = points => `${points < 0 ? '−' : '+'}${Math.abs(points).toFixed(1)}`

/** @param {ProfileResult} base @param {ProfileResult} candidate */
function list(base, candidate) {
  const [before, after] = [base, candidate].map(
    ({ outcome }) => outcome.profile?.hotSpots ?? { categories: [] }
  )
  return hotSpotDifferences(before, after)
}

/**
 * By category, in percentage points of the busy time.
 *
 * @param {ProfileResult} base
 * @param {ProfileResult} candidate
 * @returns {string} markdown
 */
function text(base, candidate) {
  const table = asMarkdown({
    headings: ['Category', 'Self % base', 'Self % candidate', 'Points', 'Total: points'],
    rows: list(base, candidate).map(row => [
      row.category,
      percentOf(row.base.selfShare),
      percentOf(row.candidate.selfShare),
      signed(row.selfPoints),
      signed(row.totalPoints)
    ])
  })
  return `base ${base.id}, candidate ${candidate.id}\n\n${table}\n\nShares of the busy CPU time of each run: where one category shrinks, the others grow. One run each: how much chance is in it is not known.\n`
}

/** DIFFERENCES say how a profile differs from another one. @type {import('../../scenario.js').Differences} */
export const DIFFERENCES = {
  them: 'profiles',
  missing: (/** @type {ProfileResult} */ { outcome: { profile } }) =>
    profile === null
      ? 'holds no profile of CPU time: the run ended before anything was sampled, or --profile had heap alone'
      : null,
  list,
  text
}
