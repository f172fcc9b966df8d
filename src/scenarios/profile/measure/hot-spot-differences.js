/**
 * @typedef {import('./hot-spots.js').HotSpots} HotSpots
 * @typedef {import('./category.js').Category} Category
 *
 * @typedef {object} HotSpotDifference
 * @property {Category} category
 * @property {{ selfShare: number, totalShare: number }} base
 * @property {{ selfShare: number, totalShare: number }} candidate
 * @property {number} selfPoints - percentage points that the candidate spends more than the base
 * @property {number} totalPoints
 */

const NOTHING = { selfShare: 0, totalShare: 0 }

/** @param {HotSpots} hotSpots */
const byCategory = ({ categories }) =>
  new Map(categories.map(({ category, selfShare, totalShare }) => [category, { selfShare, totalShare }]))

/**
 * hotSpotDifferences says by how many percentage points two runs differ in what their time was spent on.
 *
 * @param {Pick<HotSpots, 'categories'>} base
 * @param {Pick<HotSpots, 'categories'>} candidate
 * @returns {HotSpotDifference[]} the greatest difference in self time first, whichever way it goes
 */
export function hotSpotDifferences(base, candidate) {
  const [before, after] = [base, candidate].map(hotSpots => byCategory(/** @type {HotSpots} */ (hotSpots)))
  return [...new Set([...before.keys(), ...after.keys()])]
    .map(category => {
      const [was, is] = [before.get(category) ?? NOTHING, after.get(category) ?? NOTHING]
      return {
        category,
        base: was,
        candidate: is,
        selfPoints: 100 * (is.selfShare - was.selfShare),
        totalPoints: 100 * (is.totalShare - was.totalShare)
      }
    })
    .sort((a, b) => Math.abs(b.selfPoints) - Math.abs(a.selfPoints) || (a.category < b.category ? -1 : 1))
}
