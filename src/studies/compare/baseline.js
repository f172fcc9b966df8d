// Judges runs by a baseline: earlier runs of the same plan. Also checks whether a repeated simulation gave the identical
// result.
import { judgeRule, makeBaselineRules, makeUndecidedRule, parseFailRule } from '../../plan/fail-rules.js'
import { ResultFileError } from '../../report/read-result.js'
import { makePlanCommandLine } from '../../report/run-report.js'
import { DETERMINISTIC_KEYS } from '../../scenarios/gossip/figures.js'
import { readEngine } from '../../simulator/simulation-settings.js'
import {
  comparePairs,
  computeMinPairsOfPlan,
  findMachineDifferences,
  findPlanDifferences,
  findServerDifferences,
  findVersionDifferences,
  formatDifferences
} from './comparison.js'
import { readSide } from './sides.js'

/**
 * @typedef {import('./comparison.js').Side} Side
 * @typedef {import('../../plan/fail-rules.js').FailRule} FailRule
 * @typedef {import('../../plan/fail-rules.js').JudgedRule} JudgedRule
 * @typedef {import('../../plan/fail-rules.js').RuleVerdict} RuleVerdict
 *
 * @typedef {object} BaselineVerdict
 * @property {RuleVerdict} verdict - of all rules: FAIL if one fails, else UNDECIDED if one is open
 * @property {{ label: string, startedAt: string, version: string | null, runs: number }} baseline
 * @property {JudgedRule[]} rules
 */

/** @param {Side} baseline @param {Side} candidate @returns {string | null} */
function otherThing({ results: [before] }, { results: [now] }) {
  const plan = findPlanDifferences(before.plan, now.plan)
  if (plan.length > 0) return `the plans differ in ${plan.map(({ what }) => what).join(', ')}`
  const machine = [...findMachineDifferences(before.run, now.run), ...findServerDifferences(before, now)]
  return machine.length === 0 ? null : `the machines differ in ${machine.map(({ what }) => what).join(', ')}`
}

/** @param {readonly JudgedRule[]} rules @returns {RuleVerdict} */
function worst(rules) {
  const verdicts = new Set(rules.map(({ verdict }) => verdict))
  return verdicts.has('FAIL') ? 'FAIL' : verdicts.has('UNDECIDED') ? 'UNDECIDED' : 'PASS'
}

/**
 * readFailRules reads the rules of a comparison.
 *
 * @param {{ failOn: readonly string[] }} document - rules as typed
 * @param {import('../../measure/figure.js').Comparable} compared - the figures of its scenario
 */
export const readFailRules = ({ failOn }, compared) =>
  failOn.flatMap(text => {
    const read = parseFailRule(text, compared)
    return 'value' in read ? [read.value] : []
  })

/**
 * judgeByBaseline judges runs by a baseline. All rules are undecided if the baseline is of another plan or another machine.
 *
 * @param {Side} baseline
 * @param {Side} candidate
 * @param {readonly FailRule[]} [rules] - empty: no figure may become worse
 * @returns {BaselineVerdict}
 */
export function judgeByBaseline(baseline, candidate, rules = []) {
  const effectiveRules =
    rules.length > 0 ? rules : makeBaselineRules(baseline.scenario.compared, baseline.results[0].plan)
  const why = otherThing(baseline, candidate)
  const metrics = why === null ? comparePairs(baseline, candidate).metrics : []
  const judged = effectiveRules.map(rule =>
    why === null ? judgeRule(rule, metrics) : makeUndecidedRule(rule, why)
  )
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

/**
 * @typedef {import('../../plan/plan.js').Problem} Problem
 * @typedef {import('../../scenarios/index.js').AnyPlan} AnyPlan
 * @typedef {import('../../scenarios/index.js').LoadScenario} LoadScenario
 *
 * @typedef {object} BaselineCandidate - runs that are compared with a baseline
 * @property {AnyPlan} plan
 * @property {import('../../scenarios/index.js').Scenario} scenario - of the plan
 * @property {number} runs - of it
 */

/** @param {BaselineCandidate} held */
const repeated = ({ plan, scenario }) =>
  `${makePlanCommandLine(plan, scenario)} --runs ${computeMinPairsOfPlan(scenario, plan)}`

/**
 * @param {string} path
 * @param {import('./sides.js').LoadedSide} side
 * @param {BaselineCandidate} candidate
 * @returns {string | null} why the baseline decides nothing, with the command that makes another one
 */
function undecidable(path, { results }, candidate) {
  if (candidate.runs < 2)
    return `needs repeated runs, one cannot decide: ${repeated(candidate)} --baseline ${path}, or ab, whose runs take turns`
  const differing = findPlanDifferences(results[0].plan, /** @type {any} */ (candidate.plan))
  const what = differing.map(({ what }) => what).join(', ')
  if (differing.length > 0)
    return `is of another plan, the plans differ in ${what}: make one of this plan with ${repeated(candidate)}`
  if (results.length < 2)
    return `contains a single run, which cannot decide: make one with ${repeated(candidate)}`
  return null
}

/**
 * findBaselineProblem says, before any run, why a baseline cannot be used.
 *
 * @param {string} path
 * @param {LoadScenario} find
 * @param {BaselineCandidate | null} candidate - null: it is not known yet
 * @returns {Promise<Problem | null>}
 */
export async function findBaselineProblem(path, find, candidate) {
  try {
    const side = await readSide(path, find)
    const allowed = candidate === null ? null : undecidable(path, side, candidate)
    return allowed === null ? null : { flag: '--baseline', value: path, allowed }
  } catch (error) {
    if (!(error instanceof ResultFileError)) throw error
    const { file, why } = error
    return { flag: '--baseline', value: path, allowed: file === path ? why : `${file} ${why}` }
  }
}

/**
 * findBaselineProblems does the same for the baseline of the output options, if there is one.
 *
 * @param {{ baseline: string | null }} output
 * @param {LoadScenario} find
 * @param {BaselineCandidate | null} [candidate] - null: it is not known yet
 * @returns {Promise<Problem[]>}
 */
export async function findBaselineProblems({ baseline }, find, candidate = null) {
  const problem = baseline === null ? null : await findBaselineProblem(baseline, find, candidate)
  return problem === null ? [] : [problem]
}

/**
 * @typedef {import('../../scenarios/index.js').AnyResult} AnyResult
 *
 * @typedef {object} RepetitionVerdict - whether a run has the result of the run that it repeats
 * @property {boolean | null} same - null: they cannot be compared
 * @property {string} line
 */

const MAX_DIFFERENCES_NAMED = 5

/** @param {AnyResult} result @returns {string | null} of all deliveries; null: a run in real time, which never has the same result twice */
const digestOf = ({ outcome }) => /** @type {{ digest?: string }} */ (outcome).digest ?? null

/**
 * Numbers that differ between two parts of outcomes.
 *
 * @param {unknown} one
 * @param {unknown} other
 * @param {string} path
 * @returns {string[]}
 */
function differing(one, other, path) {
  if (Object.is(one, other)) return []
  const deep = [one, other].every(part => typeof part === 'object' && part !== null)
  if (!deep) return typeof one === 'number' || typeof other === 'number' ? [`${path} ${one} → ${other}`] : []
  const [ours, theirs] = [one, other].map(part => /** @type {Record<string, unknown>} */ (part))
  return Object.keys({ ...ours, ...theirs }).flatMap(key =>
    differing(ours[key], theirs[key], `${path}.${key}`)
  )
}

/** @param {AnyResult} before @param {AnyResult} again */
function whatDiffers(before, again) {
  const [one, other] = [before, again].map(({ outcome }) => /** @type {Record<string, unknown>} */ (outcome))
  const all = DETERMINISTIC_KEYS.flatMap(part => differing(one[part], other[part], part))
  if (all.length === 0) return 'the times of single deliveries'
  const more = all.length - MAX_DIFFERENCES_NAMED
  return `${all.slice(0, MAX_DIFFERENCES_NAMED).join('; ')}${more > 0 ? `; ${more} more` : ''}`
}

/**
 * compareRepetition says whether a run in virtual time has the same result as the run that it repeats: it compares the digests of all deliveries, if
 * code and engine are the same.
 *
 * @param {AnyResult} before
 * @param {AnyResult} again
 * @returns {RepetitionVerdict | null} null: it is a run in real time
 */
export function compareRepetition(before, again) {
  const [was, is] = [before, again].map(digestOf)
  if (was === null || is === null) return null
  const versions = findVersionDifferences(before.run, again.run)
  const unknown = (/** @type {string} */ why) => ({
    same: null,
    line: `cannot be compared with ${before.id}: ${why}`
  })
  if (before.status !== 'complete' || again.status !== 'complete') return unknown('not both are complete')
  if (versions.length > 0) return unknown(`other versions, ${formatDifferences(versions)}`)
  if (readEngine(was) !== readEngine(is))
    return unknown(`simulated by other engines, ${readEngine(was)} → ${readEngine(is)}`)
  if (was === is) return { same: true, line: `the same as ${before.id}: digest ${is}` }
  return {
    same: false,
    line: `not the same as ${before.id}, digest ${was} → ${is}: ${whatDiffers(before, again)}`
  }
}
