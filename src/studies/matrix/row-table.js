// Makes the table of a matrix file, a row for each case, beside the figures published elsewhere for the same case.

import { isDeepStrictEqual } from 'node:util'
import { omitMissing } from '../../kit/collections.js'
import { formatOptionValue, makePlanFlags } from '../../plan/command-line.js'
import { formatCell, readCell } from '../../report/kinds.js'
import { chooseAttempts, hasSeveralRuns } from './matrix-document.js'

/**
 * The table of a matrix file: what rows differ in, the first table of each run, and published figures beside it.
 *
 * @typedef {import('../../report/schema.js').Cell} Cell
 * @typedef {import('../../report/schema.js').Column} Column
 * @typedef {import('../../report/schema.js').Description} Description
 * @typedef {import('../../report/schema.js').DescribedTable} DescribedTable
 * @typedef {import('./matrix-document.js').RowRecord} RowRecord
 * @typedef {import('./matrix-document.js').TableRecord} TableRecord
 * @typedef {object} TableLine - of the table; a run has several where its first table has several rows
 * @property {RowRecord} row
 * @property {ReadonlyMap<string, Cell>} cells - of the run, by heading
 * @property {boolean} isFirst - of its row
 * @property {string} part - what the line is of, where a run has several
 *
 * @typedef {object} RowTable
 * @property {DescribedTable} table
 * @property {TableLine[]} lines
 * @property {Column[]} measured - columns of the runs
 * @property {CaseColumn[]} cases
 * @property {RowFigures} figures
 * @property {(row: RowRecord) => string} label - of a row in plots
 *
 * @typedef {object} Shown
 * @property {ReadonlyMap<string, Description>} runs - by row id, those of attempts by their paths
 * @property {import('../../scenarios/index.js').Planning} scenario
 * @property {RowFigures} figures
 * @property {ReadonlyMap<string, 'PASS' | 'FAIL'>} verdicts - of thresholds, by row id
 *
 * @typedef {[column: Column, of: (line: TableLine) => Cell | undefined]} ColumnOf
 */

/** Of a terminal. */
const COLUMNS = 80
const GAP = 2
/** Rows with longer names are identified by the columns of their case instead. */
const MAX_NAME = 28
/** Limits for the column of one option, and for all columns of options together, so that figures have room. */
const MAX_CASE = 20
const MAX_CASES = 40

const PUBLISHED = ' published'

/** @type {Readonly<Record<RowRecord['status'], string>>} */
const STATES = {
  pending: 'not run',
  running: 'not finished',
  complete: 'complete',
  failed: 'failed',
  interrupted: 'interrupted',
  blocked: 'cannot run here'
}

/**
 * makeRowTable makes the table of a matrix file.
 *
 * @param {TableRecord} record
 * @param {Shown & { id: string }} shown
 * @returns {RowTable}
 */
export function makeRowTable({ rows, title, description, source }, { id, ...shown }) {
  const { runs, figures, scenario } = shown
  const lines = rows.flatMap(row => makeLines(row, runs.get(row.id)))
  const measured = mergeColumns(rows.flatMap(row => runs.get(row.id)?.tables[0] ?? []))
  const cases = caseColumns(rows, scenario)
  const columns = columnsOf({ lines, rows, measured, cases }, shown)
  const cells = lines.map(line => columns.map(([, of]) => of(line) ?? null))
  const known = columns.map((_, i) => cells.some(row => row[i] !== null))
  const hasPublished = rows.some(({ reference }) => reference !== null)
  const note = [
    description,
    hasPublished &&
      `Published figures come from ${source ?? 'the matrix file'} and were measured under other conditions.`,
    hasSeveralRuns({ runs: Math.max(1, ...rows.map(({ runs = 1 }) => runs)) }) &&
      'A row of several runs shows them merged, or its median run where they cannot be merged.'
  ].filter(Boolean)
  const table = {
    id,
    title,
    columns: columns.map(([column]) => column).filter((_, i) => known[i]),
    rows: cells.map(row => row.filter((_, i) => known[i])),
    ...(note.length > 0 && { note: note.join(' ') }),
    terminal: true
  }
  const ofCase = new Set(cases.map(each => shownBy(each, { lines, figures }) ?? each.column[0]))
  return {
    table: fitted(table, ofCase),
    lines,
    measured,
    cases,
    figures,
    label: row => labelOf(row, cases, figures)
  }
}

/**
 * makeLines are the rows of the first table of a run.
 *
 * @param {RowRecord} row
 * @param {Description | undefined} run
 * @returns {TableLine[]} one without cells where nothing was measured
 */
export function makeLines(row, run) {
  const [first] = run?.tables ?? []
  if (first === undefined || first.rows.length === 0)
    return [{ row, cells: new Map(), isFirst: true, part: '' }]
  const text = first.columns.findIndex(([, kind]) => kind === 'text')
  return first.rows.map((cells, i) => ({
    row,
    cells: new Map(first.columns.map(([heading], column) => [heading, cells[column]])),
    isFirst: i === 0,
    part: first.rows.length > 1 && text >= 0 ? String(readCell(cells[text]) ?? '') : ''
  }))
}

/**
 * mergeColumns merges the columns of several tables, in their order.
 *
 * @param {readonly DescribedTable[]} tables
 * @returns {Column[]}
 */
export function mergeColumns(tables) {
  /** @type {Column[]} */
  const merged = []
  for (const { columns } of tables) {
    let place = 0
    for (const column of columns) {
      const at = merged.findIndex(([heading]) => heading === column[0])
      if (at < 0) merged.splice(place++, 0, column)
      else place = at + 1
    }
  }
  return merged
}

/**
 * @param {{ lines: TableLine[], rows: RowRecord[], measured: Column[], cases: CaseColumn[] }} made
 * @param {Shown} shown
 * @returns {ColumnOf[]}
 */
function columnsOf({ lines, rows, measured, cases }, { figures, scenario, verdicts }) {
  const headings = new Set(measured.map(([heading]) => heading))
  const own = new Map(cases.map(each => [shownBy(each, { lines, figures }), each]))
  const apart = cases.filter(each => shownBy(each, { lines, figures }) === null)
  const published = listPublishedFigures(rows, figures)
  const beside = (/** @type {string} */ heading) => published.filter(each => each.heading === heading)
  const unscaled = unscaledColumns(rows, scenario)
  return [
    [['Row', 'text'], ({ row }) => row.name],
    .../** @type {ColumnOf[]} */ (apart.map(({ column, of }) => [column, ({ row }) => of(row.plan)])),
    ...measured.flatMap(column => [
      /** @type {ColumnOf} */ ([
        column,
        ({ cells, row }) => cells.get(column[0]) ?? own.get(column[0])?.of(row.plan)
      ]),
      ...beside(column[0]).map(each => publishedColumn(each, column))
    ]),
    // published figures that no run has
    ...published.filter(({ heading }) => !headings.has(heading)).map(each => publishedColumn(each)),
    ...(rows.some(hasSeveralRuns)
      ? /** @type {ColumnOf[]} */ ([
          [['Runs', 'count'], ({ row }) => (hasSeveralRuns(row) ? chooseAttempts(row).length : 1)]
        ])
      : []),
    ...(rows.some(({ status }) => status !== 'complete')
      ? /** @type {ColumnOf[]} */ ([[['Status', 'text'], ({ row }) => STATES[row.status]]])
      : []),
    [['Thresholds', 'text'], ({ row }) => verdicts.get(row.id)],
    .../** @type {ColumnOf[]} */ (
      unscaled.map(({ column, of }) => [
        column,
        ({ row }) => of(/** @type {RowRecord['plan']} */ (row.unscaled))
      ])
    ),
    [['Note', 'text', 'wide'], ({ row, isFirst }) => (isFirst ? row.note : null)]
  ]
}

/**
 * @typedef {{ heading: string, of: (reference: import('./matrix-file.js').PublishedFigures) => number | undefined }} Published
 *
 * @param {readonly Pick<RowRecord, 'reference'>[]} rows
 * @param {RowFigures} figures
 * @returns {Published[]} a column for each number that was published
 */
export function listPublishedFigures(rows, { columns }) {
  const references = omitMissing(rows.map(({ reference }) => reference))
  const names = [...new Set(references.flatMap(reference => Object.keys(reference)))]
  return names.flatMap(name => {
    const length = Math.max(...references.map(({ [name]: value }) => [value ?? []].flat().length))
    const headings = [columns[name] ?? []].flat()
    return Array.from({ length }, (_, place) => ({
      heading: headings[place] ?? (length === 1 ? name : `${name} ${place + 1}`),
      of: reference => [reference[name] ?? []].flat()[place]
    }))
  })
}

/** @param {Published} published @param {Column} [column] - that it stands beside @returns {ColumnOf} */
const publishedColumn = ({ heading, of }, [, kind, ...where] = ['', 'number']) => [
  /** @type {Column} */ ([`${heading}${PUBLISHED}`, kind, ...where]),
  ({ row, isFirst }) => (row.reference === null || !isFirst ? null : of(row.reference))
]

/**
 * The heading of a column of the runs that shows an option already: equal cells mean equal values of the option.
 *
 * @param {CaseColumn} column
 * @param {{ lines: readonly TableLine[], figures: RowFigures }} how
 * @returns {string | null} null: it needs a column of its own
 */
function shownBy({ option, of }, { lines, figures }) {
  const heading = String(figures.columns[option] ?? '')
  const known = lines.filter(({ cells }) => cells.has(heading))
  /** @type {Map<unknown, unknown>} */
  const values = new Map()
  for (const { cells, row } of known) {
    const cell = readCell(cells.get(heading) ?? null)
    const value = of(row.plan)
    if (values.has(cell) && values.get(cell) !== value) return null
    values.set(cell, value)
  }
  return known.length === 0 ? null : heading
}

/** @param {RowRecord} row @param {CaseColumn[]} cases @param {RowFigures} figures */
const labelOf = (row, cases, figures) =>
  row.name.length <= MAX_NAME || cases.length === 0 ? row.name : describeCase(row, cases, figures)

/**
 * describeCase writes the options in which a row differs from others.
 *
 * @param {RowRecord} row
 * @param {readonly CaseColumn[]} cases
 * @param {RowFigures} figures
 */
export const describeCase = ({ plan }, cases, figures) =>
  cases
    .flatMap(({ option, column: [, kind], of }) => {
      const value = of(plan)
      if (value === null) return []
      return typeof value === 'string'
        ? value
        : `${figures.columns[option] ?? option} ${formatCell(value, kind)}`
    })
    .join(', ')

/**
 * Chooses the columns for a terminal: the name of the row, or the options in which it differs if the name is long; then figures that differ
 * between rows; then published figures.
 *
 * @param {DescribedTable} table
 * @param {ReadonlySet<string>} ofCase - headings of what rows differ in
 * @returns {DescribedTable}
 */
function fitted(table, ofCase) {
  const { columns, rows } = table
  const widths = columns.map(([heading, kind], i) =>
    Math.max(heading.length, ...rows.map(row => formatCell(row[i], kind).length))
  )
  const varies = columns.map(
    (_, i) =>
      new Set(
        rows
          .map(row => row[i])
          .filter(cell => cell !== null)
          .map(cell => formatCell(cell, 'text'))
      ).size > 1
  )
  const isNamed = ofCase.size === 0 || widths[0] <= MAX_NAME
  const rank = (/** @type {number} */ i) => {
    const own = rankOf(columns[i], { isNamed, ofCase })
    return own > 1 && rows.length > 1 && !varies[i] ? LAST_RANK : own
  }
  const order = columns
    .map((_, i) => ({ i, rank: rank(i) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => a.rank - b.rank)
  /** @type {Set<number>} */
  const shown = new Set()
  let left = COLUMNS
  for (const { i } of order) {
    const isCase = ofCase.has(columns[i][0])
    if (widths[i] > left || (isCase && (widths[i] > MAX_CASE || left - widths[i] < COLUMNS - MAX_CASES)))
      continue
    shown.add(i)
    left -= widths[i] + GAP
  }
  return {
    ...table,
    columns: columns.map(([heading, kind], i) => (shown.has(i) ? [heading, kind] : [heading, kind, 'wide']))
  }
}

/** The rank of columns that are the same in all rows: they are shown if there is room left. */
const LAST_RANK = 4

/** @param {Column} column @param {{ isNamed: boolean, ofCase: ReadonlySet<string> }} how @returns {number} 0: never; 1: first */
function rankOf([heading, , where], { isNamed, ofCase }) {
  if (heading === 'Row') return isNamed ? 1 : 0
  if (heading === 'Status' || heading === 'Thresholds') return 1
  if (ofCase.has(heading)) return isNamed ? 0 : 1
  if (where === 'wide') return 0
  return heading.endsWith(PUBLISHED) ? 3 : 2
}

/**
 * Options in which rows differ, and options that they have in common, read from their plans.
 *
 * @typedef {import('../../report/schema.js').Kind} Kind
 * @typedef {import('../../scenarios/index.js').Planning} Planning
 *
 * @typedef {object} RowFigures - how a matrix shows the first table of the runs of a scenario
 * @property {Readonly<Record<string, string | readonly string[]>>} columns - headings by the name of an option or of a published figure; of a
 *   figure that is a list, one for each
 * @property {readonly string[]} [drawn] - headings of figures that are drawn over what rows differ in; default: one or two of each kind
 * @property {readonly string[]} [over] - headings of measured figures that those are drawn over, too
 *
 * @typedef {object} CaseColumn - an option that rows differ in
 * @property {string} option
 * @property {Column} column
 * @property {(plan: RowRecord['plan']) => string | number | null} of
 */

/** How numbers of a plan are shown, by the suffix of their keys. @type {readonly [ending: string, unit: string, kind: Kind, factor: number][]} */
const UNITS = [
  ['BytesPerSecond', ' MB/s', 'number', 1e-6],
  ['PerSecond', ' /s', 'number', 1],
  ['Seconds', ' s', 's', 1],
  ['Ms', ' s', 's', 1e-3],
  ['Bytes', ' bytes', 'count', 1]
]

/**
 * @param {Planning['options']} options
 * @param {string} option
 * @param {{ values: readonly unknown[], flat: (plan: any) => Record<string, any> }} how - `values`: of all rows
 * @returns {CaseColumn}
 */
function caseColumn(options, option, { values, flat }) {
  const { planKey = option } = options[option]
  const read = (/** @type {RowRecord['plan']} */ plan) => flat(plan)[planKey] ?? null
  if (!values.every(value => value === null || typeof value === 'number'))
    return {
      option,
      column: [option, 'text'],
      of: plan => {
        const value = read(plan)
        return value === null ? null : formatOptionValue(option, options[option], value)
      }
    }
  const [, unit, kind, factor] = UNITS.find(([ending]) => planKey.endsWith(ending)) ?? [
    '',
    '',
    values.every(value => value === null || Number.isInteger(value)) ? 'count' : 'number',
    1
  ]
  return {
    option,
    column: [`${option}${unit}`, kind],
    of: plan => {
      const value = read(plan)
      return value === null ? null : Number((value * factor).toPrecision(12))
    }
  }
}

/** @param {Planning} scenario */
const planOptions = ({ options }) =>
  Object.keys(options).filter(key => (options[key].part ?? 'plan') === 'plan' && key !== 'threshold')

/**
 * caseColumns are the options that the plans of rows differ in.
 *
 * @param {readonly RowRecord[]} rows
 * @param {Planning} scenario
 * @returns {CaseColumn[]}
 */
const caseColumns = (rows, scenario) =>
  planOptions(scenario).flatMap(option => {
    const { planKey = option } = scenario.options[option]
    const values = rows.map(({ plan }) => scenario.flat(plan)[planKey] ?? null)
    return values.every(value => isDeepStrictEqual(value, values[0]))
      ? []
      : [caseColumn(scenario.options, option, { values, flat: scenario.flat })]
  })

/**
 * unscaledColumns are the values that rows would have had without `--scale`.
 *
 * @param {readonly RowRecord[]} rows
 * @param {Planning} scenario
 * @returns {CaseColumn[]} `of`: of a plan that was not scaled
 */
const unscaledColumns = (rows, scenario) =>
  planOptions(scenario).flatMap(option => {
    const { planKey = option } = scenario.options[option]
    const values = rows.map(({ unscaled }) => unscaled[planKey] ?? null)
    if (values.every(value => value === null)) return []
    const { column, of } = caseColumn(scenario.options, option, { values, flat: plan => plan })
    const [heading, kind] = column
    return [{ option, column: [`${heading} unscaled`, kind, 'wide'], of }]
  })

/**
 * findCommonOptions are the options that are the same in all rows and differ from the defaults.
 *
 * @param {readonly RowRecord[]} rows
 * @param {Planning} scenario
 * @returns {[option: string, value: string][]}
 */
export function findCommonOptions(rows, scenario) {
  const [first = [], ...others] = rows.map(({ plan }) => makePlanFlags(scenario, plan))
  return first
    .filter(flag => others.every(flags => flags.includes(flag)))
    .map(flag => {
      const [name, ...value] = flag.split(' ')
      return [name.replace(/^--/, ''), value.join(' ') || 'on']
    })
}
