/**
 * @typedef {object} Peak - of a distribution that was counted in bins
 * @property {number} place - of its highest bin
 * @property {number} from - the first bin of what lies between the valleys beside it
 * @property {number} to - the bin behind the last
 */

/** A peak rises above the higher of the valleys beside it by so much of the highest one. */
const LEAST_PROMINENCE = 0.1
/** And by so many standard deviations of its own count (Poisson), so that chance makes none. */
const BEYOND_CHANCE = 4

/**
 * peaksOf finds the peaks of a distribution by their topographic prominence, in counts smoothed by 1-2-1.
 *
 * @param {readonly number[]} counts - by bin, of equal width
 * @returns {Peak[]} in order; none where nothing was counted
 */
export function peaksOf(counts) {
  const heights = counts.map((count, i) => ((counts[i - 1] ?? 0) + 2 * count + (counts[i + 1] ?? 0)) / 4)
  const highest = Math.max(0, ...heights)
  const tops = heights.flatMap((height, place) => {
    const least = Math.max(LEAST_PROMINENCE * highest, BEYOND_CHANCE * Math.sqrt(height))
    const isTop = height > (heights[place - 1] ?? 0) && height >= (heights[place + 1] ?? 0)
    // the highest one may be of few messages
    return isTop && (place === heights.indexOf(highest) || prominenceOf(heights, place) >= least)
      ? [place]
      : []
  })
  const valleys = tops.slice(1).map((top, i) => lowest(heights, tops[i], top))
  return tops.map((top, i) => ({
    place: highestOf(counts, top),
    from: valleys[i - 1] ?? 0,
    to: valleys[i] ?? counts.length
  }))
}

/** Smoothing can move a top by one bin. @param {readonly number[]} counts @param {number} top */
const highestOf = (counts, top) =>
  [top - 1, top + 1].reduce((best, place) => ((counts[place] ?? 0) > counts[best] ? place : best), top)

/** @param {number[]} heights @param {number} place */
function prominenceOf(heights, place) {
  const valley = (/** @type {1 | -1} */ step) => {
    let least = heights[place]
    for (let at = place + step; ; at += step) {
      // beyond its ends there is nothing
      const height = heights[at] ?? 0
      // of two as high, the first is the higher one
      if (height > heights[place] || (step < 0 && height === heights[place])) return least
      least = Math.min(least, height)
      if (at < 0 || at >= heights.length) return least
    }
  }
  return heights[place] - Math.max(valley(1), valley(-1))
}

/** @param {number[]} heights @param {number} from @param {number} to */
const lowest = (heights, from, to) =>
  from + heights.slice(from, to).indexOf(Math.min(...heights.slice(from, to)))
