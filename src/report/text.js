// Descriptions or progress as text: on a terminal, in markdown, in CSV.
import { styleText } from 'node:util'
import { present } from '../kit/collections.js'
import { counted, grouped, MISSING, significant, spell } from '../kit/numbers.js'
import { visible, visibleLine } from '../kit/safe-text.js'
import {
  asCsv,
  asMarkdown,
  columnsOf,
  fitted,
  flowed,
  literal,
  sparkline,
  widthOf,
  wrapped
} from '../kit/text-layout.js'
import { cellText, cellValue, plainText, sideOf } from './kinds.js'

/**
 * @typedef {import('./schema.js').Description} Description
 * @typedef {import('./schema.js').DescribedTable} DescribedTable
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

/** Text of others is made safe before it is broken into lines. @param {string} text @param {number} columns @param {string} [indent] */
const wrapSafely = (text, columns, indent) => wrapped(visibleLine(text), columns, indent)

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

/** @param {string} text @param {number} width @param {string} side */
const padded = (text, width, side) => {
  const room = ' '.repeat(Math.max(0, width - widthOf(text)))
  return side === 'l' ? text + room : room + text
}

/** @param {string[][]} rows @returns {number[]} */
const widthsOf = rows => rows[0].map((_, i) => Math.max(...rows.map(row => widthOf(row[i]))))

/**
 * tableText is a table of a description as it fits a terminal: aligned columns, or a block for each row where there is no space for columns.
 *
 * @param {DescribedTable} table
 * @param {Look} look
 */
export function tableText(table, look) {
  const { columns, colour, maxRows = MAX_ROWS } = look
  const { headings, sides, rows: all } = narrow(table)
  // a table of names with their values, as `facts` makes it
  if (table.columns.length === 2 && table.columns[1][0] === 'Value') {
    const width = Math.min(widthsOf(all)[0], Math.floor(columns / 2))
    const indent = ' '.repeat(width + GAP.length)
    return all
      .map(([name, value]) => wrapped(`${INDENT}${padded(name, width, 'l')}${GAP}${value}`, columns, indent))
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
    ...flowed(
      cells.flatMap((cell, i) => (cell === MISSING ? [] : [`${headings[i + 1]} ${cell}`])),
      columns - 2 * INDENT.length
    ).map(pairs => wrapped(`${INDENT}${INDENT}${pairs}`, columns))
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
  const above = [
    style('bold', wrapSafely(headline, columns)),
    ...forTerminal(description).map((table, i) => {
      const { title, note, columns: own } = table
      // the first heading may be the title already
      const isTitled = i === 0 || own[0][0] === title
      return present([
        !isTitled && style('bold', wrapSafely(title, columns)),
        tableText(table, look),
        note !== undefined && style('dim', wrapSafely(`${INDENT}${note}`, columns, ''))
      ]).join('\n')
    })
  ]
  const below = visible(where.join('\n'))
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

/** pipeTables are the tables of a description that a terminal shows, as markdown. @param {Description} description */
export const pipeTables = description =>
  forTerminal(description)
    .map(table => markdownTable(table))
    .join('\n\n')

/** @param {DescribedTable} table @returns {string[]} */
const section = ({ title, note, ...table }) =>
  present([`## ${title}`, markdownTable({ title, ...table }), note])

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
  return paragraphs([pipeTables(description), notes.join('\n'), where.join('\n')])
}

/** tileText writes a tile: `p50 0.95 ms`. @param {Description['tiles'][number]} tile */
export const tileText = ([label, value, kind]) => `${label} ${cellText(value, kind, { withUnit: true })}`

/** tilesText writes tiles in a line: `p50 0.95 ms   p99 4.9 ms`. @param {Description['tiles']} tiles */
export const tilesText = tiles => tiles.map(tileText).join('   ')

/** @param {string} text */
const inCell = text => literal(text).replaceAll('\n', ' ')

/**
 * markdownTable writes a table of a description; numbers are such as any parser reads.
 *
 * @param {DescribedTable} table
 * @param {{ readable?: boolean }} [how] - `readable`: numbers are grouped, for people
 */
export const markdownTable = ({ columns, rows }, { readable = false } = {}) =>
  asMarkdown({
    headings: columns.map(([heading]) => inCell(heading)),
    align: columns.map(([, kind]) => sideOf(kind)),
    rows: rows.map(row =>
      row.map((cell, i) => inCell(readable ? cellText(cell, columns[i][1]) : plainText(cell, columns[i][1])))
    )
  })

/** shownTables are those of a description that have something in them. @param {Pick<Description, 'tables'>} description */
export const shownTables = ({ tables }) => tables.filter(({ rows }) => rows.length > 0)

/**
 * markdownReport is a described result as a document: its headline, warnings and all tables.
 *
 * @param {Description} description
 * @param {{ lines?: readonly string[], command?: string, about?: readonly DescribedTable[] }} [more] - `lines`: under the title; `command`:
 *   that repeats it; `about`: tables at its end
 */
export function markdownReport(description, { lines = [], command, about = [] } = {}) {
  const { title, headline, warnings } = description
  return paragraphs([
    `# ${title}`,
    lines.join('  \n'),
    headline,
    warnings.map(({ text }) => `- ⚠ ${text}`).join('\n'),
    ...shownTables(description).flatMap(section),
    ...(command === undefined ? [] : ['## Repeat', `\`\`\`\n${command}\n\`\`\``]),
    ...shownTables({ tables: [...about] }).flatMap(section)
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
 * csvFiles are all tables and plots of a description, a file each, by name.
 *
 * @param {Description} description
 * @returns {[file: string, content: string][]}
 */
export const csvFiles = description =>
  [
    ...shownTables(description).map(({ id, columns, rows, inFull = rows }) => ({
      id,
      cells: [columns.map(([heading]) => heading), ...inFull.map(row => row.map(cellValue))]
    })),
    ...description.plots.map(plot => ({ id: plot.id, cells: csvRows(plot) }))
  ].flatMap(({ id, cells }) => (cells.length === 0 ? [] : [[`${id}.csv`, asCsv(cells)]]))

/**
 * onTerminal is a text as it is written to a stream: lines are broken between words at a terminal; a file or a pipe has it as it is.
 *
 * @param {string} text
 * @param {import('../cli/terminal.js').Stream} stream
 */
export const onTerminal = (text, stream) =>
  stream.isTTY
    ? text
        .split('\n')
        .map(line => wrapped(line, columnsOf(stream)))
        .join('\n')
    : text

/**
 * @typedef {import('../scenarios/index.js').AnyPlan} AnyPlan
 * @typedef {import('./schema.js').ProgressRecord} ProgressRecord
 * @typedef {import('./run-report.js').View} View
 */

const BAR_CELLS = 8

/**
 * phaseWords names a phase.
 *
 * @param {string} name
 * @param {AnyPlan} plan
 * @param {View} view
 * @returns {{ running: string, done: string }}
 */
export function phaseWords(name, plan, { describePlan }) {
  const [running, done] = describePlan(plan).phases[name] ?? [name, name]
  return { running, done }
}

/**
 * phaseLine reports a phase that has ended.
 *
 * @param {string} title
 * @param {number} ms
 * @param {string | undefined} detail
 */
export const phaseLine = (title, ms, detail) =>
  `${title.padEnd(25)}${spell(ms).padStart(10)}   ${detail ?? ''}`.trimEnd()

/**
 * headLines say what is going to run.
 *
 * @param {{ plan: AnyPlan, run: object }} start
 * @param {string} version - of this tool
 * @param {View} view
 * @returns {string[]}
 */
export function headLines({ plan, run }, version, { describePlan }) {
  const { versions, machine } = /** @type {Partial<import('./schema.js').Result['run']>} */ (run)
  const node = versions?.node === undefined ? [] : [`Node ${versions.node.replace(/^v/, '')}`]
  const cores = machine?.cores === undefined ? [] : [counted(machine.cores, 'core')]
  const { what, notes = [] } = describePlan(plan)
  return [
    [`libp2p-loadtest ${version}`, plan.scenario, `seed ${plan.seed}`, ...node, ...cores].join(' · '),
    what,
    ...notes
  ]
}

/**
 * progressLine writes how far a phase has come.
 *
 * @param {string} title
 * @param {ProgressRecord} progress
 * @param {Parameters<typeof progressParts>[2] & { columns?: number }} look - `columns`: default: as many as it takes
 */
export const progressLine = (title, progress, { columns = Infinity, ...look }) =>
  fitted(progressParts(title, progress, look), columns)

/**
 * progressParts say how far a phase has come, the most important first.
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
export function progressParts(title, progress, { withBar, view, plan, before = [] }) {
  const { done, total, unit, ratePerSecond, p50Ms, p99Ms, cpuPercent, rssBytes, etaMs } = progress
  const { rateUnit, measured } = view.describePlan(plan)
  const drawn = (/** @type {'ratePerSecond' | 'p99Ms'} */ key) =>
    before.length === 0 ? '' : ` ${sparkline([...before, progress].map(each => each[key] ?? 0))}`
  const full = total ? Math.min(BAR_CELLS, Math.floor((done / total) * BAR_CELLS)) : 0
  const write = unit === 'ms' ? spell : grouped
  const amount = total === null ? write(done) : `${write(done)} / ${write(total)}`
  const usage = present([
    cpuPercent != null && `${grouped(cpuPercent)} %`,
    rssBytes != null && `${grouped(rssBytes / 1e6)} MB`
  ])
  return present([
    title,
    withBar && total !== null && total > 0 && '█'.repeat(full).padEnd(BAR_CELLS, '░'),
    unit === 'ms' || unit === 'operations' ? amount : `${amount} ${unit}`,
    ratePerSecond != null && `${significant(ratePerSecond)} ${rateUnit}${drawn('ratePerSecond')}`,
    p50Ms != null && `p50 ${significant(p50Ms)} ms`,
    p99Ms != null && `p99 ${significant(p99Ms)} ms${drawn('p99Ms')}`,
    usage.length > 0 && `${measured} ${usage.join(' · ')}`,
    etaMs != null && `ETA ${spell(etaMs)}`
  ])
}

/**
 * @typedef {import('./schema.js').Record_} Record_
 * @typedef {import('./schema.js').PhaseRecord} PhaseRecord
 */

/**
 * phaseTimes remembers when phases began, to say how long they took.
 *
 * @returns {(record: PhaseRecord) => number} ms since the phase began
 */
export function phaseTimes() {
  /** @type {Map<string, number>} */
  const began = new Map()
  return ({ name, state, atMs }) => {
    if (state === 'begin') began.set(name, atMs)
    return atMs - (began.get(name) ?? atMs)
  }
}
