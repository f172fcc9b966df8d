import { gridCells, loadOf } from '../load/saturation-grid.js'
import { RATE_TOLERANCE } from '../load/sustainable-rate.js'
import { makePlan } from '../plan/plan.js'
import { loadPlan } from '../plan/saturation/load-plan.js'
import { MOST_PER_SECOND, SATURATION_OPTIONS } from '../plan/saturation/saturation-options.js'
import { readSaturation } from '../result/saturation/saturation-document.js'
import { newTrial } from '../result/saturation/trial.js'
import { splitOptions, withoutMisplaced } from './command-options.js'
import { once } from './once.js'
import { pathProblems } from './plan-from-arguments.js'
import { readTrialOptions } from './read-trial-options.js'
import { findResumed } from './resumed.js'
import { NOT_IN_A_TRIAL, TRIAL_OPTIONS } from './trial-options.js'

/**
 * @typedef {import('../plan/read-options.js').Problem} Problem
 * @typedef {import('../plan/plan.js').Output} Output
 * @typedef {import('../result/saturation/saturation-document.js').SaturationDocument} SaturationDocument
 * @typedef {import('../result/saturation/saturation-document.js').GridState} GridState
 * @typedef {import('../result/saturation/trial.js').SearchState} SearchState
 *
 * @typedef {object} PlannedSaturation
 * @property {SaturationDocument} document - its id is empty as long as it has no folder
 * @property {string | null} folder - that is resumed
 * @property {number} seed
 * @property {Readonly<Output>} output
 */

const { nClients, duration, ...planOptions } = TRIAL_OPTIONS

/** SATURATE_OPTIONS are those of the command with those of its trials. */
export const SATURATE_OPTIONS = Object.freeze({
  ...SATURATION_OPTIONS,
  ...planOptions,
  registerMode: { ...planOptions.registerMode, default: 'refresh' }
})

/** @type {Readonly<Record<string, string>>} */
const NOT_HERE = Object.freeze({ ...NOT_IN_A_TRIAL, nClients: 'has no use here: use --connections' })

const SCENARIO = 'rendezvous'
/** The grid of the source. */
const RATES = Object.freeze([25, 50, 100, 200])
const CONNECTIONS = Object.freeze([1, 2, 4])
const SEARCH_CONNECTIONS = 4
const FROM = 100
const REPEATS = 3

/** @param {string[]} words @returns {Problem[]} */
function scenarioProblems([scenario, ...more]) {
  if (scenario === SCENARIO && more.length === 0) return []
  const value = [scenario, ...more].filter(Boolean).join(' ')
  return [{ flag: 'scenario', value, allowed: `must be ${SCENARIO}, as in saturate ${SCENARIO}` }]
}

/** Options of the other way to go. @param {Record<string, any>} own @returns {Problem[]} */
function rivals({ search, rates, from, most, repeats, connections }) {
  const refuse = (/** @type {string} */ flag, /** @type {unknown} */ value, /** @type {string} */ allowed) =>
    value === undefined ? [] : [{ flag: `--${flag}`, value: String(value), allowed }]
  if (!search)
    return Object.entries({ from, most, repeats }).flatMap(([flag, value]) =>
      refuse(flag, value, 'needs --search: a grid has --rates')
    )
  return [
    ...refuse('rates', rates, 'has no use with --search, which finds the rates: use --from'),
    ...(connections?.length > 1
      ? refuse('connections', connections, 'must be one number with --search')
      : []),
    ...(from !== undefined && most !== undefined && most < from
      ? refuse('most', most, `must not be below --from ${from}`)
      : [])
  ]
}

/**
 * planGrid makes the cells of a grid.
 *
 * @param {Record<string, any>} own
 * @param {Record<string, unknown>} options - of the plans
 * @returns {{ grid: GridState, seed: number, problems: Problem[] }}
 */
function planGrid({ rates = RATES, connections = CONNECTIONS, duration }, options) {
  const planned = gridCells(rates, connections).map((cell, place) => ({
    name: `${String(place + 1).padStart(2, '0')}-r${cell.ratePerSecond}-c${cell.connections}`,
    ...loadPlan(options, {
      perSecond: loadOf(cell),
      connections: cell.connections,
      seconds: duration
    })
  }))
  const cells = planned.flatMap(({ name, plan }) => (plan === undefined ? [] : [newTrial({ name, plan })]))
  const grid = { rates: [...rates], connections: [...connections], cells, chosen: null }
  return { grid, seed: cells[0]?.plan.seed ?? 0, problems: planned.flatMap(({ problems }) => problems) }
}

/** Registrations that are new grow with the rate, up to the cap of a peer. @param {import('../plan/plan.js').Plan | undefined} plan */
const growing = plan =>
  plan !== undefined &&
  plan.target === null &&
  (plan.benchmarkType === 'UNREGISTER' ||
    (plan.benchmarkType !== 'DISCOVER' && plan.registerMode === 'new') ||
    (plan.mix?.unregister ?? 0) > 0)

/** @param {import('../plan/plan.js').Plan | undefined} plan @returns {Problem[]} */
const growthProblems = plan =>
  growing(plan)
    ? [
        {
          flag: '--search',
          value: '',
          allowed:
            'needs operations that leave the number of registrations as it is, because its rates are not known beforehand: --registerMode refresh without UNREGISTER, or --benchmarkType DISCOVER'
        }
      ]
    : []

/**
 * @param {Record<string, any>} own
 * @param {Record<string, unknown>} options - of the plans
 * @returns {{ search: SearchState, connections: number, seed: number, problems: Problem[] }}
 */
function planSearch(own, options) {
  const { from = Math.min(FROM, own.most ?? FROM), most = MOST_PER_SECOND, repeats = REPEATS } = own
  const [connections] = own.connections ?? [SEARCH_CONNECTIONS]
  const first = loadPlan(options, { perSecond: from, connections, seconds: own.duration })
  return {
    search: {
      fromPerSecond: from,
      mostPerSecond: most,
      tolerance: RATE_TOLERANCE,
      repeats,
      trials: [],
      found: null
    },
    connections,
    seed: first.plan?.seed ?? 0,
    problems: [...first.problems, ...growthProblems(first.plan)]
  }
}

/**
 * @param {Record<string, any>} own
 * @param {Record<string, unknown>} options - of the plans
 * @param {Date} now
 */
function newDocument(own, options, now) {
  const { problems, seed, ...parts } = own.search ? planSearch(own, options) : planGrid(own, options)
  /** @type {SaturationDocument} */
  const document = {
    schemaVersion: 1,
    id: '',
    status: 'running',
    reason: null,
    startedAt: now.toISOString(),
    finishedAt: null,
    scenario: SCENARIO,
    options,
    seconds: own.duration,
    connections: null,
    grid: null,
    search: null,
    ...parts
  }
  return { document, seed, problems }
}

/**
 * planSaturate makes the document of a saturation from the command line, or names all that is wrong.
 *
 * @param {import('./arguments.js').Arguments} args
 * @param {Date} now
 * @returns {Promise<{ problems: Problem[] } | { planned: PlannedSaturation, problems?: undefined }>}
 */
export async function planSaturate({ options, words }, now) {
  const { kept, problems: misplaced } = withoutMisplaced(NOT_HERE, options)
  const { mine, others } = splitOptions(SATURATION_OPTIONS, kept)
  const { own, problems: misread } = readTrialOptions(SATURATION_OPTIONS, mine)
  const { output } = makePlan(others)
  const early = [...scenarioProblems(words), ...misplaced, ...misread, ...(await pathProblems(output))]
  if (own.resume !== undefined) {
    const how = {
      options: kept,
      outputDir: output.outputDir,
      name: `saturate-${SCENARIO}`,
      read: readSaturation
    }
    const resumed = await findResumed(own.resume, how)
    const problems = [...early, ...resumed.problems]
    if (problems.length > 0 || resumed.document === undefined) return { problems }
    return { planned: { document: resumed.document, folder: resumed.folder, seed: 0, output } }
  }
  const { document, seed, problems: refused } = newDocument(own, others, now)
  const problems = once([...early, ...rivals(own), ...refused])
  return problems.length > 0 ? { problems } : { planned: { document, folder: null, seed, output } }
}
