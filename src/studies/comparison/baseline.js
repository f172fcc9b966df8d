import { baselineRules, judgeRule } from '../../plan/fail-rule.js'
import { compare } from './comparison.js'
import { machineDifferences, serverDifferences } from './environment-differences.js'
import { planDifferences } from './plan-differences.js'

/**
 * @typedef {import('./comparison.js').Side} Side
 * @typedef {import('./comparison.js').SideInfo} SideInfo
 * @typedef {import('../../plan/fail-rule.js').FailRule} FailRule
 * @typedef {import('../../plan/fail-rule.js').Judged} Judged
 * @typedef {import('../../plan/fail-rule.js').RuleVerdict} RuleVerdict
 *
 * @typedef {object} BaselineVerdict
 * @property {RuleVerdict} verdict - of all rules: FAIL if one fails, else N/A if one is open
 * @property {{ label: string, startedAt: string, version: string | null, runs: number }} baseline
 * @property {Judged[]} rules
 */

/** @param {Side} baseline @param {Side} candidate @returns {string | null} */
function otherThing({ results: [before] }, { results: [now] }) {
  const plan = planDifferences(before.plan, now.plan)
  if (plan.length > 0) return `the plans differ in ${plan.map(({ what }) => what).join(', ')}`
  const machine = [...machineDifferences(before.run, now.run), ...serverDifferences(before, now)]
  return machine.length === 0 ? null : `the machines differ in ${machine.map(({ what }) => what).join(', ')}`
}

/** @param {FailRule} rule @param {string} why @returns {Judged} */
const undecided = ({ text, metric }, why) => ({
  text,
  metric,
  verdict: 'N/A',
  why,
  ratio: null,
  interval: null
})

/** @param {readonly Judged[]} rules @returns {RuleVerdict} */
function worst(rules) {
  const verdicts = new Set(rules.map(({ verdict }) => verdict))
  return verdicts.has('FAIL') ? 'FAIL' : verdicts.has('N/A') ? 'N/A' : 'PASS'
}

/**
 * heldAgainst holds runs against a baseline: earlier ones of the same plan on the same machine. Of another plan or another
 * machine a baseline says nothing.
 *
 * @param {Side} baseline
 * @param {Side} candidate
 * @param {readonly FailRule[]} [rules]
 * @returns {BaselineVerdict}
 */
export function heldAgainst(baseline, candidate, rules = baselineRules(baseline.scenario.compared)) {
  const why = otherThing(baseline, candidate)
  const judged =
    why === null
      ? rules.map(rule => judgeRule(rule, compare(baseline, candidate).metrics))
      : rules.map(rule => undecided(rule, why))
  const { startedAt, versions } = baseline.results[0].run
  return {
    verdict: worst(judged),
    baseline: {
      label: baseline.label,
      startedAt,
      version: versions['libp2p-loadtest'] ?? null,
      runs: baseline.results.length
    },
    rules: judged
  }
}
