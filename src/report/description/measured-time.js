import { largestOf } from '../../kit/lists.js'
import { SAMPLE_MS } from '../../measure/resource-series.js'

/**
 * @typedef {import('../../result/types.js').Result} Result
 * @typedef {Pick<Result, 'outcome' | 'run'>} Measured
 *
 * @typedef {object} Columns - equal stretches of the time of a measurement
 * @property {number} count
 * @property {(second: number) => number} of - the column that a second is in, from 0
 * @property {(column: number) => { from: number, to: number }} stretch - s
 */

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600]
const MOST_COLUMNS = 100

/**
 * measuredSeconds is how long a measurement lasted.
 *
 * @param {Measured} result
 * @returns {number} seconds
 */
export function measuredSeconds({ outcome: { measuredMs, perSecond, secondsPerPoint } }) {
  const last = largestOf(perSecond, ({ second }) => second)
  // a measurement that was made in several parts has time between them
  if (measuredMs > 1000 * last) return Math.max(0.1, measuredMs / 1000)
  return Math.max(1, last + secondsPerPoint)
}

/**
 * timeColumns divides the time of a measurement.
 *
 * @param {Measured} result
 */
export const timeColumns = result => columnsUpTo(measuredSeconds(result), result.outcome.secondsPerPoint)

/**
 * columnsUpTo divides a time, so that there are not more columns than can be seen. What is left at its end belongs to the last
 * one. A column holds whole points: others would have one more or less by turns, and seem to swing.
 *
 * @param {number} end - s
 * @param {number} [point] - s that what is drawn is told of at once
 * @returns {Columns}
 */
export function columnsUpTo(end, point = 1) {
  const wide = STEPS.find(step => end / step <= MOST_COLUMNS) ?? Math.ceil(end / MOST_COLUMNS)
  const step = Math.ceil(wide / point) * point
  const count = Math.max(1, Math.round(end / step))
  return {
    count,
    of: second => Math.min(count - 1, Math.floor(second / step)),
    stretch: column => ({
      from: column * step,
      to: column === count - 1 ? Number(end.toFixed(3)) : (column + 1) * step
    })
  }
}

/**
 * measurementBegan is when the load did, in ms since the run began. Preparations may stand before it in the phase; the
 * first sample of the server ends a sample's length after it.
 *
 * @param {Measured} result
 */
export function measurementBegan({ outcome: { measuredMs, server }, run: { phases } }) {
  const phaseMs = phases.find(({ name }) => name === 'measure')?.startMs ?? 0
  const [first, second] = server?.series ?? []
  if (first === undefined || measuredMs < SAMPLE_MS) return phaseMs
  // all samples are of about the same length
  const sampleMs = second === undefined ? SAMPLE_MS : second.atMs - first.atMs
  return Math.max(phaseMs, first.atMs - sampleMs)
}
