// Text laid out in columns: the width of a terminal, wrapped lines, tables in markdown or CSV.
import { markdownTable } from 'markdown-table'
import wrapAnsi from 'wrap-ansi'
import { escapeInvisibleInLine } from './safe-text.js'

/**
 * @typedef {object} TextTable
 * @property {string[]} headings
 * @property {('l' | 'r')[]} [align] - of each column; default: words in the first one, figures in the others
 * @property {string[][]} rows
 */

/**
 * formatMarkdownTable writes a table.
 *
 * @param {TextTable} table
 * @returns {string} without a line break at its end
 */
export const formatMarkdownTable = ({
  headings,
  align = headings.map((_, i) => (i === 0 ? 'l' : 'r')),
  rows
}) =>
  markdownTable(
    [headings, ...rows].map(row => row.map(escapeInvisibleInLine)),
    { align, stringLength: countColumns }
  )

/** escapeMarkdown keeps what stands in a cell from being taken for markdown. @param {string} text */
export const escapeMarkdown = text => text.replace(/[\\|*[]|<(?=[a-z/!?])/gi, sign => `\\${sign}`)

/**
 * formatCsv writes rows as RFC 4180 has it, with the line breaks of this system's tools.
 *
 * @param {readonly (readonly (string | number | boolean | null | undefined)[])[]} rows
 */
export function formatCsv(rows) {
  const texts = rows.map(row => row.map(cell => String(cell ?? '')))
  const quote = (/** @type {string} */ text) =>
    /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  return texts.map(row => `${row.map(quote).join(',')}\n`).join('')
}

const GAP = '   '
const MARKS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/** countColumns counts the columns of a line. @param {string} line */
export const countColumns = line => [...line].length

/**
 * fitParts joins parts into one line: what does not fit is left out from the right.
 *
 * @param {readonly string[]} parts - in order of worth
 * @param {number} columns
 */
export function fitParts(parts, columns) {
  const [first = '', ...rest] = parts
  let line = first
  for (const part of rest) {
    const longer = `${line}${GAP}${part}`
    if (countColumns(longer) > columns) break
    line = longer
  }
  return [...line].slice(0, columns).join('')
}

/**
 * flowParts joins parts into as many lines as they need, none of them broken.
 *
 * @param {readonly string[]} parts
 * @param {number} columns
 * @returns {string[]}
 */
export function flowParts(parts, columns) {
  /** @type {string[]} */
  const lines = []
  for (const part of parts) {
    const longer = lines.length === 0 ? part : `${lines.at(-1)}${GAP}${part}`
    if (lines.length > 0 && countColumns(longer) <= columns) lines[lines.length - 1] = longer
    else lines.push(part)
  }
  return lines
}

/**
 * wrapText breaks a text between words; later lines are indented further than the first.
 *
 * @param {string} text
 * @param {number} columns
 * @param {string} [indent]
 */
export function wrapText(text, columns, indent = '  ') {
  const words = text.trimStart()
  const own = text.slice(0, text.length - words.length)
  const lines = wrapAnsi(words, Math.max(1, columns - own.length - indent.length)).split('\n')
  return own + lines.join(`\n${own}${indent}`)
}

/**
 * drawSparkline draws numbers as a line of text, from 0 up to the largest.
 *
 * @param {readonly number[]} values - 0 or above
 */
export function drawSparkline(values) {
  const highest = Math.max(...values)
  if (!(highest > 0)) return MARKS[0].repeat(values.length)
  return values.map(value => MARKS[Math.ceil((value / highest) * (MARKS.length - 1))]).join('')
}

/** What a terminal has that does not tell its width. */
const USUAL_COLUMNS = 80
/** Indent, the mark that moves, and a space; the last column stays free, where terminals break a line. */
const SPINNER_COLUMNS = 5

/** @typedef {{ columns?: number }} Terminal */

/** getTerminalColumns is the width of a terminal. @param {Terminal} terminal */
export const getTerminalColumns = ({ columns }) => columns || USUAL_COLUMNS

/** getSpinnerColumns is what a line beside a mark that moves may take of it. @param {Terminal} terminal */
export const getSpinnerColumns = terminal => Math.max(1, getTerminalColumns(terminal) - SPINNER_COLUMNS)

/**
 * ensureWidth has a terminal say the usual width when its own is 0, as pseudo-terminals have (docker run -t, CI), now or after it was
 * resized: what draws on it divides by its columns.
 *
 * @template {Terminal & { isTTY?: boolean }} T
 * @param {T} stream
 * @returns {T} the same
 */
export function ensureWidth(stream) {
  if (!stream.isTTY) return stream
  let { columns } = stream
  return Object.defineProperty(stream, 'columns', {
    configurable: true,
    enumerable: true,
    get: () => getTerminalColumns({ columns }),
    set: value => {
      columns = value
    }
  })
}
