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

/** A figure is doubtful when its bracket is wider than this share of it. */
const WIDEST_BRACKET = 0.1

/**
 * @typedef {object} Less - histograms of the same operations, in µs
 * @property {Histogram} least - each less all that generator and machine added to it
 * @property {Histogram} lessMachine - each less what the machine added
 */

/**
 * bracketed gives a figure its bracket: from what it would be without all that was added to each operation, to what was measured. It
 * says who made it wide: the machine, where half of the width or more goes with what the machine added.
 *
 * @param {number} us - the figure as it was measured
 * @param {number} leastUs - the same figure of `least`
 * @param {number} lessMachineUs - and of `lessMachine`
 * @returns {Pick<Percentile, 'doubtful' | 'lowMs' | 'cause'>}
 */
export function bracketed(us, leastUs, lessMachineUs) {
  const lowMs = Math.min(us, leastUs) / 1000
  const widthUs = us - leastUs
  if (!(widthUs > WIDEST_BRACKET * us)) return { doubtful: false, lowMs }
  return { doubtful: true, lowMs, cause: us - lessMachineUs >= widthUs / 2 ? 'machine' : 'generator' }
}

/**
 * summarize reads the figures of a distribution. Censored operations (no reply came: all that is known is that theirs would
 * have taken longer than the time recorded) count at their elapsed time; a figure that would change if they had taken for
 * ever is marked as a lower bound. What it gives knows other percentiles too, see percentileAt: no document has those.
 *
 * @param {Histogram} all - every operation, in µs
 * @param {object} [options]
 * @param {Histogram} [options.answered] - those with a reply; default: all of them
 * @param {Less} [options.less] - for the brackets of its figures; default: it has none
 * @returns {Summary}
 */
export function summarize(all, { answered = all, less } = {}) {
  const censoredCount = all.count - answered.count
  /** @param {number} us @param {(histogram: Histogram) => number} read @returns {Pick<Percentile, 'doubtful' | 'lowMs' | 'cause'>} */
  const bracketOf = (us, read) => {
    if (less === undefined) return { doubtful: false }
    // of other operations than the figure is
    if (less.least.count !== all.count) return { doubtful: true, cause: 'unknown' }
    return bracketed(us, read(less.least), read(less.lessMachine))
  }
  /** @param {boolean} censored @param {(histogram: Histogram) => number} read @returns {Percentile} */
  const figure = (censored, read) => {
    const us = read(all)
    return { ms: us / 1000, censored, ...bracketOf(us, read) }
  }
  /** @param {number} share */
  const percentile = share => {
    if (!isSure(share, all.count)) return null
    const us = all.quantile(share)
    const ifNeverAnswered = answered.quantile((share * all.count) / answered.count)
    const censored = !(ifNeverAnswered <= us * (1 + CENSORED_TOLERANCE))
    return figure(censored, histogram => histogram.quantile(share))
  }
  const empty = all.count === 0
  const summary = {
    count: all.count,
    avg: empty ? null : figure(censoredCount > 0, ({ sum, count }) => sum / count),
    p50: percentile(QUANTILES.p50),
    p90: percentile(QUANTILES.p90),
    p95: percentile(QUANTILES.p95),
    p99: percentile(QUANTILES.p99),
    p999: percentile(QUANTILES.p999),
    max: empty ? null : { ms: all.max / 1000, censored: censoredCount > 0, doubtful: false }
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
