import { asMarkdown } from '../kit/table.js'
import { STUDIES } from './index.js'

/**
 * @typedef {import('./list-folder.js').Entry} Entry
 * @typedef {import('../report/view.js').ViewOf} ViewOf
 *
 * @typedef {object} Listed - a folder of results, in words
 * @property {string} folder
 * @property {string | null} startedAt - ISO 8601; null: it cannot be read
 * @property {string} what - was run
 * @property {string} status
 * @property {string} came - of it: its figures
 */

const STATUS_COLUMNS = 20
const LEAST_COLUMNS = 8

/** @param {{ status: string, reason: { code: string } | null }} document */
const state = ({ status, reason }) => (reason === null ? status : `${status}: ${reason.code}`)

/**
 * listed says what a folder holds.
 *
 * @param {Entry} entry
 * @param {ViewOf} viewOf
 * @returns {Listed}
 */
export function listed(entry, viewOf) {
  const { name: folder } = entry
  if (entry.kind === 'unreadable')
    return { folder, startedAt: null, what: '', status: 'unreadable', came: entry.why }
  if (entry.kind === 'run') {
    const { result } = entry
    const { what, came } = viewOf(result).inLine
    return {
      ...{ folder, startedAt: result.run.startedAt, what: what(result) },
      ...{ status: state(result), came: came(result) }
    }
  }
  const { document, kind } = entry
  const [what, came] = STUDIES[kind].inLine(document)
  return { folder, startedAt: document.startedAt, what, status: state(document), came }
}

/** @param {string} text @param {number} columns */
const cut = (text, columns) => (text.length <= columns ? text : `${text.slice(0, columns - 1).trimEnd()}…`)

/**
 * runList is the table of what a folder of results holds.
 *
 * @param {readonly Listed[]} rows
 * @param {number} columns - it fits in, where the names of folders leave room
 * @returns {string} markdown
 */
export function runList(rows, columns) {
  const frame = '| '.length + 3 * ' | '.length + ' |'.length
  const widest = (/** @type {'folder' | 'what' | 'status' | 'came'} */ key) =>
    Math.max(LEAST_COLUMNS, ...rows.map(({ [key]: { length } }) => length))
  const status = Math.min(STATUS_COLUMNS, widest('status'))
  const left = columns - frame - widest('folder') - status
  const half = Math.max(LEAST_COLUMNS, Math.floor(left / 2))
  // what one of them does not need, the other has
  const what = Math.max(half, left - widest('came'))
  const came = Math.max(half, left - widest('what'))
  const within = (/** @type {string} */ text, /** @type {number} */ most) =>
    cut(text.replaceAll('|', '\\|'), most)
  return asMarkdown({
    headings: ['Folder', 'What', 'Status', 'Figures'],
    align: ['l', 'l', 'l', 'l'],
    rows: rows.map(row => [
      row.folder,
      ...[within(row.what, what), within(row.status, status), within(row.came, came)]
    ])
  })
}
