/** Of the series, when its argument is at most 1/2: what is left out is below the last bit of the sum. */
const TERMS = 18

/** @param {number} x - from −1/2 to 1/2 */
function series(x) {
  let sum = 1
  for (let term = TERMS; term > 0; term -= 1) sum = 1 + (x * sum) / term
  return sum
}

/**
 * exponential gives e to the power of x in + − × ÷ only, whose results the standard fixes to the last bit; those of `Math.exp` may
 * differ between engines, and with them the outcome of a simulation. It halves x until the series is short, and squares as often.
 *
 * @param {number} x - from −700 to 700
 * @returns {number} with a relative error below 1e-12
 */
export function exponential(x) {
  let halvings = 0
  let part = x
  while (part > 0.5 || part < -0.5) {
    part /= 2
    halvings += 1
  }
  let result = series(part)
  for (let left = halvings; left > 0; left -= 1) result *= result
  return result
}
