import assert from 'node:assert/strict'
import { descriptionSchema } from '../../src/report/schema.js'

/** @typedef {import('../../src/report/schema.js').Description} Description */

/** Last digits of logarithms are not the same in every release of Node.js. @param {string} _ @param {unknown} value */
const rounded = (_, value) => (typeof value === 'number' ? Number(value.toPrecision(6)) : value)

/** More rows of a table are only counted. */
const MAX_ROWS = 6

/**
 * summaryOf checks a description and makes it small enough to be recorded: a line for each row, and of plots only what is
 * drawn, and how many points.
 *
 * @param {Description} description
 */
export function summaryOf(description) {
  const { plots, tables, ...rest } = description
  assert.doesNotThrow(() => descriptionSchema.parse(description))
  return {
    ...JSON.parse(JSON.stringify(rest, rounded)),
    tables: tables.map(({ columns, rows, ...table }) => ({
      ...table,
      columns: columns.map(column => column.join(' | ')),
      rows: [...rows.slice(0, MAX_ROWS).map(row => JSON.stringify(row, rounded)), rows.length]
    })),
    plots: plots.map(({ id, kind, x, y, main, series = [], marks = [], grid }) => ({
      ...{ id, kind, x, y, main },
      series: series.map(({ label, style, values }) =>
        [label, style, values.length].filter(Boolean).join(' ')
      ),
      ...(marks.length > 0 && { marks: marks.map(({ label }) => label) }),
      ...(grid && { grid })
    }))
  }
}

/** tableIn is a table of a description by its id. @param {Description} description @param {string} id */
export const tableIn = ({ tables }, id) => {
  const found = tables.find(table => table.id === id)
  assert.ok(found, `no table ${id}`)
  return found
}

/** columnIn is a column of a table by its heading. @param {Description} description @param {string} id @param {string} heading */
export function columnIn(description, id, heading) {
  const { columns, rows } = tableIn(description, id)
  const place = columns.findIndex(([name]) => name === heading)
  assert.ok(place >= 0, `no column ${heading}: ${columns.map(([name]) => name).join(', ')}`)
  return rows.map(row => row[place])
}
