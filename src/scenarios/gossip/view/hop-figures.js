import { sumOf } from '../../../kit/lists.js'

/**
 * hopFigures are average and maximum of a distribution of hops.
 *
 * @param {readonly number[]} counts - by hops
 * @returns {{ avg: number, max: number } | null} null: there is nothing in it
 */
export function hopFigures(counts) {
  const total = sumOf(counts)
  if (total === 0) return null
  const weighted = counts.reduce((sum, count, hops) => sum + count * hops, 0)
  return { avg: weighted / total, max: counts.findLastIndex(count => count > 0) }
}
