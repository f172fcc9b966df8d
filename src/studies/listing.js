import { cellText, cellValue } from '../report/description/kinds.js'

/**
 * What `list` shows of a folder of results: figures first, from the tiles of descriptions, then the folder.
 *
 * @typedef {import('../report/description/description.js').Description} Description
 * @typedef {import('../report/description/description.js').DescribedTable} DescribedTable
 * @typedef {import('../report/description/description.js').Column} Column
 * @typedef {import('./list-folder.js').Entry} Entry
 *
 * @typedef {object} Listed - a folder of results; as it is, for `--json`
 * @property {string} folder
 * @property {string | null} startedAt - ISO 8601; null: it cannot be read
 * @property {string} what - was run
 * @property {string} status
 * @property {{ name: string, value: string | number | null, text: string }[]} figures
 */

/** @param {{ status: string, reason: { code: string } | null }} document */
const state = ({ status, reason }) => (reason === null ? status : `${status}: ${reason.code}`)

/**
 * listedOf is what `list` says of a folder.
 *
 * @param {Entry} entry
 * @param {(entry: Exclude<Entry, { kind: 'unreadable' }>) => Promise<Description>} describe - of a study without its runs: these are not read
 * @returns {Promise<Listed>}
 */
export async function listedOf(entry, describe) {
  const { name: folder } = entry
  if (entry.kind === 'unreadable')
    return { folder, startedAt: null, what: entry.why, status: 'unreadable', figures: [] }
  const head = entry.kind === 'run' ? entry.result : entry.document
  const { title, tiles } = await describe(entry)
  return {
    folder,
    startedAt: entry.kind === 'run' ? entry.result.run.startedAt : entry.document.startedAt,
    what: title,
    status: state(head),
    figures: tiles
      .filter(([, value]) => value !== null)
      .map(([name, value, kind]) => ({
        name,
        value: cellValue(value),
        text: `${name} ${cellText(value, kind, { withUnit: true })}`
      }))
  }
}

const GAP = 2
const MIN_COLUMNS = 12
/** Of a terminal that has room for the time, too. */
const WITH_TIME = 110

/** @param {string} text @param {number} columns */
const cut = (text, columns) => (text.length <= columns ? text : `${text.slice(0, columns - 1).trimEnd()}…`)

/** @param {Listed} row */
const figuresOf = ({ figures }) => figures.map(({ text }) => text).join(', ')

/**
 * listTable is the table of what a folder of results holds.
 *
 * @param {readonly Listed[]} rows
 * @param {number} [columns] - of a terminal: texts are cut to fit; default: they are whole
 * @returns {DescribedTable}
 */
export function listTable(rows, columns) {
  const hasStatus = rows.some(({ status }) => status !== 'complete')
  const hasTime = columns === undefined || columns >= WITH_TIME
  /** @type {[heading: string, of: (row: Listed) => string | null][]} */
  const shown = [
    ...(hasTime
      ? [/** @type {[string, (row: Listed) => string | null]} */ (['Began', row => timeOf(row)])]
      : []),
    ['What', ({ what }) => what],
    ['Figures', figuresOf],
    ...(hasStatus
      ? [/** @type {[string, (row: Listed) => string | null]} */ (['Status', ({ status }) => status])]
      : []),
    ['Folder', ({ folder }) => folder]
  ]
  const cells = rows.map(row => shown.map(([, of]) => of(row)))
  const table = {
    ...{ id: 'results', title: 'Results' },
    columns: shown.map(([heading]) => /** @type {Column} */ ([heading, 'text']))
  }
  return { ...table, rows: columns === undefined ? cells : fitted(cells, table.columns, columns) }
}

/** @param {Listed} row */
const timeOf = ({ startedAt }) => startedAt?.slice(0, 16).replace('T', ' ') ?? null

/** Names of folders stay whole: they are copied. @param {(string | null)[][]} rows @param {Column[]} columns @param {number} width */
function fitted(rows, columns, width) {
  const widths = columns.map(([heading], i) =>
    Math.max(heading.length, ...rows.map(row => row[i]?.length ?? 1))
  )
  const [what, figures] = ['What', 'Figures'].map(name => columns.findIndex(([heading]) => heading === name))
  const others = widths.filter((_, i) => i !== what && i !== figures)
  const left = width - GAP * (columns.length - 1) - others.reduce((sum, each) => sum + each, 0)
  // figures have two thirds, and what the others do not need
  const ofWhat = Math.max(
    MIN_COLUMNS,
    Math.min(widths[what], Math.max(Math.floor(left / 3), left - widths[figures]))
  )
  const limits = widths.map((own, i) =>
    i === what ? ofWhat : i === figures ? Math.max(MIN_COLUMNS, left - ofWhat) : own
  )
  return rows.map(row => row.map((text, i) => (text === null ? null : cut(text, limits[i]))))
}
