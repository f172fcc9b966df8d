import { cellText, cellValue } from '../../report/description/kinds.js'
import { caseColumns, unscaledColumns } from './row-columns.js'
import { countedOf, hasRuns } from './row-runs.js'

/**
 * The table of a matrix file: what rows differ in, the first table of each run, and published figures beside it.
 *
 * @typedef {import('../../report/description/description.js').Cell} Cell
 * @typedef {import('../../report/description/description.js').Column} Column
 * @typedef {import('../../report/description/description.js').Description} Description
 * @typedef {import('../../report/description/description.js').DescribedTable} DescribedTable
 * @typedef {import('./matrix-folder.js').RowRecord} RowRecord
 * @typedef {import('./matrix-folder.js').TableRecord} TableRecord
 * @typedef {import('./row-columns.js').RowFigures} RowFigures
 * @typedef {import('./row-columns.js').CaseColumn} CaseColumn
 *
 * @typedef {object} Line - of the table; a run has several where its first table has several rows
 * @property {RowRecord} row
 * @property {ReadonlyMap<string, Cell>} cells - of the run, by heading
 * @property {boolean} isFirst - of its row
 * @property {string} part - what the line is of, where a run has several
 *
 * @typedef {object} RowTable
 * @property {DescribedTable} table
 * @property {Line[]} lines
 * @property {Column[]} measured - columns of the runs
 * @property {CaseColumn[]} cases
 * @property {RowFigures} figures
 * @property {(row: RowRecord) => string} label - of a row in plots
 *
 * @typedef {object} Shown
 * @property {ReadonlyMap<string, Description>} runs - by row id, those of attempts by their paths
 * @property {import('../../scenarios/scenario.js').Planning} scenario
 * @property {RowFigures} figures
 * @property {ReadonlyMap<string, 'PASS' | 'FAIL'>} verdicts - of thresholds, by row id
 *
 * @typedef {[column: Column, of: (line: Line) => Cell | undefined]} ColumnOf
 */

/** Of a terminal. */
const COLUMNS = 80
const GAP = 2
/** A longer name says no more than the columns of the case do. */
const MAX_NAME = 28
/** Of an option that rows differ in, and of all of them together: figures need room, too. */
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
 * rowTable makes the table of a matrix file.
 *
 * @param {TableRecord} record
 * @param {Shown & { id: string }} shown
 * @returns {RowTable}
 */
export function rowTable({ rows, title, description, source }, { id, ...shown }) {
  const { runs, figures, scenario } = shown
  const lines = rows.flatMap(row => linesOf(row, runs.get(row.id)))
  const measured = mergedColumns(rows.flatMap(row => runs.get(row.id)?.tables[0] ?? []))
  const cases = caseColumns(rows, scenario)
  const columns = columnsOf({ lines, rows, measured, cases }, shown)
  const cells = lines.map(line => columns.map(([, of]) => of(line) ?? null))
  const known = columns.map((_, i) => cells.some(row => row[i] !== null))
  const hasPublished = rows.some(({ reference }) => reference !== null)
  const note = [
    description,
    hasPublished &&
      `Published figures come from ${source ?? 'the matrix file'} and were measured under other conditions.`,
    hasRuns({ runs: Math.max(1, ...rows.map(({ runs = 1 }) => runs)) }) &&
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
 * linesOf are the rows of the first table of a run.
 *
 * @param {RowRecord} row
 * @param {Description | undefined} run
 * @returns {Line[]} one without cells where nothing was measured
 */
export function linesOf(row, run) {
  const [first] = run?.tables ?? []
  if (first === undefined || first.rows.length === 0)
    return [{ row, cells: new Map(), isFirst: true, part: '' }]
  const text = first.columns.findIndex(([, kind]) => kind === 'text')
  return first.rows.map((cells, i) => ({
    row,
    cells: new Map(first.columns.map(([heading], column) => [heading, cells[column]])),
    isFirst: i === 0,
    part: first.rows.length > 1 && text >= 0 ? String(cellValue(cells[text]) ?? '') : ''
  }))
}

/**
 * mergedColumns are the columns of several tables, in their order: what only some have stands where these have it.
 *
 * @param {readonly DescribedTable[]} tables
 * @returns {Column[]}
 */
export function mergedColumns(tables) {
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
 * @param {{ lines: Line[], rows: RowRecord[], measured: Column[], cases: CaseColumn[] }} made
 * @param {Shown} shown
 * @returns {ColumnOf[]}
 */
function columnsOf({ lines, rows, measured, cases }, { figures, scenario, verdicts }) {
  const headings = new Set(measured.map(([heading]) => heading))
  const own = new Map(cases.map(each => [shownBy(each, { lines, figures }), each]))
  const apart = cases.filter(each => shownBy(each, { lines, figures }) === null)
  const published = publishedOf(rows, figures)
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
    ...(rows.some(hasRuns)
      ? /** @type {ColumnOf[]} */ ([
          [['Runs', 'count'], ({ row }) => (hasRuns(row) ? countedOf(row).length : 1)]
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
 * @typedef {{ heading: string, of: (reference: Record<string, number | readonly number[]>) => number | undefined }} Published
 *
 * @param {readonly Pick<RowRecord, 'reference'>[]} rows
 * @param {RowFigures} figures
 * @returns {Published[]} a column for each number that was published
 */
export function publishedOf(rows, { columns }) {
  const references = rows.flatMap(({ reference }) =>
    reference === null ? [] : [/** @type {Record<string, any>} */ (reference)]
  )
  const names = [...new Set(references.flatMap(reference => Object.keys(reference)))]
  return names.flatMap(name => {
    const length = Math.max(...references.map(({ [name]: value }) => [value ?? []].flat().length))
    const headings = [columns[name] ?? []].flat()
    return Array.from({ length }, (_, place) => ({
      heading: headings[place] ?? (length === 1 ? name : `${name} ${place + 1}`),
      of: (/** @type {Record<string, any>} */ reference) => [reference[name] ?? []].flat()[place]
    }))
  })
}

/** @param {Published} published @param {Column} [column] - that it stands beside @returns {ColumnOf} */
const publishedColumn = ({ heading, of }, [, kind, ...where] = ['', 'number']) => [
  /** @type {Column} */ ([`${heading}${PUBLISHED}`, kind, ...where]),
  ({ row, isFirst }) => (row.reference === null || !isFirst ? null : of(/** @type {any} */ (row.reference)))
]

/**
 * shownBy is the heading of the column of runs in which an option stands: wherever its cells are the same the option is, too.
 *
 * @param {CaseColumn} column
 * @param {{ lines: readonly Line[], figures: RowFigures }} how
 * @returns {string | null} null: it needs a column of its own
 */
function shownBy({ option, of }, { lines, figures }) {
  const heading = String(figures.columns[option] ?? '')
  const known = lines.filter(({ cells }) => cells.has(heading))
  /** @type {Map<unknown, unknown>} */
  const values = new Map()
  for (const { cells, row } of known) {
    const cell = cellValue(cells.get(heading) ?? null)
    const value = of(row.plan)
    if (values.has(cell) && values.get(cell) !== value) return null
    values.set(cell, value)
  }
  return known.length === 0 ? null : heading
}

/** @param {RowRecord} row @param {CaseColumn[]} cases @param {RowFigures} figures */
const labelOf = (row, cases, figures) =>
  row.name.length <= MAX_NAME || cases.length === 0 ? row.name : caseText(row, cases, figures)

/**
 * caseText says in short what a row differs in from others.
 *
 * @param {RowRecord} row
 * @param {readonly CaseColumn[]} cases
 * @param {RowFigures} figures
 */
export const caseText = ({ plan }, cases, figures) =>
  cases
    .flatMap(({ option, column: [, kind], of }) => {
      const value = of(plan)
      if (value === null) return []
      return typeof value === 'string'
        ? value
        : `${figures.columns[option] ?? option} ${cellText(value, kind)}`
    })
    .join(', ')

/**
 * What fits on a terminal: the name of a row or what it differs in, whichever is shorter, then what differs among rows, published figures last.
 *
 * @param {DescribedTable} table
 * @param {ReadonlySet<string>} ofCase - headings of what rows differ in
 * @returns {DescribedTable}
 */
function fitted(table, ofCase) {
  const { columns, rows } = table
  const widths = columns.map(([heading, kind], i) =>
    Math.max(heading.length, ...rows.map(row => cellText(row[i], kind).length))
  )
  const varies = columns.map(
    (_, i) =>
      new Set(
        rows
          .map(row => row[i])
          .filter(cell => cell !== null)
          .map(cell => cellText(cell, 'text'))
      ).size > 1
  )
  const isNamed = ofCase.size === 0 || widths[0] <= MAX_NAME
  const rank = (/** @type {number} */ i) => {
    const own = rankOf(columns[i], { isNamed, ofCase })
    return own > 1 && rows.length > 1 && !varies[i] ? LAST : own
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

/** What is the same in all rows is shown where there is room left. */
const LAST = 4

/** @param {Column} column @param {{ isNamed: boolean, ofCase: ReadonlySet<string> }} how @returns {number} 0: never; 1: first */
function rankOf([heading, , where], { isNamed, ofCase }) {
  if (heading === 'Row') return isNamed ? 1 : 0
  if (heading === 'Status' || heading === 'Thresholds') return 1
  if (ofCase.has(heading)) return isNamed ? 0 : 1
  if (where === 'wide') return 0
  return heading.endsWith(PUBLISHED) ? 3 : 2
}
