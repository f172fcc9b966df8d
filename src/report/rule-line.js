import { change, changeSpan } from './change.js'

/** @typedef {import('../plan/fail-rule.js').Judged} Judged */

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
