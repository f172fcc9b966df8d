import { flowed, widthOf, wrapped } from '../kit/fitted.js'
import { asMarkdown } from '../kit/table.js'

/**
 * @typedef {import('../result/types.js').AnyResult} AnyResult
 * @typedef {import('../kit/table.js').Table} Table
 *
 * @typedef {object} Block - a row of a table, where the terminal is too narrow for the table
 * @property {string} name
 * @property {string[][]} parts - groups of figures; a group begins on a line of its own
 */

const INDENT = '  '

/** What a row has in a column is named by its heading. @param {Table} table @returns {Block[]} */
const blocksOf = ({ headings, rows }) =>
  rows.map(cells => {
    const [name, ...parts] = cells.flatMap((cell, i) => (cell === '' ? [] : [`${headings[i]} ${cell}`]))
    return { name, parts: [parts] }
  })

/** @param {Block} block @param {number} columns */
const blockText = ({ name, parts }, columns) =>
  [
    name,
    ...parts
      .flatMap(group => flowed(group, columns - INDENT.length))
      .map(line =>
        widthOf(line) <= columns - INDENT.length ? line : wrapped(line, columns, INDENT.repeat(2))
      )
      .map(line => `${INDENT}${line}`)
  ].join('\n')

/**
 * blocksIn writes a table as a block for each row.
 *
 * @param {Table} table
 * @param {number} columns
 */
export const blocksIn = (table, columns) =>
  blocksOf(table)
    .map(block => blockText(block, columns))
    .join('\n\n')

/** @param {string} text */
const widest = text => Math.max(...text.split('\n').map(widthOf))

/**
 * fittedTable is a table as it is where a terminal has room for it, else a block for each row.
 *
 * @param {Table} table
 * @param {number} columns
 * @param {() => Block[] | undefined} [better] - blocks than those its headings give
 */
export function fittedTable(table, columns, better = () => undefined) {
  const text = asMarkdown(table)
  if (widest(text) <= columns) return text
  return (better() ?? blocksOf(table)).map(block => blockText(block, columns)).join('\n\n')
}

/**
 * terminalBlocks is the table of a result as it fits a terminal: as it is where there is room, else a block for each row.
 *
 * @param {AnyResult} result
 * @param {import('./view.js').View} view
 * @param {number} columns
 * @returns {string} empty when nothing was measured
 */
export function terminalBlocks(result, view, columns) {
  const cells = view.cells(result)
  return cells.rows.length === 0 ? '' : fittedTable(cells, columns, () => view.blocks?.(result))
}
