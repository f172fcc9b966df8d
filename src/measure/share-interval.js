/** The standard normal distribution has 95 % within so many standard deviations. */
const Z_95 = 1.959964

/**
 * shareInterval gives what a count among a random sample says of the share in all, with 95 % confidence. Where nothing was found it is
 * the exact upper bound, 1 − 0.05^(1/n), which the rule of three (3/n) stands for; otherwise Wilson's interval (E. B. Wilson, JASA 22,
 * 1927), which holds for small counts too.
 *
 * @param {number} count - found
 * @param {number} of - sample size, > 0
 * @returns {{ low: number, high: number }} shares, 0 to 1
 */
export function shareInterval(count, of) {
  if (count === 0) return { low: 0, high: 1 - 0.05 ** (1 / of) }
  const share = count / of
  const z2 = Z_95 ** 2 / of
  const middle = share + z2 / 2
  const half = Math.sqrt(z2 * (share * (1 - share) + z2 / 4))
  return { low: Math.max(0, (middle - half) / (1 + z2)), high: Math.min(1, (middle + half) / (1 + z2)) }
}
