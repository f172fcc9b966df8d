import '../src/kit/runtime.js'
import { formatCell } from '../src/report/kinds.js'
import { descriptionSchema } from '../src/report/schema.js'

/** @typedef {import('../src/report/schema.js').Description} Description */

/** valid gives a description as it is stored, and throws where that is none. @param {Description} description @returns {Description} */
export const valid = description => descriptionSchema.parse(JSON.parse(JSON.stringify(description)))

const MAX_ROWS = 6

/** digestOf leaves out what would make a recorded description large: points of plots, further rows of tables. @param {Description} description */
export const digestOf = ({ tables, plots, ...rest }) => ({
  ...rest,
  tables: tables.map(({ columns, rows, ...table }) => ({
    ...table,
    columns: columns.map(column => column.join(', ')),
    count: rows.length,
    rows: rows
      .slice(0, MAX_ROWS)
      .map(row => row.map((cell, i) => formatCell(cell, columns[i][1])).join(' | '))
  })),
  plots: plots.map(({ id, title, kind, x, y, main, compared, series = [] }) => ({
    ...{ id, title, kind, x, y, main, compared },
    series: series.map(({ label, style = 'line', values }) => `${label}: ${values.length} (${style})`)
  }))
})

/** tableOf is a table of a description. @param {Description} description @param {string} id */
export function tableOf({ tables }, id) {
  const table = tables.find(table => table.id === id)
  if (table === undefined) throw new Error(`no table ${id} among ${tables.map(({ id }) => id).join(', ')}`)
  return table
}

/**
 * rowsOf are the rows of a table, with each cell by its heading.
 *
 * @param {Description['tables'][number]} table
 * @returns {Record<string, any>[]}
 */
export const rowsOf = ({ columns, rows }) =>
  rows.map(row => Object.fromEntries(columns.map(([heading], i) => [heading, row[i]])))

/** widthOf is how wide a terminal has to be for a table, with `| ` around its columns. @param {Description['tables'][number]} table */
export function widthOf({ columns, rows }) {
  const widths = columns.flatMap(([heading, kind, where], i) =>
    where === 'wide' ? [] : [Math.max(heading.length, ...rows.map(row => formatCell(row[i], kind).length))]
  )
  return widths.reduce((sum, width) => sum + width + 3, 1)
}
