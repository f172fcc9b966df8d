import { MISSING } from '../kit/numbers.js'
import { asMarkdown } from '../kit/table.js'
import { STUDIES } from './index.js'

/**
 * @typedef {import('./list-folder.js').Entry} Entry
 * @typedef {import('../report/view.js').ViewOf} ViewOf
 */

/** @param {string} time ISO 8601 */
const minute = time => time.slice(0, 16).replace('T', ' ')

/** @param {{ status: string, reason: { code: string } | null }} document */
const state = ({ status, reason }) => (reason === null ? status : `${status}: ${reason.code}`)

/** What stands in a row: date (UTC), scenario, status, figures. @param {Entry} entry @param {ViewOf} viewOf */
function cellsOf(entry, viewOf) {
  if (entry.kind === 'unreadable') return [MISSING, MISSING, `unreadable: ${entry.why}`, MISSING]
  if (entry.kind === 'run') {
    const { result } = entry
    const { what, came } = viewOf(result).inLine
    return [minute(result.run.startedAt), what(result), state(result), came(result)]
  }
  const { document, kind } = entry
  const [what, came] = STUDIES[kind].inLine(document)
  return [minute(document.startedAt), what, state(document), came]
}

/**
 * runList is the table of what a folder of results holds.
 *
 * @param {readonly Entry[]} entries
 * @param {ViewOf} viewOf
 * @returns {string} markdown
 */
export const runList = (entries, viewOf) =>
  asMarkdown({
    headings: ['Folder', 'Began (UTC)', 'Scenario', 'Status', 'Figures'],
    align: ['l', 'l', 'l', 'l', 'l'],
    rows: entries.map(entry => [
      entry.name,
      ...cellsOf(entry, viewOf).map(cell => cell.replaceAll('|', '\\|'))
    ])
  })
