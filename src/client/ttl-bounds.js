/** Times to live that some server is known to take, the specification's default and its upper bound first. */
const LIKELY_SECONDS = [7200, 259_200, 86_400, 3600, 600, 120, 60, 10]
const YEAR_SECONDS = 365 * 86_400

/**
 * @typedef {object} TtlBounds
 * @property {number} minSeconds - the shortest time to live that was taken
 * @property {number} maxSeconds - the longest that was; a year is not gone beyond
 */

/**
 * findTtlBounds finds the times to live that a server takes, by halving: some forty attempts.
 *
 * @param {(ttlSeconds: number) => Promise<boolean>} takes - tries one
 * @returns {Promise<TtlBounds | null>} null: none of those that are likely was taken
 */
export async function findTtlBounds(takes) {
  for (const taken of LIKELY_SECONDS)
    if (await takes(taken))
      return {
        minSeconds: await nearest(takes, taken, 0),
        maxSeconds: await nearest(takes, taken, YEAR_SECONDS + 1)
      }
  return null
}

/**
 * The one that is taken and nearest to one that is not.
 *
 * @param {(ttlSeconds: number) => Promise<boolean>} takes
 * @param {number} taken
 * @param {number} refused - not tried
 */
async function nearest(takes, taken, refused) {
  while (Math.abs(taken - refused) > 1) {
    const middle = Math.floor((taken + refused) / 2)
    if (await takes(middle)) taken = middle
    else refused = middle
  }
  return taken
}
