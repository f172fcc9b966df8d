import { sumOf } from '../../../kit/lists.js'
import { subStream } from '../../../kit/random.js'
import { firthLogistic } from '../../statistics/firth-logistic.js'
import { studentT } from '../../statistics/student-t.js'

/**
 * @typedef {{ perSecond: number, sustained: boolean }} Tried
 *
 * @typedef {object} RateSustained - the rate that is sustained in a share of all trials
 * @property {number} share
 * @property {number} perSecond
 * @property {number} low - of its 95 % interval
 * @property {number} high
 *
 * @typedef {object} Estimate
 * @property {number} blocks - of trials it rests on
 * @property {RateSustained[]} rates - for SHARES; none: trials do not tell where it falls, such as when higher rates were sustained as often as
 *   lower ones
 * @property {boolean} contradict - blocks differ by more than twice what chance within them shows
 */

/** LEAST_BLOCKS that an interval can be given of. */
export const LEAST_BLOCKS = 4

/** SHARES of trials: the first is the answer. */
export const SHARES = [0.9, 0.5]

/** FACTORS of the rate that was bracketed are the rates of a block. */
export const FACTORS = [0.8, 0.9, 1, 1.1, 1.2]
/** Rates are tried that can be read. */
const DIGITS = 3
/** An interval wider than this to either side is amber. */
const WIDE = 0.1
/** One that reaches so many times beyond all rates that were tried tells nothing of them. */
const FAR = 4

/**
 * blockRates are the rates of a block of trials, in an order of its own, so that what drifts meets all rates alike.
 *
 * @param {number} centre - the rate that was bracketed
 * @param {number} block - from 0
 * @param {number} seed
 * @returns {number[]} per second
 */
export function blockRates(centre, block, seed) {
  const random = subStream(seed, 'blocks', String(block))
  return FACTORS.map(factor => ({ rate: Number((centre * factor).toPrecision(DIGITS)), place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ rate }) => rate)
}

/** Logarithms of rates, stretched so that steps of a tenth are about 1. @param {number} centre */
const scaleOf = centre => ({
  x: (/** @type {number} */ rate) => 10 * Math.log(rate / centre),
  rate: (/** @type {number} */ x) => centre * Math.exp(x / 10)
})

/** @typedef {import('../../statistics/firth-logistic.js').Trial} Trial */

/** @param {import('../../statistics/firth-logistic.js').Line} line @param {number} share @returns {number} NaN: it does not fall */
const placeOf = ({ intercept, slope }, share) =>
  slope < 0 ? (Math.log(share / (1 - share)) - intercept) / slope : Number.NaN

/**
 * What chance within trials makes of a place of the line, by the delta method from Fisher's information.
 *
 * @param {readonly Trial[]} trials
 * @param {import('../../statistics/firth-logistic.js').Line} line
 * @param {number} at - the place
 */
function varianceWithin(trials, { intercept, slope }, at) {
  const points = trials.map(({ x }) => {
    const share = 1 / (1 + Math.exp(-(intercept + slope * x)))
    return { x: x - at, weight: share * (1 - share) }
  })
  const total = sumOf(points, ({ weight }) => weight)
  const first = sumOf(points, ({ x, weight }) => weight * x)
  const second = sumOf(points, ({ x, weight }) => weight * x * x)
  return second / (total * second - first ** 2) / slope ** 2
}

/** What the blocks make of it: the jackknife that leaves out a block at a time (J. W. Tukey, 1958). @param {readonly number[]} without - estimates */
function varianceBetween(without) {
  const n = without.length
  const mean = sumOf(without) / n
  return ((n - 1) / n) * sumOf(without, value => (value - mean) ** 2)
}

/**
 * estimateOf fits, to trials in blocks, how often a rate is sustained: a logistic curve of the logarithm of the rate with Firth's penalty.
 *
 * Blocks, not trials, are what the interval counts, since the system drifts between them. A few blocks tell a variance badly, and none at all
 * where each changes its answer at the same step; so theirs is moderated by the one within trials, with as many degrees of freedom (G. K. Smyth,
 * Stat. Appl. Genet. Mol. Biol. 3 (2004) article 3), and the interval is Student's with both. How often it holds the truth is tested.
 *
 * @param {readonly (readonly Tried[])[]} blocks
 * @returns {Estimate | null} null: there are fewer than LEAST_BLOCKS
 */
export function estimateOf(blocks) {
  if (blocks.length < LEAST_BLOCKS) return null
  const all = blocks.flat()
  const scale = scaleOf(Math.exp(sumOf(all, ({ perSecond }) => Math.log(perSecond)) / all.length))
  const scaled = (/** @type {readonly Tried[]} */ tried) =>
    tried.map(({ perSecond, sustained }) => ({ x: scale.x(perSecond), yes: sustained }))
  const trials = scaled(all)
  const line = firthLogistic(trials)
  const without = blocks.map((_, left) =>
    firthLogistic(scaled(blocks.filter((_, block) => block !== left).flat()))
  )
  const farthest = 10 * Math.log(FAR) + Math.max(...trials.map(({ x }) => Math.abs(x)))
  let contradict = false
  const rates = SHARES.flatMap(share => {
    const place = placeOf(line, share)
    const within = varianceWithin(trials, line, place)
    const between = varianceBetween(without.map(other => placeOf(other, share)))
    const half = studentT(2 * (blocks.length - 1)) * Math.sqrt((within + between) / 2)
    if (!(Math.abs(place) + half < farthest)) return []
    contradict ||= between > 4 * within
    const [perSecond, low, high] = [place, place - half, place + half].map(scale.rate)
    return [{ share, perSecond, low, high }]
  })
  return { blocks: blocks.length, rates: rates.length < SHARES.length ? [] : rates, contradict }
}

/**
 * isAmber says whether an estimate is to be taken with care: its interval is wider than a tenth to either side, its blocks contradict
 * one another, or there is none.
 *
 * @param {Estimate} estimate
 */
export function isAmber({ rates: [answer], contradict }) {
  if (answer === undefined || contradict) return true
  return answer.high > answer.perSecond * (1 + WIDE) || answer.low < answer.perSecond * (1 - WIDE)
}
