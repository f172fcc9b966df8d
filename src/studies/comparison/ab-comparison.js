import { judgeRule } from '../../plan/fail-rule.js'
import { armThresholds, isMissed } from './ab-thresholds.js'
import { failRulesOf } from './baseline.js'
import { compare } from './comparison.js'
import { readAbSides } from './sides.js'

/**
 * @typedef {import('./comparison.js').Comparison} Comparison
 * @typedef {import('./comparison.js').Side} Side
 * @typedef {import('../../plan/fail-rule.js').FailRule} FailRule
 * @typedef {import('./baseline.js').BaselineVerdict} BaselineVerdict
 * @typedef {import('./ab-thresholds.js').ArmThreshold} ArmThreshold
 * @typedef {import('./ab-folder.js').AbDocument} AbDocument
 *
 * @typedef {Comparison & { thresholds: ArmThreshold[], baseline: BaselineVerdict | null }} AbComparison - of the two plans of an
 *   ab folder; `baseline`: how the second one stands against earlier runs, null: it was not asked for
 *
 * @typedef {object} AbRead - what an ab folder holds
 * @property {AbDocument} document
 * @property {AbComparison} comparison
 * @property {[Side, Side]} sides
 */

/**
 * withRules judges a comparison by rules.
 *
 * @template {Comparison} T
 * @param {T} comparison
 * @param {readonly FailRule[]} rules
 * @returns {T}
 */
export const withRules = (comparison, rules) => ({
  ...comparison,
  rules: rules.map(rule => judgeRule(rule, comparison.metrics))
})

/**
 * compareAb compares the two plans of an ab folder over its complete pairs of runs, by the rules it was made with.
 *
 * @param {string} folder
 * @param {import('../../scenarios/index.js').FindScenario} find
 * @returns {Promise<AbRead>}
 * @throws {import('../../result/read-result.js').ResultFileError}
 */
export async function compareAb(folder, find) {
  const { a, b, document } = await readAbSides(folder, find)
  const comparison = {
    ...compare(a, b, { alternated: true }),
    thresholds: armThresholds({ a: a.results, b: b.results }),
    baseline: document.held
  }
  return {
    document,
    comparison: withRules(comparison, failRulesOf(document, a.scenario.compared)),
    sides: [a, b]
  }
}

/**
 * isFailed says whether a comparison fails what it was asked to: a rule, the baseline, or a threshold of a run.
 *
 * @param {Comparison & Partial<AbComparison>} comparison
 */
export const isFailed = ({ rules, thresholds = [], baseline = null }) =>
  rules.some(({ verdict }) => verdict === 'FAIL') || thresholds.some(isMissed) || baseline?.verdict === 'FAIL'

/**
 * isUndecided says whether a comparison leaves open what it was asked.
 *
 * @param {Comparison & Partial<AbComparison>} comparison
 */
export const isUndecided = ({ rules, baseline = null }) =>
  [...rules, ...(baseline === null ? [] : [baseline])].some(({ verdict }) => verdict === 'UNDECIDED')
