import { countUpTo, roundWidth, TAIL } from '../../../../report/plots/bins.js'

/**
 * @typedef {import('../../../../measure/histogram.js').Histogram} Histogram
 *
 * @typedef {object} SharedBins
 * @property {number[]} edges - ms, ascending, of equal width; one more than bins
 * @property {number[][]} counts - of each histogram, by bin
 * @property {number[]} beyond - of each histogram: values larger than the last edge
 */

const MOST_BINS = 60

/**
 * sharedBins counts the values of several histograms in the same bins of a round width, so that they can be drawn over one another.
 *
 * @param {Histogram[]} histograms - with values in them
 * @returns {SharedBins}
 */
export function sharedBins(histograms) {
  const endMs = Math.max(
    0.001,
    ...histograms.map(each => Math.min(each.max, TAIL * each.quantile(0.9)) / 1000)
  )
  const width = roundWidth(endMs / MOST_BINS)
  const edges = Array.from({ length: Math.ceil(endMs / width - 1e-9) + 1 }, (_, place) =>
    Number((place * width).toPrecision(9))
  )
  const upTo = histograms.map(each => edges.slice(1).map(edge => countUpTo(each, edge * 1000)))
  return {
    edges,
    counts: upTo.map(sums => sums.map((sum, place) => sum - (sums[place - 1] ?? 0))),
    beyond: histograms.map((each, i) => each.count - (upTo[i].at(-1) ?? 0))
  }
}
