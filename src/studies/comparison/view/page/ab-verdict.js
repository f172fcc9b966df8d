import { present } from '../../../../kit/lists.js'
import { baselineLine } from '../../../../report/baseline-lines.js'
import { bad, good, mind, statement } from '../../../../report/page/verdict.js'
import { ruleFigures } from '../../../../report/rule-line.js'
import { isMissed } from '../../ab-thresholds.js'
import { isMarked, shown, thresholdCount } from '../comparison-page.js'

/**
 * @typedef {import('../../ab-comparison.js').AbRead} AbRead
 * @typedef {import('../../../../plan/fail-rule.js').RuleVerdict} RuleVerdict
 * @typedef {import('../../../../report/page/verdict.js').Statement} Statement
 */

/** RULE_TONES are those of what a rule came to. @type {Readonly<Record<RuleVerdict, Statement['tone']>>} */
export const RULE_TONES = { PASS: 'good', FAIL: 'bad', UNDECIDED: 'mind' }

/** @param {AbRead} ab @returns {Statement} */
function completeness({ document: { status, reason, pairs }, comparison }) {
  const all = `${pairs.length} ${pairs.length === 1 ? 'pair' : 'pairs'}`
  if (status === 'complete') return good(`Complete: ${all} of runs were measured, in turn.`, 'pairs')
  const why = reason === null ? 'it was ended from outside' : reason.message
  return bad(`Partial: ${comparison.pairs} of ${all} of runs are complete: ${why}.`, 'pairs')
}

/** @param {AbRead} ab @returns {Statement[]} */
const rules = ({ comparison: { rules, baseline } }) =>
  present([
    ...rules.map(rule =>
      statement(RULE_TONES[rule.verdict])(
        `${rule.verdict}, fail on ${rule.text}: ${ruleFigures(rule)}.`,
        'rules'
      )
    ),
    baseline !== null && statement(RULE_TONES[baseline.verdict])(`${baselineLine(baseline)}.`, 'rules')
  ])

/** @param {AbRead} ab @returns {Statement[]} */
function thresholds({ comparison: { thresholds } }) {
  if (thresholds.length === 0) return []
  const missed = thresholds.filter(isMissed)
  if (missed.length === 0) return [good('All thresholds held in every run.', 'rules')]
  return missed.map(threshold => bad(`Threshold of ${thresholdCount(threshold)}.`, 'rules'))
}

/** Parameters of a plan that choose generations of libp2p. */
const STACKS = new Set(['stack', 'serverStack'])

/** Whether a version is that of a package: with other generations of libp2p come other packages. @param {string} what */
const isOfStack = what => what !== 'libp2p-loadtest' && what !== 'node'

/** @param {AbRead} ab @returns {Statement[]} */
function stacks({ comparison: { differences } }) {
  const named = differences.plan.filter(({ what }) => STACKS.has(what))
  if (named.length === 0) return []
  const each = named.map(({ what, base, candidate }) => `${what} ${shown(base)} and ${shown(candidate)}`)
  return [
    good(
      `Two generations of libp2p are compared, as asked: ${each.join('; ')}. Their packages are below.`,
      'about'
    )
  ]
}

/** @param {AbRead} ab @returns {Statement[]} */
function doubts({ comparison: { compared, metrics, differences } }) {
  const stacks = differences.plan.filter(({ what }) => STACKS.has(what))
  const versions = differences.versions.filter(({ what }) => stacks.length === 0 || !isOfStack(what))
  const others = [...differences.machine, ...versions]
  return present([
    isMarked(metrics) &&
      mind(`Figures marked * are doubtful: ${compared.doubtful('them', ', and')}`, 'figures'),
    others.length > 0 &&
      mind(`The two sides also differ in ${others.map(({ what }) => what).join(', ')}.`, 'about')
  ])
}

/**
 * abVerdict says what a comparison of two plans is worth, and what came of the rules it was held to.
 *
 * @param {AbRead} ab
 * @returns {Statement[]}
 */
export const abVerdict = ab => [
  completeness(ab),
  ...stacks(ab),
  ...rules(ab),
  ...thresholds(ab),
  ...doubts(ab)
]
