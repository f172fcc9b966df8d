import { MISSING } from '../kit/numbers.js'

/**
 * share writes a part as a percentage that reads 100 only when nothing is missing: `99.99` where rounding would hide a lost one.
 *
 * @param {number} part
 * @param {number} whole
 * @returns {string} `–` of nothing
 */
export function share(part, whole) {
  if (whole === 0) return MISSING
  if (part === whole) return '100'
  if (part === 0) return '0'
  const hundredths = Math.floor((part / whole) * 1e4)
  return hundredths === 0 ? '< 0.01' : (hundredths / 100).toFixed(2)
}
