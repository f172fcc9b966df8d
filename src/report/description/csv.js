import { asCsv } from '../../kit/table.js'
import { cellValue } from './kinds.js'
import { shownTables } from './markdown.js'

/**
 * @typedef {import('./description.js').Description} Description
 * @typedef {import('./description.js').Plot} Plot
 */

/** What the values of a series are called behind x. @param {Plot} plot @param {number} length */
const headingsOf = ({ kind, x = 'x', y = 'y' }, length) =>
  kind === 'bars'
    ? ['series', `${x} from`, `${x} to`, y]
    : ['series', x, y, ...(length > 2 ? ['low', 'high'] : [])]

/** @param {Plot} plot @returns {(string | number | null)[][]} none: it has no values of its own */
function rowsOf(plot) {
  const { kind, series = [], cells = [], grid, x = 'x', y = 'y' } = plot
  if (kind === 'heat') return [[`${x} from`, `${x} to`, `${y} from`, `${y} to`, 'Count'], ...cells]
  if (kind === 'grid' && grid)
    return [['', ...grid.columns], ...grid.rows.map((row, i) => [row, ...grid.values[i]])]
  const values = series.flatMap(({ label, values }) => values.map(value => [label, ...value]))
  const longest = Math.max(0, ...values.map(({ length }) => length - 1))
  return values.length === 0 ? [] : [headingsOf(plot, longest), ...values]
}

/**
 * csvFiles are all tables and plots of a description, a file each, by name.
 *
 * @param {Description} description
 * @returns {[file: string, content: string][]}
 */
export const csvFiles = description => [
  ...shownTables(description).map(
    ({ id, columns, rows, inFull = rows }) =>
      /** @type {[string, string]} */ ([
        `${id}.csv`,
        asCsv([columns.map(([heading]) => heading), ...inFull.map(row => row.map(cellValue))])
      ])
  ),
  ...description.plots.flatMap(plot => {
    const rows = rowsOf(plot)
    return rows.length === 0 ? [] : [/** @type {[string, string]} */ ([`${plot.id}.csv`, asCsv(rows)])]
  })
]
