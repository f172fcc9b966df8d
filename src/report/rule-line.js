import { change, changeSpan } from './change.js'

/** @typedef {import('../plan/fail-rule.js').Judged} Judged */

/**
 * ruleFigures says what a rule was decided by, or why it was not.
 *
 * @param {Judged} rule
 * @returns {string} empty when there is nothing to say
 */
export function ruleFigures({ why, ratio, interval }) {
  const measured =
    ratio === null
      ? []
      : [`measured ${change(ratio)}${interval === null ? '' : ` (${changeSpan(interval)})`}`]
  return [...measured, ...(why === null ? [] : [why])].join(', ')
}

/**
 * ruleLine says how a rule came out.
 *
 * @param {Judged} rule
 */
export function ruleLine(rule) {
  const said = ruleFigures(rule)
  return `- ${rule.verdict} ${rule.text}${said === '' ? '' : `: ${said}`}`
}
