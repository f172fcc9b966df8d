/**
 * @typedef {import('../../measure/histogram.js').Histogram} Histogram
 *
 * @typedef {object} Bin
 * @property {number} from - ms
 * @property {number} to
 * @property {number} count
 *
 * @typedef {object} Bins
 * @property {Bin[]} bins - ascending, of equal width; empty where nothing was counted
 * @property {number} beyond - values larger than all of them
 */

const MOST_BINS = 50

/** Fewer show no shape. */
const FEWEST_BINS = 8

/** TAIL: a few values beyond this many times p90 would leave no room for the others. */
export const TAIL = 3

/**
 * countUpTo counts the values that are no larger than a limit.
 *
 * @param {Histogram} histogram
 * @param {number} us
 * @returns {number}
 */
export function countUpTo(histogram, us) {
  let [least, most] = [0, histogram.count]
  while (least < most) {
    const rank = Math.ceil((least + most) / 2)
    // a quarter of a rank below it, so that no rounding leads to the next
    if (histogram.quantile((rank - 0.25) / histogram.count) <= us) least = rank
    else most = rank - 1
  }
  return least
}

/**
 * roundWidth is the width of bins that reads well.
 *
 * @param {number} ms - wanted width of a bin
 * @returns {number} the next of 1, 2, 5, 10 …
 */
export function roundWidth(ms) {
  const decade = 10 ** Math.floor(Math.log10(ms))
  return decade * ([1, 2, 5].find(factor => factor * decade >= ms * 0.999) ?? 10)
}

/**
 * binned counts the values of a histogram in bins of a round width.
 *
 * @param {Histogram} histogram
 * @param {number} [most] - bins
 * @returns {Bins}
 */
export function binned(histogram, most = MOST_BINS) {
  if (histogram.count === 0) return { bins: [], beyond: 0 }
  const endMs = Math.max(0.001, Math.min(histogram.max, TAIL * histogram.quantile(0.9)) / 1000)
  const beginMs = histogram.quantile(0) / 1000
  const width = roundWidth(Math.max(0.001, endMs - beginMs) / most)
  const first = Math.floor(beginMs / width)
  const last = Math.max(first, Math.ceil(endMs / width - 1e-9) - 1)
  /** @param {number} place */
  const edge = place => Number((place * width).toPrecision(9))
  /** @type {Bin[]} */
  const bins = []
  let below = 0
  for (let place = first; place <= last; place++) {
    // each begins with its first value: what is on an edge belongs to the bin above, and the last one has its own end too
    const limit = edge(place + 1) * 1000 - (place === last ? 0 : 0.5)
    const upTo = countUpTo(histogram, limit)
    bins.push({ from: edge(place), to: edge(place + 1), count: upTo - below })
    below = upTo
  }
  return { bins, beyond: histogram.count - below }
}

/**
 * binnedToDraw counts them in as many bins as there is something to see in: at most twice the square root of how many values there are.
 *
 * @param {Histogram} histogram
 */
export const binnedToDraw = histogram =>
  binned(histogram, Math.min(MOST_BINS, Math.max(FEWEST_BINS, Math.ceil(2 * Math.sqrt(histogram.count)))))
