import { significant } from '../kit/numbers.js'

/** @typedef {import('../plan/fail-rule.js').Judged} Judged */

/**
 * change writes a ratio as a change: 1.1 is `+10.0 %`.
 *
 * @param {number} ratio - 0 or above; Infinity where nothing bounds it
 */
function change(ratio) {
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
const changeSpan = ({ low, high }) => `${change(low)} … ${change(high)}`

/** percent writes what is known to two digits. @param {number} share */
export const percent = share => `${Number(Math.max(0.1, 100 * share).toPrecision(2))} %`

/**
 * seenWords say what a comparison could have seen.
 *
 * @param {import('../studies/statistics/power.js').Seen} seen
 */
export function seenWords({ pairs, change: smallest, more }) {
  const shown = `with ${pairs} pairs a change below ${percent(smallest)} does not show`
  return more === null ? shown : `${shown}; ${more.pairs} pairs would show ${percent(more.change)}`
}

/**
 * ruleFigures says what a rule was decided by, or why it was not.
 *
 * @param {Judged} rule
 * @returns {string} empty when there is nothing to say
 */
export function ruleFigures({ why, ratio, interval, seen }) {
  const measured =
    ratio === null
      ? []
      : [`measured ${change(ratio)}${interval === null ? '' : ` (${changeSpan(interval)})`}`]
  const said = [...measured, ...(why === null ? [] : [why])].join(', ')
  return seen === null ? said : `${said}: ${seenWords(seen)}`
}
