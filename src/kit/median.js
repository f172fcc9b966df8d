/**
 * median is the value in the middle, or the mean of the two in the middle.
 *
 * @param {readonly number[]} values
 * @returns {number} NaN of no values
 */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
