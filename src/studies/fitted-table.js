import { cellText } from '../report/description/kinds.js'

/** @typedef {import('../report/description/description.js').DescribedTable} DescribedTable */

/** Of a terminal. */
const COLUMNS = 80
const INDENT = 2
const GAP = 2

/** Columns of a terminal that a table takes. @param {DescribedTable} table */
function widthOf({ columns, rows }) {
  const shown = columns.flatMap(([heading, kind, where], i) =>
    where === 'wide'
      ? []
      : [Math.max(heading.length, ...rows.map(row => cellText(row[i], kind).length)) + GAP]
  )
  return shown.reduce((sum, width) => sum + width, INDENT - GAP)
}

/**
 * fittedTable makes a table fit a terminal: the named columns are left to the report, one after the other, until it does.
 *
 * @param {DescribedTable} table
 * @param {readonly (readonly string[])[]} spare - headings that go together, the first ones first
 * @returns {DescribedTable}
 */
export function fittedTable(table, [headings, ...others]) {
  if (headings === undefined || widthOf(table) <= COLUMNS) return table
  const columns = table.columns.map(
    ([heading, kind, where]) =>
      /** @type {import('../report/description/description.js').Column} */ (
        headings.includes(heading) || where === 'wide' ? [heading, kind, 'wide'] : [heading, kind]
      )
  )
  return fittedTable({ ...table, columns }, others)
}
