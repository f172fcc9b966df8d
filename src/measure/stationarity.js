import { largestOf } from '../kit/lists.js'
import { Histogram, merged } from './histogram.js'

/** A median that moves by less than this share of itself, from the first third of a time to its last, has settled. */
const MOVES = 0.1
/** A third with fewer operations says nothing about its median. */
const LEAST_OPERATIONS = 20
/** Parts of a third, as far as it has so many points: a median that moves more within a third than from one to the other has settled. */
const PARTS = 3
/** Quantile of the standard normal distribution for an interval of 95 %. */
const Z = 1.96

/**
 * @typedef {object} Median
 * @property {number} ms
 * @property {number} lowMs - of its 95 % interval
 * @property {number} highMs
 *
 * @typedef {{ firstMs: number, lastMs: number, settled: boolean }} Drift - medians of the first third and of the last
 */

/**
 * driftOf says whether the median had settled: that of the last third of a time differs from that of the first by less than a tenth, or by
 * no more than chance explains (their 95 % intervals overlap), or than it moves within the thirds. Warm-ups and measurements go by it.
 *
 * @param {readonly { second: number, histogram: readonly (readonly [number, number])[] }[]} points - of one operation type, ascending
 * @param {number} [width] - seconds that each covers
 * @returns {Drift | null} null: too little to tell
 */
export function driftOf(points, width = 1) {
  if (points.length === 0) return null
  const begin = points[0].second
  const third = (points[points.length - 1].second + width - begin) / 3
  const first = histogramsOf(points.filter(({ second }) => second + width <= begin + third + 1e-9))
  const last = histogramsOf(points.filter(({ second }) => second >= begin + 2 * third - 1e-9))
  const [before, after] = [merged(first), merged(last)]
  if (Math.min(before.count, after.count) < LEAST_OPERATIONS) return null
  const [from, to] = [medianOf(before), medianOf(after)]
  const moved =
    Math.abs(to.ms - from.ms) > MOVES * from.ms &&
    (areBelow([from], [to]) || areBelow([to], [from])) &&
    (areBelow(partsOf(first), partsOf(last)) || areBelow(partsOf(last), partsOf(first)))
  return { firstMs: from.ms, lastMs: to.ms, settled: !moved }
}

/**
 * driftOfType is that of the operations of a type that succeeded.
 *
 * @param {Pick<import('../result/types.js').Result['outcome'], 'perSecond' | 'secondsPerPoint'>} outcome
 * @param {string} type
 */
export const driftOfType = ({ perSecond, secondsPerPoint }, type) =>
  driftOf(
    perSecond.filter(entry => entry.type === type && entry.outcome === 'OK'),
    secondsPerPoint
  )

/**
 * medianOf reads the median of a distribution, with the interval between the order statistics n / 2 ± 1.96 · √n / 2, which holds
 * the true one with 95 % confidence (the normal approximation of the sign test's).
 *
 * @param {{ count: number, bucketAt: (share: number) => number }} times - in µs
 * @returns {Median}
 */
export function medianOf(times) {
  const half = Z / (2 * Math.sqrt(times.count))
  const ms = (/** @type {number} */ share) => times.bucketAt(Math.min(1, Math.max(0, share))) / 1000
  return { ms: ms(0.5), lowMs: ms(0.5 - half), highMs: ms(0.5 + half) }
}

/** @param {readonly { histogram: readonly (readonly [number, number])[] }[]} points */
const histogramsOf = points =>
  points.map(({ histogram }) => {
    const counts = new Histogram()
    counts.addPairs(histogram)
    return counts
  })

/** Medians of the parts of a third. @param {readonly Histogram[]} points @returns {Median[]} without intervals: these are for few operations */
function partsOf(points) {
  const size = Math.ceil(points.length / PARTS)
  const parts = Array.from({ length: Math.ceil(points.length / size) }, (_, i) =>
    merged(points.slice(i * size, (i + 1) * size))
  )
  return parts.map(part => {
    const { ms } = medianOf(part)
    return { ms, lowMs: ms, highMs: ms }
  })
}

/** @param {readonly Median[]} some @param {readonly Median[]} others */
const areBelow = (some, others) =>
  largestOf(some, ({ highMs }) => highMs) < Math.min(...others.map(({ lowMs }) => lowMs))
