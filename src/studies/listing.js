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
        text: `${name} ${cellText(value, kind, { withUnit: true })}`.trimStart()
      }))
  }
}

const GAP = 2
const MIN_COLUMNS = 20
/** Of a terminal that has room for the time and for what was run, too: names of folders mostly say both. */
const WIDE = 100
const MAX_WHAT = 36

/** @param {string} text @param {number} columns */
const cut = (text, columns) => (text.length <= columns ? text : `${text.slice(0, columns - 1).trimEnd()}…`)

/** What came out, behind what kept it from being complete. @param {Listed} row */
const figuresOf = ({ figures, status, what }) =>
  [
    ...(status === 'complete' ? [] : [`${status}: ${figures.length === 0 ? what : ''}`.replace(/: $/, '')]),
    ...figures.map(({ text }) => text)
  ].join(', ')

/**
 * listTable is the table of what a folder of results holds.
 *
 * @param {readonly Listed[]} rows
 * @param {number} [columns] - of a terminal: texts are cut to fit; default: they are whole
 * @returns {DescribedTable}
 */
export function listTable(rows, columns) {
  /** @type {[heading: string, of: (row: Listed) => string | null, width?: number][]} */
  const wide = [
    ['Began', ({ startedAt }) => startedAt?.slice(0, 16).replace('T', ' ') ?? null],
    ['What', ({ what }) => what, MAX_WHAT]
  ]
  const shown = [...(columns === undefined || columns >= WIDE ? wide : []), ...ALWAYS]
  return {
    ...{ id: 'results', title: 'Results' },
    columns: shown.map(([heading]) => /** @type {Column} */ ([heading, 'text'])),
    rows: fitted(
      rows.map(row => shown.map(([, of]) => of(row))),
      shown,
      columns
    )
  }
}

/** @type {[heading: string, of: (row: Listed) => string | null, width?: number][]} */
const ALWAYS = [
  ['Figures', figuresOf],
  ['Folder', ({ folder }) => folder]
]

/**
 * Figures have the room that is left. Names of folders stay whole: they are copied.
 *
 * @param {(string | null)[][]} rows
 * @param {readonly [heading: string, of: (row: Listed) => string | null, width?: number][]} shown
 * @param {number | undefined} columns
 */
function fitted(rows, shown, columns) {
  if (columns === undefined) return rows
  const widths = shown.map(([heading, , most = Number.POSITIVE_INFINITY], i) =>
    Math.min(most, Math.max(heading.length, ...rows.map(row => row[i]?.length ?? 1)))
  )
  const figures = shown.findIndex(([heading]) => heading === 'Figures')
  const others = widths.filter((_, i) => i !== figures).reduce((sum, each) => sum + each + GAP, 0)
  const limits = widths.with(figures, Math.max(MIN_COLUMNS, columns - others))
  return rows.map(row => row.map((text, i) => (text === null ? null : cut(text, limits[i]))))
}
