import { baselineRules, judgeRule, readFailRule, undecided } from '../../plan/fail-rule.js'
import { compare } from './comparison.js'
import { machineDifferences, planDifferences, serverDifferences } from './differences.js'

/**
 * @typedef {import('./comparison.js').Side} Side
 * @typedef {import('./comparison.js').SideInfo} SideInfo
 * @typedef {import('../../plan/fail-rule.js').FailRule} FailRule
 * @typedef {import('../../plan/fail-rule.js').Judged} Judged
 * @typedef {import('../../plan/fail-rule.js').RuleVerdict} RuleVerdict
 *
 * @typedef {object} BaselineVerdict
 * @property {RuleVerdict} verdict - of all rules: FAIL if one fails, else UNDECIDED if one is open
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

/** @param {readonly Judged[]} rules @returns {RuleVerdict} */
function worst(rules) {
  const verdicts = new Set(rules.map(({ verdict }) => verdict))
  return verdicts.has('FAIL') ? 'FAIL' : verdicts.has('UNDECIDED') ? 'UNDECIDED' : 'PASS'
}

/**
 * failRulesOf are the rules that runs were asked to be judged by.
 *
 * @param {{ failOn: readonly string[] }} document - rules as they were given
 * @param {import('../../measure/figure.js').Comparable} compared - what its runs are compared by
 */
export const failRulesOf = ({ failOn }, compared) =>
  failOn.flatMap(text => {
    const read = readFailRule(text, compared)
    return 'value' in read ? [read.value] : []
  })

/**
 * heldAgainst holds runs against a baseline: earlier ones of the same plan on the same machine. Of another plan or another
 * machine a baseline says nothing.
 *
 * @param {Side} baseline
 * @param {Side} candidate
 * @param {readonly FailRule[]} [rules] - none: nothing may have become worse
 * @returns {BaselineVerdict}
 */
export function heldAgainst(baseline, candidate, rules = []) {
  const asked = rules.length > 0 ? rules : baselineRules(baseline.scenario.compared, baseline.results[0].plan)
  const why = otherThing(baseline, candidate)
  const metrics = why === null ? compare(baseline, candidate).metrics : []
  const judged = asked.map(rule => (why === null ? judgeRule(rule, metrics) : undecided(rule, why)))
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
