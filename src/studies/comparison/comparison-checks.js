import { baselineLine } from '../../report/baseline-lines.js'
import { ruleChecks } from '../../report/ci/rule-checks.js'
import { isMissed } from './ab-thresholds.js'

/**
 * @typedef {import('./baseline.js').BaselineVerdict} BaselineVerdict
 * @typedef {import('./comparison.js').Comparison} Comparison
 * @typedef {import('./ab-comparison.js').AbComparison} AbComparison
 * @typedef {import('../../report/ci/checks.js').Check} Check
 */

/**
 * baselineChecks say how runs stand against their baseline.
 *
 * @param {BaselineVerdict | null} held - null: there is none
 * @returns {Check[]}
 */
export const baselineChecks = held =>
  held === null
    ? []
    : ruleChecks('baseline', held.rules).map(check => ({ ...check, because: baselineLine(held) }))

/** @param {AbComparison['thresholds'][number]} threshold @returns {Check} */
const armCheck = threshold => ({
  group: `thresholds of ${threshold.arm.toUpperCase()}`,
  name: threshold.text,
  verdict: isMissed(threshold) ? 'fail' : 'pass',
  found: `holds in ${threshold.passed} of ${threshold.runs} runs`
})

/**
 * comparisonChecks are what a comparison was held to.
 *
 * @param {Comparison & Partial<AbComparison>} comparison
 * @returns {Check[]}
 */
export const comparisonChecks = ({ rules, thresholds = [], baseline = null }) => [
  ...ruleChecks('rules', rules),
  ...baselineChecks(baseline),
  ...thresholds.map(armCheck)
]
