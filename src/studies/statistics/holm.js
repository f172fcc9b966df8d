/**
 * holm adjusts the p values of several tests, so that the chance of finding anything at all where there is nothing stays
 * below the level that the adjusted values are held against (S. Holm, Scand. J. Statist. 6 (1979) 65–70).
 *
 * @param {readonly number[]} ps
 * @returns {number[]} in the same order
 */
export function holm(ps) {
  const ascending = ps.map((p, place) => ({ p, place })).toSorted((a, b) => a.p - b.p)
  /** @type {number[]} */
  const adjusted = new Array(ps.length)
  let least = 0
  for (const [rank, { p, place }] of ascending.entries()) {
    least = Math.max(least, Math.min(1, (ps.length - rank) * p))
    adjusted[place] = least
  }
  return adjusted
}
