// Makes the tables of a matrix (many runs listed in files), with plots that compare its rows.
import { omitMissing } from '../../kit/collections.js'
import { formatCount } from '../../kit/numbers.js'
import { makeSlug, makeTable, overlayPlots } from '../../report/description.js'
import { readCell } from '../../report/kinds.js'
import { MAX_PLOTS, MAX_TABLES } from '../../report/schema.js'
import { fitLeastSquares } from '../statistics.js'
import { mergeWarnings } from '../study-views.js'
import { chooseAttempts, hasSeveralRuns, listRows, MIN_SPREAD_RUNS } from './matrix-document.js'
import {
  describeCase,
  findCommonOptions,
  listPublishedFigures,
  makeLines,
  makeRowTable,
  mergeColumns
} from './row-table.js'

/**
 * Plots of figures over the numbers that rows differ in.
 *
 * @typedef {import('../../report/schema.js').Column} Column
 * @typedef {import('../../report/schema.js').Plot} Plot
 * @typedef {import('../../report/schema.js').Series} Series
 * @typedef {import('./row-table.js').TableLine} TableLine
 * @typedef {import('./row-table.js').RowTable} RowTable
 *
 * @typedef {object} Axis - the x axis of a plot
 * @property {string} heading
 * @property {(line: TableLine) => number | null} at - the value of a line of the table on this axis
 * @property {(line: TableLine) => string} group - lines of one group differ in the value on this axis alone
 * @property {boolean} [isMeasured] - the axis is a measured figure, no option of a plan
 *
 * @typedef {object} Fit - a curve fitted to a figure of a group of rows
 * @property {string} figure
 * @property {string} over - heading of the x axis
 * @property {string} group
 * @property {'logarithmic' | 'linear'} shape - over log₂ of the number, or over the number
 * @property {number} intercept
 * @property {number} slope
 * @property {number} rms
 * @property {number | null} r2
 */

/** Fewer points show no shape: nothing is fitted to them. */
const MIN_FITTED = 3
/** Figures are drawn over the options in which most rows differ. */
const MAX_AXES = 2
/** Figures drawn over each measured axis. */
const MAX_OVER_MEASURED = 2
/** An axis is logarithmic when its largest value is at least so many times the smallest. */
const MIN_LOG_RATIO = 20

/** @param {TableLine} line @param {string} heading */
function numberAt({ cells }, heading) {
  const value = readCell(cells.get(heading) ?? null)
  return typeof value === 'number' ? value : null
}

/** @param {readonly (number | null)[]} values */
const distinct = values => new Set(values.filter(value => value !== null)).size

/**
 * axesOf finds the axes that figures are drawn over: numeric options in which rows differ, then the measured figures that the scenario names.
 *
 * @param {RowTable} made
 * @returns {Axis[]}
 */
function axesOf({ lines, cases, figures, measured }) {
  const groupBy =
    (/** @type {typeof cases} */ others) =>
    (/** @type {TableLine} */ { row, part }) =>
      [part, describeCase(row, others, figures)].filter(text => text !== '').join(', ')
  const valueCount = (/** @type {import('./row-table.js').CaseColumn} */ { of }) =>
    new Set(lines.map(({ row }) => of(row.plan))).size
  const [, ...minorCases] = cases.toSorted((a, b) => valueCount(b) - valueCount(a))
  const ofOptions = cases
    .filter(
      ({ column: [, kind], of }) =>
        kind !== 'text' && distinct(lines.map(({ row }) => asNumber(of(row.plan)))) > 1
    )
    .map(each => ({
      heading: [figures.columns[each.option] ?? each.column[0]].flat()[0],
      at: (/** @type {TableLine} */ { row }) => asNumber(each.of(row.plan)),
      group: groupBy(cases.filter(other => other !== each))
    }))
    .map(axis => ({ axis, connected: connectedLines(axis, lines) }))
    .filter(({ connected }) => connected > 0)
    .sort((a, b) => b.connected - a.connected)
    .slice(0, MAX_AXES)
    .map(({ axis }) => axis)
  const ofFigures = (figures.over ?? [])
    .filter(heading => measured.some(([known]) => known === heading))
    .map(heading => ({
      heading,
      at: (/** @type {TableLine} */ line) => numberAt(line, heading),
      isMeasured: true,
      group: groupBy(cases.filter(each => minorCases.includes(each)))
    }))
  return [...ofOptions, ...ofFigures]
}

/** How many lines of the table share their group with a line of another value. @param {Axis} axis @param {readonly TableLine[]} lines */
function connectedLines({ at, group }, lines) {
  const measured = lines.filter(({ cells }) => cells.size > 0)
  return measured.filter(line =>
    measured.some(other => group(other) === group(line) && at(other) !== at(line))
  ).length
}

/** @param {string | number | null} value */
const asNumber = value => (typeof value === 'number' ? value : null)

/** @param {RowTable} made @returns {Column[]} */
function drawnColumns({ measured, figures, lines }) {
  const numeric = measured.filter(
    ([heading, kind]) => kind !== 'text' && distinct(lines.map(line => numberAt(line, heading))) > 1
  )
  const { drawn, over = [] } = figures
  if (drawn !== undefined)
    return omitMissing(drawn.map(name => numeric.find(([heading]) => heading === name)))
  const kinds = /** @type {const} */ (['ms', 'perSecond', 'percent', 'MB', 's', 'number'])
  const excluded = [...over, ...Object.values(figures.columns)]
  return kinds.flatMap(kind => {
    const same = numeric.filter(column => column[1] === kind && !excluded.includes(column[0]))
    const times = omitMissing(
      [/\bp50\b|median/i, /\bp99\b/].map(name => same.find(([heading]) => name.test(heading)))
    )
    return kind === 'ms' && times.length > 0 ? times : same.slice(0, 1)
  })
}

/**
 * rowPlots draws figures of rows over each number that the rows differ in. Rows that differ in nothing else make one line of a plot.
 *
 * @param {RowTable} made
 * @returns {{ plots: Plot[], fits: Fit[] }} `fits`: curves fitted to series that have enough points
 */
function rowPlots(made) {
  /** @type {Fit[]} */
  const fits = []
  const columns = drawnColumns(made)
  const plots = axesOf(made).flatMap((axis, place) =>
    (axis.isMeasured ? columns.slice(0, MAX_OVER_MEASURED) : columns).flatMap(([heading, kind], i) => {
      const series = heading === axis.heading ? [] : seriesOf(made.lines, axis, heading)
      if (series.length === 0) return []
      const own = axis.isMeasured ? [] : series.flatMap(each => fitsOf(each, heading, axis.heading))
      fits.push(...own)
      const xs = series.flatMap(({ values }) => values.map(([x]) => Number(x)))
      const [min, max] = [Math.min(...xs), Math.max(...xs)]
      return [
        {
          id: `${made.table.id}-${place + 1}-${i + 1}`,
          title: `${heading} over ${axis.heading}`,
          kind: /** @type {const} */ ('lines'),
          x: axis.heading,
          y: heading,
          ...(min > 0 && max >= MIN_LOG_RATIO * min && { logX: true }),
          ...(kind === 'ms' && { logY: true }),
          series: [...series, ...(series.length === 1 ? own.map(fit => fitSeries(fit, min, max)) : [])]
        }
      ]
    })
  )
  return { plots, fits }
}

/** @param {readonly TableLine[]} lines @param {Axis} axis @param {string} heading @returns {Series[]} empty where no two lines have different values on the axis */
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
    const style = values.length === 1 ? { style: /** @type {const} */ ('points') } : {}
    return { label: group === '' ? heading : group, ...style, values }
  })
}

/** @param {Series} series @param {string} figure @param {string} over @returns {Fit[]} */
function fitsOf({ label, values }, figure, over) {
  const points = values.map(([x, y]) => ({ x: Number(x), y: Number(y) }))
  if (distinct(points.map(({ x }) => x)) < MIN_FITTED || points.some(({ x }) => x <= 0)) return []
  return /** @type {const} */ (['logarithmic', 'linear']).map(shape => {
    const { residuals, ...line } = fitLeastSquares(
      points.map(({ x, y }) => ({ x: shape === 'linear' ? x : Math.log2(x), y }))
    )
    return { figure, over, group: label === figure ? '' : label, shape, ...line }
  })
}

/** @param {Fit} fit @param {number} min - of the x axis @param {number} max @returns {Series} */
function fitSeries({ shape, intercept, slope }, min, max) {
  const at = Array.from({ length: 25 }, (_, i) => min * (max / min) ** (i / 24))
  return {
    label: shape,
    style: 'dotted',
    values: at.map(x =>
      [x, intercept + slope * (shape === 'linear' ? x : Math.log2(x))].map(n => Number(n.toPrecision(5)))
    )
  }
}
/**
 * @typedef {import('../../report/schema.js').Description} Description
 * @typedef {import('../../report/schema.js').DescribedTable} DescribedTable
 * @typedef {import('../../report/schema.js').DescribedWarning} DescribedWarning
 * @typedef {import('./matrix-document.js').MatrixDocument} MatrixDocument
 * @typedef {import('./matrix-document.js').RowRecord} RowRecord
 * @typedef {import('./matrix-document.js').TableRecord} TableRecord
 * @typedef {import('./row-table.js').RowFigures} RowFigures
 * @typedef {import('../../scenarios/index.js').Planning & { rowFigures?: RowFigures }} RowScenario
 *
 * @typedef {object} Described - what a matrix is described from, besides its document
 * @property {ReadonlyMap<string, Description>} runs - by row id, those of attempts by their paths
 * @property {(name: string) => RowScenario} scenarioOf
 * @property {ReadonlyMap<string, 'PASS' | 'FAIL'>} [verdicts] - of thresholds, by row id
 */

/** @type {RowFigures} */
const NO_FIGURES = { columns: {} }

/**
 * describeMatrix describes a matrix: a table for each of its files, the options that all rows have, and plots that compare rows.
 *
 * @param {MatrixDocument} document
 * @param {Described} described
 * @returns {Description}
 */
export function describeMatrix(document, { runs, scenarioOf, verdicts = new Map() }) {
  const ids = tableIds(document.tables)
  const made = document.tables.map((record, i) => {
    const scenario = scenarioOf(record.scenario)
    const figures = scenario.rowFigures ?? NO_FIGURES
    const made = makeRowTable(record, { id: ids[i], runs, verdicts, scenario, figures })
    return { record, made, ...rowPlots(made) }
  })
  const rows = listRows(document)
  const own = made.map(({ made }) => made.table)
  const others = [
    ...made.flatMap(({ record, made }) => spreadTable(record, made, runs)),
    growthTable(made),
    otherRatesTable(made),
    optionsTable(made, scenarioOf),
    differencesTable(document.tables),
    attemptsTable(rows)
  ].filter(({ rows }) => rows.length > 0)
  const left = Math.max(0, MAX_TABLES - own.length - others.length)
  const title =
    document.tables.length > 3
      ? `${document.tables.length} tables`
      : document.tables.map(({ title }) => title).join('; ')
  const countOf = (/** @type {RowRecord['status']} */ state) =>
    rows.filter(({ status }) => status === state).length
  const [done, failed, blocked] = [countOf('complete'), countOf('failed'), countOf('blocked')]
  const pending = rows.length - done - failed - blocked
  const parts = omitMissing([
    `${done} of ${formatCount(rows.length, 'row')} measured`,
    failed > 0 && `${failed} failed`,
    blocked > 0 && `${blocked} cannot run on this machine`,
    pending > 0 && `${pending} not run`
  ])
  return {
    title: `Matrix: ${title}`,
    headline: `${title}: ${parts.join(', ')}.`,
    tiles: omitMissing([
      ['Rows', rows.length, 'count'],
      ['Measured', done, 'count'],
      failed > 0 && ['Failed', failed, 'count'],
      blocked > 0 && ['Cannot run here', blocked, 'count']
    ]),
    tables: [...own, ...others, ...stackedTables(rows, runs).slice(0, left)],
    plots: plotsOf(made, runs),
    warnings: [
      ...scaleWarnings(document.request),
      ...rowWarnings(rows),
      ...mergeWarnings(
        rows.map(({ id, name, reason }) => ({
          name,
          // the row's own warning already says why the row is not complete
          warnings: (runs.get(id)?.warnings ?? []).filter(({ code }) => reason === null || code !== 'PARTIAL')
        })),
        'rows'
      )
    ]
  }
}

/** Ids of the tables that every matrix has. */
const RESERVED_IDS = new Set(['growth', 'published-at-another-rate', 'options', 'differences', 'attempts'])

/** Makes unique ids from file names, which may have letters that ids may not. @param {readonly TableRecord[]} tables */
function tableIds(tables) {
  const ids = tables.map(({ id }) => makeSlug(id) || 'table')
  return ids.map((id, i) => (ids.indexOf(id) === i && !RESERVED_IDS.has(id) ? id : `${id}-${i + 1}`))
}
/** @type {readonly (readonly [which: string, pick: (ascending: readonly number[]) => number])[]} */
const SPREAD = [
  ['least', ([least]) => least],
  ['median', ascending => ascending[Math.floor((ascending.length - 1) / 2)]],
  ['greatest', ascending => ascending[ascending.length - 1]]
]

/** Least, median and greatest of each figure, for rows of three runs or more. @param {TableRecord} record @param {RowTable} made @param {Described['runs']} runs @returns {DescribedTable[]} */
function spreadTable({ rows }, { table: { id, title }, measured }, runs) {
  const numeric = measured.filter(([, kind]) => kind !== 'text')
  const several = rows
    .filter(({ runs: count = 1 }) => count >= MIN_SPREAD_RUNS)
    .map(row => ({ row, lines: chooseAttempts(row).map(({ result }) => makeLines(row, runs.get(result))) }))
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
            .flatMap(run => Number(readCell(run[place]?.cells.get(heading) ?? null) ?? Number.NaN))
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

/** These tables of runs are always shown for all rows, however many rows they have. */
const ALWAYS_STACKED = new Set(['response-times', 'thresholds'])
/** Other tables of runs with more rows than this are left to the pages of the runs. */
const MAX_STACKED = 100

/**
 * Merges the other tables of the runs: one table for each kind, with the lines of all rows.
 *
 * @param {readonly RowRecord[]} rows
 * @param {Described['runs']} runs
 * @returns {DescribedTable[]}
 */
function stackedTables(rows, runs) {
  const all = rows.flatMap(row => (runs.get(row.id)?.tables ?? []).slice(1).map(table => ({ row, table })))
  return [...new Set(all.map(({ table }) => table.id))].flatMap(id => {
    const same = all.filter(({ table }) => table.id === id)
    const [{ table: first }] = same
    const columns = mergeColumns(same.map(({ table }) => table))
    const cells = same.flatMap(({ row, table }) =>
      table.rows.map(own => [
        row.id,
        ...columns.map(([heading]) => own[table.columns.findIndex(([each]) => each === heading)] ?? null)
      ])
    )
    if (cells.length === 0) return []
    if (cells.length > MAX_STACKED && !ALWAYS_STACKED.has(id) && first.terminal !== true) return []
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
const growthTable = drawn =>
  makeTable(
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
function otherRatesTable(made) {
  const apart = made.flatMap(({ record: { rows }, made: { figures } }) => {
    const own = rows.flatMap(({ id, atAnotherRate }) =>
      atAnotherRate === null ? [] : [{ id, ...atAnotherRate }]
    )
    return listPublishedFigures(own, figures).flatMap(({ heading, of }) =>
      own.flatMap(({ id, reference, ratePerSecond, intervalMs }) => {
        const value = of(/** @type {any} */ (reference))
        return value === undefined ? [] : [{ id, heading, value, ratePerSecond, intervalMs }]
      })
    )
  })
  return makeTable(
    'published-at-another-rate',
    'Published at another rate',
    apart,
    [
      ['Row', ({ id }) => id, 'text'],
      ['Figure', ({ heading }) => heading, 'text'],
      ['Published', ({ value }) => value, 'number'],
      ['Rate /s', ({ ratePerSecond }) => ratePerSecond, 'number'],
      ['Interval from ms', each => (each.ratePerSecond === null ? each.intervalMs?.min : null), 'ms'],
      ['Interval to ms', each => (each.ratePerSecond === null ? each.intervalMs?.max : null), 'ms']
    ],
    { note: 'These cases ran at another rate than the rows: not comparable.' }
  )
}

/** @param {readonly { record: TableRecord }[]} made @param {Described['scenarioOf']} scenarioOf */
const optionsTable = (made, scenarioOf) =>
  makeTable(
    'options',
    'Options of all rows',
    made.flatMap(({ record: { title, scenario, rows } }) =>
      findCommonOptions(rows, scenarioOf(scenario)).map(([option, value]) => ({ title, option, value }))
    ),
    [
      ['Table', ({ title }) => title, 'text'],
      ['Option', ({ option }) => option, 'text'],
      ['Value', ({ value }) => value, 'text']
    ],
    { note: 'Where they differ from the defaults.' }
  )

/** @param {readonly TableRecord[]} tables */
const differencesTable = tables =>
  makeTable(
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

/** @param {readonly RowRecord[]} rows */
const attemptsTable = rows =>
  makeTable(
    'attempts',
    'Runs of each row',
    rows
      .filter(hasSeveralRuns)
      .flatMap(row =>
        (row.attempts ?? []).map(attempt => ({ row, attempt, counts: chooseAttempts(row).includes(attempt) }))
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

/** @param {readonly { record: TableRecord, made: RowTable, plots: Plot[] }[]} tables @param {Described['runs']} runs @returns {Plot[]} */
function plotsOf(tables, runs) {
  const overlaid = (
    /** @type {readonly RowRecord[]} */ rows,
    /** @type {(row: RowRecord) => string} */ label,
    /** @type {string} */ prefix
  ) => {
    const drawn = rows.flatMap(row => {
      const description = runs.get(row.id)
      return description === undefined ? [] : [{ label: label(row), description }]
    })
    return overlayPlots(drawn, prefix)
  }
  const isSingle = tables.length < 2
  const allRows = tables.flatMap(({ record }) => record.rows)
  const common = isSingle ? [] : [...overlaid(allRows, ({ id }) => id, 'all-'), ...commonPlots(tables)]
  const limit = Math.max(1, Math.floor((MAX_PLOTS - common.length) / Math.max(1, tables.length)))
  const shown = [
    ...common.map(plot => ({ ...plot, title: `${plot.title}, all tables` })),
    ...tables.flatMap(({ record, made: { table, label }, plots }) =>
      [...plots, ...overlaid(record.rows, label, `${table.id}-`)]
        .slice(0, limit)
        .map(plot => (isSingle ? plot : { ...plot, title: `${record.title}: ${plot.title}` }))
    )
  ].slice(0, MAX_PLOTS)
  return shown.map((plot, i) => (i === 0 ? { ...plot, main: true } : plot))
}

/** Plots of one figure over one number that several tables have: a line for each table. @param {readonly { record: TableRecord, plots: Plot[] }[]} tables @returns {Plot[]} */
function commonPlots(tables) {
  const single = tables.flatMap(({ record, plots }) =>
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
function scaleWarnings({ scale = 1, scaleTime = 1, scaleRate = 1 }) {
  const shares = Object.entries({ scale, scaleTime, scaleRate }).filter(([, share]) => share !== 1)
  if (shares.length === 0) return []
  const flags = shares.map(([name, share]) => `--${name} ${share}`).join(', ')
  return [{ code: 'SCALED', text: `Trial figures: the rows were scaled down (${flags}).` }]
}

/** @param {readonly RowRecord[]} rows @returns {DescribedWarning[]} */
const rowWarnings = rows =>
  rows.flatMap(({ id, status, reason }) => {
    if (reason === null) return []
    const [code, state] = status === 'blocked' ? ['ROW_BLOCKED', 'cannot run here'] : ['ROW_FAILED', status]
    return [{ code, text: `${id}: ${state}: ${reason.message.split('\n')[0]}` }]
  })
