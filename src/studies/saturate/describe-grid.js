// The description of a grid of loads, of rates over sizes.
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

/** Lines over what was offered or carried, one for each size; loads that were not sustained are marked. @param {TrialView} face @param {readonly MeasuredLoad[]} loads @param {{ id: string, title: string, x: string, y: string, logY?: boolean, note?: string, at: (load: MeasuredLoad) => number | null, of: (load: MeasuredLoad) => number | null, marks?: Plot['marks'] }} how @returns {Plot[]} */
function curves(face, loads, { at, of, ...plot }) {
  const points = loads.flatMap(load => {
    const [x, y] = [at(load), of(load)]
    return x === null || y === null || !(x > 0) || (plot.logY && !(y > 0))
      ? []
      : [{ ...load, x: roundToFourDigits(x), y: roundToFourDigits(y) }]
  })
  if (points.length === 0) return []
  const beyond = points.filter(point => point.beyond)
  const series = [...new Set(points.map(({ size }) => size))].map(size => ({
    label: sizeWords(face, size),
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

/** @param {TrialView} face @param {readonly MeasuredLoad[]} loads @returns {Plot[]} */
function loadPlots(face, loads) {
  const offered = {
    x: formatRatesHeading(face),
    at: (/** @type {MeasuredLoad} */ { trial }) => trial.perSecond
  }
  const marks = findLoadKnees(loads).map(({ size, at }) => ({
    x: roundToFourDigits(at),
    label: `knee with ${sizeWords(face, size)}`
  }))
  return [
    ...curves(face, loads, {
      ...{ id: 'latency-throughput', title: `Average ${face.timeName} against throughput`, logY: true },
      x: `Throughput, ${face.throughputName}`,
      y: `Average ${face.timeName}, ms`,
      at: ({ point }) => face.throughputOf(point),
      of: ({ point }) => point.rt.avg?.ms ?? null
    }),
    ...curves(face, loads, {
      ...{ ...offered, id: 'p50-rate', title: `p50 of the ${face.timeName} against offered load` },
      ...{ y: 'p50, ms', logY: true, of: ({ point }) => point.rt.p50?.ms ?? null },
      ...(marks.length > 0 && { marks })
    }),
    ...curves(face, loads, {
      ...{ ...offered, id: 'p99-rate', title: `p99 of the ${face.timeName} against offered load` },
      ...{ y: 'p99, ms', logY: true, note: `p99: ${face.tailWords}.`, of: ({ point }) => face.tailOf(point) }
    }),
    ...curves(face, loads, {
      ...{ ...offered, id: 'failed-rate', title: `${face.failed.title.split(',')[0]} against offered load` },
      ...{ y: face.failed.title, of: ({ point }) => face.failed.of(point) }
    })
  ]
}

/** The load sustained, and the load not sustained, for each size. @param {TrialView} face @param {readonly MeasuredLoad[]} loads @param {readonly string[] | null} objective */
function gridAnswer(face, loads, objective) {
  const rows = [...new Set(loads.map(({ size }) => size))].map(size => {
    const { below, beyond } = findSaturationDiagonal(loads.filter(load => load.size === size))
    return { size, below: below.at(0), beyond: beyond.at(0), limit: limitedLoads(beyond) }
  })
  return {
    ...makeTable('answer', 'Sustained load', rows, [
      [capitalize(face.many), ({ size }) => size, 'count'],
      [`Sustained, ${face.loads}/s`, ({ below }) => below?.load, 'perSecond'],
      ['p50 ms', ({ below }) => below?.point.rt.p50?.ms, 'ms'],
      ['p99 ms', ({ below }) => below && face.tailOf(below.point), 'ms'],
      ['Not sustained', ({ beyond }) => beyond?.load, 'perSecond'],
      ['Limited by', ({ limit }) => limit, 'text', 'wide']
    ]),
    ...joinNotes([...makeFormerNotes(objective), `p99: ${face.tailWords}.`, ...face.notes(false)])
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

/** @param {GridState} grid @param {TrialView} face @param {number} [inTimeMs] @returns {DescribedTable} */
function cellsTable({ cells: trials, chosen }, face, inTimeMs) {
  const cells = listMeasuredCells(trials)
  const rows = trials.map(trial => ({ trial, cell: cells.find(cell => cell.trial === trial) }))
  return {
    ...makeTable('trials', 'Every cell', rows, [
      ['Run', ({ trial }) => trial.run ?? trial.name, 'text'],
      [face.rateHeading, ({ trial }) => findSaturation(trial.plan).rateOf(trial), 'number'],
      [capitalize(face.many), ({ trial }) => findSaturation(trial.plan).sizeOf(trial.plan), 'count'],
      [`Load, ${face.loads}/s`, ({ cell }) => cell?.load, 'perSecond'],
      ['Expected', ({ cell }) => cell?.expected, 'count'],
      ['Achieved', ({ cell }) => cell?.achieved, 'count'],
      ['Achieved %', ({ cell }) => cell && (100 * cell.achieved) / Math.max(1, cell.expected), 'percent'],
      ...makePointColumns(face),
      [
        'Sustained',
        ({ trial, cell }) => (cell === undefined ? trial.status : cell.beyond ? 'no' : 'yes'),
        'text'
      ],
      ['Chosen', ({ cell }) => (isChosen(chosen, cell) ? 'yes' : null), 'text'],
      ['Why not', ({ trial }) => describeMisses(trial), 'text', 'wide'],
      ['Limited by', ({ cell }) => (cell?.beyond ? limitedLoads([cell]) : null), 'text', 'wide']
    ]),
    note: face.expected(inTimeMs)
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
 * @param {TrialView} face
 * @param {{ objective: readonly string[] | null, inTimeMs?: number }} of - the study
 * @returns {DescriptionParts}
 */
export function describeGrid(grid, face, { objective, inTimeMs }) {
  const cells = listMeasuredCells(grid.cells)
  const values = achievedShares(grid, cells)
  const columns = listSizes(grid).map(size => sizeWords(face, size))
  const title = `${capitalize(face.what)} achieved, % of those expected`
  const cell = cells.find(each => isChosen(grid.chosen, each))
  const { beyond } = findSaturationDiagonal(cells)
  return {
    tiles: [
      [`Sustained, ${face.loads}`, cell?.load ?? 'none tried', 'perSecond'],
      ...makeTimeTiles(face, cell?.point),
      [`Not sustained, ${face.loads}`, beyond.at(0)?.load ?? 'none tried', 'perSecond']
    ],
    tables: [
      gridAnswer(face, cells, objective),
      {
        ...{ id: 'grid', title, terminal: true },
        columns: [
          [face.rateHeading, 'number'],
          ...columns.map(name => /** @type {[string, 'percent']} */ ([`${name} %`, 'percent']))
        ],
        rows: grid.rates.map((rate, i) => [rate, ...values[i]])
      },
      cellsTable(grid, face, inTimeMs),
      makeKneesTable(face, cells)
    ],
    plots: [
      ...loadPlots(face, cells).map((plot, i) => (i === 0 ? { ...plot, main: true } : plot)),
      {
        ...{ id: 'grid-achieved', title, kind: 'grid' },
        ...{ x: capitalize(face.many), y: face.rateHeading },
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

/** @param {TrialView} face @param {readonly MeasuredLoad[]} loads @returns {DescribedTable} */
export const makeKneesTable = (face, loads) => ({
  ...makeTable('knees', 'Knees of p50', findLoadKnees(loads), [
    [capitalize(face.many), ({ size }) => size, 'count'],
    [formatRatesHeading(face), ({ at }) => at, 'number'],
    ['Before, ms per 1,000/s', ({ before }) => 1000 * before, 'number'],
    ['From then on', ({ after }) => 1000 * after, 'number']
  ]),
  note: 'The offered load from which p50 rises more steeply.'
})

/** @param {TrialView} face @param {AnyTrial['point'] | undefined} point @returns {Description['tiles']} */
export const makeTimeTiles = (face, point) =>
  point == null
    ? []
    : [
        ['p50 there', point.rt.p50?.ms ?? null, 'ms'],
        ['p99 there', face.tailOf(point), 'ms']
      ]

/** @param {readonly string[]} notes @returns {{ note?: string }} */
export const joinNotes = notes => (notes.length === 0 ? {} : { note: notes.join(' ') })
