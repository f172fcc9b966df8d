import { ruleFigures } from '../rule-line.js'

/** @type {Readonly<Record<import('../../plan/fail-rule.js').RuleVerdict, import('./checks.js').CheckVerdict>>} */
const VERDICTS = { PASS: 'pass', FAIL: 'fail', UNDECIDED: 'undecided' }

/**
 * ruleChecks say how rules of a comparison came out.
 *
 * @param {string} group
 * @param {readonly import('../../plan/fail-rule.js').Judged[]} rules
 * @returns {import('./checks.js').Check[]}
 */
export const ruleChecks = (group, rules) =>
  rules.map(rule => ({
    group,
    // a rule says when it fails
    name: `fails if ${rule.text}`,
    verdict: VERDICTS[rule.verdict],
    found: ruleFigures(rule)
  }))
