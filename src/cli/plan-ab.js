import { stat } from 'node:fs/promises'
import { failRules } from '../plan/fail-rules.js'
import { makePlan } from '../plan/plan.js'
import { wholeNumber } from '../plan/values.js'
import { GOSSIP_COMPARED } from '../scenarios/gossip/figures.js'
import { GOSSIP } from '../scenarios/gossip/scenario.js'
import { OPTIONS } from '../scenarios/rendezvous/plan/options.js'
import { RENDEZVOUS } from '../scenarios/rendezvous/scenario.js'
import { MOST_PAIRS } from '../studies/comparison/compare-metrics.js'
import { assertComparable } from '../studies/comparison/comparison.js'
import { readOptionText } from './arguments.js'
import { readCommandOptions, splitOptions, withoutMisplaced } from './command-options.js'
import { readConfig } from './config-file.js'
import { pathProblems } from './plan-from-arguments.js'

/**
 * @typedef {import('../studies/comparison/plan-differences.js').Plan} Plan
 * @typedef {'rendezvous' | 'gossip'} ComparedScenario - whose results can be compared
 * @typedef {import('../plan/plan.js').Output} Output
 * @typedef {import('../plan/read-options.js').Problem} Problem
 * @typedef {import('../plan/fail-rule.js').FailRule} FailRule
 *
 * @typedef {{ label: string, plan: Readonly<Plan> }} PlannedArm
 *
 * @typedef {object} PlannedAb
 * @property {ComparedScenario} scenario - of both plans
 * @property {Record<'a' | 'b', PlannedArm>} arms
 * @property {number} runs - of each plan
 * @property {readonly FailRule[]} failOn
 * @property {string | null} baseline
 * @property {Readonly<Output>} output
 */

const GROUP = 'The comparison:'

/** AB_OWN are the options of the command itself. */
export const AB_OWN = Object.freeze({
  runs: {
    group: GROUP,
    default: 8,
    ...wholeNumber(1, MOST_PAIRS),
    describe: 'runs of each plan, in pairs that take turns; fewer than 8 give ratios, but no verdict'
  },
  failOn: {
    ...OPTIONS.failOn,
    group: GROUP,
    describe: 'what makes the exit code 3, such as "p99 > +10%" or "throughput < -5%"; can be repeated'
  },
  baseline: {
    ...OPTIONS.baseline,
    group: GROUP,
    describe:
      'folder of earlier repeated runs to hold those of the second plan against, such as the arm a of an ab folder'
  }
})

/** AB_GOSSIP_OWN are those of the command for plans of a gossip network, which has more metrics. */
export const AB_GOSSIP_OWN = Object.freeze({
  runs: {
    ...AB_OWN.runs,
    default: 10,
    describe: 'runs of each plan, in pairs that take turns; fewer than 9 give ratios, but no verdict'
  },
  failOn: {
    ...AB_OWN.failOn,
    ...failRules(GOSSIP_COMPARED),
    describe:
      'what makes the exit code 3, such as "latency.p99 > +10%" or "deliveryRatio < -1%"; can be repeated'
  },
  baseline: AB_OWN.baseline
})

/** Those whose results can be compared. */
const SCENARIOS = Object.freeze({ rendezvous: RENDEZVOUS, gossip: GOSSIP })

/** @type {Readonly<Record<ComparedScenario, import('../plan/read-options.js').OptionTable>>} */
const OWN = Object.freeze({ rendezvous: AB_OWN, gossip: AB_GOSSIP_OWN })

/** Options of a run that have no use here. @type {Readonly<Record<string, string>>} */
const NOT_HERE = Object.freeze({
  config: 'has no use here: name the file as a plan',
  strict: 'has no use here: doubtful figures are marked in the comparison',
  prometheus: 'has no use here: runs follow one another'
})

/** What holds for the whole comparison is no part of a plan. @param {ComparedScenario} scenario @returns {Record<string, string>} */
const notInAPlan = scenario => ({
  ...Object.fromEntries(
    Object.entries({ ...SCENARIOS[scenario].options, ...OWN[scenario] })
      .filter(([key, { part = 'plan' }]) => part !== 'plan' || key in OWN[scenario])
      .map(([key]) => [key, 'is no part of a plan here: give it beside both plans'])
  ),
  ...NOT_HERE
})

/** Options of the command with those of both plans. @param {ComparedScenario} scenario */
function optionsOf(scenario) {
  const { config, strict, prometheus, failOn, baseline, ...shared } = SCENARIOS[scenario].options
  return Object.freeze({ ...OWN[scenario], ...shared })
}

/** AB_OPTIONS are those of the command with those of both plans. */
export const AB_OPTIONS = optionsOf('rendezvous')

/** AB_GOSSIP_OPTIONS are those for plans of a gossip network. */
export const AB_GOSSIP_OPTIONS = optionsOf('gossip')

/** @param {string} word */
const isFile = word =>
  stat(word).then(
    found => found.isFile(),
    () => /\.(ya?ml|json)$/.test(word)
  )

/**
 * @param {string} word
 * @param {Record<string, unknown>} others - options of both plans
 * @param {ComparedScenario} scenario
 * @returns {Promise<{ label: string, problems: Problem[], plan?: Readonly<Plan>, output: Readonly<Output> }>}
 */
async function armOf(word, others, scenario) {
  const label = word.trim() === '' ? 'as it is' : word.trim()
  const fromFile = await isFile(label)
  const { config: read, problem: unreadable } = fromFile ? await readConfig(label) : {}
  const misplaced = notInAPlan(scenario)
  const file = withoutMisplaced(misplaced, read?.options ?? {})
  const { options, words } = fromFile
    ? { options: {}, words: [] }
    : await readOptionText(word, SCENARIOS[scenario].options)
  const typed = withoutMisplaced(misplaced, options)
  const config = read && { ...read, options: file.kept }
  const {
    plan,
    output,
    problems = []
  } = makePlan(SCENARIOS[scenario], { ...others, ...typed.kept }, { config })
  const strays = words.map(stray => ({
    flag: stray,
    value: '',
    allowed: "is neither a plan file nor options, such as '--inFlight 4'"
  }))
  return {
    label,
    plan: /** @type {Readonly<Plan> | undefined} */ (plan),
    output,
    problems: [
      ...(unreadable === undefined ? [] : [unreadable]),
      ...file.problems.map(problem => ({ ...problem, flag: `${read?.file}: ${problem.flag.slice(2)}` })),
      ...typed.problems,
      ...strays,
      ...problems
    ]
  }
}

/** @param {Plan | undefined} a @param {Plan | undefined} b @param {ComparedScenario} scenario @returns {Problem[]} */
function comparability(a, b, scenario) {
  try {
    if (a !== undefined && b !== undefined) assertComparable(a, b, SCENARIOS[scenario])
    return []
  } catch (error) {
    return [{ flag: 'plans', value: '', allowed: /** @type {Error} */ (error).message }]
  }
}

/** What is wrong with options of both plans is said once. @param {Problem[]} problems */
const once = problems => [...new Map(problems.map(problem => [JSON.stringify(problem), problem])).values()]

/**
 * planAb makes two plans from the command line, or names all that is wrong.
 *
 * @param {import('./arguments.js').Arguments} args
 * @param {import('../scenarios/index.js').FindScenario} find
 * @returns {Promise<{ planned: PlannedAb } | { problems: Problem[] }>}
 */
export async function planAb({ options, words: given }, find) {
  const scenario = given[0] === 'gossip' ? 'gossip' : 'rendezvous'
  const words = scenario === 'gossip' ? given.slice(1) : given
  const { mine, others } = splitOptions(OWN[scenario], options)
  const { own, problems: misread } = readCommandOptions(OWN[scenario], mine)
  const { kept, problems: unwanted } = withoutMisplaced(NOT_HERE, others)
  const [first = '', second = '', ...more] = words
  const amount =
    words.length === 2
      ? []
      : [
          {
            flag: 'plans',
            value: words.join(' '),
            allowed: "must be two: files, or options in quotes such as '--inFlight 4'"
          }
        ]
  const [a, b] = await Promise.all([first, second].map(word => armOf(word, kept, scenario)))
  const output = Object.freeze({ ...a.output, baseline: own.baseline ?? null })
  const problems = once([
    ...amount,
    ...misread,
    ...unwanted,
    ...a.problems,
    ...(more.length > 0 ? [] : b.problems),
    ...comparability(a.plan, b.plan, scenario),
    ...(await pathProblems(output, find))
  ])
  if (problems.length > 0 || a.plan === undefined || b.plan === undefined) return { problems }
  const arms = { a: { label: a.label, plan: a.plan }, b: { label: b.label, plan: b.plan } }
  return {
    planned: { scenario, arms, runs: own.runs, failOn: own.failOn ?? [], baseline: output.baseline, output }
  }
}
