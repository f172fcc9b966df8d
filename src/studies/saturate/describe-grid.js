// The description of a grid of loads, of rates over sizes.
import { present } from '../../kit/collections.js'
import { capital, counted, rateWords } from '../../kit/numbers.js'
import { limitedByText } from '../../measure/limited-by.js'
import { four, table } from '../../report/description.js'
import { sizesOf } from './saturation-document.js'
import { saturationDiagonal } from './search.js'
import { kneesOf, limitAt, limitOf, measuredCells, saturatedBy } from './trials.js'

/**
 * @typedef {import('./saturation-document.js').GridState} GridState
 * @typedef {import('../../scenarios/saturation.js').Face} Face
 * @typedef {import('../../report/schema.js').DescribedTable} DescribedTable
 * @typedef {import('../../report/schema.js').Plot} Plot
 */

/** Lines over what was offered or carried, one for each size; loads that were not sustained are marked. @param {Face} face @param {readonly Measured[]} loads @param {{ id: string, title: string, x: string, y: string, logY?: boolean, note?: string, at: (load: Measured) => number | null, of: (load: Measured) => number | null, marks?: Plot['marks'] }} how @returns {Plot[]} */
function curves(face, loads, { at, of, ...plot }) {
  const points = loads.flatMap(load => {
    const [x, y] = [at(load), of(load)]
    return x === null || y === null || !(x > 0) || (plot.logY && !(y > 0))
      ? []
      : [{ ...load, x: four(x), y: four(y) }]
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
      series: present([
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

/** @param {Face} face @param {readonly Measured[]} loads @returns {Plot[]} */
function loadPlots(face, loads) {
  const offered = { x: ratesHeading(face), at: (/** @type {Measured} */ { trial }) => trial.perSecond }
  const marks = kneesOver(loads).map(({ size, at }) => ({
    x: four(at),
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

/** The load sustained, and the load not sustained, for each size. @param {Face} face @param {readonly Measured[]} loads @param {readonly string[] | null} objective */
function gridAnswer(face, loads, objective) {
  const rows = [...new Set(loads.map(({ size }) => size))].map(size => {
    const { below, beyond } = saturationDiagonal(loads.filter(load => load.size === size))
    return { size, below: below.at(0), beyond: beyond.at(0), limit: limitedLoads(beyond) }
  })
  return {
    ...table('answer', 'Sustained load', rows, [
      [capital(face.many), ({ size }) => size, 'count'],
      [`Sustained, ${face.loads}/s`, ({ below }) => below?.load, 'perSecond'],
      ['p50 ms', ({ below }) => below?.point.rt.p50?.ms, 'ms'],
      ['p99 ms', ({ below }) => below && face.tailOf(below.point), 'ms'],
      ['Not sustained', ({ beyond }) => beyond?.load, 'perSecond'],
      ['Limited by', ({ limit }) => limit, 'text', 'wide']
    ]),
    ...noteOf([...formerNote(objective), `p99: ${face.tailWords}.`, ...face.notes(false)])
  }
}

/** Achieved, in % of what was expected, by rate and size. @param {GridState} grid @param {readonly Measured[]} cells */
const achievedShares = (grid, cells) =>
  grid.rates.map(rate =>
    sizesOf(grid).map(size => {
      const cell = cells.find(each => each.ratePerSecond === rate && each.size === size)
      return cell === undefined ? null : four((100 * cell.achieved) / Math.max(1, cell.expected))
    })
  )

/** @param {GridState} grid @param {Face} face @param {number} [inTimeMs] @returns {DescribedTable} */
function cellsTable({ cells: trials, chosen }, face, inTimeMs) {
  const cells = measuredCells(trials)
  const rows = trials.map(trial => ({ trial, cell: cells.find(cell => cell.trial === trial) }))
  return {
    ...table('trials', 'Every cell', rows, [
      ['Run', ({ trial }) => trial.run ?? trial.name, 'text'],
      [face.rateHeading, ({ trial }) => saturatedBy(trial.plan).rateOf(trial), 'number'],
      [capital(face.many), ({ trial }) => saturatedBy(trial.plan).sizeOf(trial.plan), 'count'],
      [`Load, ${face.loads}/s`, ({ cell }) => cell?.load, 'perSecond'],
      ['Expected', ({ cell }) => cell?.expected, 'count'],
      ['Achieved', ({ cell }) => cell?.achieved, 'count'],
      ['Achieved %', ({ cell }) => cell && (100 * cell.achieved) / Math.max(1, cell.expected), 'percent'],
      ...pointColumns(face),
      [
        'Sustained',
        ({ trial, cell }) => (cell === undefined ? trial.status : cell.beyond ? 'no' : 'yes'),
        'text'
      ],
      ['Chosen', ({ cell }) => (isChosen(chosen, cell) ? 'yes' : null), 'text'],
      ['Why not', ({ trial }) => whyNot(trial), 'text', 'wide'],
      ['Limited by', ({ cell }) => (cell?.beyond ? limitedLoads([cell]) : null), 'text', 'wide']
    ]),
    note: face.expected(inTimeMs)
  }
}

/** @param {GridState['chosen']} chosen @param {Measured | undefined} cell */
const isChosen = (chosen, cell) =>
  cell !== undefined &&
  chosen?.ratePerSecond === cell.ratePerSecond &&
  (chosen.connections ?? chosen.nodes) === cell.size

/**
 * describeGrid describes a grid of loads.
 *
 * @param {GridState} grid
 * @param {Face} face
 * @param {{ objective: readonly string[] | null, inTimeMs?: number }} of - the study
 * @returns {Parts}
 */
export function describeGrid(grid, face, { objective, inTimeMs }) {
  const cells = measuredCells(grid.cells)
  const values = achievedShares(grid, cells)
  const columns = sizesOf(grid).map(size => sizeWords(face, size))
  const title = `${capital(face.what)} achieved, % of those expected`
  const cell = cells.find(each => isChosen(grid.chosen, each))
  const { beyond } = saturationDiagonal(cells)
  return {
    tiles: [
      [`Sustained, ${face.loads}`, cell?.load ?? 'none tried', 'perSecond'],
      ...timesAt(face, cell?.point),
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
      kneesTable(face, cells)
    ],
    plots: [
      ...loadPlots(face, cells).map((plot, i) => (i === 0 ? { ...plot, main: true } : plot)),
      {
        ...{ id: 'grid-achieved', title, kind: 'grid' },
        ...{ x: capital(face.many), y: face.rateHeading },
        grid: { columns, rows: grid.rates.map(rateWords), values }
      }
    ],
    warnings: []
  }
}

/**
 * @typedef {import('./trials.js').AnyTrial} AnyTrial
 * @typedef {import('../../report/schema.js').Description} Description
 * @typedef {import('../../report/schema.js').DescribedWarning} DescribedWarning
 * @typedef {ReturnType<typeof measuredCells<AnyTrial>>[number]} Measured - a load that was measured
 *
 * @typedef {object} Parts - of a description
 * @property {Description['tiles']} tiles
 * @property {DescribedTable[]} tables - the first is the answer
 * @property {Plot[]} plots
 * @property {DescribedWarning[]} warnings
 */

/** @template Row @typedef {import('../../report/description.js').ColumnOf<Row>} ColumnOf */

/** The limit of several loads, in words. @param {readonly Measured[]} loads */
const limitedLoads = loads => limitedByText(limitOf(loads.map(({ point }) => limitAt(point))) ?? undefined)

const ended = (/** @type {string | undefined} */ message) => `run failed: ${message ?? 'no result'}`

/** @param {import('./trials.js').Reason} why */
function reasonWords(why) {
  if (why.code === 'ENDED') return ended(why.message)
  if (why.code === 'FORMER') return why.text
  const { text, actual, unit, reason } = why
  if (actual === null) return `${text}: ${reason ?? 'not measured'}`
  return `${text}: ${four(actual)}${unit === '' ? '' : ` ${unit}`}${reason === undefined ? '' : `, ${reason}`}`
}

/** Why a trial was not sustained. @param {AnyTrial} trial */
export const whyNot = ({ status, reason, reasons }) =>
  reasons.map(reasonWords).join('; ') || (status === 'failed' ? ended(reason?.message) : null)

/** The note of a study by a version without objectives. @param {readonly string[] | null} objective */
export const formerNote = objective =>
  objective === null ? ['Sustained: by the rules of the version that ran this.'] : []

/** Figures of a point, as its scenario names them. @param {Face} face @returns {ColumnOf<{ trial: AnyTrial }>[]} */
export const pointColumns = ({ columns }) =>
  columns.map(([heading, of, ...how]) => [
    heading,
    ({ trial: { point } }) => (point === null ? null : of(point)),
    ...how
  ])

/** @param {Face} face */
export const ratesHeading = ({ what }) => `Offered, ${what}/s`

/** @param {Face} face @param {number} size */
const sizeWords = ({ one, many }, size) => counted(size, one, many)

/** Knees of p50 over the offered load. @param {readonly Measured[]} loads */
export const kneesOver = loads =>
  kneesOf(
    loads.map(({ size, trial, point }) => ({ size, load: trial.perSecond, ms: point.rt.p50?.ms ?? null }))
  )

/** @param {Face} face @param {readonly Measured[]} loads @returns {DescribedTable} */
export const kneesTable = (face, loads) => ({
  ...table('knees', 'Knees of p50', kneesOver(loads), [
    [capital(face.many), ({ size }) => size, 'count'],
    [ratesHeading(face), ({ at }) => at, 'number'],
    ['Before, ms per 1,000/s', ({ before }) => 1000 * before, 'number'],
    ['From then on', ({ after }) => 1000 * after, 'number']
  ]),
  note: 'The offered load from which p50 rises more steeply.'
})

/** @param {Face} face @param {AnyTrial['point'] | undefined} point @returns {Description['tiles']} */
export const timesAt = (face, point) =>
  point == null
    ? []
    : [
        ['p50 there', point.rt.p50?.ms ?? null, 'ms'],
        ['p99 there', face.tailOf(point), 'ms']
      ]

/** @param {readonly string[]} notes @returns {{ note?: string }} */
export const noteOf = notes => (notes.length === 0 ? {} : { note: notes.join(' ') })
