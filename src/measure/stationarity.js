import { Histogram } from './histogram.js'

/** The first and the last third may differ by this share. */
const TOLERANCE = 0.1
/** A third with fewer operations says nothing about its median. */
const LEAST_OPERATIONS = 100

/**
 * driftOf compares the median of the first and the last third of the measured seconds.
 *
 * @param {{ second: number, histogram: [number, number][] }[]} perSecond - of one operation type, ascending
 * @param {number} [width] - seconds that each covers
 * @returns {{ firstMs: number, lastMs: number } | null} null: no drift, or too little to tell
 */
export function driftOf(perSecond, width = 1) {
  if (perSecond.length === 0) return null
  const begin = perSecond[0].second
  const third = (perSecond[perSecond.length - 1].second + width - begin) / 3
  const first = medianOf(perSecond.filter(({ second }) => second + width <= begin + third + 1e-9))
  const last = medianOf(perSecond.filter(({ second }) => second >= begin + 2 * third - 1e-9))
  if (first == null || last == null || Math.abs(last - first) <= TOLERANCE * first) return null
  return { firstMs: first / 1000, lastMs: last / 1000 }
}

/** @param {{ histogram: [number, number][] }[]} seconds @returns {number | null} µs */
function medianOf(seconds) {
  const counts = new Histogram()
  for (const { histogram } of seconds) counts.addPairs(histogram)
  if (counts.count < LEAST_OPERATIONS) return null
  return counts.bucketAt(0.5)
}
