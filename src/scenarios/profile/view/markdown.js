import { asMarkdown } from '../../../kit/table.js'
import { allocatedInWords } from './allocations-view.js'
import { hotSpotTables } from './hot-spot-tables.js'

/** @typedef {import('../profile-types.js').ProfileResult} ProfileResult */

/** Names of functions may hold what markdown takes for the end of a cell. @param {string} cell */
const safe = cell => cell.replaceAll('|', '\\|')

/** @param {Parameters<typeof hotSpotTables>[0]} shares */
const tablesOf = shares =>
  hotSpotTables(shares).flatMap(({ title, table }) => [
    `### ${title}`,
    asMarkdown({ ...table, rows: table.rows.map(row => row.map(safe)) })
  ])

/**
 * hotSpotParts are the parts of a run's markdown page about its profile.
 *
 * @param {ProfileResult} result
 * @returns {string[]} none: nothing was sampled
 */
export const hotSpotParts = ({ outcome: { profile, allocations } }) => [
  ...(profile === null ? [] : ['## Hot spots', ...tablesOf(profile.hotSpots)]),
  ...(allocations === undefined
    ? []
    : ['## Allocations', `${allocatedInWords(allocations)}. Shares are of that.`, ...tablesOf(allocations)])
]
