import { searchRate } from '../../../load/rate-search.js'

/**
 * @typedef {'search' | 'warm-up' | 'repeat' | 'block'} Purpose - `warm-up`: the first of a search, again
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
/** Repeats that contradict the search send it on this often at most. */
const MOST_ROUNDS = 5

/**
 * findSustainable finds the highest rate that a system sustains, and confirms it: the search gives the highest rate that was
 * sustained and the lowest that was not, then both are repeated. Where most repeats contradict the search, they are believed, and
 * it goes on from there.
 *
 * @param {Sustains} sustains
 * @param {SustainableOptions} options
 * @returns {Promise<Sustainable>}
 */
export async function findSustainable(sustains, options) {
  const { tolerance = RATE_TOLERANCE, repeats = 3, most = Infinity, least = 1 } = options
  const trials = new Trials(sustains, { repeats, tolerance, least, most })
  let [low, high] = await trials.search(options.from)
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (low !== null && !(await trials.confirms(low, true))) [low, high] = await trials.search(low)
    else if (high !== null && !(await trials.confirms(high, false))) [low, high] = await trials.search(high)
    else return trials.interval(low, high, true)
  }
  return trials.interval(low, high, false)
}

/** Trials are those of one search: what was found of each rate so far is believed until repeats say otherwise. */
class Trials {
  #sustains
  #options
  /** @type {Map<number, boolean>} */
  #verdicts = new Map()
  /** @type {Map<number, Confirmed>} */
  #repeated = new Map()

  /**
   * @param {Sustains} sustains
   * @param {Required<Pick<SustainableOptions, 'repeats' | 'tolerance' | 'least' | 'most'>>} options
   */
  constructor(sustains, options) {
    this.#sustains = sustains
    this.#options = options
  }

  /**
   * search doubles and halves from a rate, down from it where not even that is sustained.
   *
   * @param {number} from
   * @returns {Promise<[number | null, number | null]>} the highest rate sustained, and the lowest that was not
   */
  async search(from) {
    const { tolerance, least, most } = this.#options
    /** @param {number} rate */
    const once = async rate => {
      const known = this.#verdicts.get(rate) ?? (await this.#sustains(rate, 'search'))
      this.#verdicts.set(rate, known)
      return known
    }
    let first = Math.min(from, most)
    while (!(await once(first))) {
      const lower = this.#knownBelow(first) ?? first / 2
      if (lower < least) return [null, first]
      first = lower
    }
    const { carried, notCarried } = await searchRate(once, {
      from: first,
      tolerance,
      most: this.#bound(first)
    })
    return [carried, notCarried]
  }

  /** Repeats decide again what was found of a rate. @param {number} rate @param {boolean} expected */
  async confirms(rate, expected) {
    const { repeats } = this.#options
    if (repeats === 0) return true
    if (!this.#repeated.has(rate)) {
      let sustained = 0
      for (let i = 0; i < repeats; i++) if (await this.#sustains(rate, 'repeat')) sustained++
      this.#repeated.set(rate, { perSecond: rate, sustained, repeats })
      this.#verdicts.set(rate, sustained * 2 > repeats)
    }
    return this.#verdicts.get(rate) === expected
  }

  /** @param {number | null} low @param {number | null} high @param {boolean} closed @returns {Sustainable} */
  interval(low, high, closed) {
    return { below: this.#confirmed(low), above: this.#confirmed(high), closed }
  }

  /** @param {number | null} rate @returns {Confirmed | null} */
  #confirmed(rate) {
    if (rate === null) return null
    return this.#repeated.get(rate) ?? { perSecond: rate, sustained: 0, repeats: 0 }
  }

  /** @param {number} rate @returns {number | undefined} the highest rate below that was sustained */
  #knownBelow(rate) {
    const below = [...this.#verdicts].filter(([other, sustained]) => sustained && other < rate)
    return below.length === 0 ? undefined : Math.max(...below.map(([other]) => other))
  }

  /** @param {number} rate @returns {number} the lowest rate above that was not sustained */
  #bound(rate) {
    const above = [...this.#verdicts].filter(([other, sustained]) => !sustained && other > rate)
    return Math.min(this.#options.most, ...above.map(([other]) => other))
  }
}
