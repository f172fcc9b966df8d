// Writes descriptions (tables and plots made from a result) as text for terminal, markdown or CSV. Also formats phases
// and progress.
import { styleText } from 'node:util'
import { omitMissing } from '../kit/collections.js'
import { formatCount, formatDuration, formatSignificant, formatWhole, MISSING_TEXT } from '../kit/numbers.js'
import { escapeInvisible, escapeInvisibleInLine } from '../kit/safe-text.js'
import {
  countColumns,
  drawSparkline,
  escapeMarkdown,
  fitParts,
  flowParts,
  formatCsv,
  formatMarkdownTable,
  getTerminalColumns,
  wrapText
} from '../kit/text-layout.js'
import { formatCell, formatPlainCell, getColumnSide, readCell } from './kinds.js'

/**
 * @typedef {import('./schema.js').Description} Description
 * @typedef {import('./schema.js').DescribedTable} DescribedTable
 *
 * @typedef {object} TerminalLook - of a terminal
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

/** Text of others is made safe before it is broken into lines. @param {string} text @param {number} columns @param {string} [indent] */
const wrapSafely = (text, columns, indent) => wrapText(escapeInvisibleInLine(text), columns, indent)

/** hasColour says whether a stream is a terminal that shows colour (NO_COLOR, TERM=dumb turn it off). @param {{ isTTY?: boolean }} stream @param {NodeJS.ProcessEnv} env */
export const hasColour = ({ isTTY }, env) =>
  isTTY === true && !env.NO_COLOR && env.NODE_DISABLE_COLORS === undefined && env.TERM !== 'dumb'

/** What fits, without columns in which nothing was measured. @param {DescribedTable} table @returns {{ headings: string[], sides: string[], rows: string[][] }} */
function narrow({ columns, rows }) {
  const shown = columns.flatMap(([, , where], i) =>
    where === 'wide' || rows.every(row => row[i] === null) ? [] : [i]
  )
  return {
    headings: shown.map(i => escapeInvisibleInLine(columns[i][0])),
    sides: shown.map(i => getColumnSide(columns[i][1])),
    rows: rows.map(row => shown.map(i => escapeInvisibleInLine(formatCell(row[i], columns[i][1]))))
  }
}

/** @param {string} text @param {number} width @param {string} side */
const padded = (text, width, side) => {
  const padding = ' '.repeat(Math.max(0, width - countColumns(text)))
  return side === 'l' ? text + padding : padding + text
}

/** @param {string[][]} rows @returns {number[]} */
const widthsOf = rows => rows[0].map((_, i) => Math.max(...rows.map(row => countColumns(row[i]))))

/**
 * formatTerminalTable is a table of a description as it fits a terminal: aligned columns, or a block for each row where there is no space for columns.
 *
 * @param {DescribedTable} table
 * @param {TerminalLook} look
 */
export function formatTerminalTable(table, look) {
  const { columns, colour, maxRows = MAX_ROWS } = look
  const { headings, sides, rows: all } = narrow(table)
  // a table of names with their values, as `facts` makes it
  if (table.columns.length === 2 && table.columns[1][0] === 'Value') {
    const width = Math.min(widthsOf(all)[0], Math.floor(columns / 2))
    const indent = ' '.repeat(width + GAP.length)
    return all
      .map(([name, value]) => wrapText(`${INDENT}${padded(name, width, 'l')}${GAP}${value}`, columns, indent))
      .join('\n')
  }
  const rows = all.slice(0, maxRows)
  const left = all.length - rows.length
  const widths = widthsOf([headings, ...rows])
  const needed = INDENT.length + widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length)
  const line = (/** @type {string[]} */ cells) =>
    `${INDENT}${cells.map((cell, i) => padded(cell, widths[i], sides[i])).join(GAP)}`.trimEnd()
  const block = (/** @type {string[]} */ [name, ...cells]) => [
    wrapSafely(`${INDENT}${name}`, columns),
    ...flowParts(
      cells.flatMap((cell, i) => (cell === MISSING_TEXT ? [] : [`${headings[i + 1]} ${cell}`])),
      columns - 2 * INDENT.length
    ).map(pairs => wrapText(`${INDENT}${INDENT}${pairs}`, columns))
  ]
  const more = left === 0 ? [] : [`${INDENT}… ${left} more rows in the report`]
  return needed <= columns
    ? [styles(colour)('dim', line(headings)), ...rows.map(line), ...more].join('\n')
    : [...rows.flatMap(block), ...more].join('\n')
}

/** Tables that a terminal shows, the first of them always. @param {Description} description */
const forTerminal = description =>
  description.tables.filter(({ rows, terminal }, i) => rows.length > 0 && (i === 0 || terminal))

/**
 * formatForTerminal is what a person at a terminal reads of a result: the headline, its table, the warnings that are worth most.
 *
 * @param {Description} description
 * @param {TerminalLook} look
 * @param {{ where?: readonly string[] }} [more] - `where`: lines at the end, never broken, so that they can be copied
 */
export function formatForTerminal(description, look, { where = [] } = {}) {
  const { headline, warnings } = description
  const { columns, colour } = look
  const style = styles(colour)
  const above = [
    style('bold', wrapSafely(headline, columns)),
    ...forTerminal(description).map((table, i) => {
      const { title, note, columns: own } = table
      // the first heading may be the title already
      const isTitled = i === 0 || own[0][0] === title
      return omitMissing([
        !isTitled && style('bold', wrapSafely(title, columns)),
        formatTerminalTable(table, look),
        note !== undefined && style('dim', wrapSafely(`${INDENT}${note}`, columns, ''))
      ]).join('\n')
    })
  ]
  const below = escapeInvisible(where.join('\n'))
  const maxLines = MAX_LINES - [...above, below].join('\n\n').split('\n').length - 2
  const lines = warningLines(warnings, { maxLines, columns }).map(line => style('yellow', line))
  return paragraphs([...above, lines.join('\n'), below])
}

/** @param {readonly string[]} parts - those without text are left out */
const paragraphs = parts => `\n${parts.filter(part => part !== '').join('\n\n')}\n`

/** @param {Description['warnings']} warnings @param {{ maxLines: number, columns: number }} look */
function warningLines(warnings, { maxLines, columns }) {
  const lines = warnings
    .slice(0, MAX_WARNINGS)
    .map(({ text }) => wrapSafely(`⚠ ${text}`, columns).split('\n'))
  const fits = (/** @type {number} */ count) =>
    lines.slice(0, count).flat().length + (count < warnings.length ? 1 : 0) <= maxLines
  let count = lines.length
  while (count > MIN_WARNINGS && !fits(count)) count -= 1
  const shown = lines.slice(0, count).flat()
  const more = warnings.length - count
  return more === 0 ? shown : [...shown, `${more} more in the report`]
}

/** Notes under a table in a pipe. */
const MAX_NOTES = 5

/** formatPipeTables are the tables of a description that a terminal shows, as markdown. @param {Description} description */
export const formatPipeTables = description =>
  forTerminal(description)
    .map(table => formatDescribedTable(table))
    .join('\n\n')

/** @param {DescribedTable} table @returns {string[]} */
const section = ({ title, note, ...table }) =>
  omitMissing([`## ${title}`, formatDescribedTable({ title, ...table }), note])

/**
 * formatForPipe is what a program or a file gets of a result: tables as markdown, and at most five notes.
 *
 * @param {Description} description
 * @param {{ where?: readonly string[] }} [more]
 */
export function formatForPipe(description, { where = [] } = {}) {
  const [table] = listFilledTables(description)
  const notes = [
    ...description.warnings.slice(0, MAX_WARNINGS).map(({ text }) => `⚠ ${text}`),
    description.headline,
    ...(table?.note === undefined ? [] : [table.note])
  ].slice(0, MAX_NOTES)
  return paragraphs([formatPipeTables(description), notes.join('\n'), where.join('\n')])
}

/** formatTile writes a tile: `p50 0.95 ms`. @param {Description['tiles'][number]} tile */
export const formatTile = ([label, value, kind]) => `${label} ${formatCell(value, kind, { withUnit: true })}`

/** formatTiles writes tiles in a line: `p50 0.95 ms   p99 4.9 ms`. @param {Description['tiles']} tiles */
export const formatTiles = tiles => tiles.map(formatTile).join('   ')

/** @param {string} text */
const inCell = text => escapeMarkdown(text).replaceAll('\n', ' ')

/**
 * formatDescribedTable writes a table of a description; numbers are such as any parser reads.
 *
 * @param {DescribedTable} table
 * @param {{ readable?: boolean }} [how] - `readable`: numbers are grouped, for people
 */
export const formatDescribedTable = ({ columns, rows }, { readable = false } = {}) =>
  formatMarkdownTable({
    headings: columns.map(([heading]) => inCell(heading)),
    align: columns.map(([, kind]) => getColumnSide(kind)),
    rows: rows.map(row =>
      row.map((cell, i) =>
        inCell(readable ? formatCell(cell, columns[i][1]) : formatPlainCell(cell, columns[i][1]))
      )
    )
  })

/** listFilledTables are those of a description that have something in them. @param {Pick<Description, 'tables'>} description */
export const listFilledTables = ({ tables }) => tables.filter(({ rows }) => rows.length > 0)

/**
 * writeMarkdownReport is a described result as a document: its headline, warnings and all tables.
 *
 * @param {Description} description
 * @param {{ lines?: readonly string[], command?: string, about?: readonly DescribedTable[] }} [more] - `lines`: under the title; `command`:
 *   that repeats it; `about`: tables at its end
 */
export function writeMarkdownReport(description, { lines = [], command, about = [] } = {}) {
  const { title, headline, warnings } = description
  return paragraphs([
    `# ${title}`,
    lines.join('  \n'),
    headline,
    warnings.map(({ text }) => `- ⚠ ${text}`).join('\n'),
    ...listFilledTables(description).flatMap(section),
    ...(command === undefined ? [] : ['## Repeat', `\`\`\`\n${command}\n\`\`\``]),
    ...listFilledTables({ tables: [...about] }).flatMap(section)
  ]).slice(1)
}

/**
 * @typedef {import('./schema.js').Plot} Plot
 */

/** @param {Plot} plot @returns {(string | number | null)[][]} none: it has no values of its own */
function csvRows({ kind, series = [], cells = [], grid, x = 'x', y = 'y' }) {
  if (kind === 'heat') return [[`${x} from`, `${x} to`, `${y} from`, `${y} to`, 'Count'], ...cells]
  if (kind === 'grid' && grid)
    return [['', ...grid.columns], ...grid.rows.map((row, i) => [row, ...grid.values[i]])]
  const values = series.flatMap(({ label, values }) => values.map(value => [label, ...value]))
  if (values.length === 0) return []
  if (kind === 'bars') return [['series', `${x} from`, `${x} to`, y], ...values]
  const hasBand = values.some(({ length }) => length > 3)
  return [['series', x, y, ...(hasBand ? ['low', 'high'] : [])], ...values]
}

/**
 * makeCsvFiles are all tables and plots of a description, a file each, by name.
 *
 * @param {Description} description
 * @returns {[file: string, content: string][]}
 */
export const makeCsvFiles = description =>
  [
    ...listFilledTables(description).map(({ id, columns, rows, inFull = rows }) => ({
      id,
      cells: [columns.map(([heading]) => heading), ...inFull.map(row => row.map(readCell))]
    })),
    ...description.plots.map(plot => ({ id: plot.id, cells: csvRows(plot) }))
  ].flatMap(({ id, cells }) => (cells.length === 0 ? [] : [[`${id}.csv`, formatCsv(cells)]]))

/**
 * wrapForTerminal is a text as it is written to a stream: lines are broken between words at a terminal; a file or a pipe has it as it is.
 *
 * @param {string} text
 * @param {import('../cli/terminal.js').Stream} stream
 */
export const wrapForTerminal = (text, stream) =>
  stream.isTTY
    ? text
        .split('\n')
        .map(line => wrapText(line, getTerminalColumns(stream)))
        .join('\n')
    : text

/**
 * @typedef {import('../scenarios/index.js').AnyPlan} AnyPlan
 * @typedef {import('./schema.js').ProgressRecord} ProgressRecord
 * @typedef {import('./run-report.js').View} View
 */

const BAR_CELLS = 8

/**
 * getPhaseTitles names a phase.
 *
 * @param {string} name
 * @param {AnyPlan} plan
 * @param {View} view
 * @returns {{ running: string, done: string }}
 */
export function getPhaseTitles(name, plan, { describePlan }) {
  const [running, done] = describePlan(plan).phases[name] ?? [name, name]
  return { running, done }
}

/**
 * formatPhase reports a phase that has ended.
 *
 * @param {string} title
 * @param {number} ms
 * @param {string | undefined} detail
 */
export const formatPhase = (title, ms, detail) =>
  `${title.padEnd(25)}${formatDuration(ms).padStart(10)}   ${detail ?? ''}`.trimEnd()

/**
 * formatHead say what is going to run.
 *
 * @param {{ plan: AnyPlan, run: object }} start
 * @param {string} version - of this tool
 * @param {View} view
 * @returns {string[]}
 */
export function formatHead({ plan, run }, version, { describePlan }) {
  const { versions, machine } = /** @type {Partial<import('./schema.js').Result['run']>} */ (run)
  const node = versions?.node === undefined ? [] : [`Node ${versions.node.replace(/^v/, '')}`]
  const cores = machine?.cores === undefined ? [] : [formatCount(machine.cores, 'core')]
  const { what, notes = [] } = describePlan(plan)
  return [
    [`libp2p-loadtest ${version}`, plan.scenario, `seed ${plan.seed}`, ...node, ...cores].join(' · '),
    what,
    ...notes
  ]
}

/**
 * formatProgress writes how far a phase has come.
 *
 * @param {string} title
 * @param {ProgressRecord} progress
 * @param {Parameters<typeof listProgressParts>[2] & { columns?: number }} look - `columns`: default: as many as it takes
 */
export const formatProgress = (title, progress, { columns = Infinity, ...look }) =>
  fitParts(listProgressParts(title, progress, look), columns)

/**
 * listProgressParts say how far a phase has come, the most important first.
 *
 * @param {string} title
 * @param {ProgressRecord} progress
 * @param {object} look
 * @param {boolean} look.withBar
 * @param {View} look.view
 * @param {AnyPlan} look.plan
 * @param {readonly ProgressRecord[]} [look.before] - what was told of the phase before, drawn beside rate and p99
 * @returns {string[]}
 */
export function listProgressParts(title, progress, { withBar, view, plan, before = [] }) {
  const { done, total, unit, ratePerSecond, p50Ms, p99Ms, cpuPercent, rssBytes, etaMs } = progress
  const { rateUnit, measured } = view.describePlan(plan)
  const drawn = (/** @type {'ratePerSecond' | 'p99Ms'} */ key) =>
    before.length === 0 ? '' : ` ${drawSparkline([...before, progress].map(each => each[key] ?? 0))}`
  const full = total ? Math.min(BAR_CELLS, Math.floor((done / total) * BAR_CELLS)) : 0
  const write = unit === 'ms' ? formatDuration : formatWhole
  const amount = total === null ? write(done) : `${write(done)} / ${write(total)}`
  const usage = omitMissing([
    cpuPercent != null && `${formatWhole(cpuPercent)} %`,
    rssBytes != null && `${formatWhole(rssBytes / 1e6)} MB`
  ])
  return omitMissing([
    title,
    withBar && total !== null && total > 0 && '█'.repeat(full).padEnd(BAR_CELLS, '░'),
    unit === 'ms' || unit === 'operations' ? amount : `${amount} ${unit}`,
    ratePerSecond != null && `${formatSignificant(ratePerSecond)} ${rateUnit}${drawn('ratePerSecond')}`,
    p50Ms != null && `p50 ${formatSignificant(p50Ms)} ms`,
    p99Ms != null && `p99 ${formatSignificant(p99Ms)} ms${drawn('p99Ms')}`,
    usage.length > 0 && `${measured} ${usage.join(' · ')}`,
    etaMs != null && `ETA ${formatDuration(etaMs)}`
  ])
}

/**
 * @typedef {import('./schema.js').PhaseRecord} PhaseRecord
 */

/**
 * makePhaseTimer remembers when phases began, to say how long they took.
 *
 * @returns {(record: PhaseRecord) => number} ms since the phase began
 */
export function makePhaseTimer() {
  /** @type {Map<string, number>} */
  const began = new Map()
  return ({ name, state, atMs }) => {
    if (state === 'begin') began.set(name, atMs)
    return atMs - (began.get(name) ?? atMs)
  }
}
