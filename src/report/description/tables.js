/**
 * @typedef {import('./description.js').Cell} Cell
 * @typedef {import('./description.js').Column} Column
 * @typedef {import('./description.js').DescribedTable} DescribedTable
 * @typedef {import('../../result/types.js').Summary} Summary
 */

/**
 * @template Row
 * @typedef {[heading: string, of: (row: Row) => Cell | undefined, kind: import('./description.js').Kind, where?: 'wide']} ColumnOf
 */

/**
 * column is one that is made for each of several things.
 *
 * @template Row
 * @param {ColumnOf<Row>} parts
 * @returns {ColumnOf<Row>}
 */
export const column = (...parts) => parts

/** @typedef {{ name: string, summary: Partial<Summary> & { count: number } }} Timed */

/**
 * table has a row for each thing: what stands in a column is read by its function.
 *
 * @template Row
 * @param {string} id
 * @param {string} title
 * @param {readonly Row[]} rows
 * @param {readonly ColumnOf<Row>[]} columns - those in which nothing was measured are left out
 * @param {{ note?: string, terminal?: boolean, allColumns?: boolean }} [more] - `allColumns`: none is left out, for rows of several results
 *   stand under the same headings
 * @returns {DescribedTable}
 */
export function table(id, title, rows, columns, { allColumns = false, ...more } = {}) {
  const cells = rows.map(row => columns.map(([, of]) => of(row) ?? null))
  const known = columns.map((_, i) => allColumns || rows.length === 0 || cells.some(row => row[i] !== null))
  return {
    id,
    title,
    columns: columns
      .filter((_, i) => known[i])
      .map(([heading, , kind, ...where]) => /** @type {Column} */ ([heading, kind, ...where])),
    rows: cells.map(row => row.filter((_, i) => known[i])),
    ...more
  }
}

/**
 * inFull has the CSV file of a table hold all of its rows, where a report has the first ones alone. What is written as JSON does not have them.
 *
 * @param {DescribedTable} whole
 * @param {number} most - rows of a report
 * @returns {DescribedTable}
 */
export const inFull = ({ rows, ...whole }, most) =>
  Object.defineProperty({ ...whole, rows: rows.slice(0, most) }, 'inFull', { value: rows })

/**
 * facts is a table of names and values; what was not measured is left out.
 *
 * @param {string} id
 * @param {string} title
 * @param {readonly (readonly [name: string, value: Cell | undefined, kind?: import('./description.js').Kind])[]} rows - default kind: number.
 *   The unit stands in the name (`Warm-up, s`) or in the kind
 * @param {{ note?: string, terminal?: boolean }} [more]
 * @returns {DescribedTable}
 */
export const facts = (id, title, rows, more = {}) => ({
  id,
  title,
  columns: [
    [title, 'text'],
    ['Value', 'text']
  ],
  rows: rows.flatMap(([name, value, kind = 'number']) =>
    value === null || value === undefined
      ? []
      : [[name, kind === 'text' || typeof value === 'string' ? value : ownKind(value, kind)]]
  ),
  ...more
})

/** @param {Cell} value @param {import('./description.js').Kind} kind @returns {Cell} */
const ownKind = (value, kind) =>
  value !== null && typeof value === 'object' && 'kind' in value ? value : { value, kind }

/** timeCell is a time of a summary, in ms. @param {{ ms: number, censored?: boolean } | number | null | undefined} time @returns {Cell} */
export const timeCell = time =>
  time == null ? null : typeof time === 'number' ? time : time.censored ? { atLeast: time.ms } : time.ms

const TIMES = /** @type {const} */ ([
  ['Avg', 'avg'],
  ['p50', 'p50'],
  ['p90', 'p90'],
  ['p95', 'p95'],
  ['p99', 'p99'],
  ['p99.9', 'p999'],
  ['Max', 'max']
])

/**
 * timesTable has a row for each distribution of times, in ms; those in which nothing was counted are left out.
 *
 * @param {readonly (readonly [name: string, summary: Partial<Summary> & { count: number } | null | undefined])[]} rows
 * @param {{ id?: string, title?: string, note?: string, terminal?: boolean }} [more]
 */
export const timesTable = (rows, { id = 'response-times', title = 'Response times', ...more } = {}) =>
  table(
    id,
    title,
    rows.flatMap(([name, summary]) => (summary && summary.count > 0 ? [{ name, summary }] : [])),
    [
      ['Time, ms', ({ name }) => name, 'text'],
      ['Count', ({ summary }) => summary.count, 'count'],
      ...TIMES.map(([heading, key]) =>
        column(heading, (/** @type {Timed} */ { summary }) => timeCell(summary[key]), 'ms')
      )
    ],
    more
  )
