/**
 * @typedef {import('../plan/arrivals-option.js').Arrivals} Arrivals
 *
 * @typedef {object} RateShape - a rate that changes over time; times in s since the start
 * @property {(at: number) => number} rateAt - per second
 * @property {(at: number) => number} dueBy - how many are due by then: the integral of the rate
 * @property {(due: number) => number} timeOf - its inverse: when so many are due
 *
 * @typedef {object} Offered - the part of a plan that says how much is due
 * @property {Arrivals} arrivals
 * @property {number} ratePerSecond - of a ramp at its beginning, of a sine on average
 * @property {number | null} durationMs - not null for a rate that changes
 */

/**
 * constantRate is one that does not change.
 *
 * @param {number} perSecond - > 0
 * @returns {RateShape}
 */
const constantRate = perSecond => ({
  rateAt: () => perSecond,
  dueBy: at => perSecond * at,
  timeOf: due => due / perSecond
})

/**
 * rampRate changes evenly from one rate to another, and then stays.
 *
 * @param {number} from - per second, > 0
 * @param {number} to - per second, > 0
 * @param {number} seconds - that the change takes, > 0
 * @returns {RateShape}
 */
export function rampRate(from, to, seconds) {
  const slope = (to - from) / seconds
  const inRamp = ((from + to) / 2) * seconds
  return {
    rateAt: at => (at < seconds ? from + slope * at : to),
    dueBy: at => (at < seconds ? from * at + (slope * at * at) / 2 : inRamp + to * (at - seconds)),
    // the root of the quadratic in the form that does not lose digits where the slope is small
    timeOf: due =>
      due < inRamp
        ? (2 * due) / (from + Math.sqrt(from * from + 2 * slope * due))
        : seconds + (due - inRamp) / to
  }
}

/**
 * stepRates are rates that follow each other, each for as long; the last one above 0 stays.
 *
 * @param {readonly number[]} rates - per second, not all 0
 * @param {number} seconds - of all of them together, > 0
 * @returns {RateShape}
 */
export function stepRates(rates, seconds) {
  const length = seconds / rates.length
  const last = rates.findLast(rate => rate > 0) ?? 0
  const before = [0]
  for (const rate of rates) before.push(before[before.length - 1] + rate * length)
  const all = before[rates.length]
  const stepAt = (/** @type {number} */ at) => Math.min(rates.length - 1, Math.floor(at / length))
  return {
    rateAt: at => (at < seconds ? rates[stepAt(at)] : last),
    dueBy: at =>
      at < seconds
        ? before[stepAt(at)] + rates[stepAt(at)] * (at - stepAt(at) * length)
        : all + last * (at - seconds),
    timeOf: due => {
      if (due >= all) return seconds + (due - all) / last
      const step = before.findIndex((_, i) => before[i + 1] > due)
      return step * length + (due - before[step]) / rates[step]
    }
  }
}

/** The nearest time that a float can tell is found before. */
const HALVINGS = 60

/**
 * sineRate swings about a mean, beginning at it and rising, as the load of a day does.
 *
 * @param {number} mean - per second, > 0
 * @param {number} amplitude - share of the mean, 0 to 1
 * @param {number} period - s, > 0
 * @returns {RateShape}
 */
export function sineRate(mean, amplitude, period) {
  const turn = (2 * Math.PI) / period
  const dueBy = (/** @type {number} */ at) => mean * (at + (amplitude / turn) * (1 - Math.cos(turn * at)))
  return {
    rateAt: at => mean * (1 + amplitude * Math.sin(turn * at)),
    dueBy,
    timeOf: due => {
      // dueBy is never below the mean's line, nor further above it than by the cosine's range
      let latest = due / mean
      let earliest = Math.max(0, latest - (2 * amplitude) / turn)
      for (let i = 0; i < HALVINGS && earliest < latest; i++) {
        const middle = (earliest + latest) / 2
        if (dueBy(middle) < due) earliest = middle
        else latest = middle
      }
      return latest
    }
  }
}

/**
 * rateShapeOf is how the rate of a plan changes.
 *
 * @param {Offered} plan
 * @returns {RateShape | null} null: it is replayed from a file, and no function of time
 */
export function rateShapeOf({ arrivals, ratePerSecond, durationMs }) {
  if (typeof arrivals === 'string') return constantRate(ratePerSecond)
  const seconds = /** @type {number} */ (durationMs) / 1000
  if (arrivals.shape === 'ramp') return rampRate(ratePerSecond, arrivals.toPerSecond, seconds)
  if (arrivals.shape === 'steps') return stepRates(arrivals.ratesPerSecond, seconds)
  if (arrivals.shape === 'sine')
    return sineRate(ratePerSecond, arrivals.amplitude, (arrivals.periodMs ?? seconds * 1000) / 1000)
  return null
}
