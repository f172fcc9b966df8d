import { sumOf } from '../../../kit/lists.js'

/**
 * hopFigures are average, maximum and standard deviation of a distribution of hops.
 *
 * @param {readonly number[]} counts - by hops
 * @returns {{ avg: number, max: number, sd: number } | null} null: there is nothing in it
 */
export function hopFigures(counts) {
  const total = sumOf(counts)
  if (total === 0) return null
  const weighted = counts.reduce((sum, count, hops) => sum + count * hops, 0)
  const avg = weighted / total
  const squares = counts.reduce((sum, count, hops) => sum + count * (hops - avg) ** 2, 0)
  return { avg, sd: Math.sqrt(squares / total), max: counts.findLastIndex(count => count > 0) }
}
