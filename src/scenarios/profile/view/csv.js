import { asCsv } from '../../../report/csv.js'

/**
 * @typedef {import('../../gossip/gossip-types.js').ProfileResult} ProfileResult
 * @typedef {import('../../../report/csv.js').Cell} Cell
 */

const HEADINGS = ['by', 'category', 'package', 'function', 'url', 'line', 'selfShare', 'totalShare']

/**
 * hotSpotsCsv has a row for each category, each package and each function of a profile.
 *
 * @param {ProfileResult} result
 */
export function hotSpotsCsv({ outcome: { profile } }) {
  const { categories, packages, functions } = profile?.hotSpots ?? {
    categories: [],
    packages: [],
    functions: []
  }
  /** @type {Cell[][]} */
  const rows = [
    ...categories.map(row => ['category', row.category, '', '', '', '', row.selfShare, row.totalShare]),
    ...packages.map(row => ['package', '', row.package, '', '', '', row.selfShare, row.totalShare]),
    ...functions.map(row => [
      'function',
      row.category,
      row.package,
      row.function,
      row.url,
      row.line,
      row.selfShare,
      row.totalShare
    ])
  ]
  return asCsv([HEADINGS, ...rows])
}
