import { asMarkdown } from '../../../kit/table.js'
import { hotSpotDifferences } from '../measure/hot-spot-differences.js'
import { percentOf } from './hot-spot-tables.js'

/** @typedef {import('../profile-types.js').ProfileResult} ProfileResult */

/** @param {number} points */
const signed = points => `${points < 0 ? '−' : '+'}${Math.abs(points).toFixed(1)}`

/**
 * profileDifferences says by category how a profile differs from another one, in percentage points of the busy time.
 *
 * @param {ProfileResult} base
 * @param {ProfileResult} candidate
 * @returns {string} markdown
 * @throws {RangeError} when nothing was sampled in one of them
 */
export function profileDifferences(base, candidate) {
  const [before, after] = [base, candidate].map(({ id, outcome: { profile } }) => {
    if (profile === null) throw new RangeError(`in ${id} nothing was sampled: there is no profile to compare`)
    return profile.hotSpots
  })
  const table = asMarkdown({
    headings: ['Category', 'Self % base', 'Self % candidate', 'Points', 'Total: points'],
    rows: hotSpotDifferences(before, after).map(row => [
      row.category,
      percentOf(row.base.selfShare),
      percentOf(row.candidate.selfShare),
      signed(row.selfPoints),
      signed(row.totalPoints)
    ])
  })
  return `base ${base.id}, candidate ${candidate.id}\n\n${table}\n\nShares of the busy CPU time of each run: where one category shrinks, the others grow. One run each: how much chance is in it is not known.\n`
}
