import { counted } from '../../kit/numbers.js'
import { MAX_PLOTS, MAX_TABLES } from '../../report/description/description.js'
import { cellValue } from '../../report/description/kinds.js'
import { overlay } from '../../report/description/overlay.js'
import { table } from '../../report/description/tables.js'
import { slug } from '../../report/description/values.js'
import { mergedWarnings } from '../described-warnings.js'
import { rowsOf } from './matrix-folder.js'
import { commonOptions } from './row-columns.js'
import { rowPlots } from './row-plots.js'
import { countedOf, hasRuns, LEAST_SPREAD } from './row-runs.js'
import { linesOf, mergedColumns, publishedOf, rowTable } from './row-table.js'

/**
 * @typedef {import('../../report/description/description.js').Cell} Cell
 * @typedef {import('../../report/description/description.js').Column} Column
 * @typedef {import('../../report/description/description.js').Description} Description
 * @typedef {import('../../report/description/description.js').DescribedTable} DescribedTable
 * @typedef {import('../../report/description/description.js').DescribedWarning} DescribedWarning
 * @typedef {import('./matrix-folder.js').MatrixDocument} MatrixDocument
 * @typedef {import('./matrix-folder.js').RowRecord} RowRecord
 * @typedef {import('./matrix-folder.js').TableRecord} TableRecord
 * @typedef {import('./row-columns.js').RowFigures} RowFigures
 * @typedef {import('./row-table.js').RowTable} RowTable
 * @typedef {import('../../scenarios/scenario.js').Planning & { rowFigures?: RowFigures }} RowScenario - a door of a scenario
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
    .filter(({ runs: asked = 1 }) => asked >= LEAST_SPREAD)
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

/** @param {readonly { record: TableRecord, fits: import('./row-plots.js').Fit[] }[]} drawn */
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
