/**
 * @typedef {import('./histogram.js').Histogram} Histogram
 * @typedef {import('../result/types.js').Summary} Summary
 * @typedef {import('../result/types.js').Percentile} Percentile
 */

/** QUANTILES that every table shows. */
export const QUANTILES = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, p999: 0.999 }

/** SAMPLES_BEYOND: a percentile with fewer samples beyond it says more about chance than about the server. */
export const SAMPLES_BEYOND = 10

/**
 * isSure says whether a percentile has enough samples beyond it.
 *
 * @param {number} share - below it
 * @param {number} count - of samples
 */
export const isSure = (share, count) => count * (1 - share) >= SAMPLES_BEYOND - 1e-9

/** CENSORED_TOLERANCE: moving the censored operations to infinity may move a percentile by this share before it counts as censored. */
export const CENSORED_TOLERANCE = 0.01

/**
 * summarize reads the figures of a distribution. Censored operations (no reply came: all that is known is that theirs would
 * have taken longer than the time recorded) count at their elapsed time; a figure that would change if they had taken for
 * ever is marked as a lower bound. What it gives knows other percentiles too, see percentileAt: no document has those.
 *
 * @param {Histogram} all - every operation, in µs
 * @param {object} [options]
 * @param {Histogram} [options.answered] - those with a reply; default: all of them
 * @param {import('./overhead.js').Overheads} [options.overheads] - of the same operations, for the client overhead at each percentile; default:
 *   that is not known, as where they are of other operations
 * @returns {Summary}
 */
export function summarize(all, { answered = all, overheads } = {}) {
  const censoredCount = all.count - answered.count
  const known = overheads?.count === all.count ? overheads : null
  /** @param {number} us */
  const overheadAt = us => {
    const overheadUs = known?.near(us) ?? null
    return overheadUs === null ? {} : { overheadMs: overheadUs / 1000 }
  }
  /** @param {number} share */
  const percentile = share => {
    if (!isSure(share, all.count)) return null
    const us = all.quantile(share)
    const ifNeverAnswered = answered.quantile((share * all.count) / answered.count)
    const censored = !(ifNeverAnswered <= us * (1 + CENSORED_TOLERANCE))
    return { ms: us / 1000, censored, ...overheadAt(us) }
  }
  const empty = all.count === 0
  const summary = {
    count: all.count,
    avg: empty ? null : { ms: all.sum / all.count / 1000, censored: censoredCount > 0 },
    p50: percentile(QUANTILES.p50),
    p90: percentile(QUANTILES.p90),
    p95: percentile(QUANTILES.p95),
    p99: percentile(QUANTILES.p99),
    p999: percentile(QUANTILES.p999),
    max: empty ? null : { ms: all.max / 1000, censored: censoredCount > 0 }
  }
  return Object.defineProperty(summary, 'at', { value: percentile })
}

/**
 * percentileAt is another percentile of a distribution, as long as that is not read from a result.
 *
 * @param {Summary} summary - as summarize gave it
 * @param {number} share - 0: the least
 * @returns {Percentile | null | undefined} null: too few samples; undefined: it is read from a result
 */
export const percentileAt = (summary, share) =>
  /** @type {{ at?: (share: number) => Percentile | null }} */ (summary).at?.(share)
