import { csvOf } from '../../../report/csv.js'

/** @typedef {import('../profile-types.js').ProfileResult} ProfileResult */

const HEADINGS = ['by', 'category', 'package', 'function', 'url', 'line', 'selfShare', 'totalShare']

/** @param {string} by @param {readonly object[]} [rows] */
const named = (by, rows = []) => rows.map(row => ({ by, ...row }))

/**
 * hotSpotsCsv has a row for each category, each package and each function of a profile.
 *
 * @param {ProfileResult} result
 */
export const hotSpotsCsv = ({ outcome: { profile } }) =>
  csvOf(HEADINGS, [
    ...named('category', profile?.hotSpots.categories),
    ...named('package', profile?.hotSpots.packages),
    ...named('function', profile?.hotSpots.functions)
  ])
