import { decodedHistogram } from '../../measure/encoded-histogram.js'
import { Histogram } from '../../measure/histogram.js'
import { pooledTimes } from '../../result/pooled-times.js'

/**
 * @typedef {import('../../result/types.js').OperationResult} OperationResult
 *
 * @typedef {object} Point - of a percentile curve
 * @property {number} nines - −log10 of the share of operations that took longer: 1 is p90, 2 is p99
 * @property {number} ms
 * @property {boolean} bound - operations without a reply reach into it: it is a lower bound
 * @property {boolean} chance - fewer than ten operations took longer
 */

const POINTS_PER_NINE = 30

/** A percentile with fewer operations beyond it says more about chance than about the server. */
const SAMPLES_BEYOND = 10

/** Operations without a reply may move a point by this share before it is a lower bound, as in the table. */
const TOLERANCE = 1.01

/** @param {number} count @returns {number[]} ascending, in nines, the last one is where one operation is left */
function places(count) {
  const last = Math.log10(count)
  const sure = Math.log10(count / SAMPLES_BEYOND)
  const even = Array.from({ length: Math.ceil(last * POINTS_PER_NINE) }, (_, i) => i / POINTS_PER_NINE)
  const ends = sure > 0 ? [sure, last] : [last]
  return [...new Set([...even, ...ends])].sort((a, b) => a - b)
}

/** Points on a level line say nothing but where it begins and ends. @param {Point[]} points */
const withoutLevels = points =>
  points.filter((point, i) => {
    const [before, after] = [points[i - 1], points[i + 1]]
    if (before === undefined || after === undefined) return true
    return [before, after].some(
      ({ ms, bound, chance }) => ms !== point.ms || bound !== point.bound || chance !== point.chance
    )
  })

/**
 * @param {Histogram} all
 * @param {Histogram} answered
 * @returns {Point[]}
 */
const curve = (all, answered) =>
  withoutLevels(
    places(all.count).map(nines => {
      const share = 1 - 10 ** -nines
      const us = all.quantile(share)
      const ifNeverAnswered = answered.quantile((share * all.count) / answered.count)
      const beyond = all.count * 10 ** -nines
      return {
        nines,
        ms: us / 1000,
        bound: !(ifNeverAnswered <= us * TOLERANCE),
        chance: beyond < SAMPLES_BEYOND - 1e-9
      }
    })
  )

/**
 * pooledPoints reads the percentile curve of all operations of stored histograms.
 *
 * @param {readonly Readonly<Record<string, string>>[]} parts - histograms by outcome
 * @returns {Point[]}
 */
export function pooledPoints(parts) {
  const { all, answered } = pooledTimes(parts)
  return all.count === 0 ? [] : curve(all, answered)
}

/**
 * percentilePoints reads the percentile curves of an operation from its stored histograms: of all of them, and of the
 * successes alone where others were not.
 *
 * @param {Pick<OperationResult, 'histograms'>} operation
 * @returns {{ all: Point[], ok: Point[] }} `ok`: empty when all succeeded, or none did
 */
export function percentilePoints({ histograms }) {
  const { all, answered } = pooledTimes([histograms])
  const ok = histograms.OK === undefined ? null : decodedHistogram(histograms.OK)
  const differs = ok !== null && ok.count > 0 && ok.count < all.count
  return {
    all: all.count === 0 ? [] : curve(all, answered),
    ok: differs ? curve(ok, ok) : []
  }
}
