import { hodgesLehmann } from '../../measure/hodges-lehmann.js'
import { signFlip } from '../../measure/sign-flip.js'
import { MOST_VALUES } from '../../measure/subset-means.js'
import { holm } from '../statistics/holm.js'
import { seenIn } from '../statistics/power.js'

/**
 * @typedef {import('../../measure/figure.js').Figure} Figure
 * @typedef {import('./compared-figures.js').Compared} Compared
 * @typedef {import('./compared-figures.js').ComparedFigures} ComparedFigures
 *
 * @typedef {{ base: ComparedFigures, candidate: ComparedFigures }} Pair - of runs
 *
 * @typedef {'different' | 'same within 5 %' | 'undecided' | 'too few runs to tell' | 'not measured'} Verdict
 *
 * @typedef {object} MetricComparison - ratios are candidate ÷ base
 * @property {string} metric - its name
 * @property {Figure} figure - what it is; no part of a document
 * @property {{ base: Compared | null, candidate: Compared | null }[]} pairs
 * @property {number | null} ratio - estimate; null: no pair has both figures
 * @property {{ low: number, high: number } | null} interval - 95 %, of the ratio; 0 and Infinity where nothing bounds it; null:
 *   too few pairs
 * @property {import('../statistics/power.js').Seen | null} seen - what could have been seen; null: too few pairs, or nothing bounds it
 * @property {boolean} same - the 90 % interval lies within the margin
 * @property {number | null} p - two-sided; null: too few pairs
 * @property {number | null} adjustedP - by Holm over the metrics
 * @property {Verdict} verdict
 */

/** MOST_PAIRS that are looked at. */
export const MOST_PAIRS = MOST_VALUES

/** SMALLEST_CHANGE that is called a difference: less is of no interest, however sure. */
export const SMALLEST_CHANGE = 0.05

/** Pairs whose interval at this confidence lies within the margin are the same: two one-sided tests at 5 % (D. J. Schuirmann, 1987). */
const EQUIVALENCE_CONFIDENCE = 0.9

/** LEVEL that adjusted p values are held against. */
export const LEVEL = 0.05

/**
 * leastPairs says how many pairs are needed to tell anything: with fewer, Holm over so many metrics leaves no p below 0.05,
 * whatever is measured. The smallest p of n pairs is 2 / 2^n.
 *
 * @param {number} metrics - how many there are
 * @returns {number}
 */
export const leastPairs = metrics => Math.floor(Math.log2((2 * metrics) / LEVEL)) + 1

/** @param {Compared | null | undefined} figure a logarithm needs a value above 0 */
const usable = figure => figure != null && figure.value > 0

/**
 * Log-ratio with its bounds: a figure that is known only to be at least something leaves one side open.
 *
 * @param {{ base: Compared, candidate: Compared }} pair
 */
function logRatio({ base, candidate }) {
  const value = Math.log(candidate.value / base.value)
  return {
    value,
    low: base.atLeast ? -Infinity : value,
    high: candidate.atLeast ? Infinity : value
  }
}

/** @param {{ low: number, high: number }} logs */
const asRatios = ({ low, high }) => ({ low: Math.exp(low), high: Math.exp(high) })

/**
 * @param {Figure} figure
 * @param {readonly Pair[]} pairs
 * @param {number} least - pairs that are needed
 * @returns {Omit<MetricComparison, 'adjustedP' | 'verdict'>}
 */
function estimated(figure, pairs, least) {
  const { name: metric } = figure
  const figures = pairs.map(({ base, candidate }) => ({
    base: base[metric] ?? null,
    candidate: candidate[metric] ?? null
  }))
  const whole = /** @type {{ base: Compared, candidate: Compared }[]} */ (
    figures.filter(({ base, candidate }) => usable(base) && usable(candidate))
  )
  const ratios = whole.slice(0, MOST_PAIRS).map(logRatio)
  const ratio = ratios.length === 0 ? null : Math.exp(hodgesLehmann(ratios.map(({ value }) => value)))
  const known = { metric, figure, pairs: figures, ratio }
  // a pair that lacks a figure may lack it because of what is measured
  if (ratios.length < least || whole.length < figures.length)
    return { ...known, interval: null, seen: null, same: false, p: null }
  const lows = ratios.map(({ low }) => low)
  const isKnown = ratios.every(({ low, high }) => low === high)
  // all subsets are gone through once for what is the same
  const highs = isKnown ? lows : ratios.map(({ high }) => high)
  const { p, interval: logs, intervalAt } = signFlip(lows, highs)
  const interval = asRatios(logs)
  const seen = seenIn(interval, ratios.length, { wanted: SMALLEST_CHANGE, most: MOST_PAIRS })
  const narrow = asRatios(intervalAt(EQUIVALENCE_CONFIDENCE))
  const same = narrow.low >= 1 / (1 + SMALLEST_CHANGE) && narrow.high <= 1 + SMALLEST_CHANGE
  return { ...known, interval, seen, same, p }
}

/** @param {Omit<MetricComparison, 'verdict'>} comparison @param {number} least - pairs that are needed @returns {Verdict} */
function verdictOf({ ratio, adjustedP, pairs, same }, least) {
  if (ratio === null) return 'not measured'
  if (adjustedP === null) return pairs.length < least ? 'too few runs to tell' : 'not measured'
  if (adjustedP < LEVEL && Math.abs(ratio - 1) > SMALLEST_CHANGE) return 'different'
  return same ? 'same within 5 %' : 'undecided'
}

/**
 * compareMetrics compares the primary metrics of pairs of runs. A metric is *different* when it changed by more than 5 % and
 * chance would show as much in one of the metrics in fewer than 5 of 100 comparisons. It is the *same* when its 90 % interval lies within
 * 5 %; a difference that was not found is none of these.
 *
 * @param {readonly Pair[]} pairs
 * @param {readonly Figure[]} figures - that are decided on
 * @returns {MetricComparison[]}
 */
export function compareMetrics(pairs, figures) {
  const least = leastPairs(figures.length)
  const metrics = figures.map(figure => estimated(figure, pairs, least))
  const tested = metrics.filter(({ p }) => p !== null)
  const adjusted = holm(tested.map(({ p }) => Number(p)))
  return metrics.map(comparison => {
    const place = tested.indexOf(comparison)
    const whole = { ...comparison, adjustedP: place < 0 ? null : adjusted[place] }
    return { ...whole, verdict: verdictOf(whole, least) }
  })
}
