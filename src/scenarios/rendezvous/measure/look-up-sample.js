/** So many registrations are looked up at most: 0 missing of them prove that fewer than 0.03 % of all are. */
const MOST_LOOKED_UP = 10_000

/**
 * drawPlaces draws places among `count` without returning any (Fisher–Yates, as far as they are needed), all of them where they are
 * few, in random order.
 *
 * @param {number} count
 * @param {() => number} random
 * @param {number} [most]
 * @returns {number[]}
 */
export function drawPlaces(count, random, most = MOST_LOOKED_UP) {
  /** @type {Map<number, number>} what stands at a place, where that is not its own number */
  const moved = new Map()
  const at = (/** @type {number} */ place) => moved.get(place) ?? place
  return Array.from({ length: Math.min(count, most) }, (_, first) => {
    const place = first + Math.floor(random() * (count - first))
    const drawn = at(place)
    moved.set(place, at(first))
    return drawn
  })
}
