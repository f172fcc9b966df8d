import { significant } from '../kit/numbers.js'

/**
 * change writes a ratio as a change: 1.1 is `+10.0 %`.
 *
 * @param {number} ratio - 0 or above; Infinity where nothing bounds it
 */
export function change(ratio) {
  const percent = 100 * (ratio - 1)
  if (ratio === Infinity) return 'any more'
  if (ratio === 0) return 'any less'
  const size = Math.abs(percent)
  return `${percent < 0 ? '−' : '+'}${size < 99.95 ? size.toFixed(1) : significant(size)} %`
}

/**
 * changeSpan writes an interval of ratios as one of changes.
 *
 * @param {{ low: number, high: number }} interval
 */
export const changeSpan = ({ low, high }) => `${change(low)} … ${change(high)}`
