import { largestOf, sumOf } from '../../../../kit/lists.js'
import { significant } from '../../../../kit/numbers.js'
import { around, logAxis, logTicks, span } from '../../../../kit/plots/axes.js'
import { seriesPlot } from '../../../../kit/plots/series-plot.js'
import { SERIES } from '../../../../kit/plots/theme.js'

/**
 * @typedef {{ second: number, histogram: [number, number][], type?: string, outcome?: string }} Second - times in µs with their counts;
 *   `type` and `outcome`: of operations
 * @typedef {{ outcome: { perSecond: readonly Second[], secondsPerPoint?: number } }} Timed - a result of operations, or of messages
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 *
 * @typedef {{ at: number, median: number, slowest: number }} TimePoint - s, ms
 */

const FIGURES = /** @type {const} */ ([
  { figure: 'median', sign: { colour: SERIES[0], mark: 'line' } },
  { figure: 'slowest', sign: { colour: SERIES[1], mark: 'dashed' } }
])

/** @param {[number, number][]} entries - ms and count, ascending */
function medianOf(entries) {
  let left = sumOf(entries, ([, count]) => count) / 2
  for (const [ms, count] of entries) {
    left -= count
    if (left <= 0) return ms
  }
  return entries[entries.length - 1][0]
}

/**
 * latencyBySecond gives the median and the slowest time of each second: of operations, by when they ended; of deliveries, by when their
 * messages were published.
 *
 * @param {Timed} result
 * @returns {TimePoint[]}
 */
export function latencyBySecond({ outcome: { perSecond, secondsPerPoint = 1 } }) {
  /** @type {Map<number, [number, number][]>} */
  const seconds = new Map()
  for (const { second, type, outcome, histogram } of perSecond) {
    if (type === 'CONNECT' || outcome === 'DROPPED') continue
    const entries = histogram.map(([us, count]) => /** @type {[number, number]} */ ([us / 1000, count]))
    seconds.set(second, [...(seconds.get(second) ?? []), ...entries])
  }
  return [...seconds]
    .sort(([a], [b]) => a - b)
    .flatMap(([second, entries]) => {
      const ascending = entries.filter(([ms]) => ms > 0).sort(([a], [b]) => a - b)
      if (ascending.length === 0) return []
      const [slowest] = ascending[ascending.length - 1]
      return [{ at: second + secondsPerPoint / 2, median: medianOf(ascending), slowest }]
    })
}

/**
 * latencyMultiples draw times over time, a small plot for each run, all on the same axes.
 *
 * @param {readonly { id: string, title: string, note: string, result: Timed }[]} runs
 * @returns {Plot[]} without legends
 */
export function latencyMultiples(runs) {
  const drawn = runs
    .map(run => ({ ...run, points: latencyBySecond(run.result) }))
    .filter(({ points }) => points.length > 0)
  const all = drawn.flatMap(({ points }) => points)
  if (all.length === 0) return []
  const domain = around(all.flatMap(({ median, slowest }) => [median, slowest]))
  const end = largestOf(all, ({ at }) => at + 0.5)
  return drawn.map(({ id, title, note, points }) =>
    seriesPlot({
      ...{ id, title, caption: note },
      description: `Times over time of ${title}: median up to ${significant(Math.max(...points.map(({ median }) => median)))} ms.`,
      x: span([0, end], 's', { tickCount: 4 }),
      y: logAxis(domain, 'ms', fewTicks(domain)),
      series: FIGURES.map(({ figure, sign }) => ({
        ...sign,
        values: points,
        fields: { x: 'at', y: figure },
        look: { point: points.length < 2 }
      }))
    })
  )
}

/** @type {Plot['legend']} */
export const MULTIPLES_LEGEND = FIGURES.map(({ figure, sign }) => ({
  label: `${figure} of each second`,
  ...sign
}))

const MOST_TICKS = 5

/** @param {[number, number]} domain */
function fewTicks([least, most]) {
  const ticks = logTicks(least, most)
  return ticks.filter((_, i) => i % Math.ceil(ticks.length / MOST_TICKS) === 0)
}
