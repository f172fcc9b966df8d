// Turns options of `ab` or `--runs` into the document of a comparison, or lists all problems. Also estimates which
// changes the runs can show.
import { stat } from 'node:fs/promises'
import { omitMissing, removeDuplicates } from '../../kit/collections.js'
import { formatCount } from '../../kit/numbers.js'
import { hasSeveralStacks } from '../../libp2p/stacks.js'
import { ALLOW_UNDECIDED, failRulesKind } from '../../plan/fail-rules.js'
import {
  describeRefusedOptions,
  listUsableOptions,
  makeCommandOptions,
  parseOptionText
} from '../../plan/options.js'
import {
  makePlan,
  parseCommandOptions,
  readConfig,
  removeMisplacedOptions,
  splitOptions
} from '../../plan/plan.js'
import { path, wholeNumber } from '../../plan/values.js'
import { findOutputProblems } from '../../report/run-report.js'
import { loadAllScenarios } from '../../scenarios/index.js'
import { addPresets, readCommandWord } from '../../scenarios/presets.js'
import { SATURATION_OPTIONS } from '../../scenarios/saturation.js'
import { estimateDetectableChange } from '../statistics.js'
import { findStudyToResume } from '../study-folders.js'
import { findBaselineProblem, findBaselineProblems } from './baseline.js'
import {
  assertComparable,
  computeMinPairs,
  findPlanDifferences,
  formatPercent,
  MAX_PAIRS
} from './comparison.js'
import { COMPARISON_DOCUMENT, DEFAULT_LABEL, makeComparison } from './comparison-document.js'

/** Assumed scatter of the ratios of pairs, as a share: the real one is not known before the runs. */
const SCATTERS = [0.05, 0.1]

/**
 * describeExpectedPower says, before the runs, which changes they can show.
 *
 * @param {number} pairs
 * @param {number} minPairs - that are needed to decide anything
 */
export function describeExpectedPower(pairs, minPairs) {
  if (pairs < minPairs)
    return `${formatCount(pairs, 'pair')} of runs cannot decide anything: ${minPairs} are needed, so every rule will be UNDECIDED.`
  const shown = SCATTERS.map(
    scatter =>
      `${formatPercent(estimateDetectableChange(pairs, scatter))} (if their ratios scatter by ${formatPercent(scatter)})`
  )
  return `${pairs} pairs of runs show a change of ${shown.join(' or ')}; a smaller one stays undecided.`
}

/**
 * @typedef {import('../../scenarios/index.js').AnyPlan} Plan
 * @typedef {import('../../scenarios/index.js').ComparableScenario} ComparableScenario
 * @typedef {import('../../plan/plan.js').OptionTable} OptionTable
 * @typedef {import('../../plan/plan.js').Output} Output
 * @typedef {import('../../plan/plan.js').Problem} Problem
 */

const GROUP = 'The comparison:'

/**
 * The options of the command. Rules and the default of --runs depend on the figures of the scenario.
 *
 * @param {ComparableScenario} scenario
 * @returns {OptionTable}
 */
function commandOptions({ compared }) {
  const minPairs = computeMinPairs(compared.figures.length)
  return {
    runs: {
      common: true,
      group: GROUP,
      // plans take turns in blocks of two pairs
      default: 2 * Math.ceil(minPairs / 2),
      ...wholeNumber(1, MAX_PAIRS),
      describe: `runs of each plan, in alternating pairs; below ${minPairs}: ratios without a verdict`
    },
    failOn: {
      common: true,
      group: GROUP,
      part: 'output',
      ...failRulesKind(compared),
      describe: `change that causes exit code 3; for example ${compared.example}; can be repeated`
    },
    baseline: {
      common: true,
      group: GROUP,
      part: 'output',
      ...path(),
      describe: 'folder of runs to compare the second plan with; for example a of an earlier ab folder'
    },
    allowUndecided: { ...ALLOW_UNDECIDED, group: GROUP },
    resume: {
      ...SATURATION_OPTIONS.resume,
      group: GROUP,
      describe: 'continue in this ab folder or the latest; complete pairs are not repeated'
    }
  }
}

/** listComparableScenarios lists the scenarios whose plans can be compared. The first one is the default. */
export const listComparableScenarios = async () =>
  addPresets(await loadAllScenarios()).flatMap(scenario =>
    scenario.compared?.commands.length ? [/** @type {ComparableScenario} */ (scenario)] : []
  )

/** Options of both plans, and those that have no use here. @param {ComparableScenario} scenario */
const planOptions = scenario => makeCommandOptions('ab', listUsableOptions(scenario.options))

/** Options that a single plan does not take, with the reason. @param {ComparableScenario} scenario @returns {Record<string, string>} */
const notInAPlan = scenario => ({
  ...Object.fromEntries(
    Object.entries({ ...scenario.options, ...commandOptions(scenario) })
      .filter(([key, { part = 'plan' }]) => part !== 'plan' || key in commandOptions(scenario))
      .map(([key]) => [key, 'cannot be part of a plan here: give it once, for both plans'])
  ),
  ...describeRefusedOptions(scenario.options),
  ...describeRefusedOptions(planOptions(scenario))
})

/** listAbOptions are those of the command with those of both plans. @param {ComparableScenario} scenario @returns {OptionTable} */
export const listAbOptions = scenario => ({
  ...commandOptions(scenario),
  ...listUsableOptions(planOptions(scenario)),
  ...commandOptions(scenario)
})

/** @param {string} word */
const isFile = word =>
  stat(word).then(
    stats => stats.isFile(),
    // options can end with the name of a file, too
    () => !word.startsWith('-') && /\.(ya?ml|json)$/.test(word)
  )

/**
 * @param {string} word
 * @param {Record<string, unknown>} others - options of both plans
 * @param {ComparableScenario} scenario
 * @returns {Promise<{ label: string, problems: Problem[], plan?: Readonly<Plan>, output: Readonly<Output>, saysStock: boolean }>}
 *   `saysStock`: `--stock` was set, to true or false
 */
async function armOf(word, others, scenario) {
  const label = word.trim() === '' ? DEFAULT_LABEL : word.trim()
  const fromFile = await isFile(label)
  const { config: read, problem: unreadable } = fromFile ? await readConfig(label) : {}
  const misplaced = notInAPlan(scenario)
  const file = removeMisplacedOptions(misplaced, read?.options ?? {})
  const { options, words } = fromFile
    ? { options: {}, words: [] }
    : await parseOptionText(word, scenario.options)
  const typed = removeMisplacedOptions(misplaced, options)
  const config = read && { ...read, options: file.remaining }
  const { plan, output, problems = [] } = makePlan(scenario, { ...others, ...typed.remaining }, { config })
  const allowed = "is neither a plan file nor options, such as '--inFlight 4'"
  const strays = words.map(stray => ({ flag: stray, value: '', allowed }))
  return {
    label,
    plan: /** @type {Readonly<Plan> | undefined} */ (plan),
    output,
    saysStock: [others, typed.remaining, file.remaining].some(options => 'stock' in options),
    problems: [
      ...(unreadable === undefined ? [] : [unreadable]),
      ...file.problems.map(problem => ({ ...problem, flag: `${read?.file}: ${problem.flag.slice(2)}` })),
      ...typed.problems,
      ...strays,
      ...problems
    ]
  }
}

/**
 * Makes both plans. Plans with different stacks both run libp2p as published, unless --stock is set: our changes to libp2p differ between
 * stacks.
 *
 * @param {readonly string[]} words
 * @param {Record<string, unknown>} others - options of both plans
 * @param {ComparableScenario} scenario
 */
async function armsOf(words, others, scenario) {
  const arms = await Promise.all(words.map(word => armOf(word, others, scenario)))
  const plans = arms.flatMap(({ plan }) => plan ?? [])
  const isOpen = 'stock' in scenario.options && !arms.some(({ saysStock }) => saysStock)
  if (!isOpen || !hasSeveralStacks(plans)) return arms
  return Promise.all(words.map(word => armOf(word, { ...others, stock: true }, scenario)))
}

/** @param {Plan | undefined} a @param {Plan | undefined} b @param {ComparableScenario} scenario @returns {Problem[]} */
function comparability(a, b, scenario) {
  try {
    if (a !== undefined && b !== undefined) assertComparable(a, b, scenario)
    return []
  } catch (error) {
    return [{ flag: 'plans', value: '', allowed: /** @type {Error} */ (error).message }]
  }
}

/**
 * planAb makes two plans from the command line, or finds all problems.
 *
 * @param {import('../study-views.js').StudyArguments} args
 * @param {import('../study-views.js').PlanningContext} around
 * @returns {Promise<import('../study-views.js').StudyOrProblems<import('./comparison-document.js').ComparisonDocument>>}
 */
export async function planAb({ options, words: typedWords }, { now, findScenario }) {
  const comparable = await listComparableScenarios()
  const named = comparable.find(scenario => readCommandWord(scenario) === typedWords[0])
  const [scenario, words] = named === undefined ? [comparable[0], typedWords] : [named, typedWords.slice(1)]
  const { mine, others } = splitOptions(commandOptions(scenario), options)
  const { own, problems: misread } = parseCommandOptions(commandOptions(scenario), mine)
  const { remaining, problems: unwanted } = removeMisplacedOptions(
    describeRefusedOptions(planOptions(scenario)),
    others
  )
  if (own.resume !== undefined)
    return resumedAb(
      own,
      { scenario, words, options, remaining, problems: [...misread, ...unwanted] },
      findScenario
    )
  const [first = '', second = '', ...more] = words
  const allowed = "must be two: files, or options in quotes such as '--inFlight 4'"
  const amount = words.length === 2 ? [] : [{ flag: 'plans', value: words.join(' '), allowed }]
  const [a, b] = await armsOf([first, second], remaining, scenario)
  const { baseline = null, allowUndecided, runs } = own
  const output = Object.freeze({ ...a.output, baseline, allowUndecided })
  const candidate = b.plan === undefined ? null : { plan: b.plan, scenario, runs }
  // problems of options of both plans are listed once
  const problems = removeDuplicates([
    ...amount,
    ...misread,
    ...unwanted,
    ...a.problems,
    ...(more.length > 0 ? [] : b.problems),
    ...comparability(a.plan, b.plan, scenario),
    ...(await findOutputProblems(output, candidate)),
    ...(await findBaselineProblems(output, findScenario, candidate))
  ])
  if (problems.length > 0 || a.plan === undefined || b.plan === undefined) return { problems }
  const sides = [a, b].map(({ label, plan }) => ({ label, plan: /** @type {Readonly<Plan>} */ (plan) }))
  const document = makeComparison(sides, { now: now(), runs, failOn: own.failOn, baseline })
  return { planned: { document, folder: null, name: `ab-${a.plan.seed}`, output } }
}

/**
 * @param {Record<string, any>} own - options of the command
 * @param {{ scenario: ComparableScenario, words: string[], options: Record<string, unknown>, remaining: Record<string, unknown>,
 *   problems: Problem[] }} asked - `kept`: options of both plans
 * @param {import('../../scenarios/index.js').LoadScenario} find
 * @returns {Promise<import('../study-views.js').StudyOrProblems<import('./comparison-document.js').ComparisonDocument>>}
 */
async function resumedAb(
  { resume, allowUndecided },
  { scenario, words, options, remaining: kept, ...rest },
  find
) {
  const { output: ofPlans, problems: misread } = makePlan(scenario, kept)
  const output = Object.freeze({ ...ofPlans, allowUndecided })
  // rules and baseline are options of the output, but a resumed comparison keeps its own
  const { runs, failOn, baseline, ...table } = scenario.options
  const resumed = await findStudyToResume(resume, {
    outputDir: output.outputDir,
    name: 'ab',
    file: COMPARISON_DOCUMENT,
    fits: ({ sides }) => sides.length > 1 && sides[0].plan.scenario === scenario.name,
    fixed: { options, table, problems: misread }
  })
  const fixedBaseline = 'document' in resumed ? resumed.document.baseline : null
  const problems = [
    ...words.map(word => ({
      flag: 'plans',
      value: word,
      allowed: 'cannot be given with --resume: the folder has them'
    })),
    ...rest.problems,
    ...resumed.problems,
    ...(await findOutputProblems(output)),
    ...(await findBaselineProblems({ baseline: fixedBaseline }, find))
  ]
  if (problems.length > 0 || !('document' in resumed)) return { problems }
  const { document, folder } = resumed
  return { planned: { document, folder, name: 'ab', output } }
}

/**
 * @typedef {import('./comparison-document.js').ComparisonDocument} ComparisonDocument
 * @typedef {import('../../scenarios/index.js').LoadScenario} LoadScenario
 *
 * @typedef {object} RepetitionArguments
 * @property {Readonly<import('../../scenarios/index.js').AnyPlan>} plan
 * @property {Readonly<import('../../plan/plan.js').Output>} output
 * @property {import('../../scenarios/index.js').Scenario} scenario - of the plan
 */

/** @param {string} flag @param {unknown} value @param {string} allowed @returns {Problem} */
const problem = (flag, value, allowed) => ({ flag, value: String(value), allowed })

/** @param {RepetitionArguments} asked */
const unfit = ({ plan, scenario, output: { runs, prometheusPort, ...output } }) =>
  omitMissing([
    scenario.compared === null &&
      problem('--runs', runs, `must be 1: runs of ${plan.scenario} cannot be compared`),
    scenario.endless?.(plan) &&
      problem('--runs', runs, 'must be 1 for a plan that runs until it is interrupted: give --duration'),
    prometheusPort !== null &&
      problem('--prometheus', prometheusPort, 'needs a single run: runs follow one another'),
    output.hdrFile != null && problem('--hdr', output.hdrFile, 'needs a single run: a log is for one'),
    output.deliveriesFile != null &&
      problem('--deliveries', output.deliveriesFile, 'needs a single run: a file is for one')
  ])

/**
 * planRepetition makes the document of a plan that is run several times, or finds the one to resume, or finds all problems.
 *
 * @param {RepetitionArguments} args
 * @param {object} around
 * @param {Date} around.now
 * @param {LoadScenario} around.findScenario
 * @returns {Promise<import('../study-views.js').StudyOrProblems<ComparisonDocument>>}
 */
export async function planRepetition(args, { now, findScenario }) {
  const problems = unfit(args)
  if (problems.length > 0) return { problems }
  const { plan, output } = args
  const { runs, failOn, baseline } = output
  const name = `runs-${plan.scenario}-${plan.seed}`
  if (output.resume !== null) return resumedRepetition(args, { resume: output.resume, name }, findScenario)
  const document = makeComparison([{ label: DEFAULT_LABEL, plan }], { now, runs, failOn, baseline })
  return { planned: { document, folder: null, name, output } }
}

/**
 * Resumes repeated runs. More runs can be added, and rules and baseline can be changed.
 *
 * @param {RepetitionArguments} asked
 * @param {{ resume: string | true, name: string }} which - `name`: of its folder
 * @param {LoadScenario} findScenario
 * @returns {ReturnType<typeof planRepetition>}
 */
async function resumedRepetition({ plan, scenario, output }, { resume, name }, findScenario) {
  const { outputDir, runs, failOn, baseline } = output
  const resumed = await findStudyToResume(resume, {
    ...{ outputDir, name, file: COMPARISON_DOCUMENT },
    fits: ({ sides }) => sides.length === 1
  })
  if (!('document' in resumed)) return resumed
  const { document, folder } = resumed
  const [side] = document.sides
  const differing = findPlanDifferences(side.plan, /** @type {any} */ (plan)).map(({ what }) => what)
  if (differing.length > 0)
    return refusal(
      problem('--resume', folder, `contains runs of another plan: they differ in ${differing.join(', ')}`)
    )
  if (runs < side.runs.length)
    return refusal(problem('--runs', runs, `must be at least ${side.runs.length}, as in ${folder}`))
  side.runs.push(...Array(runs - side.runs.length).fill(null))
  document.baseline = baseline ?? document.baseline
  if (failOn !== null) document.failOn = failOn.map(({ text }) => text)
  // a baseline of the command line was checked with the other options
  const missing =
    baseline === null && document.baseline !== null
      ? await findBaselineProblem(document.baseline, findScenario, { plan, scenario, runs })
      : null
  if (missing !== null) return refusal(missing)
  return { planned: { document, folder, name, output } }
}

/** @param {Problem} problem @returns {{ problems: Problem[] }} */
const refusal = problem => ({ problems: [problem] })
