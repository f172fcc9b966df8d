import { median } from '../kit/median.js'
import { theilSen } from './slope.js'

/**
 * @typedef {import('../result/types.js').Trend} Trend
 * @typedef {{ atMs: number, value: number }} Reading
 */

const HOUR_MS = 3_600_000

/** A stretch of time whose readings become one: shorter ones tell of chance, more of them of nothing new. */
const SHORTEST_MS = 15_000
const MOST_STRETCHES = 60

/** A change of less than this share in the whole time is of no interest, however sure it is. */
const MATERIAL = 0.02

/**
 * stretchMs is how long the stretches are that a run is looked at in.
 *
 * @param {number} durationMs
 */
export const stretchMs = durationMs => Math.max(SHORTEST_MS, Math.ceil(durationMs / MOST_STRETCHES))

/**
 * trendOf tells whether readings rise over time: the slope of the medians of equal stretches of time, or of their lowest readings, with
 * its interval.
 *
 * @param {readonly Reading[]} readings - ascending in time
 * @param {{ fromMs: number, toMs: number, stretch: number }} time - stretches that lie within
 * @param {{ lowest?: boolean, material?: number }} [how] - `material`: less than this share in the whole time is of no interest
 * @returns {Trend | null} null: too few to tell
 */
export function trendOf(readings, { fromMs, toMs, stretch }, { lowest = false, material = MATERIAL } = {}) {
  const count = Math.floor((toMs - fromMs) / stretch + 1e-9)
  /** @type {number[][]} */
  const stretches = Array.from({ length: Math.max(0, count) }, () => [])
  for (const { atMs, value } of readings) stretches[Math.floor((atMs - fromMs) / stretch)]?.push(value)
  const points = stretches.flatMap((values, x) =>
    values.length === 0 ? [] : [{ x, y: lowest ? Math.min(...values) : median(values) }]
  )
  const slope = theilSen(points)
  if (slope === null) return null
  const perHour = HOUR_MS / stretch
  const typical = median(points.map(({ y }) => y))
  const span = points[points.length - 1].x - points[0].x + 1
  const matters = Math.abs(slope.slope * span) >= material * Math.abs(typical)
  return {
    perHour: slope.slope * perHour,
    low: slope.low * perHour,
    high: slope.high * perHour,
    median: typical,
    points: points.length,
    verdict:
      matters && slope.low > 0 ? 'growing' : matters && slope.high < 0 ? 'shrinking' : 'not shown to grow'
  }
}
