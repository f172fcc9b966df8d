import { styleText } from 'node:util'
import { flowed, widthOf, wrapped } from '../../kit/fitted.js'
import { visible, visibleLine } from '../../kit/visible.js'
import { cellText, sideOf } from './kinds.js'
import { markdownTable, shownTables } from './markdown.js'

/**
 * @typedef {import('./description.js').Description} Description
 * @typedef {import('./description.js').DescribedTable} DescribedTable
 *
 * @typedef {object} Look - of a terminal
 * @property {number} columns
 * @property {boolean} [colour]
 * @property {number} [maxRows] - of a table; default: more are in the report
 */

const INDENT = '  '
const GAP = '  '
const MAX_WARNINGS = 3
/** So many are shown, however long all is. */
const MIN_WARNINGS = 2
/** What a screen has room for, with what stands above. */
const MAX_LINES = 25
/** More rows are in the report. */
const MAX_ROWS = 40

/** @typedef {Parameters<typeof styleText>[0]} Style */

/** styles writes text in colour where a terminal has it. @param {boolean | undefined} colour */
const styles = colour => (/** @type {Style} */ style, /** @type {string} */ text) =>
  colour ? styleText(style, text, { validateStream: false }) : text

/** What others had a say in is made visible before it is broken into lines. @param {string} text @param {number} columns @param {string} [indent] */
const broken = (text, columns, indent) => wrapped(visibleLine(text), columns, indent)

/** hasColour says whether a stream is a terminal that shows colour (NO_COLOR, TERM=dumb turn it off). @param {{ isTTY?: boolean }} stream @param {NodeJS.ProcessEnv} env */
export const hasColour = ({ isTTY }, env) =>
  isTTY === true && !env.NO_COLOR && env.NODE_DISABLE_COLORS === undefined && env.TERM !== 'dumb'

/** What fits, without columns in which nothing was measured. @param {DescribedTable} table @returns {{ headings: string[], sides: string[], rows: string[][] }} */
function narrow({ columns, rows }) {
  const shown = columns.flatMap(([, , where], i) =>
    where === 'wide' || rows.every(row => row[i] === null) ? [] : [i]
  )
  return {
    headings: shown.map(i => visibleLine(columns[i][0])),
    sides: shown.map(i => sideOf(columns[i][1])),
    rows: rows.map(row => shown.map(i => visibleLine(cellText(row[i], columns[i][1]))))
  }
}

/** Of names and values, as `facts` makes them. @param {DescribedTable} table */
const isFacts = ({ columns }) => columns.length === 2 && columns[1][0] === 'Value'

/** Whether its first heading says what it is of. @param {DescribedTable} table */
const isTitled = ({ columns, title }) => columns[0][0] === title

/** @param {string} text @param {number} width @param {string} side */
const padded = (text, width, side) => {
  const room = ' '.repeat(Math.max(0, width - widthOf(text)))
  return side === 'l' ? text + room : room + text
}

/** @param {string[][]} rows @returns {number[]} */
const widthsOf = rows => rows[0].map((_, i) => Math.max(...rows.map(row => widthOf(row[i]))))

/** @param {DescribedTable} table @param {Look} look */
function factsText(table, { columns }) {
  const { rows } = narrow(table)
  const [width] = widthsOf(rows)
  const room = Math.min(width, Math.floor(columns / 2))
  return rows
    .map(([name, value]) =>
      wrapped(`${INDENT}${padded(name, room, 'l')}${GAP}${value}`, columns, ' '.repeat(room + GAP.length))
    )
    .join('\n')
}

/** A row where the terminal is too narrow for its table: each value behind its heading. @param {string[]} headings @param {string[]} row @param {number} columns */
function block(headings, [name, ...cells], columns) {
  const pairs = cells.flatMap((cell, i) => (cell === '–' ? [] : [`${headings[i + 1]} ${cell}`]))
  const room = columns - 2 * INDENT.length
  return [
    broken(`${INDENT}${name}`, columns),
    ...flowed(pairs, room).map(line => wrapped(`${INDENT}${INDENT}${line}`, columns))
  ].join('\n')
}

/**
 * tableText is a table of a description as it fits a terminal: aligned columns, or a block for each row where there is no room.
 *
 * @param {DescribedTable} table
 * @param {Look} look
 */
export function tableText(table, look) {
  const { columns, colour, maxRows = MAX_ROWS } = look
  const style = styles(colour)
  if (isFacts(table)) return factsText(table, look)
  const { headings, sides, rows: all } = narrow(table)
  const rows = all.slice(0, maxRows)
  const left = all.length - rows.length
  const widths = widthsOf([headings, ...rows])
  const needed = INDENT.length + widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length)
  const line = (/** @type {string[]} */ cells) =>
    `${INDENT}${cells.map((cell, i) => padded(cell, widths[i], sides[i])).join(GAP)}`.trimEnd()
  const more = left === 0 ? [] : [`${INDENT}… ${left} more rows in the report`]
  return needed <= columns
    ? [style('dim', line(headings)), ...rows.map(line), ...more].join('\n')
    : [...rows.map(row => block(headings, row, columns)), ...more].join('\n')
}

/** Tables that a terminal shows, the first of them always. @param {Description} description */
const forTerminal = description =>
  description.tables.filter(({ rows, terminal }, i) => rows.length > 0 && (i === 0 || terminal))

/**
 * terminalText is what a person at a terminal reads of a result: the headline, its table, the warnings that are worth most.
 *
 * @param {Description} description
 * @param {Look} look
 * @param {{ where?: readonly string[] }} [more] - `where`: lines at the end, never broken, so that they can be copied
 */
export function terminalText(description, look, { where = [] } = {}) {
  const { headline, warnings } = description
  const { columns, colour } = look
  const style = styles(colour)
  const tables = forTerminal(description)
  const above = [
    style('bold', broken(headline, columns)),
    ...tables.map((table, i) =>
      [
        ...(i > 0 && !isTitled(table) ? [style('bold', broken(table.title, columns))] : []),
        tableText(table, look),
        ...(table.note === undefined ? [] : [style('dim', broken(`${INDENT}${table.note}`, columns, ''))])
      ].join('\n')
    )
  ]
  const below = visible(where.join('\n'))
  const room = MAX_LINES - [...above, below].join('\n\n').split('\n').length - 2
  const told = warningLines(warnings, { room, columns }).map(line => style('yellow', line))
  const parts = [...above, told.join('\n'), below]
  return `\n${parts.filter(part => part !== '').join('\n\n')}\n`
}

/** @param {Description['warnings']} warnings @param {{ room: number, columns: number }} look - `room`: lines */
function warningLines(warnings, { room, columns }) {
  const lines = warnings.slice(0, MAX_WARNINGS).map(({ text }) => broken(`⚠ ${text}`, columns).split('\n'))
  const fits = (/** @type {number} */ count) =>
    lines.slice(0, count).flat().length + (count < warnings.length ? 1 : 0) <= room
  let count = lines.length
  while (count > MIN_WARNINGS && !fits(count)) count -= 1
  const shown = lines.slice(0, count).flat()
  const more = warnings.length - count
  return more === 0 ? shown : [...shown, `${more} more in the report`]
}

/** Notes under a table in a pipe. */
const MAX_NOTES = 5

/** pipeTables are the tables of a description that a terminal shows, as markdown. @param {Description} description */
export const pipeTables = description =>
  forTerminal(description)
    .map(table => markdownTable(table))
    .join('\n\n')

/**
 * pipeText is what a program or a file gets of a result: tables as markdown, and at most five notes.
 *
 * @param {Description} description
 * @param {{ where?: readonly string[] }} [more]
 */
export function pipeText(description, { where = [] } = {}) {
  const [table] = shownTables(description)
  const notes = [
    ...description.warnings.slice(0, MAX_WARNINGS).map(({ text }) => `⚠ ${text}`),
    description.headline,
    ...(table?.note === undefined ? [] : [table.note])
  ].slice(0, MAX_NOTES)
  const parts = [pipeTables(description), notes.join('\n'), where.join('\n')]
  return `\n${parts.filter(part => part !== '').join('\n\n')}\n`
}

/** tileText writes a tile: `p50 0.95 ms`. @param {Description['tiles'][number]} tile */
export const tileText = ([label, value, kind]) => `${label} ${cellText(value, kind, { withUnit: true })}`

/** tilesText writes tiles in a line: `p50 0.95 ms   p99 4.9 ms`. @param {Description['tiles']} tiles */
export const tilesText = tiles => tiles.map(tileText).join('   ')
