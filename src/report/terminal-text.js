import { widthOf, wrapped } from '../kit/fitted.js'
import { columnsOf } from '../kit/terminal-width.js'
import { blocksIn } from './terminal-blocks.js'

/** Between cells; one within a cell is written with a backslash before it. */
const BORDER = /(?<!\\)\|/

/** What a cell has a backslash before is a sign there, and needs none elsewhere. */
const LITERAL = /\\([\\|<*[])/g

/** @param {string} line */
const isRow = line => line.startsWith('|')

/** @param {string} line @returns {string[]} */
const cellsOf = line =>
  line
    .slice(1, -1)
    .split(BORDER)
    .map(cell => cell.trim().replace(LITERAL, '$1'))

/** @param {readonly string[]} lines - of a table @param {number} columns */
function narrowTable([head, , ...rows], columns) {
  const headings = cellsOf(head)
  if (headings.length > 2) return blocksIn({ headings, rows: rows.map(cellsOf) }, columns)
  return rows.map(row => wrapped(cellsOf(row).join(': '), columns)).join('\n')
}

/** Lines that belong together: those of a table, or one. @param {string} text @returns {string[][]} */
function partsOf(text) {
  /** @type {string[][]} */
  const parts = []
  for (const line of text.split('\n')) {
    const last = parts.at(-1)
    if (last !== undefined && isRow(line) && isRow(last[0])) last.push(line)
    else parts.push([line])
  }
  return parts
}

/**
 * terminalText makes markdown fit a terminal: lines are broken between words, a table that is too wide has a block for each row.
 *
 * @param {string} text
 * @param {number} columns
 * @returns {string}
 */
export const terminalText = (text, columns) =>
  partsOf(text)
    .map(lines => {
      if (lines.every(line => widthOf(line) <= columns)) return lines.join('\n')
      return isRow(lines[0]) ? narrowTable(lines, columns) : wrapped(lines[0], columns)
    })
    .join('\n')

/**
 * onTerminal is a text as it is written to a stream: to a file or a pipe as it is.
 *
 * @param {string} text - markdown
 * @param {import('./terminal.js').Stream} stream
 */
export const onTerminal = (text, stream) => (stream.isTTY ? terminalText(text, columnsOf(stream)) : text)
