import { grouped } from '../../../../kit/numbers.js'
import { askedMarks, askedName } from '../../../../kit/plots/asked-marks.js'
import { amount, around, logAxis } from '../../../../kit/plots/axes.js'
import { category } from '../../../../kit/plots/series-plot.js'
import { PAPER, SERIES, SHAPES } from '../../../../kit/plots/theme.js'
import { operationsOf } from '../../../../report/table.js'

/**
 * @typedef {import('../../../../result/types.js').Result} Result
 * @typedef {import('../../../../result/types.js').Percentile} Percentile
 * @typedef {import('../../../../studies/matrix/matrix-folder.js').TableRecord} TableRecord
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 *
 * @typedef {object} RowPoint - a row of a matrix, measured
 * @property {string} type - of operation
 * @property {number} clients
 * @property {number} registrations
 * @property {string} otherwise - what else rows differ in
 * @property {Percentile | null} p50
 * @property {Percentile | null} p99
 * @property {number | null} cpu - % of a core
 * @property {number | null} memory - MB
 *
 * @typedef {'clients' | 'registrations'} Side
 *
 * @typedef {object} Figure - a quantity to draw
 * @property {string} id
 * @property {string} title
 * @property {string} caption
 * @property {string} unit
 * @property {(point: RowPoint) => number | null} value
 * @property {(point: RowPoint) => number | null} [upTo] - where a line from the value goes to
 * @property {(point: RowPoint) => boolean} [doubtful]
 * @property {boolean} [log]
 */

/**
 * rowPoints are what the plots of a table are made of.
 *
 * @param {TableRecord} table
 * @param {ReadonlyMap<string, Result>} results - by row id
 * @returns {RowPoint[]}
 */
export const rowPoints = ({ rows }, results) =>
  rows.flatMap(({ id }) => {
    const result = results.get(id)
    if (result === undefined) return []
    const { plan, outcome } = result
    const { benchmarkRuns, durationMs, nNamespaces, discoverLimit, discoverInexistentNamespaces } = plan
    return operationsOf(result).map(([type, { rt }]) => ({
      type,
      clients: plan.nClients,
      registrations: plan.initialRegistrations,
      otherwise: [benchmarkRuns, durationMs, nNamespaces, discoverLimit, discoverInexistentNamespaces].join(
        ' '
      ),
      p50: rt.all.p50,
      p99: rt.all.p99,
      cpu: outcome.server?.cpu.averagePercent ?? null,
      memory: outcome.server?.memory.averageBytes == null ? null : outcome.server.memory.averageBytes / 1e6
    }))
  })

/** @param {RowPoint[]} points @param {Side} side @returns {number[]} ascending */
const valuesOf = (points, side) => [...new Set(points.map(point => point[side]))].sort((a, b) => a - b)

/** @type {Readonly<Record<Side, Side>>} */
const OTHER = { clients: 'registrations', registrations: 'clients' }

/** @type {Readonly<Record<Side, string>>} */
const NAMES = { clients: 'Clients', registrations: 'Initial registrations' }

/** @param {RowPoint[]} points @returns {Figure[]} */
const figuresOf = points => [
  ...[...new Set(points.map(({ type }) => type))].map(type => ({
    id: `rt-${type.toLowerCase()}`,
    title: `Response time of ${type}`,
    caption: 'The mark is p50, its line goes up to p99. Hollow: doubtful.',
    unit: 'Response time, ms',
    log: true,
    value: (/** @type {RowPoint} */ point) => (point.type === type ? (point.p50?.ms ?? null) : null),
    upTo: (/** @type {RowPoint} */ point) => point.p99?.ms ?? null,
    doubtful: (/** @type {RowPoint} */ point) => point.p50?.doubtful ?? false
  })),
  {
    id: 'cpu',
    title: 'CPU of the server',
    caption: 'Average over the measurement; 100 % is one core.',
    unit: 'CPU, % of one core',
    value: ({ cpu }) => cpu
  },
  {
    id: 'memory',
    title: 'Memory of the server',
    caption: 'Average of the samples.',
    unit: 'Memory, MB',
    value: ({ memory }) => memory
  }
]

/**
 * @typedef {{ x: string, series: string, place: string, value: number, upTo: number | null, doubtful: boolean }} Drawn
 *
 * @param {RowPoint[]} points
 * @param {Figure} figure
 * @param {Side} side
 * @returns {Drawn[]}
 */
const drawn = (points, figure, side) =>
  points.flatMap(point => {
    const value = figure.value(point)
    return value === null
      ? []
      : [
          {
            x: grouped(point[side]),
            series: grouped(point[OTHER[side]]),
            place: `${grouped(point[OTHER[side]])} · ${point.otherwise}`,
            value: Number(value.toPrecision(4)),
            upTo: figure.upTo?.(point) ?? null,
            doubtful: figure.doubtful?.(point) ?? false
          }
        ]
  })

/** Of a mark, where there is room for it. */
const MARK = 44

/** That marks share, about. */
const WIDTH = 440

/** @param {Drawn[]} values @param {Figure} figure */
function yAxis(values, { unit, log }) {
  if (log) return logAxis(around(values.flatMap(({ value, upTo }) => [value, upTo ?? value])))
  return amount(unit)
}

/**
 * @param {Drawn[]} values
 * @param {Figure} figure
 * @param {{ x: { title: string, names: string[] }, series: string[] }} axes
 */
function spec(values, figure, { x, series }) {
  const colours = series.map((_, i) => SERIES[i % SERIES.length])
  const shapes = series.map((_, i) => SHAPES[i % SHAPES.length])
  // what differs in anything else stands beside, not over one another
  const places = series.flatMap(name => [
    ...new Set(values.filter(value => value.series === name).map(({ place }) => place))
  ])
  const size = Math.min(MARK, (WIDTH / (x.names.length * places.length)) ** 2)
  return {
    data: { values },
    encoding: {
      x: {
        field: 'x',
        type: 'ordinal',
        sort: x.names,
        scale: { type: 'band', paddingInner: 0.1, paddingOuter: 0.1 },
        axis: { title: x.title, labelAngle: 0, tickBand: 'extent', grid: true }
      },
      xOffset: { field: 'place', type: 'nominal', sort: places, scale: { domain: places } },
      color: category('series', series, colours)
    },
    layer: [
      {
        transform: [{ filter: 'isValid(datum.upTo)' }],
        mark: { type: 'rule', strokeWidth: 1.5 },
        encoding: {
          y: { field: 'value', ...yAxis(values, figure) },
          y2: { field: 'upTo' }
        }
      },
      {
        name: askedName(),
        mark: { type: 'point', size, strokeWidth: 1.75, opacity: 1 },
        encoding: {
          y: { field: 'value', ...yAxis(values, figure) },
          shape: category('series', series, shapes),
          fill: {
            condition: { test: 'datum.doubtful', value: PAPER },
            ...category('series', series, colours)
          }
        }
      }
    ]
  }
}

/** @param {string} tableId @param {RowPoint[]} points @param {Figure} figure @param {Side} side @returns {Plot[]} */
function plotOf(tableId, points, figure, side) {
  const values = drawn(points, figure, side)
  if (values.length === 0) return []
  const names = valuesOf(points, side).map(grouped)
  const series = valuesOf(points, OTHER[side]).map(grouped)
  const what = side === 'clients' ? 'clients' : 'initial registrations'
  const other = NAMES[OTHER[side]].toLowerCase()
  return [
    {
      id: `${tableId}-${figure.id}-${side}`,
      title: `${figure.title} by ${what}`,
      caption: figure.caption,
      description: `${figure.unit} for ${names.join(', ')} ${what}; colours are ${other} of ${series.join(', ')}.`,
      legend: series.map((name, i) => ({
        label: i === 0 ? `${name} ${other}` : name,
        colour: SERIES[i % SERIES.length],
        mark: SHAPES[i % SHAPES.length]
      })),
      marks: askedMarks(values, {
        [NAMES[side]]: ({ x }) => x,
        [NAMES[OTHER[side]]]: value => value.series,
        [figure.upTo === undefined ? figure.unit : 'p50, ms']: ({ value }) => value,
        ...(figure.upTo !== undefined && { 'p99, ms': (/** @type {Drawn} */ { upTo }) => upTo }),
        doubtful: ({ doubtful }) => (doubtful ? 'yes' : null)
      }),
      spec: spec(values, figure, { x: { title: NAMES[side], names }, series })
    }
  ]
}

/**
 * rendezvousMatrixPlots draw response times, CPU and memory of the rows of a table against what they differ in: clients, and
 * registrations.
 *
 * @param {TableRecord} table
 * @param {ReadonlyMap<string, Result>} results - by row id
 * @returns {Plot[]}
 */
export function rendezvousMatrixPlots(table, results) {
  const points = rowPoints(table, results)
  const sides = /** @type {Side[]} */ (['clients', 'registrations']).filter(
    side => valuesOf(points, side).length > 1
  )
  return figuresOf(points).flatMap(figure => sides.flatMap(side => plotOf(table.id, points, figure, side)))
}
