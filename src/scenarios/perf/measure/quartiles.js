/**
 * quantile is the value below which a share of sorted ones lies, between two neighbours in proportion.
 *
 * @param {readonly number[]} sorted - ascending, at least one
 * @param {number} share - 0 to 1
 */
function quantile(sorted, share) {
  const at = share * (sorted.length - 1)
  const below = Math.floor(at)
  return sorted[below] + (at - below) * ((sorted[below + 1] ?? sorted[below]) - sorted[below])
}

/**
 * quartiles sum up samples, as box plots show them.
 *
 * @param {readonly number[]} values
 * @returns {{ count: number, min: number, q1: number, median: number, q3: number, max: number } | null} null: there are none
 */
export function quartiles(values) {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const at = (/** @type {number} */ share) => quantile(sorted, share)
  return { count: values.length, min: at(0), q1: at(0.25), median: at(0.5), q3: at(0.75), max: at(1) }
}
