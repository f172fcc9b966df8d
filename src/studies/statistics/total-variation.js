import { sumOf } from '../../kit/lists.js'

/** @param {readonly number[]} counts */
const total = counts => sumOf(counts)

/**
 * totalVariation is the distance of two discrete distributions: the share of the one that would have to be moved to make it the
 * other, half the sum of the differences of all shares.
 *
 * @param {readonly number[]} a - counts; not all 0
 * @param {readonly number[]} b - counts of the same values; what one has more of at its end, the other has none of
 * @returns {number} 0 to 1
 */
export function totalVariation(a, b) {
  const [ofA, ofB] = [total(a), total(b)]
  const places = Array.from({ length: Math.max(a.length, b.length) }, (_, place) => place)
  return total(places.map(place => Math.abs((a[place] ?? 0) / ofA - (b[place] ?? 0) / ofB))) / 2
}
