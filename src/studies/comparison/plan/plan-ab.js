import { stat } from 'node:fs/promises'
import { counted } from '../../../kit/numbers.js'
import { differInStack } from '../../../libp2p/stacks.js'
import { readCommandOptions, splitOptions, withoutMisplaced } from '../../../plan/command-options.js'
import { readConfig } from '../../../plan/config-file.js'
import { failRules } from '../../../plan/fail-rules.js'
import { ALLOW_UNDECIDED } from '../../../plan/gate-options.js'
import { once } from '../../../plan/once.js'
import { optionsIn, refusedOf, takenOf } from '../../../plan/option.js'
import { readOptionText } from '../../../plan/option-text.js'
import { makePlan } from '../../../plan/plan.js'
import { path, wholeNumber } from '../../../plan/values.js'
import { outputProblems } from '../../../report/output-file.js'
import { percent } from '../../../report/rule-line.js'
import { allScenarios } from '../../../scenarios/index.js'
import { withPresets, wordOf } from '../../../scenarios/presets.js'
import { SATURATION_OPTIONS } from '../../../scenarios/saturation-options.js'
import { baselineProblems } from '../../baseline-problem.js'
import { findResumed } from '../../resumed.js'
import { smallestShown } from '../../statistics/power.js'
import { leastPairs, MOST_PAIRS } from '../compare-metrics.js'
import { assertComparable } from '../comparison.js'
import { AS_IT_IS, COMPARISON_DOCUMENT, newComparison } from '../comparison-document.js'

/** How far the ratios of pairs may scatter, as a share: it is not known before they are run. */
const SCATTERS = [0.05, 0.1]

/**
 * expectedPower says, before anything is run, what pairs of runs can show.
 *
 * @param {number} pairs
 * @param {number} least - that are needed to decide anything
 */
export function expectedPower(pairs, least) {
  if (pairs < least)
    return `${counted(pairs, 'pair')} of runs cannot decide anything: ${least} are needed, so every rule will be UNDECIDED.`
  const shown = SCATTERS.map(
    scatter => `${percent(smallestShown(pairs, scatter))} (if their ratios scatter by ${percent(scatter)})`
  )
  return `${pairs} pairs of runs show a change of ${shown.join(' or ')}; a smaller one stays undecided.`
}

/**
 * @typedef {import('../differences.js').Plan} Plan
 * @typedef {import('../../../scenarios/scenario.js').ComparableScenario} ComparableScenario
 * @typedef {import('../../../plan/read-options.js').OptionTable} OptionTable
 * @typedef {import('../../../plan/plan.js').Output} Output
 * @typedef {import('../../../plan/read-options.js').Problem} Problem
 */

const GROUP = 'The comparison:'

/**
 * The options of the command itself; what can decide follows from what runs of the scenario are compared by.
 *
 * @param {ComparableScenario} scenario
 * @returns {OptionTable}
 */
function commandOptions({ compared }) {
  const least = leastPairs(compared.figures.length)
  return {
    runs: {
      common: true,
      group: GROUP,
      // plans take turns in blocks of two pairs
      default: 2 * Math.ceil(least / 2),
      ...wholeNumber(1, MOST_PAIRS),
      describe: `runs of each plan, in pairs that take turns; fewer than ${least} give ratios, but no verdict`
    },
    failOn: {
      common: true,
      group: GROUP,
      part: 'output',
      ...failRules(compared),
      describe: `what makes the exit code 3, such as ${compared.example}; can be repeated`
    },
    baseline: {
      common: true,
      group: GROUP,
      part: 'output',
      ...path(),
      describe:
        'folder of earlier repeated runs to hold those of the second plan against, such as the arm a of an ab folder'
    },
    allowUndecided: { ...ALLOW_UNDECIDED, group: GROUP },
    resume: {
      ...SATURATION_OPTIONS.resume,
      group: GROUP,
      describe: 'go on in this ab folder, or the latest one: complete pairs are not run again'
    }
  }
}

/** comparableScenarios are those of which two plans are compared; the first is meant where none is named. */
export const comparableScenarios = async () =>
  withPresets(await allScenarios()).flatMap(scenario =>
    scenario.compared?.commands.length ? [/** @type {ComparableScenario} */ (scenario)] : []
  )

/** Options of both plans, and those that have no use here. @param {ComparableScenario} scenario */
const planOptions = scenario => optionsIn('ab', takenOf(scenario.options))

/** What holds for the whole comparison is no part of a plan. @param {ComparableScenario} scenario @returns {Record<string, string>} */
const notInAPlan = scenario => ({
  ...Object.fromEntries(
    Object.entries({ ...scenario.options, ...commandOptions(scenario) })
      .filter(([key, { part = 'plan' }]) => part !== 'plan' || key in commandOptions(scenario))
      .map(([key]) => [key, 'is no part of a plan here: give it beside both plans'])
  ),
  ...refusedOf(scenario.options),
  ...refusedOf(planOptions(scenario))
})

/** abOptions are those of the command with those of both plans. @param {ComparableScenario} scenario @returns {OptionTable} */
export const abOptions = scenario => ({
  ...commandOptions(scenario),
  ...takenOf(planOptions(scenario)),
  ...commandOptions(scenario)
})

/** @param {string} word */
const isFile = word =>
  stat(word).then(
    found => found.isFile(),
    // options can end with the name of a file, too
    () => !word.startsWith('-') && /\.(ya?ml|json)$/.test(word)
  )

/**
 * @param {string} word
 * @param {Record<string, unknown>} others - options of both plans
 * @param {ComparableScenario} scenario
 * @returns {Promise<{ label: string, problems: Problem[], plan?: Readonly<Plan>, output: Readonly<Output>, saysStock: boolean }>}
 *   `saysStock`: whether its nodes are to be libp2p as published, or not
 */
async function armOf(word, others, scenario) {
  const label = word.trim() === '' ? AS_IT_IS : word.trim()
  const fromFile = await isFile(label)
  const { config: read, problem: unreadable } = fromFile ? await readConfig(label) : {}
  const misplaced = notInAPlan(scenario)
  const file = withoutMisplaced(misplaced, read?.options ?? {})
  const { options, words } = fromFile
    ? { options: {}, words: [] }
    : await readOptionText(word, scenario.options)
  const typed = withoutMisplaced(misplaced, options)
  const config = read && { ...read, options: file.kept }
  const { plan, output, problems = [] } = makePlan(scenario, { ...others, ...typed.kept }, { config })
  const allowed = "is neither a plan file nor options, such as '--inFlight 4'"
  const strays = words.map(stray => ({ flag: stray, value: '', allowed }))
  return {
    label,
    plan: /** @type {Readonly<Plan> | undefined} */ (plan),
    output,
    saysStock: [others, typed.kept, file.kept].some(given => 'stock' in given),
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
 * Both arms. What of libp2p is changed here is not the same on all stacks: where they differ, both are libp2p as published, unless
 * something else is said.
 *
 * @param {readonly string[]} words
 * @param {Record<string, unknown>} others - options of both plans
 * @param {ComparableScenario} scenario
 */
async function armsOf(words, others, scenario) {
  const asked = await Promise.all(words.map(word => armOf(word, others, scenario)))
  const plans = asked.flatMap(({ plan }) => plan ?? [])
  const isOpen = 'stock' in scenario.options && !asked.some(({ saysStock }) => saysStock)
  if (!isOpen || !differInStack(plans)) return asked
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
 * planAb makes two plans from the command line, or names all that is wrong.
 *
 * @param {import('../../study-door.js').Asked} args
 * @param {import('../../study-door.js').Around} around
 * @returns {Promise<import('../../study-door.js').MadeStudy<import('../comparison-document.js').ComparisonDocument>>}
 */
export async function planAb({ options, words: given }, { now, findScenario }) {
  const comparable = await comparableScenarios()
  const named = comparable.find(scenario => wordOf(scenario) === given[0])
  const [scenario, words] = named === undefined ? [comparable[0], given] : [named, given.slice(1)]
  const { mine, others } = splitOptions(commandOptions(scenario), options)
  const { own, problems: misread } = readCommandOptions(commandOptions(scenario), mine)
  const { kept, problems: unwanted } = withoutMisplaced(refusedOf(planOptions(scenario)), others)
  if (own.resume !== undefined)
    return resumed(own, { scenario, words, options, kept, problems: [...misread, ...unwanted] }, findScenario)
  const [first = '', second = '', ...more] = words
  const allowed = "must be two: files, or options in quotes such as '--inFlight 4'"
  const amount = words.length === 2 ? [] : [{ flag: 'plans', value: words.join(' '), allowed }]
  const [a, b] = await armsOf([first, second], kept, scenario)
  const { baseline = null, allowUndecided, runs } = own
  const output = Object.freeze({ ...a.output, baseline, allowUndecided })
  const held = b.plan === undefined ? null : { plan: b.plan, scenario, runs }
  // what is wrong with options of both plans is said once
  const problems = once([
    ...amount,
    ...misread,
    ...unwanted,
    ...a.problems,
    ...(more.length > 0 ? [] : b.problems),
    ...comparability(a.plan, b.plan, scenario),
    ...(await outputProblems(output, held)),
    ...(await baselineProblems(output, findScenario, held))
  ])
  if (problems.length > 0 || a.plan === undefined || b.plan === undefined) return { problems }
  const sides = [a, b].map(({ label, plan }) => ({ label, plan: /** @type {Readonly<Plan>} */ (plan) }))
  const document = newComparison(sides, { now: now(), runs, failOn: own.failOn, baseline })
  return { planned: { document, folder: null, name: `ab-${a.plan.seed}`, output } }
}

/**
 * @param {Record<string, any>} own - options of the command
 * @param {{ scenario: ComparableScenario, words: string[], options: Record<string, unknown>, kept: Record<string, unknown>,
 *   problems: Problem[] }} asked - `kept`: options of both plans
 * @param {import('../../../scenarios/index.js').FindScenario} find
 * @returns {Promise<import('../../study-door.js').MadeStudy<import('../comparison-document.js').ComparisonDocument>>}
 */
async function resumed({ resume, allowUndecided }, { scenario, words, options, kept, ...asked }, find) {
  const { output: ofPlans, problems: misread } = makePlan(scenario, kept)
  const output = Object.freeze({ ...ofPlans, allowUndecided })
  // rules and baseline are no part of a plan, and of what was asked for all the same
  const { runs, failOn, baseline, ...table } = scenario.options
  const found = await findResumed(resume, {
    outputDir: output.outputDir,
    name: 'ab',
    file: COMPARISON_DOCUMENT,
    fits: ({ sides }) => sides.length > 1 && sides[0].plan.scenario === scenario.name,
    fixed: { options, table, problems: misread }
  })
  const held = 'document' in found ? found.document.baseline : null
  const problems = [
    ...words.map(word => ({
      flag: 'plans',
      value: word,
      allowed: 'cannot be given with --resume: the folder has them'
    })),
    ...asked.problems,
    ...found.problems,
    ...(await outputProblems(output)),
    ...(await baselineProblems({ baseline: held }, find))
  ]
  if (problems.length > 0 || !('document' in found)) return { problems }
  const { document, folder } = found
  return { planned: { document, folder, name: 'ab', output } }
}
