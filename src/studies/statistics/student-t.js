/**
 * Share of Student's distribution between −t and t (M. Abramowitz, I. A. Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4).
 *
 * @param {number} t
 * @param {number} freedom - degrees of freedom, a whole number ≥ 1
 */
function between(t, freedom) {
  const angle = Math.atan(t / Math.sqrt(freedom))
  const odd = freedom % 2 === 1
  let term = odd ? Math.cos(angle) : 1
  let sum = freedom === 1 ? 0 : term
  for (let place = odd ? 3 : 2; place < freedom; place += 2) {
    term *= (Math.cos(angle) ** 2 * (place - 1)) / place
    sum += term
  }
  return odd ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum
}

/**
 * studentT is the value that Student's distribution is within, to either side of 0, with a confidence.
 *
 * @param {number} freedom - degrees of freedom, a whole number ≥ 1
 * @param {number} [confidence] - above 0, below 1
 * @returns {number}
 */
export function studentT(freedom, confidence = 0.95) {
  let [low, high] = [0, 1e4]
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2
    if (between(middle, freedom) < confidence) low = middle
    else high = middle
  }
  return (low + high) / 2
}
