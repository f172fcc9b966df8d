// The plan of a saturation study.

import { withoutRepeats } from '../../kit/collections.js'
import { withoutAgents } from '../../plan/agents.js'
import { makePlan, readCommandOptions, splitOptions, withoutMisplaced } from '../../plan/plan.js'
import { defaultOf } from '../../plan/schema.js'
import { outputProblems } from '../../report/run-report.js'
import { MOST_PER_SECOND } from '../../scenarios/saturation.js'
import { newHead } from '../study.js'
import { findResumed } from '../study-folders.js'
import { networkAsked } from './capacity.js'
import { lowestRate, objectiveOf, objectiveProblem, secondsNeeded } from './objective.js'
import { SATURATION_DOCUMENT } from './saturation-document.js'
import { gridCells, RATE_TOLERANCE } from './search.js'
import { newTrial, SATURATED } from './trials.js'

/**
 * @typedef {import('../../plan/plan.js').Problem} Problem
 * @typedef {import('../../plan/plan.js').OptionTable} OptionTable
 * @typedef {import('./saturation-document.js').Head} Head
 */

/**
 * @template {Head} D
 * @typedef {object} TrialsToPlan
 * @property {import('../../scenarios/index.js').FindScenario} findScenario
 * @property {string} scenario
 * @property {Readonly<Record<string, string>>} notHere - options of a run that have no use, and what to do instead
 * @property {OptionTable} own - options of the command
 * @property {Problem[]} misread - problems with its words
 * @property {string} name - of its folders, after the time and before the seed
 * @property {import('../study.js').StudyFile<D>} file
 * @property {(document: D) => boolean} [fits] - whether a document is one of what is asked for
 * @property {(own: Record<string, any>, options: Record<string, unknown>) => { document: D, seed: number, problems: Problem[] }} newDocument
 *   - from the options of the command, and those of the plans as typed
 * @property {(own: Record<string, any>) => void} [onResumed] - takes the options of the command where one is gone on with
 */

/**
 * planTrials makes the document of a command that tries loads, or finds the one to resume, or finds all problems.
 *
 * @template {Head} D
 * @param {Record<string, unknown>} options - as typed
 * @param {TrialsToPlan<D>} how
 * @returns {Promise<import('../study-views.js').MadeStudy<D>>}
 */
export async function planTrials(
  options,
  { findScenario, scenario: of, notHere, own: table, misread, name, file, fits, newDocument, onResumed }
) {
  const { kept, problems: misplaced } = withoutMisplaced(notHere, options)
  const { mine, others } = splitOptions(table, kept)
  const { own, problems: refused } = readTrialOptions(table, mine)
  const scenario = /** @type {import('../../scenarios/index.js').Scenario} */ (await findScenario(of))
  const { output, problems: unreadable } = makePlan(scenario, others)
  const early = [...misread, ...misplaced, ...refused, ...(await outputProblems(output))]
  if (own.resume !== undefined) {
    const resumed = await findResumed(own.resume, {
      outputDir: output.outputDir,
      name,
      file,
      fits,
      fixed: { options: kept, table: { ...scenario.options, ...table }, problems: unreadable }
    })
    onResumed?.(own)
    const problems = [...early, ...resumed.problems]
    if (problems.length > 0 || !('folder' in resumed)) return { problems }
    const { document, folder } = resumed
    return { planned: { document, folder, name, output } }
  }
  const { document, seed, problems: unfit } = newDocument(own, others)
  const problems = withoutRepeats([...early, ...unfit])
  document.options = withoutAgents(document.options, output)
  return problems.length > 0
    ? { problems }
    : { planned: { document, folder: null, name: `${name}-${seed}`, output } }
}

/**
 * Reads the options of a command that tries loads. Defaults are text, and are read like typed options.
 *
 * @param {import('../../plan/plan.js').OptionTable} table
 * @param {Record<string, unknown>} options - as typed
 * @returns {ReturnType<typeof readCommandOptions>}
 */
function readTrialOptions(table, options) {
  const { own, problems } = readCommandOptions(table, options)
  const values = Object.entries(own).map(([key, value]) => {
    const option = table[key]
    return [key, option.default !== undefined && value === option.default ? defaultOf(option) : value]
  })
  return { own: Object.fromEntries(values), problems }
}

/**
 * @typedef {import('../../scenarios/rendezvous/options.js').Plan} Plan
 * @typedef {import('../../scenarios/gossip/options.js').GossipPlan} GossipPlan
 * @typedef {import('../../plan/plan.js').Output} Output
 * @typedef {object} Load - of one trial
 * @property {number} perSecond - operations of all connections together, or messages of the whole network
 * @property {number | undefined} size - connections, or nodes; undefined: as many nodes as the topology has
 * @property {number} seconds - that they are due for, at least
 * @property {import('./objective.js').Objective | null} [objective] - that the trial is judged by; null: none
 */

/** @param {Plan | GossipPlan | undefined} plan @param {unknown} given @returns {Problem[]} */
const unevenProblems = (plan, given) =>
  plan === undefined || typeof plan.arrivals === 'string'
    ? []
    : [
        {
          flag: '--arrivals',
          value: String(given),
          allowed: 'must be constant or poisson here: a load is held, not changed'
        }
      ]

/** @param {string} allowed @returns {Problem} */
const objectiveRefused = allowed => ({ flag: '--slo', value: '', allowed })

/**
 * loadPlan makes the plan of a trial: a load of the open model, as long as the percentiles of the objective need.
 *
 * @param {string} scenario
 * @param {Record<string, unknown>} options - of the plan, as typed
 * @param {Load} load
 * @returns {{ plan?: any, output: Readonly<Output>, problems: Problem[] }}
 */
export function loadPlan(scenario, options, { perSecond, size, seconds, objective = null }) {
  const given = {
    ...SATURATED[scenario].sized(options, size),
    rate: `${perSecond}/s`,
    duration: `${seconds}s`
  }
  const made = /** @type {any} */ (makePlan(SATURATED[scenario].scenario, given))
  const { plan, output, problems = [] } = made
  const uneven = unevenProblems(plan, options.arrivals)
  const refused = [...problems, ...uneven]
  if (plan === undefined || refused.length > 0) return { output, problems: refused }
  const lack = objective && objectiveProblem(objective, plan)
  if (lack) return { output, problems: [objectiveRefused(lack)] }
  if (objective === null) return { plan, output, problems: [] }
  const needed = secondsNeeded(objective, plan)
  const tooLong = needed.problem === null ? [] : [objectiveRefused(needed.problem)]
  if (needed.seconds <= seconds) return { plan, output, problems: tooLong }
  const longer = loadPlan(scenario, options, { perSecond, size, seconds: needed.seconds, objective })
  return { ...longer, problems: [...tooLong, ...longer.problems] }
}

/**
 * heldLoad is loadPlan for options that are known to be valid.
 *
 * @param {string} scenario
 * @param {Record<string, unknown>} options
 * @param {Load} load
 * @throws {Error} when they are not
 */
export function heldLoad(scenario, options, load) {
  const { plan, problems } = loadPlan(scenario, options, load)
  if (plan !== undefined) return plan
  throw new Error(problems.map(({ flag, value, allowed }) => `${flag} ${value} ${allowed}`).join('; '))
}

/**
 * @typedef {import('./saturation-document.js').SaturationDocument} SaturationDocument
 * @typedef {import('./saturation-document.js').GridState} GridState
 * @typedef {import('./trials.js').SearchState} SearchState
 */

/** This number of blocks gives an interval of about ± 10 %, if the limit of the system is sharper than 10 %. */
const BLOCKS = 8

const SCENARIOS = Object.keys(SATURATED)

/**
 * scenarioProblems checks that a command is followed by a scenario that supports it.
 *
 * @param {string[]} words
 * @param {string} [command]
 * @returns {Problem[]}
 */
export function scenarioProblems([scenario, ...more], command = 'saturate') {
  if (SCENARIOS.includes(scenario) && more.length === 0) return []
  const value = [scenario, ...more].filter(Boolean).join(' ')
  return [
    {
      flag: 'scenario',
      value,
      allowed: `must be ${SCENARIOS.join(' or ')}, as in ${command} ${SCENARIOS[0]}`
    }
  ]
}

/** Problems with options of a search in a grid, or of a grid in a search. @param {string} scenario @param {Record<string, any>} own @returns {Problem[]} */
function rivals(scenario, { search, from, most, repeats, blocks, ...own }) {
  const { ratesFlag } = SATURATED[scenario]
  const sizes = own[SATURATED[scenario].sizeName]
  const refuse = (/** @type {string} */ flag, /** @type {unknown} */ value, /** @type {string} */ allowed) =>
    value === undefined ? [] : [{ flag: `--${flag}`, value: String(value), allowed }]
  if (!search)
    return Object.entries({ from, most, repeats, blocks }).flatMap(([flag, value]) =>
      refuse(flag, value, `needs --search: a grid has --${ratesFlag}`)
    )
  return [
    ...refuse(
      ratesFlag,
      own[ratesFlag],
      `has no use with ${own.peers === undefined ? '--search' : '--peers'}, which finds the rates: use --from`
    ),
    ...(sizes?.length > 1
      ? refuse(SATURATED[scenario].sizeName, sizes, 'must be one number with --search')
      : []),
    ...(from !== undefined && most !== undefined && most < from
      ? refuse('most', most, `must not be below --from ${from}`)
      : [])
  ]
}

/**
 * planCells makes cells of a grid.
 *
 * @param {string} scenario
 * @param {{ rates: readonly number[], sizes: readonly number[], seconds: number, objective: readonly string[] | null, before?: number }} which -
 *   `before`: so many cells are there
 * @param {Record<string, unknown>} options - of the plans
 */
export function planCells(scenario, { rates, sizes, seconds, objective, before = 0 }, options) {
  const { sizeName, loadOf } = SATURATED[scenario]
  const planned = gridCells(rates, sizes).map(({ ratePerSecond, size }, place) => ({
    name: `${String(before + place + 1).padStart(2, '0')}-r${ratePerSecond}-${sizeName.charAt(0)}${size}`,
    ...loadPlan(scenario, options, { perSecond: loadOf(ratePerSecond, size), size, seconds, objective })
  }))
  return {
    cells: planned.flatMap(({ name, plan }) => (plan === undefined ? [] : [newTrial({ name, plan })])),
    problems: planned.flatMap(({ problems }) => problems)
  }
}

/**
 * planGrid makes the cells of a grid.
 *
 * @param {string} scenario
 * @param {Record<string, any>} own
 * @param {Record<string, unknown>} options - of the plans
 * @returns {{ grid: GridState, seed: number, problems: Problem[] }}
 */
export function planGrid(scenario, own, options) {
  const saturated = SATURATED[scenario]
  const rates = own[saturated.ratesFlag] ?? saturated.rates
  const sizes =
    saturated.sizesGiven(own) ?? saturated.fixedSizes(options, saturated.scenario) ?? saturated.sizes
  const { cells, problems } = planCells(
    scenario,
    { rates, sizes, seconds: own.duration, objective: objectiveOf(scenario, own.slo) },
    options
  )
  const grid = { rates: [...rates], [SATURATED[scenario].sizeName]: [...sizes], cells, chosen: null }
  return { grid, seed: cells[0]?.plan.seed ?? 0, problems }
}

/**
 * @param {string} scenario
 * @param {Record<string, any>} own
 * @param {Record<string, unknown>} options - of the plans
 * @returns {{ search: SearchState, seed: number, problems: Problem[] } & Pick<SaturationDocument, 'connections' | 'nodes'>}
 */
function planSearch(scenario, own, options) {
  const saturated = SATURATED[scenario]
  const { most = MOST_PER_SECOND, repeats = 0, blocks = BLOCKS } = own
  const { from = Math.min(saturated.from, most) } = own
  const [size] = saturated.sizesGiven(own) ??
    saturated.fixedSizes(options, saturated.scenario) ?? [saturated.searchSize]
  const objective = objectiveOf(scenario, own.slo)
  const load = { perSecond: from, size, seconds: own.duration, objective }
  const { plan, problems } = loadPlan(scenario, options, load)
  // trials at lower rates would be too short for the objective
  const lowest = plan && lowestRate(objective, { ...plan, durationMs: 1000 * own.duration })
  return {
    search: {
      fromPerSecond: from,
      leastPerSecond: lowest === undefined ? from : Math.max(Math.min(1, from), lowest),
      mostPerSecond: most,
      tolerance: RATE_TOLERANCE,
      repeats,
      blocks,
      seed: plan?.seed ?? 0,
      trials: [],
      found: null
    },
    [SATURATED[scenario].sizeName]: size,
    seed: plan?.seed ?? 0,
    problems: [...problems, ...(plan === undefined ? [] : saturated.searchProblems(plan, own))]
  }
}

/**
 * @param {string} scenario
 * @param {Record<string, any>} given - options of the command
 * @param {Record<string, unknown>} typed - options of the plans
 * @param {Date} now
 */
function newDocument(scenario, given, typed, now) {
  const {
    network,
    options,
    problems: misfits
  } = networkAsked(given, typed, SATURATED[scenario].scenario.options)
  /** @type {Record<string, any>} */
  const own = { ...given, search: given.search || network !== undefined }
  const plan = own.search ? planSearch : planGrid
  const { problems, seed, ...parts } = plan(scenario, own, options)
  /** @type {SaturationDocument} */
  const document = {
    ...newHead('', now),
    scenario,
    options,
    objective: objectiveOf(scenario, own.slo),
    seconds: own.duration,
    [SATURATED[scenario].sizeName]: null,
    ...(own.inTime !== undefined && { inTimeMs: own.inTime }),
    ...(network !== undefined && { network }),
    grid: null,
    search: null,
    ...parts
  }
  return { document, seed, problems: [...misfits, ...rivals(scenario, own), ...problems] }
}

/**
 * planSaturate makes the document of a saturation study from the command line, or finds all problems.
 *
 * @param {import('../study-views.js').Asked} args
 * @param {import('../study-views.js').Around} context
 * @returns {Promise<import('../study-views.js').MadeStudy<SaturationDocument>>}
 */
export function planSaturate({ options, words }, { now, findScenario }) {
  const scenario = Object.hasOwn(SATURATED, words[0]) ? words[0] : SCENARIOS[0]
  const { own, notHere } = SATURATED[scenario]
  return planTrials(options, {
    findScenario,
    scenario,
    own,
    notHere,
    misread: scenarioProblems(words),
    name: `saturate-${scenario}`,
    file: SATURATION_DOCUMENT,
    fits: document => document.scenario === scenario,
    newDocument: (own, options) => newDocument(scenario, own, options, now())
  })
}
