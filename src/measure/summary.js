/**
 * @typedef {import('./histogram.js').Histogram} Histogram
 * @typedef {import('../result/types.js').Summary} Summary
 * @typedef {import('../result/types.js').Percentile} Percentile
 */

/** QUANTILES that every table shows. */
export const QUANTILES = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, p999: 0.999 }

/** SAMPLES_BEYOND: a percentile with fewer samples beyond it says more about chance than about the server. */
export const SAMPLES_BEYOND = 10

/** Moving the censored operations to infinity may move a percentile by this share before it counts as censored. */
const CENSORED_TOLERANCE = 0.01

/** The generator may add this share of a percentile before it is doubtful. */
const ADDED_SHARE = 0.1

/**
 * summarize reads the figures of a distribution. Censored operations (no reply came: all that is known is that theirs would
 * have taken longer than the time recorded) count at their elapsed time; a figure that would change if they had taken for
 * ever is marked as a lower bound.
 *
 * @param {Histogram} all - every operation, in µs
 * @param {object} [options]
 * @param {Histogram} [options.answered] - those with a reply; default: all of them
 * @param {Histogram} [options.added] - what the load generator added to each
 * @returns {Summary}
 */
export function summarize(all, { answered = all, added } = {}) {
  const censoredCount = all.count - answered.count
  /** @param {number} us @param {boolean} censored @param {number} addedUs @returns {Percentile} */
  const figure = (us, censored, addedUs) => ({
    ms: us / 1000,
    censored,
    doubtful: addedUs > ADDED_SHARE * us
  })
  /** @param {number} share */
  const percentile = share => {
    if (all.count * (1 - share) < SAMPLES_BEYOND - 1e-9) return null
    const us = all.quantile(share)
    const ifNeverAnswered = answered.quantile((share * all.count) / answered.count)
    const censored = !(ifNeverAnswered <= us * (1 + CENSORED_TOLERANCE))
    return figure(us, censored, added?.count ? added.quantile(share) : 0)
  }
  const empty = all.count === 0
  return {
    count: all.count,
    avg: empty
      ? null
      : figure(all.sum / all.count, censoredCount > 0, added?.count ? added.sum / added.count : 0),
    p50: percentile(QUANTILES.p50),
    p90: percentile(QUANTILES.p90),
    p95: percentile(QUANTILES.p95),
    p99: percentile(QUANTILES.p99),
    p999: percentile(QUANTILES.p999),
    max: empty ? null : figure(all.max, censoredCount > 0, 0)
  }
}
