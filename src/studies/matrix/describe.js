// The description of a matrix.
import { present, sumOf } from '../../kit/collections.js'
import { counted } from '../../kit/numbers.js'
import { overlay, slug, table } from '../../report/description.js'
import { cellValue } from '../../report/kinds.js'
import { MAX_PLOTS, MAX_TABLES } from '../../report/schema.js'
import { mergedWarnings } from '../study-views.js'
import { countedOf, hasRuns, MIN_SPREAD, rowsOf } from './matrix-document.js'
import { caseText, commonOptions, linesOf, mergedColumns, publishedOf, rowTable } from './row-table.js'

/**
 * Figures of rows over what the rows differ in.
 *
 * @typedef {import('../../report/schema.js').Column} Column
 * @typedef {import('../../report/schema.js').Plot} Plot
 * @typedef {import('../../report/schema.js').Series} Series
 * @typedef {import('./row-table.js').Line} Line
 * @typedef {import('./row-table.js').RowTable} RowTable
 *
 * @typedef {object} Axis - what figures are drawn over
 * @property {string} heading
 * @property {(line: Line) => number | null} at
 * @property {(line: Line) => string} group - lines that differ in nothing but this
 * @property {boolean} [isMeasured] - and no part of a plan
 *
 * @typedef {object} Fit - of a figure of a group of rows
 * @property {string} figure
 * @property {string} over
 * @property {string} group
 * @property {'logarithmic' | 'linear'} shape - over log₂ of the number, or over the number
 * @property {number} intercept
 * @property {number} slope
 * @property {number} rms
 * @property {number | null} r2
 */

/** Of fewer points no shape can be seen. */
const MIN_FITTED = 3
/** Over the others few rows differ. */
const MAX_AXES = 2
/** So many figures are drawn over measured ones. */
const MAX_OVER_MEASURED = 2
/** From this ratio of the largest to the smallest on an axis is logarithmic. */
const LOG_FROM = 20

/** @param {Line} line @param {string} heading */
function numberAt({ cells }, heading) {
  const value = cellValue(cells.get(heading) ?? null)
  return typeof value === 'number' ? value : null
}

/** @param {readonly (number | null)[]} values */
const distinct = values => new Set(values.filter(value => value !== null)).size

/**
 * axesOf are the numbers that rows differ in, and measured figures that others are drawn over.
 *
 * @param {RowTable} made
 * @returns {Axis[]}
 */
function axesOf({ lines, cases, figures, measured }) {
  const groupBy =
    (/** @type {typeof cases} */ others) =>
    (/** @type {Line} */ { row, part }) =>
      [part, caseText(row, others, figures)].filter(text => text !== '').join(', ')
  const numbers = cases.filter(
    ({ column: [, kind], of }) =>
      kind !== 'text' && distinct(lines.map(({ row }) => asNumber(of(row.plan)))) > 1
  )
  const swept = [...cases].sort((a, b) => valuesOf(lines, b) - valuesOf(lines, a)).slice(1)
  return [
    ...numbers
      .map(each => ({
        heading: [figures.columns[each.option] ?? each.column[0]].flat()[0],
        at: (/** @type {Line} */ { row }) => asNumber(each.of(row.plan)),
        group: groupBy(cases.filter(other => other !== each))
      }))
      .map(axis => ({ axis, joined: joinedBy(axis, lines) }))
      .filter(({ joined }) => joined > 0)
      .sort((a, b) => b.joined - a.joined)
      .slice(0, MAX_AXES)
      .map(({ axis }) => axis),
    ...(figures.over ?? [])
      .filter(heading => measured.some(([known]) => known === heading))
      .map(heading => ({
        heading,
        at: (/** @type {Line} */ line) => numberAt(line, heading),
        isMeasured: true,
        group: groupBy(cases.filter(each => swept.includes(each)))
      }))
  ]
}

/** How many lines of a table an axis joins with others. @param {Axis} axis @param {readonly Line[]} lines */
function joinedBy({ at, group }, lines) {
  const measured = lines.filter(({ cells }) => cells.size > 0)
  return measured.filter(line =>
    measured.some(other => group(other) === group(line) && at(other) !== at(line))
  ).length
}

/** @param {string | number | null} value */
const asNumber = value => (typeof value === 'number' ? value : null)

/** @param {readonly Line[]} lines @param {import('./row-table.js').CaseColumn} column */
const valuesOf = (lines, { of }) => new Set(lines.map(({ row }) => of(row.plan))).size

/** @param {RowTable} made @returns {Column[]} */
function drawnColumns({ measured, figures, lines }) {
  const numeric = measured.filter(
    ([heading, kind]) => kind !== 'text' && distinct(lines.map(line => numberAt(line, heading))) > 1
  )
  const { drawn, over = [] } = figures
  if (drawn !== undefined) return present(drawn.map(name => numeric.find(([heading]) => heading === name)))
  const kinds = /** @type {const} */ (['ms', 'perSecond', 'percent', 'MB', 's', 'number'])
  return kinds.flatMap(kind => {
    const same = numeric.filter(
      column =>
        column[1] === kind && !over.includes(column[0]) && !Object.values(figures.columns).includes(column[0])
    )
    const times = [/\bp50\b|median/i, /\bp99\b/].map(name => same.find(([heading]) => name.test(heading)))
    const found = present(times)
    return kind === 'ms' && found.length > 0 ? found : same.slice(0, 1)
  })
}

/**
 * rowPlots draw figures of rows over each number that the rows differ in: a line for those that differ in nothing else.
 *
 * @param {RowTable} made
 * @returns {{ plots: Plot[], fits: Fit[] }} `fits`: straight lines through figures, where there are points enough
 */
function rowPlots(made) {
  /** @type {Fit[]} */
  const fits = []
  const columns = drawnColumns(made)
  const plots = axesOf(made).flatMap((axis, place) =>
    (axis.isMeasured ? columns.slice(0, MAX_OVER_MEASURED) : columns).flatMap(([heading, kind], i) => {
      if (heading === axis.heading) return []
      const series = seriesOf(made.lines, axis, heading)
      if (series.length === 0) return []
      const own = axis.isMeasured
        ? []
        : series.flatMap(each => fitsOf(each, { figure: heading, over: axis.heading }))
      fits.push(...own)
      const xs = series.flatMap(({ values }) => values.map(([x]) => Number(x)))
      return [
        {
          id: `${made.table.id}-${place + 1}-${i + 1}`,
          title: `${heading} over ${axis.heading}`,
          kind: /** @type {const} */ ('lines'),
          x: axis.heading,
          y: heading,
          ...(isWide(xs) && { logX: true }),
          ...(kind === 'ms' && { logY: true }),
          series: [...series, ...(series.length === 1 ? own.map(fit => fitSeries(fit, xs)) : [])]
        }
      ]
    })
  )
  return { plots, fits }
}

/** @param {readonly number[]} values */
const isWide = values => Math.min(...values) > 0 && Math.max(...values) >= LOG_FROM * Math.min(...values)

const POINTS = /** @type {const} */ ('points')

/** @param {readonly Line[]} lines @param {Axis} axis @param {string} heading @returns {Series[]} none where no line has two points */
function seriesOf(lines, axis, heading) {
  const points = lines.flatMap(line => {
    const [x, y] = [axis.at(line), numberAt(line, heading)]
    return x === null || y === null ? [] : [{ group: axis.group(line), value: [x, Number(y.toPrecision(5))] }]
  })
  if (distinct(points.map(({ value: [x] }) => x)) < 2) return []
  return [...new Set(points.map(({ group }) => group))].map(group => {
    const values = points
      .filter(point => point.group === group)
      .map(({ value }) => value)
      .sort(([a], [b]) => a - b)
    return { label: group === '' ? heading : group, ...(values.length === 1 && { style: POINTS }), values }
  })
}

/** @param {Series} series @param {{ figure: string, over: string }} of @returns {Fit[]} */
function fitsOf({ label, values }, { figure, over }) {
  const points = values.map(([x, y]) => ({ x: Number(x), y: Number(y) }))
  if (distinct(points.map(({ x }) => x)) < MIN_FITTED || points.some(({ x }) => x <= 0)) return []
  return /** @type {const} */ (['logarithmic', 'linear']).map(shape => {
    const { intercept, slope, rms, r2 } = leastSquares(
      points.map(({ x, y }) => ({ x: shape === 'linear' ? x : Math.log2(x), y }))
    )
    return { figure, over, group: label === figure ? '' : label, shape, intercept, slope, rms, r2 }
  })
}

/** @param {Fit} fit @param {readonly number[]} xs @returns {Series} */
function fitSeries({ shape, intercept, slope }, xs) {
  const [least, most] = [Math.min(...xs), Math.max(...xs)]
  const at = Array.from({ length: 25 }, (_, i) => least * (most / least) ** (i / 24))
  return {
    label: shape,
    style: 'dotted',
    values: at.map(x =>
      [x, intercept + slope * (shape === 'linear' ? x : Math.log2(x))].map(n => Number(n.toPrecision(5)))
    )
  }
}

/**
 * @typedef {object} FittedLine - y = intercept + slope · x
 * @property {number} slope
 * @property {number} intercept
 * @property {number[]} residuals - measured less fitted, of each point
 * @property {number} rms - root of the mean square of the residuals
 * @property {number | null} r2 - share of the variance of y that the line explains; null: y does not vary
 */

/** @param {readonly number[]} values */
const mean = values => sumOf(values) / values.length

/** @param {readonly number[]} values */
const squares = values => sumOf(values, value => value * value)

/**
 * leastSquares fits a line to points so that the squares of what is left are least (A.-M. Legendre, 1805).
 *
 * @param {readonly { x: number, y: number }[]} points - of at least two different x
 * @returns {FittedLine}
 */
export function leastSquares(points) {
  const [meanX, meanY] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))]
  const slope =
    sumOf(points, ({ x, y }) => (x - meanX) * (y - meanY)) / squares(points.map(({ x }) => x - meanX))
  const intercept = meanY - slope * meanX
  const residuals = points.map(({ x, y }) => y - (intercept + slope * x))
  const [left, all] = [squares(residuals), squares(points.map(({ y }) => y - meanY))]
  return {
    slope,
    intercept,
    residuals,
    rms: Math.sqrt(left / points.length),
    r2: all === 0 ? null : 1 - left / all
  }
}

/**
 * @typedef {import('../../report/schema.js').Cell} Cell
 * @typedef {import('../../report/schema.js').Description} Description
 * @typedef {import('../../report/schema.js').DescribedTable} DescribedTable
 * @typedef {import('../../report/schema.js').DescribedWarning} DescribedWarning
 * @typedef {import('./matrix-document.js').MatrixDocument} MatrixDocument
 * @typedef {import('./matrix-document.js').RowRecord} RowRecord
 * @typedef {import('./matrix-document.js').TableRecord} TableRecord
 * @typedef {import('./row-table.js').RowFigures} RowFigures
 * @typedef {import('../../scenarios/index.js').Planning & { rowFigures?: RowFigures }} RowScenario - a door of a scenario
 *
 * @typedef {object} Described - what a matrix is described from, beside its document
 * @property {ReadonlyMap<string, Description>} runs - by row id, those of attempts by their paths
 * @property {(name: string) => RowScenario} scenarioOf
 * @property {ReadonlyMap<string, 'PASS' | 'FAIL'>} [verdicts] - of thresholds, by row id
 */

/** @type {RowFigures} */
const NO_FIGURES = { columns: {} }

/**
 * describeMatrix describes a matrix: a table for each of its files, what rows have in common, and their plots over each other.
 *
 * @param {MatrixDocument} document
 * @param {Described} described
 * @returns {Description}
 */
export function describeMatrix(document, { runs, scenarioOf, verdicts = new Map() }) {
  const ids = idsOf(document.tables)
  const made = document.tables.map((record, i) => ({
    record,
    made: rowTable(record, {
      id: ids[i],
      runs,
      verdicts,
      scenario: scenarioOf(record.scenario),
      figures: scenarioOf(record.scenario).rowFigures ?? NO_FIGURES
    })
  }))
  const drawn = made.map(each => ({ ...each, ...rowPlots(each.made) }))
  const rows = rowsOf(document)
  const own = made.map(({ made }) => made.table)
  const others = [
    ...made.flatMap(({ record, made }) => spread(record, made, runs)),
    fitTable(drawn),
    otherRates(made),
    options(made, scenarioOf),
    differences(document.tables),
    attempts(rows)
  ].filter(({ rows }) => rows.length > 0)
  const left = Math.max(0, MAX_TABLES - own.length - others.length)
  return {
    title: `Matrix: ${titlesOf(document)}`,
    headline: headline(document),
    tiles: tiles(rows),
    tables: [...own, ...others, ...stacked(rows, runs).slice(0, left)],
    plots: plotsOf(drawn, runs),
    warnings: [
      ...scaled(document.request),
      ...reasons(rows),
      ...mergedWarnings(
        rows.map(({ id, name, reason }) => ({
          name,
          // why a row is not complete is said already
          warnings: (runs.get(id)?.warnings ?? []).filter(({ code }) => reason === null || code !== 'PARTIAL')
        })),
        'rows'
      )
    ]
  }
}

/** File names may have letters that ids have not. @param {readonly TableRecord[]} tables */
function idsOf(tables) {
  const ids = tables.map(({ id }) => slug(id) || 'table')
  return ids.map((id, i) => (ids.indexOf(id) === i && !RESERVED.has(id) ? id : `${id}-${i + 1}`))
}

/** Ids of the tables that all matrices have. */
const RESERVED = new Set(['growth', 'published-at-another-rate', 'options', 'differences', 'attempts'])

/** @param {readonly RowRecord[]} rows @param {RowRecord['status']} state */
const countOf = (rows, state) => rows.filter(({ status }) => status === state).length

/** @param {MatrixDocument} document */
const titlesOf = ({ tables }) =>
  tables.length > 3 ? `${tables.length} tables` : tables.map(({ title }) => title).join('; ')

/** @param {MatrixDocument} document */
function headline(document) {
  const rows = rowsOf(document)
  const [done, failed, blocked] = /** @type {const} */ (['complete', 'failed', 'blocked']).map(state =>
    countOf(rows, state)
  )
  const left = rows.length - done - failed - blocked
  const parts = [
    `${done} of ${counted(rows.length, 'row')} measured`,
    failed > 0 && `${failed} failed`,
    blocked > 0 && `${blocked} cannot run on this machine`,
    left > 0 && `${left} not run`
  ].filter(Boolean)
  return `${titlesOf(document)}: ${parts.join(', ')}.`
}

/** @param {readonly RowRecord[]} rows @returns {Description['tiles']} */
const tiles = rows => [
  ['Rows', rows.length, 'count'],
  ['Measured', countOf(rows, 'complete'), 'count'],
  ...TROUBLES.flatMap(([label, state]) => {
    const count = countOf(rows, state)
    return count === 0 ? [] : [/** @type {Description['tiles'][number]} */ ([label, count, 'count'])]
  })
]

const TROUBLES = /** @type {const} */ ([
  ['Failed', 'failed'],
  ['Cannot run here', 'blocked']
])

/** @typedef {'least' | 'median' | 'greatest'} Which */

/** @type {readonly [Which, (ascending: readonly number[]) => number][]} */
const SPREAD = [
  ['least', ([least]) => least],
  ['median', ascending => ascending[Math.floor((ascending.length - 1) / 2)]],
  ['greatest', ascending => ascending[ascending.length - 1]]
]

/** Of rows of three runs or more. @param {TableRecord} record @param {RowTable} made @param {Described['runs']} runs @returns {DescribedTable[]} */
function spread({ rows }, { table: { id, title }, measured }, runs) {
  const numeric = measured.filter(([, kind]) => kind !== 'text')
  const several = rows
    .filter(({ runs: asked = 1 }) => asked >= MIN_SPREAD)
    .map(row => ({ row, lines: countedOf(row).map(({ result }) => linesOf(row, runs.get(result))) }))
    .filter(({ lines }) => lines.length > 1)
  if (several.length === 0) return []
  const cells = several.flatMap(({ row, lines }) =>
    lines[0].flatMap((line, place) =>
      SPREAD.map(([which, pick]) => [
        row.name,
        line.part,
        which,
        ...numeric.map(([heading]) => {
          const values = lines
            .flatMap(run => Number(cellValue(run[place]?.cells.get(heading) ?? null) ?? Number.NaN))
            .filter(value => !Number.isNaN(value))
          return values.length === 0 ? null : pick(values.sort((a, b) => a - b))
        })
      ])
    )
  )
  return [
    {
      id: `${id}-spread`,
      title: `${title}: spread of runs`,
      note: 'Of each column by itself.',
      columns: [['Row', 'text'], ['Part', 'text'], ['Of the runs', 'text'], ...numeric],
      rows: cells
    }
  ]
}

/** Tables that a matrix has of all its rows, however long they become. */
const ALWAYS = new Set(['response-times', 'thresholds'])
/** Others are left to the pages of the rows where they have more rows. */
const MAX_STACKED = 100

/**
 * The other tables of runs, those of all rows below each other.
 *
 * @param {readonly RowRecord[]} rows
 * @param {Described['runs']} runs
 * @returns {DescribedTable[]}
 */
function stacked(rows, runs) {
  const all = rows.flatMap(row => (runs.get(row.id)?.tables ?? []).slice(1).map(table => ({ row, table })))
  return [...new Set(all.map(({ table }) => table.id))].flatMap(id => {
    const same = all.filter(({ table }) => table.id === id)
    const [{ table: first }] = same
    const columns = mergedColumns(same.map(({ table }) => table))
    const cells = same.flatMap(({ row, table }) =>
      table.rows.map(own => [
        row.id,
        ...columns.map(([heading]) => own[table.columns.findIndex(([each]) => each === heading)] ?? null)
      ])
    )
    if (cells.length === 0) return []
    if (cells.length > MAX_STACKED && !ALWAYS.has(id) && first.terminal !== true) return []
    return [
      {
        id: `each-${id}`,
        title: `${first.title}, each row`,
        ...(first.note !== undefined && { note: first.note }),
        columns: [/** @type {Column} */ (['Row', 'text']), ...columns],
        rows: cells
      }
    ]
  })
}

/** @param {readonly { record: TableRecord, fits: Fit[] }[]} drawn */
const fitTable = drawn =>
  table(
    'growth',
    'Growth',
    drawn.flatMap(({ record, fits }) => fits.map(fit => ({ title: record.title, ...fit }))),
    [
      ['Table', ({ title }) => title, 'text'],
      ['Figure', ({ figure }) => figure, 'text'],
      ['Over', ({ over }) => over, 'text'],
      ['Rows', ({ group }) => group, 'text'],
      ['Fit', ({ shape }) => shape, 'text'],
      ['Intercept', ({ intercept }) => intercept, 'number'],
      ['Slope', ({ slope }) => slope, 'number'],
      ['Residuals (RMS)', ({ rms }) => rms, 'number'],
      ['R²', ({ r2 }) => r2, 'number']
    ],
    { note: 'Least squares over the number itself (linear) or over its logarithm to base 2 (logarithmic).' }
  )

/** Figures of cases that were published at another rate are not comparable. @param {readonly { record: TableRecord, made: RowTable }[]} made */
function otherRates(made) {
  const apart = made.flatMap(({ record: { rows }, made: { figures } }) => {
    const own = rows.flatMap(({ id, atAnotherRate }) =>
      atAnotherRate === null ? [] : [{ id, ...atAnotherRate }]
    )
    return publishedOf(own, figures).flatMap(({ heading, of }) =>
      own.flatMap(({ id, reference, ratePerSecond, intervalMs }) => {
        const value = of(/** @type {any} */ (reference))
        return value === undefined ? [] : [{ id, heading, value, ratePerSecond, intervalMs }]
      })
    )
  })
  return {
    ...table('published-at-another-rate', 'Published at another rate', apart, [
      ['Row', ({ id }) => id, 'text'],
      ['Figure', ({ heading }) => heading, 'text'],
      ['Published', ({ value }) => value, 'number'],
      ['Rate /s', ({ ratePerSecond }) => ratePerSecond, 'number'],
      [
        'Interval from ms',
        ({ ratePerSecond, intervalMs }) => (ratePerSecond === null ? intervalMs?.min : null),
        'ms'
      ],
      [
        'Interval to ms',
        ({ ratePerSecond, intervalMs }) => (ratePerSecond === null ? intervalMs?.max : null),
        'ms'
      ]
    ]),
    note: 'These cases ran at another rate than the rows: not comparable.'
  }
}

/** @param {readonly { record: TableRecord }[]} made @param {Described['scenarioOf']} scenarioOf */
const options = (made, scenarioOf) =>
  table(
    'options',
    'Options of all rows',
    made.flatMap(({ record: { title, scenario, rows } }) =>
      commonOptions(rows, scenarioOf(scenario)).map(([option, value]) => ({ title, option, value }))
    ),
    [
      ['Table', ({ title }) => title, 'text'],
      ['Option', ({ option }) => option, 'text'],
      ['Value', ({ value }) => value, 'text']
    ],
    { note: 'Where they differ from the defaults.' }
  )

/** @param {readonly TableRecord[]} tables */
const differences = tables =>
  table(
    'differences',
    'How published and measured runs differ',
    tables
      .filter(({ rows }) =>
        rows.some(({ reference, atAnotherRate }) => reference !== null || atAnotherRate !== null)
      )
      .flatMap(({ title, differences }) => differences.map(text => ({ title, text }))),
    [
      ['Table', ({ title }) => title, 'text'],
      ['Difference', ({ text }) => text, 'text']
    ]
  )

/** Runs under pressure are repeated. @param {readonly RowRecord[]} rows */
const attempts = rows =>
  table(
    'attempts',
    'Runs of each row',
    rows
      .filter(hasRuns)
      .flatMap(row =>
        (row.attempts ?? []).map(attempt => ({ row, attempt, counts: countedOf(row).includes(attempt) }))
      ),
    [
      ['Row', ({ row }) => row.id, 'text'],
      ['Run', ({ attempt }) => attempt.run, 'count'],
      ['Status', ({ attempt }) => attempt.status, 'text'],
      ['Counts', ({ counts }) => (counts ? 'yes' : 'no'), 'text'],
      ['Waited for a core %', ({ attempt }) => attempt.pressurePercent, 'percent'],
      ['Stolen by other guests %', ({ attempt }) => attempt.stealPercent, 'percent'],
      ['Took s', ({ attempt }) => attempt.tookMs / 1000, 's']
    ],
    { note: 'A run is repeated when other work took cores from it; the run with the least waiting counts.' }
  )

/** @param {readonly { record: TableRecord, made: RowTable, plots: Description['plots'] }[]} drawn @param {Described['runs']} runs */
function plotsOf(drawn, runs) {
  const labelled = (
    /** @type {readonly RowRecord[]} */ rows,
    /** @type {(row: RowRecord) => string} */ label
  ) =>
    rows.flatMap(row => {
      const run = runs.get(row.id)
      return run === undefined ? [] : [{ label: label(row), description: run }]
    })
  const each = drawn.map(({ record, made: { table, label }, plots }) => [
    ...plots,
    ...overlay(labelled(record.rows, label), `${table.id}-`)
  ])
  const all = drawn.flatMap(({ record }) => record.rows)
  const together =
    drawn.length < 2
      ? []
      : [
          ...overlay(
            labelled(all, ({ id }) => id),
            'all-'
          ),
          ...joined(drawn)
        ]
  const most = Math.max(1, Math.floor((MAX_PLOTS - together.length) / Math.max(1, drawn.length)))
  const shown = [
    ...together.map(plot => ({ ...plot, title: `${plot.title}, all tables` })),
    ...each.flatMap((plots, i) =>
      plots
        .slice(0, most)
        .map(plot =>
          drawn.length < 2 ? plot : { ...plot, title: `${drawn[i].record.title}: ${plot.title}` }
        )
    )
  ].slice(0, MAX_PLOTS)
  return shown.map((plot, i) => (i === 0 ? { ...plot, main: true } : plot))
}

/** The same figure over the same number in several tables: a line for each table. @param {readonly { record: TableRecord, plots: Description['plots'] }[]} drawn @returns {Description['plots']} */
function joined(drawn) {
  const single = drawn.flatMap(({ record, plots }) =>
    plots.flatMap(({ series = [], ...plot }) => {
      const lines = series.filter(({ style }) => style !== 'dotted')
      return lines.length === 1 ? [{ plot, series: { ...lines[0], label: record.title } }] : []
    })
  )
  return [...new Set(single.map(({ plot }) => plot.title))].flatMap((title, i) => {
    const same = single.filter(({ plot }) => plot.title === title)
    return same.length < 2
      ? []
      : [{ ...same[0].plot, id: `all-${i + 1}`, series: same.map(({ series }) => series) }]
  })
}

/** @param {MatrixDocument['request']} request @returns {DescribedWarning[]} */
function scaled({ scale = 1, scaleTime = 1, scaleRate = 1 }) {
  const said = Object.entries({ scale, scaleTime, scaleRate }).filter(([, share]) => share !== 1)
  return said.length === 0
    ? []
    : [
        {
          code: 'SCALED',
          text: `Trial figures: the rows were scaled down (${said.map(([name, share]) => `--${name} ${share}`).join(', ')}).`
        }
      ]
}

/** @param {readonly RowRecord[]} rows @returns {DescribedWarning[]} */
const reasons = rows =>
  rows.flatMap(({ id, status, reason }) =>
    reason === null
      ? []
      : [
          {
            code: status === 'blocked' ? 'ROW_BLOCKED' : 'ROW_FAILED',
            text: `${id}: ${status === 'blocked' ? 'cannot run here' : status}: ${reason.message.split('\n')[0]}`
          }
        ]
  )
