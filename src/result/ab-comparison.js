import { compare } from './comparison/comparison.js'
import { judgeRule, readFailRule } from './comparison/fail-rule.js'
import { readAbSides } from './sides.js'

/**
 * @typedef {import('./comparison/comparison.js').Comparison} Comparison
 * @typedef {import('./comparison/comparison.js').Side} Side
 * @typedef {import('./comparison/fail-rule.js').FailRule} FailRule
 */

/**
 * withRules judges a comparison by rules.
 *
 * @param {Comparison} comparison
 * @param {readonly FailRule[]} rules
 * @returns {Comparison}
 */
export const withRules = (comparison, rules) => ({
  ...comparison,
  rules: rules.map(rule => judgeRule(rule, comparison.metrics))
})

/**
 * compareAb compares the two plans of an ab folder over its complete pairs of runs, by the rules it was made with.
 *
 * @param {string} folder
 * @returns {Promise<{ comparison: Comparison, sides: [Side, Side] }>}
 * @throws {import('./read-result.js').ResultFileError}
 */
export async function compareAb(folder) {
  const { a, b, failOn } = await readAbSides(folder)
  const rules = failOn.map(readFailRule).flatMap(read => ('value' in read ? [read.value] : []))
  return { comparison: withRules(compare(a, b, { alternated: true }), rules), sides: [a, b] }
}
