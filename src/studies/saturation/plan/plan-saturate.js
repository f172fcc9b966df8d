import { MOST_PER_SECOND } from '../../../scenarios/saturation-options.js'
import { newHead } from '../../study-document.js'
import { networkAsked } from '../network-servers.js'
import { lowestRate, objectiveOf } from '../objective.js'
import { SATURATION_DOCUMENT } from '../result/saturation-document.js'
import { newTrial } from '../result/trial.js'
import { SATURATED } from '../saturated.js'
import { gridCells } from '../search/saturation-grid.js'
import { RATE_TOLERANCE } from '../search/sustainable-rate.js'
import { loadPlan } from './load-plan.js'
import { planTrials } from './plan-trials.js'

/**
 * @typedef {import('../../../plan/read-options.js').Problem} Problem
 * @typedef {import('../result/saturation-document.js').SaturationDocument} SaturationDocument
 * @typedef {import('../result/saturation-document.js').GridState} GridState
 * @typedef {import('../result/trial.js').SearchState} SearchState
 */

/** So many blocks give an interval of about a tenth to either side where the answer changes within a tenth. */
const BLOCKS = 8

const SCENARIOS = Object.keys(SATURATED)

/**
 * scenarioProblems say that a command is not followed by a scenario whose load can be found out.
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

/** Options of the other way to go. @param {string} scenario @param {Record<string, any>} own @returns {Problem[]} */
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

/** No rate is tried whose trials would be too short for the objective. @param {readonly string[]} objective @param {any} plan @param {Record<string, any>} own */
const leastOf = (objective, plan, own) => lowestRate(objective, { ...plan, durationMs: 1000 * own.duration })

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
  return {
    search: {
      fromPerSecond: from,
      leastPerSecond: plan === undefined ? from : Math.max(Math.min(1, from), leastOf(objective, plan, own)),
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
 * planSaturate makes the document of a saturation from the command line, or names all that is wrong.
 *
 * @param {import('../../study-door.js').Asked} args
 * @param {import('../../study-door.js').Around} surroundings
 * @returns {Promise<import('../../study-door.js').MadeStudy<SaturationDocument>>}
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
