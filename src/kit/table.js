import { markdownTable } from 'markdown-table'
import { visibleLine } from './visible.js'

/**
 * @typedef {object} Table
 * @property {string[]} headings
 * @property {('l' | 'r')[]} [align] - of each column; default: words in the first one, figures in the others
 * @property {string[][]} rows
 */

/**
 * @template Line
 * @typedef {{ heading: string, align?: 'l' | 'r', cell: (line: Line) => string }} Column - default: of figures
 */

/**
 * sidesOf says on which side of its column the cells of a table stand.
 *
 * @param {Pick<Table, 'headings' | 'align'>} table
 * @returns {('l' | 'r')[]}
 */
export const sidesOf = ({ headings, align }) =>
  align ?? headings.map((_, column) => (column === 0 ? 'l' : 'r'))

/**
 * tableFrom has a row for each line.
 *
 * @template Line
 * @param {readonly Column<Line>[]} columns
 * @param {readonly Line[]} lines
 * @returns {Table}
 */
export const tableFrom = (columns, lines) => ({
  headings: columns.map(({ heading }) => heading),
  align: columns.map(({ align = 'r' }) => align),
  rows: lines.map(line => columns.map(({ cell }) => cell(line)))
})

/**
 * asMarkdown writes a table.
 *
 * @param {Table} table
 * @returns {string} without a line break at its end
 */
export const asMarkdown = table =>
  markdownTable(
    [table.headings, ...table.rows].map(row => row.map(visibleLine)),
    {
      align: sidesOf(table),
      stringLength: text => [...text].length
    }
  )

/** literal keeps what stands in a cell from being taken for markdown. @param {string} text */
export const literal = text => text.replace(/[\\|*[]|<(?=[a-z/!?])/gi, sign => `\\${sign}`)

/** @param {string | number | boolean | null | undefined} cell */
function written(cell) {
  const text = String(cell ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * asCsv writes rows as RFC 4180 has it, with the line breaks of this system's tools.
 *
 * @param {readonly (readonly (string | number | boolean | null | undefined)[])[]} rows
 */
export const asCsv = rows => rows.map(row => `${row.map(written).join(',')}\n`).join('')
