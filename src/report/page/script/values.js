// Prepares the values of plots in the browser: axis ticks and labels, joined series, frames of flame graphs, table rows.
import { roundUpStep } from '../../../kit/numbers.js'

/**
 * @typedef {import('../../schema.js').Plot} Plot
 * @typedef {import('../../schema.js').Series} Series
 * @typedef {import('../../schema.js').Frame} Frame
 * @typedef {readonly (string | number | null)[]} Row
 */

/** formatShortNumber writes a number with three digits. @param {number} value */
export function formatShortNumber(value) {
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en')
  return String(Number(value.toPrecision(3)))
}

/** formatPlotCell a cell. @param {Row[number]} cell */
export const formatPlotCell = cell => (typeof cell === 'number' ? formatShortNumber(cell) : (cell ?? '–'))

/** clampPlace is the place in a list that is nearest to another. @param {number} place @param {number} length */
export const clampPlace = (place, length) => Math.max(0, Math.min(length - 1, place))

/** formatAxisNumber writes a number of an axis, large ones short: 20k, 1.5M. @param {number} value @param {number} [step] - to the next: they must differ */
export function formatAxisNumber(value, step = Math.abs(value)) {
  const [size, unit] =
    Math.abs(value) >= 999_500 ? [1e6, 'M'] : Math.abs(value) >= 9999.5 ? [1000, 'k'] : [1, '']
  if (value === 0) return '0'
  const digits = Math.floor(Math.log10(Math.abs(value))) - Math.floor(Math.log10(step || 1)) + 1
  const rounded = Number(
    (value / size).toPrecision(Math.min(15, Math.max(size === 1 && Math.abs(value) >= 1000 ? 4 : 3, digits)))
  )
  return `${rounded.toLocaleString('en', { maximumFractionDigits: 12 })}${unit}`
}

/** formatPercentileName says which percentile stands at so many nines: 2 is p99. @param {number} nines */
export function formatPercentileName(nines) {
  const percent = 100 - 100 * 10 ** -nines
  return `p${Number(percent.toFixed(nines < 0.7 ? 0 : Math.max(0, Math.ceil(nines) - 1)))}`
}

const MAX_TICKS = 6

/** @param {number} from @param {number} to */
const decades = (from, to) => {
  const first = Math.floor(Math.log10(from))
  return Array.from({ length: Math.ceil(Math.log10(to)) - first + 1 }, (_, i) => 10 ** (first + i))
}

/** chooseTicks are the numbers on an axis. @param {number} from @param {number} to @param {{ log?: boolean, nines?: boolean, whole?: boolean }} [axis] */
export function chooseTicks(from, to, { log = false, nines = false, whole = false } = {}) {
  const within = (/** @type {number} */ x) => x >= from - 1e-9 && x <= to + 1e-9
  if (nines && to - from > 1.5) return [0, Math.log10(2), 1, 2, 3, 4, 5, 6].filter(within)
  if (log && from > 0 && to / from > 4) {
    const tens = decades(from, to)
    const steps = tens.length <= 3 ? [1, 2, 5] : tens.length <= 4 ? [1, 3] : [1]
    return tens.flatMap(ten => steps.map(step => Number((step * ten).toPrecision(6)))).filter(within)
  }
  const isEach = whole && to - from <= 10
  const rough = isEach ? 1 : Math.max((to - from) / MAX_TICKS, whole ? 1 : 1e-12)
  const step = roundUpStep(rough)
  const first = Math.ceil(from / step - 1e-9)
  return Array.from({ length: Math.max(0, Math.floor(to / step + 1e-9) - first + 1) }, (_, i) =>
    Number(((first + i) * step).toPrecision(12))
  )
}

/** Two values at one x are a step: the second is moved by what nobody sees. @param {Series['values']} values @param {number} span */
function apart(values, span) {
  let last = -Infinity
  return values.flatMap(([x, ...ys]) => {
    if (x === null) return []
    last = x > last ? x : last + span * 1e-9
    return [/** @type {const} */ ([last, ys])]
  })
}

/**
 * joinSeries puts series on the same values of x. Of a band there are three columns: value, low and high. Bars stand in the middles of their
 * ranges.
 *
 * @param {readonly Series[]} series
 * @param {boolean} [areBars]
 */
export function joinSeries(series, areBars = false) {
  const ends = series.flatMap(({ values }) =>
    values.flatMap(([from, to]) => (from === null ? [] : [[from, areBars ? Number(to) : from]]))
  )
  const all = ends.flat()
  const span = Math.max(...all) - Math.min(...all) || 1
  const middle = (/** @type {(number | null)[]} */ [from, to]) => (Number(from) + Number(to)) / 2
  const placed = series.map(({ values }) =>
    areBars ? values.map(value => [middle(value), value[2]]) : values
  )
  const points = placed.map(values => new Map(apart(values, span)))
  const xs = [...new Set(points.flatMap(map => [...map.keys()]))].sort((a, b) => a - b)
  const ranges = new Map(ends.map(range => [middle(range), range]))
  return {
    xs,
    ranges: xs.map(x => ranges.get(x) ?? [x, x]),
    columns: placed.flatMap((values, of) =>
      (values.some(({ length }) => length > 2) ? [0, 1, 2] : [0]).map(part => ({
        of,
        part,
        // undefined: this series has no point there; null: a gap begins
        values: xs.map(x => points[of].get(x)?.[part])
      }))
    )
  }
}

/**
 * findNearestValue is the place of the value of a column that is nearest to another place; beyond its ends there is none.
 *
 * @param {readonly (number | null | undefined)[]} column
 * @param {number} at
 */
export function findNearestValue(column, at) {
  let [left, right] = [at, at]
  while (left >= 0 && column[left] === undefined) left--
  while (right < column.length && column[right] === undefined) right++
  if (left < 0 || right >= column.length) return null
  return at - left <= right - at ? left : right
}

/** listFrames lists the frames of a flame graph, each after its parent. @param {Frame} root */
export function listFrames(root) {
  /** @type {{ frame: Frame, parent: number, depth: number, from: number, to: number }[]} */
  const frames = []
  const add = (/** @type {Frame} */ frame, /** @type {number} */ parent, /** @type {number} */ from) => {
    const place = frames.length
    const depth = parent < 0 ? 0 : frames[parent].depth + 1
    frames.push({ frame, parent, depth, from, to: from + frame.value / (root.value || 1) })
    let at = from
    for (const child of frame.children ?? []) {
      add(child, place, at)
      at += child.value / (root.value || 1)
    }
  }
  add(root, -1, 0)
  return frames
}

/** listNeighbours lists the neighbours of each node. @param {Plot} plot */
export function listNeighbours({ nodes = [], edges = [] }) {
  const neighbours = nodes.map(() => /** @type {number[]} */ ([]))
  for (const [a, b] of edges) {
    neighbours[a]?.push(b)
    neighbours[b]?.push(a)
  }
  return neighbours
}

/** @param {Plot} plot @returns {{ headings: string[], rows: Row[] }} */
function seriesRows({ kind, x = 'x', series = [], nines }) {
  const { xs, ranges, columns } = joinSeries(series, kind === 'bars')
  const places = (/** @type {number} */ at, /** @type {number} */ i) =>
    kind === 'bars' ? ranges[i] : [nines ? formatPercentileName(at) : Number(at.toPrecision(9))]
  return {
    headings: [
      ...(kind === 'bars' ? [`${x}, from`, 'to'] : [nines ? 'Percentile' : x]),
      ...columns.map(({ of, part }) => `${series[of].label}${['', ', low', ', high'][part]}`)
    ],
    rows: xs.map((at, i) => [...places(at, i), ...columns.map(({ values }) => values[i] ?? null)])
  }
}

/** @type {Record<Plot['kind'], (plot: Plot) => { headings: string[], rows: Row[] }>} */
const ROWS = {
  lines: seriesRows,
  bars: seriesRows,
  heat: ({ x = 'x', y = 'y', cells = [], dots = [] }) => ({
    headings: [`${x}, from`, 'to', `${y}, from`, 'to', 'Count', 'Failed'],
    rows: [
      ...cells.map(cell => [...cell, null]),
      ...dots.map(([at, value, failed]) => [at, at, value, value, 1, failed])
    ]
  }),
  grid: ({ x = '', grid = { columns: [], rows: [], values: [] } }) => ({
    headings: [x, ...grid.columns],
    rows: grid.rows.map((row, i) => [row, ...grid.values[i]])
  }),
  graph(plot) {
    const neighbours = listNeighbours(plot)
    return {
      headings: ['Node', plot.y ?? 'Value', 'Links', 'Neighbours'],
      rows: (plot.nodes ?? []).map(([, , value], i) => [
        i,
        value,
        neighbours[i].length,
        neighbours[i].join(' ')
      ])
    }
  },
  flame({ y = 'Value', root }) {
    const frames = root === undefined ? [] : listFrames(root)
    return {
      headings: ['Frame', 'Depth', y, 'Self', 'Category'],
      rows: frames.map(({ frame, depth }) => [
        frame.name,
        depth,
        frame.value,
        frame.self ?? null,
        frame.category ?? null
      ])
    }
  }
}

/** listPlotRows are the values of a plot as a table. @param {Plot} plot */
export const listPlotRows = plot => ROWS[plot.kind](plot)
