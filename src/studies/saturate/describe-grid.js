// Makes the tables and plots of a grid of loads (rates over numbers of clients or nodes), for `saturate` and `qa`.
import { omitMissing } from '../../kit/collections.js'
import { capitalize, formatCount, formatRate } from '../../kit/numbers.js'
import { formatLimitedBy } from '../../measure/limited-by.js'
import { makeTable, roundToFourDigits } from '../../report/description.js'
import { listSizes } from './saturation-document.js'
import { findSaturationDiagonal } from './search.js'
import { findCommonLimit, findKnees, findSaturation, listMeasuredCells, readLimit } from './trials.js'

/**
 * @typedef {import('./saturation-document.js').GridState} GridState
 * @typedef {import('../../scenarios/saturation.js').TrialView} TrialView
 * @typedef {import('../../report/schema.js').DescribedTable} DescribedTable
 * @typedef {import('../../report/schema.js').Plot} Plot
 */

/** Lines over what was offered or carried, one for each size; loads that were not sustained are marked. @param {TrialView} view @param {readonly MeasuredLoad[]} loads @param {{ id: string, title: string, x: string, y: string, logY?: boolean, note?: string, at: (load: MeasuredLoad) => number | null, of: (load: MeasuredLoad) => number | null, marks?: Plot['marks'] }} how @returns {Plot[]} */
function curves(view, loads, { at, of, ...plot }) {
  const points = loads.flatMap(load => {
    const [x, y] = [at(load), of(load)]
    return x === null || y === null || !(x > 0) || (plot.logY && !(y > 0))
      ? []
      : [{ ...load, x: roundToFourDigits(x), y: roundToFourDigits(y) }]
  })
  if (points.length === 0) return []
  const beyond = points.filter(point => point.beyond)
  const series = [...new Set(points.map(({ size }) => size))].map(size => ({
    label: sizeWords(view, size),
    values: points
      .filter(point => point.size === size)
      .sort((a, b) => a.trial.perSecond - b.trial.perSecond)
      .map(({ x, y }) => [x, y])
  }))
  return [
    {
      ...plot,
      kind: 'lines',
      series: omitMissing([
        ...series,
        beyond.length > 0 && {
          label: 'not sustained',
          style: /** @type {const} */ ('points'),
          values: beyond.map(({ x, y }) => [x, y]).sort((a, b) => a[0] - b[0])
        }
      ])
    }
  ]
}

/** @param {TrialView} view @param {readonly MeasuredLoad[]} loads @returns {Plot[]} */
function loadPlots(view, loads) {
  const offered = {
    x: formatRatesHeading(view),
    at: (/** @type {MeasuredLoad} */ { trial }) => trial.perSecond
  }
  const marks = findLoadKnees(loads).map(({ size, at }) => ({
    x: roundToFourDigits(at),
    label: `knee with ${sizeWords(view, size)}`
  }))
  return [
    ...curves(view, loads, {
      ...{ id: 'latency-throughput', title: `Average ${view.timeName} against throughput`, logY: true },
      x: `Throughput, ${view.throughputName}`,
      y: `Average ${view.timeName}, ms`,
      at: ({ point }) => view.throughputOf(point),
      of: ({ point }) => point.rt.avg?.ms ?? null
    }),
    ...curves(view, loads, {
      ...{ ...offered, id: 'p50-rate', title: `p50 of the ${view.timeName} against offered load` },
      ...{ y: 'p50, ms', logY: true, of: ({ point }) => point.rt.p50?.ms ?? null },
      ...(marks.length > 0 && { marks })
    }),
    ...curves(view, loads, {
      ...{ ...offered, id: 'p99-rate', title: `p99 of the ${view.timeName} against offered load` },
      ...{ y: 'p99, ms', logY: true, note: `p99: ${view.tailWords}.`, of: ({ point }) => view.tailOf(point) }
    }),
    ...curves(view, loads, {
      ...{ ...offered, id: 'failed-rate', title: `${view.failed.title.split(',')[0]} against offered load` },
      ...{ y: view.failed.title, of: ({ point }) => view.failed.of(point) }
    })
  ]
}

/** The load sustained, and the load not sustained, for each size. @param {TrialView} view @param {readonly MeasuredLoad[]} loads @param {readonly string[] | null} objective */
function gridAnswer(view, loads, objective) {
  const rows = [...new Set(loads.map(({ size }) => size))].map(size => {
    const { below, beyond } = findSaturationDiagonal(loads.filter(load => load.size === size))
    return { size, below: below.at(0), beyond: beyond.at(0), limit: limitedLoads(beyond) }
  })
  return {
    ...makeTable('answer', 'Sustained load', rows, [
      [capitalize(view.many), ({ size }) => size, 'count'],
      [`Sustained, ${view.loads}/s`, ({ below }) => below?.load, 'perSecond'],
      ['p50 ms', ({ below }) => below?.point.rt.p50?.ms, 'ms'],
      ['p99 ms', ({ below }) => below && view.tailOf(below.point), 'ms'],
      ['Not sustained', ({ beyond }) => beyond?.load, 'perSecond'],
      ['Limited by', ({ limit }) => limit, 'text', 'wide']
    ]),
    ...joinNotes([...makeFormerNotes(objective), `p99: ${view.tailWords}.`, ...view.notes(false)])
  }
}

/** Achieved, in % of what was expected, by rate and size. @param {GridState} grid @param {readonly MeasuredLoad[]} cells */
const achievedShares = (grid, cells) =>
  grid.rates.map(rate =>
    listSizes(grid).map(size => {
      const cell = cells.find(each => each.ratePerSecond === rate && each.size === size)
      return cell === undefined ? null : roundToFourDigits((100 * cell.achieved) / Math.max(1, cell.expected))
    })
  )

/** @param {GridState} grid @param {TrialView} view @param {number} [inTimeMs] @returns {DescribedTable} */
function cellsTable({ cells: trials, chosen }, view, inTimeMs) {
  const cells = listMeasuredCells(trials)
  const rows = trials.map(trial => ({ trial, cell: cells.find(cell => cell.trial === trial) }))
  return {
    ...makeTable('trials', 'Every cell', rows, [
      ['Run', ({ trial }) => trial.run ?? trial.name, 'text'],
      [view.rateHeading, ({ trial }) => findSaturation(trial.plan).rateOf(trial), 'number'],
      [capitalize(view.many), ({ trial }) => findSaturation(trial.plan).sizeOf(trial.plan), 'count'],
      [`Load, ${view.loads}/s`, ({ cell }) => cell?.load, 'perSecond'],
      ['Expected', ({ cell }) => cell?.expected, 'count'],
      ['Achieved', ({ cell }) => cell?.achieved, 'count'],
      ['Achieved %', ({ cell }) => cell && (100 * cell.achieved) / Math.max(1, cell.expected), 'percent'],
      ...makePointColumns(view),
      [
        'Sustained',
        ({ trial, cell }) => (cell === undefined ? trial.status : cell.beyond ? 'no' : 'yes'),
        'text'
      ],
      ['Chosen', ({ cell }) => (isChosen(chosen, cell) ? 'yes' : null), 'text'],
      ['Why not', ({ trial }) => describeMisses(trial), 'text', 'wide'],
      ['Limited by', ({ cell }) => (cell?.beyond ? limitedLoads([cell]) : null), 'text', 'wide']
    ]),
    note: view.expected(inTimeMs)
  }
}

/** @param {GridState['chosen']} chosen @param {MeasuredLoad | undefined} cell */
const isChosen = (chosen, cell) =>
  cell !== undefined &&
  chosen?.ratePerSecond === cell.ratePerSecond &&
  (chosen.connections ?? chosen.nodes) === cell.size

/**
 * describeGrid describes a grid of loads.
 *
 * @param {GridState} grid
 * @param {TrialView} view
 * @param {{ objective: readonly string[] | null, inTimeMs?: number }} of - the study
 * @returns {DescriptionParts}
 */
export function describeGrid(grid, view, { objective, inTimeMs }) {
  const cells = listMeasuredCells(grid.cells)
  const values = achievedShares(grid, cells)
  const columns = listSizes(grid).map(size => sizeWords(view, size))
  const title = `${capitalize(view.what)} achieved, % of those expected`
  const cell = cells.find(each => isChosen(grid.chosen, each))
  const { beyond } = findSaturationDiagonal(cells)
  return {
    tiles: [
      [`Sustained, ${view.loads}`, cell?.load ?? 'none tried', 'perSecond'],
      ...makeTimeTiles(view, cell?.point),
      [`Not sustained, ${view.loads}`, beyond.at(0)?.load ?? 'none tried', 'perSecond']
    ],
    tables: [
      gridAnswer(view, cells, objective),
      {
        ...{ id: 'grid', title, terminal: true },
        columns: [
          [view.rateHeading, 'number'],
          ...columns.map(name => /** @type {[string, 'percent']} */ ([`${name} %`, 'percent']))
        ],
        rows: grid.rates.map((rate, i) => [rate, ...values[i]])
      },
      cellsTable(grid, view, inTimeMs),
      makeKneesTable(view, cells)
    ],
    plots: [
      ...loadPlots(view, cells).map((plot, i) => (i === 0 ? { ...plot, main: true } : plot)),
      {
        ...{ id: 'grid-achieved', title, kind: 'grid' },
        ...{ x: capitalize(view.many), y: view.rateHeading },
        grid: { columns, rows: grid.rates.map(formatRate), values }
      }
    ],
    warnings: []
  }
}

/**
 * @typedef {import('./trials.js').AnyTrial} AnyTrial
 * @typedef {import('../../report/schema.js').Description} Description
 * @typedef {import('../../report/schema.js').DescribedWarning} DescribedWarning
 * @typedef {import('./trials.js').MeasuredLoad} MeasuredLoad
 *
 * @typedef {object} DescriptionParts - of a description
 * @property {Description['tiles']} tiles
 * @property {DescribedTable[]} tables - the first is the answer
 * @property {Plot[]} plots
 * @property {DescribedWarning[]} warnings
 */

/** @template Row @typedef {import('../../report/description.js').ColumnOf<Row>} ColumnOf */

/** The limit of several loads, in words. @param {readonly MeasuredLoad[]} loads */
const limitedLoads = loads =>
  formatLimitedBy(findCommonLimit(loads.map(({ point }) => readLimit(point))) ?? undefined)

const ended = (/** @type {string | undefined} */ message) => `run failed: ${message ?? 'no result'}`

/** @param {import('./trials.js').Reason} why */
function reasonWords(why) {
  if (why.code === 'ENDED') return ended(why.message)
  if (why.code === 'FORMER') return why.text
  const { text, actual, unit, reason } = why
  if (actual === null) return `${text}: ${reason ?? 'not measured'}`
  return `${text}: ${roundToFourDigits(actual)}${unit === '' ? '' : ` ${unit}`}${reason === undefined ? '' : `, ${reason}`}`
}

/** Why a trial was not sustained. @param {AnyTrial} trial */
export const describeMisses = ({ status, reason, reasons }) =>
  reasons.map(reasonWords).join('; ') || (status === 'failed' ? ended(reason?.message) : null)

/** The note of a study by a version without objectives. @param {readonly string[] | null} objective */
export const makeFormerNotes = objective =>
  objective === null ? ['Sustained: by the rules of the version that ran this.'] : []

/** Figures of a point, as its scenario names them. @param {TrialView} face @returns {ColumnOf<{ trial: AnyTrial }>[]} */
export const makePointColumns = ({ columns }) =>
  columns.map(([heading, of, ...how]) => [
    heading,
    ({ trial: { point } }) => (point === null ? null : of(point)),
    ...how
  ])

/** @param {TrialView} face */
export const formatRatesHeading = ({ what }) => `Offered, ${what}/s`

/** @param {TrialView} face @param {number} size */
const sizeWords = ({ one, many }, size) => formatCount(size, one, many)

/** Knees of p50 over the offered load. @param {readonly MeasuredLoad[]} loads */
export const findLoadKnees = loads =>
  findKnees(
    loads.map(({ size, trial, point }) => ({ size, load: trial.perSecond, ms: point.rt.p50?.ms ?? null }))
  )

/** @param {TrialView} view @param {readonly MeasuredLoad[]} loads @returns {DescribedTable} */
export const makeKneesTable = (view, loads) => ({
  ...makeTable('knees', 'Knees of p50', findLoadKnees(loads), [
    [capitalize(view.many), ({ size }) => size, 'count'],
    [formatRatesHeading(view), ({ at }) => at, 'number'],
    ['Before, ms per 1,000/s', ({ before }) => 1000 * before, 'number'],
    ['From then on', ({ after }) => 1000 * after, 'number']
  ]),
  note: 'The offered load from which p50 rises more steeply.'
})

/** @param {TrialView} view @param {AnyTrial['point'] | undefined} point @returns {Description['tiles']} */
export const makeTimeTiles = (view, point) =>
  point == null
    ? []
    : [
        ['p50 there', point.rt.p50?.ms ?? null, 'ms'],
        ['p99 there', view.tailOf(point), 'ms']
      ]

/** @param {readonly string[]} notes @returns {{ note?: string }} */
export const joinNotes = notes => (notes.length === 0 ? {} : { note: notes.join(' ') })
