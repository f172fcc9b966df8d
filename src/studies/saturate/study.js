// Runs the trials of a saturation study (`saturate`), a grid of loads or a search for the highest rate. A study can be
// resumed.
import { join } from 'node:path'
import { formatSignificant } from '../../kit/numbers.js'
import { readResultFile } from '../../report/read-result.js'
import { isMachineLost, makeSequence, runStudy, StudyEndedError } from '../study.js'
import { collectRunErrors, makeStudyRunTables } from '../study-views.js'
import { chooseTrialsToDescribe, describeSaturation, makeSaturationHeadline } from './describe.js'
import { findMissedConditions } from './objective.js'
import { planValidLoad } from './plan.js'
import { makeSaturationCommandLine, SATURATION_DOCUMENT } from './saturation-document.js'
import {
  BLOCK_FACTORS,
  chooseCell,
  computeMidpoint,
  concludeSearch,
  findSustainable,
  isUncertain,
  runBlocks
} from './search.js'
import {
  findSaturation,
  findTerms,
  formatTrialName,
  listMeasuredCells,
  makeTrial,
  SATURATION_SCENARIOS
} from './trials.js'

/**
 * @typedef {import('./saturation-document.js').SaturationDocument} SaturationDocument
 * @typedef {import('./saturation-document.js').GridState} GridState
 * @typedef {import('../../report/schema.js').Reason} Reason
 */

/**
 * runSaturate makes the remaining runs of a grid or a search.
 *
 * @param {SaturationDocument} document - grows
 * @param {string} folder
 * @param {Parameters<typeof runStudy>[1]} components
 */
export async function runSaturate(document, folder, components) {
  const { grid, search, inTimeMs } = document
  await runStudy(
    {
      document,
      file: SATURATION_DOCUMENT,
      folder,
      leavesUp: true,
      open: () => (grid === null ? null : openCells(grid)),
      async conduct(run) {
        if (grid !== null) await runGrid(document, grid)(run)
        if (search?.found === null)
          await runSearch(
            search,
            { planAt: planner(document) },
            { run, objective: requireObjective(document, []), inTimeMs, seed: search.seed }
          )
      }
    },
    components
  )
}

/**
 * requireObjective is the objective that the trials of a study are judged by.
 *
 * @param {Pick<SaturationDocument, 'objective'>} document
 * @param {readonly import('./trials.js').AnyTrial[]} trials - the trials of the study
 * @throws {StudyEndedError} when trials are still to be run, and the complete ones were judged by the rules of an earlier version
 */
export function requireObjective({ objective }, trials) {
  if (objective !== null) return objective
  if (trials.length > 0 && trials.every(({ status }) => status === 'complete')) return []
  throw new StudyEndedError({
    code: 'FORMER_RULES',
    message: 'its trials were judged by the rules of an earlier version: run it again from the beginning'
  })
}

/** @param {SaturationDocument} document @returns {SearchParts['planAt']} */
function planner({ scenario, options, seconds, objective, ...document }) {
  const { sizeName, again } = SATURATION_SCENARIOS[scenario]
  const size = document[sizeName] ?? undefined
  return (perSecond, repeat) => {
    const load = { perSecond, size, seconds, objective }
    const plan = planValidLoad(scenario, options, load)
    const others = repeat === 0 ? null : again(plan, options, repeat)
    return others === null ? plan : planValidLoad(scenario, others, load)
  }
}

/**
 * The plans that are still to be run; of a search, as far as they are known.
 *
 * @param {SaturationDocument} document
 */
const listSaturationPlans = ({ grid, search, ...document }) => [
  ...(grid?.cells ?? []).flatMap(({ status, plan }) => (status === 'complete' ? [] : [plan])),
  ...(search === null ? [] : [planner({ grid, search, ...document })(search.fromPerSecond, 0)])
]

/** @param {GridState} grid @returns {Reason | null} */
function openCells({ cells }) {
  const open = cells.filter(({ status }) => status !== 'complete')
  if (open.length === 0) return null
  return { code: 'CELLS_FAILED', message: `${open.length} of ${cells.length} cells not measured` }
}

/**
 * Runs the cells of a grid. A cell may fail because of its load: the others are run all the same, unless the first cell fails.
 *
 * @param {SaturationDocument} document
 * @param {GridState} grid
 */
function runGrid({ scenario, inTimeMs, ...document }, grid) {
  const { cells } = grid
  const objective = requireObjective(document, cells)
  const judge = () => {
    grid.chosen = chooseGridCell(grid, SATURATION_SCENARIOS[scenario].sizeName)
  }
  return makeSequence(
    cells.map(cell =>
      makeTrialTurn(cell, {
        label: formatTrialName(findTerms({ scenario }), cell),
        objective,
        inTimeMs,
        judge
      })
    ),
    (ended, cell) =>
      cells.some(({ status }) => status === 'complete') ? null : makeFailureReason(cell, ended)
  )
}

/**
 * chooseGridCell finds the cell of a grid at which a system is to be examined.
 *
 * @param {Pick<GridState, 'cells'>} grid
 * @param {'connections' | 'nodes'} sizeName
 */
export function chooseGridCell({ cells }, sizeName) {
  const chosen = chooseCell(listMeasuredCells(cells))
  return chosen && { ratePerSecond: chosen.ratePerSecond, [sizeName]: chosen.size }
}

/**
 * @typedef {import('./trials.js').AnyTrial} AnyTrial
 * @typedef {import('../../scenarios/index.js').AnyResult} AnyResult
 */

/**
 * loadRuns reads the results of runs of a study. Results that cannot be read are left out: the document has their figures.
 *
 * @param {string} folder - of the study
 * @param {readonly string[]} runs - their folders, in that of the study
 * @param {import('../../scenarios/index.js').LoadScenario} find
 */
export async function loadRuns(folder, runs, find) {
  /** @type {Map<string, AnyResult>} */
  const results = new Map()
  for (const run of runs) {
    const result = await readResultFile(join(folder, run), find).catch(() => null)
    if (result !== null) results.set(run, result)
  }
  return results
}

/** @param {SaturationDocument} document */
const runsOf = ({ grid, search }) => (grid?.cells ?? search?.trials ?? []).flatMap(({ run }) => run ?? [])

/** SATURATE_STUDY finds how much load is sustained. @type {import('../study-views.js').StudyInterface<SaturationDocument, ReadonlyMap<string, AnyResult>>} */
export const SATURATE_STUDY = {
  runs: runsOf,
  load: (folder, document, find) => loadRuns(folder, runsOf(document), find),
  document: SATURATION_DOCUMENT,
  run: runSaturate,
  shown: document => [document],
  plans: listSaturationPlans,
  grows: ({ search }) => search !== null,
  describe: (document, results, viewOf) =>
    describeSaturation(document, {
      runs: chooseTrialsToDescribe(document).flatMap(({ label, run }) => {
        const result = results.get(run)
        return result === undefined ? [] : [{ label, description: viewOf(result).describeResult(result) }]
      })
    }),
  about: (_, results) => makeStudyRunTables([...results.values()][0]),
  command: makeSaturationCommandLine,
  verdict: ({ grid, search }, results) => ({
    generatorLimited:
      search?.found?.generatorBound === true ||
      search?.found?.closed === false ||
      (search?.found?.estimate != null && isUncertain(search.found.estimate)) ||
      (grid?.cells ?? []).some(({ point }) => point?.generatorLimited === true),
    // no load that was tried met the objective
    notMet:
      search?.found?.below === null ||
      (grid !== null && grid.chosen === null && grid.cells.some(({ sustained }) => sustained === false)),
    ...collectRunErrors(results ?? [], { trial: true })
  }),
  inLine: document => [
    `saturate ${document.scenario}: ${document.grid === null ? 'search' : `grid of ${document.grid.cells.length} cells`}`,
    makeSaturationHeadline(document, findTerms(document))
  ]
}

/**
 * @typedef {import('./trials.js').SearchState} SearchState
 * @typedef {import('./trials.js').SearchTrial} SearchTrial
 * @typedef {import('./search.js').Purpose} Purpose
 * @typedef {import('../../scenarios/rendezvous/options.js').Plan} Plan
 * @typedef {import('../../scenarios/gossip/options.js').GossipPlan} GossipPlan
 *
 * @typedef {object} Trials - what the trials of a search share
 * @property {import('../study.js').RunTurn} run
 * @property {import('./objective.js').Objective} objective
 * @property {number} [inTimeMs] - time in which a message of a gossip network must reach all nodes
 * @property {number} [seed] - of the order of rates in blocks
 *
 * @typedef {object} SearchParts
 * @property {(perSecond: number, repeat: number) => Readonly<Plan | GossipPlan>} planAt - `repeat`: 0 for the first trial at a rate, n for its
 *   nth repetition
 */

/** The usual number of trials of a search, without its repeats. */
const USUAL_TRIALS = 9

/**
 * A system may need to warm up: a trial at the lowest rate so far that is not sustained is repeated while p50 falls by more than this share,
 * at most MAX_WARM_UPS times.
 */
const WARM_UP_FALL = 0.1
const MAX_WARM_UPS = 4

/**
 * runSearch searches for the highest sustainable rate. A resumed search asks for the same rates in the same order: trials that were made
 * before are not made again.
 *
 * @param {SearchState} search - is updated
 * @param {SearchParts} parts
 * @param {Trials} of
 * @throws {import('../study.js').StudyEndedError} when the first trial ends without a measurement
 * @throws the reason of the signal
 */
export async function runSearch(search, parts, of) {
  let place = 0
  const nextTrial = async (/** @type {number} */ perSecond, /** @type {Purpose} */ purpose) => {
    const known = search.trials[place]
    const isKnown = known?.perSecond === perSecond && known.purpose === purpose && known.sustained !== null
    if (!isKnown) search.trials.length = Math.min(place, search.trials.length)
    place++
    return isKnown ? known : runTrial(search, { perSecond, purpose }, parts, of)
  }
  let lowest = Infinity
  /** @type {import('./search.js').Sustains} */
  const sustains = async (perSecond, purpose) => {
    let trial = await nextTrial(perSecond, purpose)
    if (perSecond < lowest && purpose === 'search') {
      lowest = perSecond
      for (let again = 0; again < MAX_WARM_UPS && !trial.sustained; again++) {
        const before = trial
        trial = await nextTrial(perSecond, 'warm-up')
        if (!isFaster(trial, before)) break
      }
    }
    return trial.sustained === true
  }
  const { fromPerSecond, leastPerSecond = 1, mostPerSecond: maxRate, tolerance, repeats, blocks } = search
  const sustainable = await findSustainable(sustains, {
    from: fromPerSecond,
    minRate: Math.min(leastPerSecond, fromPerSecond),
    maxRate,
    tolerance,
    repeats
  })
  const centre = computeMidpoint(sustainable)
  if (centre !== null) await runBlocks(sustains, centre, { blocks, seed: of.seed ?? 0 })
  search.found = concludeSearch(sustainable, search.trials)
}

/** Whether p50 fell, as it does while a system warms up. @param {SearchTrial} trial @param {SearchTrial} before - at the same rate */
function isFaster({ point }, { point: earlier }) {
  const [ms, beforeMs] = [point, earlier].map(of => (of?.rt.p50 ?? of?.rt.avg)?.ms)
  return ms !== undefined && beforeMs !== undefined && ms < (1 - WARM_UP_FALL) * beforeMs
}

/**
 * @param {SearchState} search
 * @param {{ perSecond: number, purpose: Purpose }} asked
 * @param {SearchParts} parts
 * @param {Trials} of
 */
async function runTrial(search, { perSecond, purpose }, { planAt }, { run, objective, inTimeMs }) {
  const { trials, repeats, blocks } = search
  const number = trials.length + 1
  const name = `${String(number).padStart(2, '0')}-${purpose}-${perSecond}`
  const earlier = trials.filter(other => other.purpose !== 'search' && other.perSecond === perSecond)
  const plan = planAt(perSecond, purpose === 'search' ? 0 : earlier.length + 1)
  /** @type {SearchTrial} */
  const trial = { ...makeTrial({ name, plan }), purpose }
  trials.push(trial)
  const usual = USUAL_TRIALS + 2 * repeats + BLOCK_FACTORS.length * blocks
  await run({
    index: number,
    total: Math.max(usual, number),
    left: Array(Math.max(1, usual - number + 1)).fill(plan),
    ...makeTrialTurn(trial, {
      label: `${formatSignificant(perSecond)}/s${purpose === 'search' ? '' : ' again'}`,
      objective,
      inTimeMs,
      judge: () => judge(trial, trials)
    })
  })
  if (trial.sustained === null) throw new StudyEndedError(makeFailureReason(trial, trial))
  return trial
}

/**
 * A run that ended early did not sustain its load. If no trial was measured before it, something else than the load was the cause.
 *
 * @param {SearchTrial} trial
 * @param {readonly SearchTrial[]} trials
 */
function judge(trial, trials) {
  const { status, reason, point } = trial
  if (point !== null || status === 'interrupted' || isMachineLost(reason)) return
  if (trials.every(other => other.point === null)) return
  trial.reasons = [{ code: 'ENDED', message: reason?.message ?? 'no result' }]
  trial.sustained = false
}

/**
 * @typedef {object} TrialParts - how a trial is run and judged
 * @property {string} label
 * @property {import('./objective.js').Objective} objective
 * @property {number} [inTimeMs] - time in which a message of a gossip network must reach all nodes
 * @property {() => void} [judge] - is called when the trial has its figures
 */

/**
 * makeTrialTurn makes a trial a run of its study. When the run ends, its figures are added to the trial.
 *
 * @param {AnyTrial} trial - is updated
 * @param {TrialParts} parts
 * @returns {import('../study.js').StudyTurn}
 */
export const makeTrialTurn = (trial, { label, objective, inTimeMs, judge }) => ({
  label,
  plan: trial.plan,
  part: 'runs',
  name: trial.name,
  isDone: () => trial.status === 'complete',
  keep({ status, reason, tookMs, result }, inside) {
    Object.assign(trial, { status, reason, tookMs, run: result === null ? null : inside })
    // an incomplete run is no measure of its load
    if (result?.status === 'complete') {
      const point = findSaturation(trial.plan).pointOf(result, { inTimeMs })
      trial.point = point
      trial.reasons = findMissedConditions(trial.plan.scenario, objective, { point, outcome: result.outcome })
      trial.sustained = trial.reasons.length === 0
    } else Object.assign(trial, { point: null, sustained: null, reasons: [] })
    judge?.()
  }
})

/**
 * makeFailureReason is the reason of a study that ends because a run failed before any load was measured.
 *
 * @param {Pick<AnyTrial, 'name'>} trial
 * @param {Pick<AnyTrial, 'reason'>} ended
 * @returns {import('../../report/schema.js').Reason}
 */
export const makeFailureReason = ({ name }, { reason }) => ({
  code: reason?.code ?? 'NO_RESULT',
  message: `${name}: ${reason?.message ?? 'it ended without a result'}`
})
