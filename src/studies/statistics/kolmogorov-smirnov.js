/**
 * kolmogorovSmirnov is the distance of two distributions: the largest difference between the share of the one and the share of the
 * other that lies at or below a value (A. N. Kolmogorov, 1933; N. V. Smirnov, 1939).
 *
 * With a tolerance, values that lie so far apart at most count as the same: the largest share of either that has to be moved by more
 * than the tolerance to make it the other one. It is the distance for what steps at a few values, where a step that comes a trifle
 * later would otherwise count as much as one that is missing.
 *
 * @param {readonly number[]} a - ascending, at least one
 * @param {readonly number[]} b - ascending, at least one
 * @param {number} [tolerance] - ≥ 0, in the unit of the values
 * @returns {number} 0 to 1
 */
export const kolmogorovSmirnov = (a, b, tolerance = 0) =>
  Math.max(0, most(a, b, tolerance), most(b, a, tolerance))

/**
 * The largest lead of one distribution over another: its share at or below a value, less the other's at or below a value a little larger.
 * It is largest at a value of the leading one.
 *
 * @param {readonly number[]} leading
 * @param {readonly number[]} other
 * @param {number} tolerance
 */
function most(leading, other, tolerance) {
  let lead = 0
  let passed = 0
  for (const [place, value] of leading.entries()) {
    while (passed < other.length && other[passed] <= value + tolerance) passed++
    lead = Math.max(lead, (place + 1) / leading.length - passed / other.length)
  }
  return lead
}
