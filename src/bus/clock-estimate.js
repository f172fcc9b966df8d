import { sumOf } from '../kit/lists.js'

/**
 * @typedef {object} Exchange - a question for the time at another machine, and its answer, in ns of the two monotonic clocks
 * @property {bigint} sentNs - here
 * @property {bigint} theirNs
 * @property {bigint} backNs - here
 *
 * @typedef {object} Offset
 * @property {number} offsetMs - of their clock against ours
 * @property {number} errorMs - it is off by no more
 * @property {number | null} driftPpm - how much faster their clock goes; null: it is not known to 20 ppm
 */

/** A drift that is not known to so much is not told. */
const KNOWN_DRIFT = 20e-6
/** Crystals are off by less, which counts between looks as long as the drift is not known. */
const USUAL_DRIFT = 100e-6

/**
 * ClockEstimate tells how the clock of another machine stands to ours. In the exchange with the least round trip their clock was read at
 * some moment between question and answer: the middle is off by at most half of it (Cristian 1989). How fast they part is the line of
 * least squares through the best exchange of each burst, weighed by 1 ÷ error²; it is known to twice its standard error.
 */
export class ClockEstimate {
  /** @type {bigint | null} their clock less ours, about: the numbers below are small beside it */
  #baseNs = null
  #originNs = 0n
  /** @type {{ atNs: number, offsetNs: number, errorNs: number }[]} the best exchange of each burst */
  #bursts = []

  /** add takes the exchanges of one burst. @param {readonly Exchange[]} exchanges */
  add(exchanges) {
    const tripOf = (/** @type {Exchange} */ { sentNs, backNs }) => Number(backNs - sentNs)
    const best = [...exchanges].sort((a, b) => tripOf(a) - tripOf(b))[0]
    if (best === undefined) return
    const middle = best.sentNs + (best.backNs - best.sentNs) / 2n
    if (this.#baseNs === null) {
      this.#baseNs = best.theirNs - middle
      this.#originNs = middle
    }
    this.#bursts.push({
      atNs: Number(middle - this.#originNs),
      offsetNs: Number(best.theirNs - middle - this.#baseNs),
      errorNs: tripOf(best) / 2
    })
  }

  /** there turns a time of our clock into theirs. @param {bigint} ns @returns {bigint} */
  there(ns) {
    return ns + (this.#baseNs ?? 0n) + BigInt(Math.round(this.#at(Number(ns - this.#originNs)).offsetNs))
  }

  /** here turns a time of their clock into ours. @param {bigint} ns @returns {bigint} */
  here(ns) {
    const about = ns - (this.#baseNs ?? 0n)
    return about - BigInt(Math.round(this.#at(Number(about - this.#originNs)).offsetNs))
  }

  /** told is what is known of the clock, at a moment of ours. @param {bigint} [ns] - default: the last burst @returns {Offset | null} */
  told(ns) {
    if (this.#baseNs === null) return null
    const atNs = ns === undefined ? this.#bursts[this.#bursts.length - 1].atNs : Number(ns - this.#originNs)
    const { offsetNs, errorNs } = this.#at(atNs)
    return {
      offsetMs: (Number(this.#baseNs) + offsetNs) / 1e6,
      errorMs: errorNs / 1e6,
      driftPpm: this.#drift === null ? null : this.#drift.slope * 1e6
    }
  }

  /** By the burst whose error is the least when carried to a moment. @param {number} atNs */
  #at(atNs) {
    const { slope, error } = this.#drift ?? { slope: 0, error: USUAL_DRIFT }
    const carried = this.#bursts.map(burst => ({
      offsetNs: burst.offsetNs + slope * (atNs - burst.atNs),
      errorNs: burst.errorNs + error * Math.abs(atNs - burst.atNs)
    }))
    return carried.reduce((best, one) => (one.errorNs < best.errorNs ? one : best), NOTHING)
  }

  /** null: it is not known well enough. */
  get #drift() {
    const bursts = this.#bursts.map(burst => ({ ...burst, weight: 1 / burst.errorNs ** 2 }))
    const weight = sumOf(bursts, one => one.weight)
    const mean = (/** @type {'atNs' | 'offsetNs'} */ key) =>
      sumOf(bursts, one => one.weight * one[key]) / weight
    const [x, y] = [mean('atNs'), mean('offsetNs')]
    const spread = sumOf(bursts, one => one.weight * (one.atNs - x) ** 2)
    const error = 2 / Math.sqrt(spread)
    if (!(error < KNOWN_DRIFT)) return null
    return { slope: sumOf(bursts, one => one.weight * (one.atNs - x) * (one.offsetNs - y)) / spread, error }
  }
}

const NOTHING = { offsetNs: 0, errorNs: Infinity }
