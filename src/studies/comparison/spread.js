import { median } from '../../kit/median.js'
import { theilSen } from '../../measure/slope.js'
import { SMALLEST_CHANGE } from './compare-metrics.js'
import { comparedFigures } from './compared-figures.js'

/**
 * @typedef {import('../../result/types.js').AnyResult} Result
 * @typedef {import('../../measure/figure.js').Figure} Figure
 *
 * @typedef {object} Spreading - a figure of all runs of a side
 * @property {Figure} figure - what it is; no part of a document
 * @property {Spread} spread
 * @property {boolean} atLeast - operations without a reply reach into that of any of the runs
 *
 * @typedef {object} Spread - of a figure over runs
 * @property {number} median
 * @property {number} least
 * @property {number} most
 * @property {number[]} outliers - places of runs, from 0
 * @property {number | null} drift - by which it changed from the first to the last run, as a ratio; null: none was shown
 */

/** Modified z-scores beyond this are outliers: B. Iglewicz, D. C. Hoaglin, How to Detect and Handle Outliers (1993), 3. */
const OUTLIER = 3.5
/** The median absolute deviation of a normal distribution is this share of its standard deviation. */
const MAD_OF_NORMAL = 0.6745
const LEAST_RUNS = 5
/** Of 100 series of runs that do not drift one is said to: several figures are looked at. */
const Z_99 = 2.575829

/** @param {readonly number[]} logs @returns {number[]} */
function outliersOf(logs) {
  if (logs.length < LEAST_RUNS) return []
  const middle = median(logs)
  const deviation = median(logs.map(log => Math.abs(log - middle)))
  const isOut = (/** @type {number} */ log) =>
    MAD_OF_NORMAL * Math.abs(log - middle) > OUTLIER * deviation &&
    Math.abs(log - middle) > Math.log1p(SMALLEST_CHANGE)
  return logs.flatMap((log, place) => (isOut(log) ? [place] : []))
}

/** @param {readonly number[]} logs @returns {number | null} */
function driftOf(logs) {
  const points = logs.map((y, x) => ({ x, y }))
  const slope = logs.length < LEAST_RUNS ? null : theilSen(points, { z: Z_99, independent: true })
  if (slope === null || slope.low * slope.high <= 0) return null
  const change = slope.slope * (logs.length - 1)
  return Math.abs(change) > Math.log1p(SMALLEST_CHANGE) ? Math.exp(change) : null
}

/**
 * spreadOf says how a figure scatters over runs, which of them lie far out, and whether it drifts from run to run. What is less than
 * counts as a difference is neither.
 *
 * @param {readonly number[]} values - in the order of the runs, at least one
 * @returns {Spread}
 */
export function spreadOf(values) {
  const logs = values.every(value => value > 0) ? values.map(Math.log) : []
  return {
    median: median(values),
    least: Math.min(...values),
    most: Math.max(...values),
    outliers: outliersOf(logs),
    drift: driftOf(logs)
  }
}

/**
 * spreadsOf are the figures that every run has.
 *
 * @param {readonly Result[]} results
 * @param {readonly Figure[]} figures
 * @returns {Spreading[]}
 */
export function spreadsOf(results, figures) {
  const runs = results.map(result => comparedFigures(result, figures))
  return figures.flatMap(figure => {
    const found = runs.flatMap(run => run[figure.name] ?? [])
    if (found.length < runs.length) return []
    const atLeast = found.some(each => each.atLeast)
    return [{ figure, spread: spreadOf(found.map(({ value }) => value)), atLeast }]
  })
}
