// Text laid out in columns: the width of a terminal, wrapped lines, tables in markdown or CSV.
import { markdownTable } from 'markdown-table'
import wrapAnsi from 'wrap-ansi'
import { visibleLine } from './safe-text.js'

/**
 * @typedef {object} Table
 * @property {string[]} headings
 * @property {('l' | 'r')[]} [align] - of each column; default: words in the first one, figures in the others
 * @property {string[][]} rows
 */

/**
 * asMarkdown writes a table.
 *
 * @param {Table} table
 * @returns {string} without a line break at its end
 */
export const asMarkdown = ({ headings, align = headings.map((_, i) => (i === 0 ? 'l' : 'r')), rows }) =>
  markdownTable(
    [headings, ...rows].map(row => row.map(visibleLine)),
    { align, stringLength: widthOf }
  )

/** literal keeps what stands in a cell from being taken for markdown. @param {string} text */
export const literal = text => text.replace(/[\\|*[]|<(?=[a-z/!?])/gi, sign => `\\${sign}`)

/**
 * asCsv writes rows as RFC 4180 has it, with the line breaks of this system's tools.
 *
 * @param {readonly (readonly (string | number | boolean | null | undefined)[])[]} rows
 */
export function asCsv(rows) {
  const texts = rows.map(row => row.map(cell => String(cell ?? '')))
  const quote = (/** @type {string} */ text) =>
    /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  return texts.map(row => `${row.map(quote).join(',')}\n`).join('')
}

const GAP = '   '
const MARKS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/** widthOf counts the columns of a line. @param {string} line */
export const widthOf = line => [...line].length

/**
 * fitted joins parts into one line: what does not fit is left out from the right.
 *
 * @param {readonly string[]} parts - in order of worth
 * @param {number} columns
 */
export function fitted(parts, columns) {
  const [first = '', ...rest] = parts
  let line = first
  for (const part of rest) {
    const longer = `${line}${GAP}${part}`
    if (widthOf(longer) > columns) break
    line = longer
  }
  return [...line].slice(0, columns).join('')
}

/**
 * flowed joins parts into as many lines as they need, none of them broken.
 *
 * @param {readonly string[]} parts
 * @param {number} columns
 * @returns {string[]}
 */
export function flowed(parts, columns) {
  /** @type {string[]} */
  const lines = []
  for (const part of parts) {
    const longer = lines.length === 0 ? part : `${lines.at(-1)}${GAP}${part}`
    if (lines.length > 0 && widthOf(longer) <= columns) lines[lines.length - 1] = longer
    else lines.push(part)
  }
  return lines
}

/**
 * wrapped breaks a text between words; later lines are indented further than the first.
 *
 * @param {string} text
 * @param {number} columns
 * @param {string} [indent]
 */
export function wrapped(text, columns, indent = '  ') {
  const words = text.trimStart()
  const own = text.slice(0, text.length - words.length)
  const lines = wrapAnsi(words, Math.max(1, columns - own.length - indent.length)).split('\n')
  return own + lines.join(`\n${own}${indent}`)
}

/**
 * sparkline draws numbers as a line of text, from 0 up to the largest.
 *
 * @param {readonly number[]} values - 0 or above
 */
export function sparkline(values) {
  const most = Math.max(...values)
  if (!(most > 0)) return MARKS[0].repeat(values.length)
  return values.map(value => MARKS[Math.ceil((value / most) * (MARKS.length - 1))]).join('')
}

/** What a terminal has that does not tell its width. */
const USUAL_COLUMNS = 80
/** Indent, the mark that moves, and a space; the last column stays free, where terminals break a line. */
const SPINNER_COLUMNS = 5

/** @typedef {{ columns?: number }} Terminal */

/** columnsOf is the width of a terminal. @param {Terminal} terminal */
export const columnsOf = ({ columns }) => columns || USUAL_COLUMNS

/** roomOf is what a line beside a mark that moves may take of it. @param {Terminal} terminal */
export const roomOf = terminal => Math.max(1, columnsOf(terminal) - SPINNER_COLUMNS)

/**
 * withWidth has a terminal say the usual width when its own is 0, as pseudo-terminals have (docker run -t, CI), now or after it was
 * resized: what draws on it divides by its columns.
 *
 * @template {Terminal & { isTTY?: boolean }} T
 * @param {T} stream
 * @returns {T} the same
 */
export function withWidth(stream) {
  if (!stream.isTTY) return stream
  let { columns } = stream
  return Object.defineProperty(stream, 'columns', {
    configurable: true,
    enumerable: true,
    get: () => columnsOf({ columns }),
    set: told => {
      columns = told
    }
  })
}
