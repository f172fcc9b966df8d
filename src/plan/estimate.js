import { sumOf } from '../kit/lists.js'

/**
 * remainingMs says how long what is left takes, going by how long the rows so far took beside their estimates.
 *
 * @param {{ estimateMs: number, tookMs: number }[]} done
 * @param {number[]} left - estimates
 * @returns {number} ms
 */
export function remainingMs(done, left) {
  const sum = (/** @type {number[]} */ numbers) => sumOf(numbers)
  const pace =
    done.length === 0 ? 1 : sum(done.map(({ tookMs }) => tookMs)) / sum(done.map(row => row.estimateMs))
  return sum(left) * pace
}
