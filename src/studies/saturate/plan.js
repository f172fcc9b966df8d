// Turns the command line of `saturate` into the document of a study: a grid of loads, or a search. Also makes the plan
// of each trial.

import { removeDuplicates } from '../../kit/collections.js'
import { removeAgentOptions } from '../../plan/agents.js'
import { makePlan, parseCommandOptions, removeMisplacedOptions, splitOptions } from '../../plan/plan.js'
import { getOptionDefault } from '../../plan/schema.js'
import { findOutputProblems } from '../../report/run-report.js'
import { MAX_PER_SECOND } from '../../scenarios/saturation.js'
import { makeStudyHead } from '../study.js'
import { findStudyToResume } from '../study-folders.js'
import { readNetworkOptions } from './capacity.js'
import { computeLowestRate, computeSecondsNeeded, findObjectiveProblem, makeObjective } from './objective.js'
import { SATURATION_DOCUMENT } from './saturation-document.js'
import { makeGridCells, RATE_TOLERANCE } from './search.js'
import { makeTrial, SATURATION_SCENARIOS } from './trials.js'

/**
 * @typedef {import('../../plan/plan.js').Problem} Problem
 * @typedef {import('../../plan/plan.js').OptionTable} OptionTable
 * @typedef {import('./saturation-document.js').LoadStudyHead} LoadStudyHead
 */

/**
 * @template {LoadStudyHead} D
 * @typedef {object} TrialsToPlan
 * @property {import('../../scenarios/index.js').LoadScenario} findScenario
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
 * @template {LoadStudyHead} D
 * @param {Record<string, unknown>} options - as typed
 * @param {TrialsToPlan<D>} how
 * @returns {Promise<import('../study-views.js').StudyOrProblems<D>>}
 */
export async function planTrials(
  options,
  { findScenario, scenario: of, notHere, own: table, misread, name, file, fits, newDocument, onResumed }
) {
  const { remaining, problems: misplaced } = removeMisplacedOptions(notHere, options)
  const { mine, others } = splitOptions(table, remaining)
  const { own, problems: refused } = readTrialOptions(table, mine)
  const scenario = /** @type {import('../../scenarios/index.js').Scenario} */ (await findScenario(of))
  const { output, problems: unreadable } = makePlan(scenario, others)
  const early = [...misread, ...misplaced, ...refused, ...(await findOutputProblems(output))]
  if (own.resume !== undefined) {
    const resumed = await findStudyToResume(own.resume, {
      outputDir: output.outputDir,
      name,
      file,
      fits,
      fixed: { options: remaining, table: { ...scenario.options, ...table }, problems: unreadable }
    })
    onResumed?.(own)
    const problems = [...early, ...resumed.problems]
    if (problems.length > 0 || !('folder' in resumed)) return { problems }
    const { document, folder } = resumed
    return { planned: { document, folder, name, output } }
  }
  const { document, seed, problems: unfit } = newDocument(own, others)
  const problems = removeDuplicates([...early, ...unfit])
  document.options = removeAgentOptions(document.options, output)
  return problems.length > 0
    ? { problems }
    : { planned: { document, folder: null, name: `${name}-${seed}`, output } }
}

/**
 * Reads the options of a command that tries loads. Defaults are text, and are read like typed options.
 *
 * @param {import('../../plan/plan.js').OptionTable} table
 * @param {Record<string, unknown>} options - as typed
 * @returns {ReturnType<typeof parseCommandOptions>}
 */
function readTrialOptions(table, options) {
  const { own, problems } = parseCommandOptions(table, options)
  const values = Object.entries(own).map(([key, value]) => {
    const option = table[key]
    return [key, option.default !== undefined && value === option.default ? getOptionDefault(option) : value]
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

/** @param {Plan | GossipPlan | undefined} plan @param {unknown} value @returns {Problem[]} */
const unevenProblems = (plan, value) =>
  plan === undefined || typeof plan.arrivals === 'string'
    ? []
    : [
        {
          flag: '--arrivals',
          value: String(value),
          allowed: 'must be constant or poisson here: each load is constant'
        }
      ]

/** @param {string} allowed @returns {Problem} */
const objectiveRefused = allowed => ({ flag: '--slo', value: '', allowed })

/**
 * planLoad makes the plan of a trial: a load of the open model, as long as the percentiles of the objective need.
 *
 * @param {string} scenario
 * @param {Record<string, unknown>} options - of the plan, as typed
 * @param {Load} load
 * @returns {{ plan?: any, output: Readonly<Output>, problems: Problem[] }}
 */
export function planLoad(scenario, options, { perSecond, size, seconds, objective = null }) {
  const values = {
    ...SATURATION_SCENARIOS[scenario].sized(options, size),
    rate: `${perSecond}/s`,
    duration: `${seconds}s`
  }
  const made = /** @type {any} */ (makePlan(SATURATION_SCENARIOS[scenario].scenario, values))
  const { plan, output, problems = [] } = made
  const uneven = unevenProblems(plan, options.arrivals)
  const refused = [...problems, ...uneven]
  if (plan === undefined || refused.length > 0) return { output, problems: refused }
  const lack = objective && findObjectiveProblem(objective, plan)
  if (lack) return { output, problems: [objectiveRefused(lack)] }
  if (objective === null) return { plan, output, problems: [] }
  const needed = computeSecondsNeeded(objective, plan)
  const tooLong = needed.problem === null ? [] : [objectiveRefused(needed.problem)]
  if (needed.seconds <= seconds) return { plan, output, problems: tooLong }
  const longer = planLoad(scenario, options, { perSecond, size, seconds: needed.seconds, objective })
  return { ...longer, problems: [...tooLong, ...longer.problems] }
}

/**
 * planValidLoad is planLoad for options that are known to be valid.
 *
 * @param {string} scenario
 * @param {Record<string, unknown>} options
 * @param {Load} load
 * @throws {Error} when they are not
 */
export function planValidLoad(scenario, options, load) {
  const { plan, problems } = planLoad(scenario, options, load)
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

const SCENARIOS = Object.keys(SATURATION_SCENARIOS)

/**
 * findScenarioProblems checks that a command is followed by a scenario that supports it.
 *
 * @param {string[]} words
 * @param {string} [command]
 * @returns {Problem[]}
 */
export function findScenarioProblems([scenario, ...more], command = 'saturate') {
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
  const { ratesFlag } = SATURATION_SCENARIOS[scenario]
  const sizes = own[SATURATION_SCENARIOS[scenario].sizeName]
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
      `does not apply with ${own.peers === undefined ? '--search' : '--peers'}, which finds the rates: use --from`
    ),
    ...(sizes?.length > 1
      ? refuse(SATURATION_SCENARIOS[scenario].sizeName, sizes, 'must be one number with --search')
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
  const { sizeName, loadOf } = SATURATION_SCENARIOS[scenario]
  const planned = makeGridCells(rates, sizes).map(({ ratePerSecond, size }, place) => ({
    name: `${String(before + place + 1).padStart(2, '0')}-r${ratePerSecond}-${sizeName.charAt(0)}${size}`,
    ...planLoad(scenario, options, { perSecond: loadOf(ratePerSecond, size), size, seconds, objective })
  }))
  return {
    cells: planned.flatMap(({ name, plan }) => (plan === undefined ? [] : [makeTrial({ name, plan })])),
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
  const saturated = SATURATION_SCENARIOS[scenario]
  const rates = own[saturated.ratesFlag] ?? saturated.rates
  const sizes =
    saturated.explicitSizes(own) ?? saturated.fixedSizes(options, saturated.scenario) ?? saturated.sizes
  const { cells, problems } = planCells(
    scenario,
    { rates, sizes, seconds: own.duration, objective: makeObjective(scenario, own.slo) },
    options
  )
  const grid = {
    rates: [...rates],
    [SATURATION_SCENARIOS[scenario].sizeName]: [...sizes],
    cells,
    chosen: null
  }
  return { grid, seed: cells[0]?.plan.seed ?? 0, problems }
}

/**
 * @param {string} scenario
 * @param {Record<string, any>} own
 * @param {Record<string, unknown>} options - of the plans
 * @returns {{ search: SearchState, seed: number, problems: Problem[] } & Pick<SaturationDocument, 'connections' | 'nodes'>}
 */
function planSearch(scenario, own, options) {
  const saturated = SATURATION_SCENARIOS[scenario]
  const { most = MAX_PER_SECOND, repeats = 0, blocks = BLOCKS } = own
  const { from = Math.min(saturated.from, most) } = own
  const [size] = saturated.explicitSizes(own) ??
    saturated.fixedSizes(options, saturated.scenario) ?? [saturated.searchSize]
  const objective = makeObjective(scenario, own.slo)
  const load = { perSecond: from, size, seconds: own.duration, objective }
  const { plan, problems } = planLoad(scenario, options, load)
  // trials at lower rates would be too short for the objective
  const lowest = plan && computeLowestRate(objective, { ...plan, durationMs: 1000 * own.duration })
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
    [SATURATION_SCENARIOS[scenario].sizeName]: size,
    seed: plan?.seed ?? 0,
    problems: [...problems, ...(plan === undefined ? [] : saturated.searchProblems(plan, own))]
  }
}

/**
 * @param {string} scenario
 * @param {Record<string, any>} commandOptions - options of the command
 * @param {Record<string, unknown>} typed - options of the plans
 * @param {Date} now
 */
function newDocument(scenario, commandOptions, typed, now) {
  const {
    network,
    options,
    problems: misfits
  } = readNetworkOptions(commandOptions, typed, SATURATION_SCENARIOS[scenario].scenario.options)
  /** @type {Record<string, any>} */
  const own = { ...commandOptions, search: commandOptions.search || network !== undefined }
  const plan = own.search ? planSearch : planGrid
  const { problems, seed, ...parts } = plan(scenario, own, options)
  /** @type {SaturationDocument} */
  const document = {
    ...makeStudyHead('', now),
    scenario,
    options,
    objective: makeObjective(scenario, own.slo),
    seconds: own.duration,
    [SATURATION_SCENARIOS[scenario].sizeName]: null,
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
 * @param {import('../study-views.js').StudyArguments} args
 * @param {import('../study-views.js').PlanningContext} context
 * @returns {Promise<import('../study-views.js').StudyOrProblems<SaturationDocument>>}
 */
export function planSaturate({ options, words }, { now, findScenario }) {
  const scenario = Object.hasOwn(SATURATION_SCENARIOS, words[0]) ? words[0] : SCENARIOS[0]
  const { own, notHere } = SATURATION_SCENARIOS[scenario]
  return planTrials(options, {
    findScenario,
    scenario,
    own,
    notHere,
    misread: findScenarioProblems(words),
    name: `saturate-${scenario}`,
    file: SATURATION_DOCUMENT,
    fits: document => document.scenario === scenario,
    newDocument: (own, options) => newDocument(scenario, own, options, now())
  })
}
