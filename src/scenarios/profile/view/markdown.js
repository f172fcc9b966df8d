import { asMarkdown } from '../../../kit/table.js'
import { hotSpotTables } from './hot-spot-tables.js'

/** @typedef {import('../profile-types.js').ProfileResult} ProfileResult */

/** Names of functions may hold what markdown takes for the end of a cell. @param {string} cell */
const safe = cell => cell.replaceAll('|', '\\|')

/**
 * hotSpotParts are the parts of a run's markdown page about its profile.
 *
 * @param {ProfileResult} result
 * @returns {string[]} none: nothing was sampled
 */
export function hotSpotParts({ outcome: { profile } }) {
  if (profile === null) return []
  const parts = hotSpotTables(profile.hotSpots).flatMap(({ title, table }) => [
    `### ${title}`,
    asMarkdown({ ...table, rows: table.rows.map(row => row.map(safe)) })
  ])
  return ['## Hot spots', ...parts]
}
