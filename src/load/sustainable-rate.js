import { searchRate } from './rate-search.js'

/**
 * @typedef {'search' | 'repeat'} Purpose
 *
 * @typedef {object} Confirmed - a rate that was tried again
 * @property {number} perSecond
 * @property {number} sustained - repeats that sustained it
 * @property {number} repeats
 *
 * @typedef {object} Sustainable
 * @property {Confirmed | null} below - the highest rate that was sustained in most repeats; null: none was
 * @property {Confirmed | null} above - the lowest rate that was not; null: every one up to `most` was
 * @property {boolean} closed - the two are as close as was asked for, and the repeats bear out both; false: the system answers
 *   differently from trial to trial
 *
 * @typedef {object} SustainableOptions
 * @property {number} from - the first rate, > 0
 * @property {number} [least] - no rate below it is tried
 * @property {number} [most] - no rate above it is tried
 * @property {number} [tolerance] - how far apart the two may end, as a share of the higher one
 * @property {number} [repeats] - of each of the two; 0: the search is not confirmed
 *
 * @typedef {(perSecond: number, purpose: Purpose) => Promise<boolean>} Sustains - tries a rate
 */

/** RATE_TOLERANCE: the middle of the interval is within 2.5 % of either end. */
export const RATE_TOLERANCE = 0.05
/** Repeats that contradict the search move an end of the interval this often at most. */
const MOST_MOVES = 6
/** Rates are tried that can be read. */
const DIGITS = 3

/** @param {number} rate */
const readable = rate => Number(rate.toPrecision(DIGITS))

/**
 * findSustainable finds the highest rate that a system sustains, and confirms it: the search gives the highest rate that was
 * sustained and the lowest that was not, then both are repeated. An end that most of its repeats contradict moves on by the
 * tolerance, and is repeated there.
 *
 * @param {Sustains} sustains
 * @param {SustainableOptions} options
 * @returns {Promise<Sustainable>}
 */
export async function findSustainable(sustains, options) {
  const { tolerance = RATE_TOLERANCE, repeats = 3, most = Number.POSITIVE_INFINITY, least = 1 } = options
  const searched = await search(sustains, { from: options.from, tolerance, most, least })
  const trials = { sustains, repeats, tolerance, most, least }
  const low = await settle(searched.carried, 'below', trials)
  // an end that moved has found the other one on its way
  if (low.passed !== null) return { below: low.at, above: low.passed, closed: low.settled }
  const high = await settle(searched.notCarried, 'above', trials)
  return { below: high.passed ?? low.at, above: high.at, closed: high.settled }
}

/**
 * @param {Sustains} sustains
 * @param {Required<Pick<SustainableOptions, 'from' | 'tolerance' | 'most' | 'least'>>} options
 */
async function search(sustains, { from, tolerance, most, least }) {
  /** @type {Map<number, boolean>} */
  const known = new Map()
  /** @param {number} rate */
  const once = async rate => {
    const before = known.get(rate)
    if (before !== undefined) return before
    const result = await sustains(rate, 'search')
    known.set(rate, result)
    return result
  }
  let first = Math.min(from, most)
  while (!(await once(first)) && first / 2 >= least) first = first / 2
  // what was tried on the way down is not tried again
  return searchRate(once, { from: first, tolerance, most })
}

/**
 * @typedef {object} Trials
 * @property {Sustains} sustains
 * @property {number} repeats
 * @property {number} tolerance
 * @property {number} most
 * @property {number} least
 */

/**
 * settle repeats an end of the interval, and moves it on as long as most of its repeats contradict it.
 *
 * @param {number | null} end
 * @param {'below' | 'above'} side
 * @param {Trials} trials
 * @returns {Promise<{ at: Confirmed | null, passed: Confirmed | null, settled: boolean }>} `at`: null, no rate was borne out;
 *   `passed`: the last rate that the end moved away from
 */
async function settle(end, side, { sustains, repeats, tolerance, most, least }) {
  /** @type {Confirmed | null} */
  let passed = null
  let rate = end
  for (let moves = 0; rate !== null && moves <= MOST_MOVES; moves++) {
    const tried = await repeated(sustains, rate, repeats)
    if (bearsOut(tried, side)) return { at: tried, passed, settled: true }
    passed = tried
    const next = readable(side === 'below' ? rate * (1 - tolerance) : rate * (1 + tolerance))
    rate = next < least || next > most ? null : next
  }
  return { at: null, passed, settled: rate === null }
}

/** @param {Sustains} sustains @param {number} perSecond @param {number} repeats @returns {Promise<Confirmed>} */
async function repeated(sustains, perSecond, repeats) {
  let sustained = 0
  for (let i = 0; i < repeats; i++) if (await sustains(perSecond, 'repeat')) sustained++
  return { perSecond, sustained, repeats }
}

/** @param {Confirmed} tried @param {'below' | 'above'} side */
function bearsOut({ sustained, repeats }, side) {
  if (repeats === 0) return true
  return side === 'below' ? sustained * 2 > repeats : sustained * 2 <= repeats
}
