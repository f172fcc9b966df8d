// Loads tried in turn to find how much is carried.

import { join } from 'node:path'
import { significant } from '../../kit/numbers.js'
import { readResult } from '../../report/read-result.js'
import { inTurn, isLost, runStudy, StudyEndedError } from '../study.js'
import { aboutRuns, runErrors } from '../study-views.js'
import { describeSaturation, saturationHeadline, trialsToDescribe } from './describe.js'
import { missedBy } from './objective.js'
import { heldLoad } from './plan.js'
import { SATURATION_DOCUMENT, saturationCommandLine } from './saturation-document.js'
import { centreOf, chosenCell, FACTORS, findSustainable, foundBy, isAmber, runBlocks } from './search.js'
import { measuredCells, newTrial, SATURATED, saturatedBy, termsOf, trialName } from './trials.js'

/**
 * @typedef {import('./saturation-document.js').SaturationDocument} SaturationDocument
 * @typedef {import('./saturation-document.js').GridState} GridState
 * @typedef {import('../../report/schema.js').Reason} Reason
 */

/**
 * runSaturate runs what is left of a grid or a search.
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
            { run, objective: objectiveIn(document, []), inTimeMs, seed: search.seed }
          )
      }
    },
    components
  )
}

/**
 * objectiveIn is what the trials of a study are judged by.
 *
 * @param {Pick<SaturationDocument, 'objective'>} document
 * @param {readonly import('./trials.js').AnyTrial[]} trials - that are to be run, unless they were
 * @throws {StudyEndedError} where some are left, and the others were judged by the rules of an earlier version
 */
export function objectiveIn({ objective }, trials) {
  if (objective !== null) return objective
  if (trials.length > 0 && trials.every(({ status }) => status === 'complete')) return []
  throw new StudyEndedError({
    code: 'FORMER_RULES',
    message: 'its trials were judged by the rules of an earlier version: run it again from the beginning'
  })
}

/** @param {SaturationDocument} document @returns {SearchParts['planAt']} */
function planner({ scenario, options, seconds, objective, ...document }) {
  const { sizeName, again } = SATURATED[scenario]
  const size = document[sizeName] ?? undefined
  return (perSecond, repeat) => {
    const load = { perSecond, size, seconds, objective }
    const plan = heldLoad(scenario, options, load)
    const others = repeat === 0 ? null : again(plan, options, repeat)
    return others === null ? plan : heldLoad(scenario, others, load)
  }
}

/**
 * plansAhead are the plans that are left, those of a search as far as they are known.
 *
 * @param {SaturationDocument} document
 */
const plansAhead = ({ grid, search, ...document }) => [
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
 * A cell that fails may have failed at its load: the others are run all the same, unless it is the first.
 *
 * @param {SaturationDocument} document
 * @param {GridState} grid
 */
function runGrid({ scenario, inTimeMs, ...document }, grid) {
  const { cells } = grid
  const objective = objectiveIn(document, cells)
  const judge = () => {
    grid.chosen = chosenOf(grid, SATURATED[scenario].sizeName)
  }
  return inTurn(
    cells.map(cell =>
      trialTurn(cell, { label: trialName(termsOf({ scenario }), cell), objective, inTimeMs, judge })
    ),
    (ended, cell) => (cells.some(({ status }) => status === 'complete') ? null : blameless(cell, ended))
  )
}

/**
 * chosenOf is the cell of a grid to study a system at.
 *
 * @param {Pick<GridState, 'cells'>} grid
 * @param {'connections' | 'nodes'} sizeName
 */
export function chosenOf({ cells }, sizeName) {
  const chosen = chosenCell(measuredCells(cells))
  return chosen && { ratePerSecond: chosen.ratePerSecond, [sizeName]: chosen.size }
}

/**
 * @typedef {import('./trials.js').AnyTrial} AnyTrial
 * @typedef {import('../../scenarios/index.js').AnyResult} AnyResult
 *
 * @typedef {object} Runs - what is kept of the runs of trials
 * @property {ReadonlyMap<string, AnyResult>} results - by folder
 * @property {ReadonlyMap<string, string>} links - by folder
 * @property {import('../../report/run-report.js').View} view - of their scenario
 */

/** @param {readonly AnyTrial[]} trials */
const runsOf = trials => trials.flatMap(({ run }) => run ?? [])

/**
 * trialsOfStudy are the parts of a study's door that all studies that try loads have alike.
 *
 * @template {import('../study.js').Head} D
 * @param {(document: D) => readonly AnyTrial[]} trialsOf
 * @returns {Pick<import('../study-views.js').StudyDoor<D, ReadonlyMap<string, AnyResult>>, 'runs' | 'load'>}
 */
const trialsOfStudy = trialsOf => ({
  runs: document => runsOf(trialsOf(document)),
  /** One that cannot be read is left out: its figures stand in the document. */
  async load(folder, document, find) {
    /** @type {Map<string, AnyResult>} */
    const results = new Map()
    for (const run of runsOf(trialsOf(document))) {
      const result = await readResult(join(folder, run), find).catch(() => null)
      if (result !== null) results.set(run, result)
    }
    return results
  }
})

/** @param {SaturationDocument} document */
const isLimited = ({ grid, search }) =>
  search?.found?.generatorBound === true ||
  search?.found?.closed === false ||
  (search?.found?.estimate != null && isAmber(search.found.estimate)) ||
  (grid?.cells ?? []).some(({ point }) => point?.generatorLimited === true)

/** No load that was tried met the objective. @param {SaturationDocument} document */
const isNotMet = ({ grid, search }) =>
  search?.found?.below === null ||
  (grid !== null && grid.chosen === null && grid.cells.some(({ sustained }) => sustained === false))

/** SATURATE_STUDY finds how much load is carried. @type {import('../study-views.js').StudyDoor<SaturationDocument, ReadonlyMap<string, import('../../scenarios/index.js').AnyResult>>} */
export const SATURATE_STUDY = {
  ...trialsOfStudy(
    (/** @type {SaturationDocument} */ { grid, search }) => grid?.cells ?? search?.trials ?? []
  ),
  document: SATURATION_DOCUMENT,
  run: runSaturate,
  shown: document => [document],
  plans: plansAhead,
  grows: ({ search }) => search !== null,
  describe: (document, results, viewOf) =>
    describeSaturation(document, {
      runs: trialsToDescribe(document).flatMap(({ label, run }) => {
        const result = results.get(run)
        return result === undefined ? [] : [{ label, description: viewOf(result).describeResult(result) }]
      })
    }),
  about: (_, results) => aboutRuns([...results.values()][0]),
  command: saturationCommandLine,
  verdict: (document, results) => ({
    generatorLimited: isLimited(document),
    notMet: isNotMet(document),
    ...runErrors(results ?? [], { trial: true })
  }),
  inLine: document => [
    `saturate ${document.scenario}: ${document.grid === null ? 'search' : `grid of ${document.grid.cells.length} cells`}`,
    saturationHeadline(document, termsOf(document))
  ]
}

/**
 * @typedef {import('./trials.js').SearchState} SearchState
 * @typedef {import('./trials.js').SearchTrial} SearchTrial
 * @typedef {import('./search.js').Purpose} Purpose
 * @typedef {import('../../scenarios/rendezvous/options.js').Plan} Plan
 * @typedef {import('../../scenarios/gossip/options.js').GossipPlan} GossipPlan
 *
 * @typedef {{ run: import('../study.js').RunTurn, objective: import('./objective.js').Objective, inTimeMs?: number, seed?: number }} Trials - what
 *   they share; `inTimeMs`: within which a message of a gossip network is to reach everyone; `seed`: of the order of rates in blocks
 *
 * @typedef {object} SearchParts
 * @property {(perSecond: number, repeat: number) => Readonly<Plan | GossipPlan>} planAt - `repeat`: how often its rate is
 *   run again, from 1; 0: for the first time
 */

/** A search usually takes so many trials besides its repeats. */
const USUAL_TRIALS = 9

/** A trial that is not sustained at the lowest rate so far is repeated while its p50 falls by more than this share, */
const FALLS = 0.1
/** this often at most: the system was not warm. */
const MAX_REPEATS = 4

/**
 * runSearch searches for the highest sustainable rate. What was tried before, when a search is resumed, is not tried again: the search
 * asks for the same rates in the same order.
 *
 * @param {SearchState} search - grows
 * @param {SearchParts} parts
 * @param {Trials} of
 * @throws {import('../study.js').StudyEndedError} when the first trial does not come to its end
 * @throws the signal's reason
 */
export async function runSearch(search, parts, of) {
  let place = 0
  const nextTrial = async (/** @type {number} */ perSecond, /** @type {Purpose} */ purpose) => {
    const trial =
      keptTrial(search, place, { perSecond, purpose }) ??
      (await tried(search, { perSecond, purpose }, parts, of))
    place++
    return trial
  }
  let lowest = Infinity
  /** @type {import('./search.js').Sustains} */
  const sustains = async (perSecond, purpose) => {
    let trial = await nextTrial(perSecond, purpose)
    if (perSecond < lowest && purpose === 'search') {
      lowest = perSecond
      for (let again = 0; again < MAX_REPEATS && !trial.sustained; again++) {
        const before = trial
        trial = await nextTrial(perSecond, 'warm-up')
        if (!isFaster(trial, before)) break
      }
    }
    return trial.sustained === true
  }
  const { fromPerSecond, leastPerSecond = 1, mostPerSecond: most, tolerance, repeats, blocks } = search
  const sustainable = await findSustainable(sustains, {
    from: fromPerSecond,
    least: Math.min(leastPerSecond, fromPerSecond),
    most,
    tolerance,
    repeats
  })
  const centre = centreOf(sustainable)
  if (centre !== null) await runBlocks(sustains, centre, { blocks, seed: of.seed ?? 0 })
  search.found = foundBy(sustainable, search.trials)
}

/** Whether times fell, as they do while a system becomes warm. @param {SearchTrial} trial @param {SearchTrial} before - at the same rate */
function isFaster({ point }, { point: earlier }) {
  const [ms, beforeMs] = [point, earlier].map(of => (of?.rt.p50 ?? of?.rt.avg)?.ms)
  return ms !== undefined && beforeMs !== undefined && ms < (1 - FALLS) * beforeMs
}

/**
 * @param {SearchState} search
 * @param {number} place
 * @param {{ perSecond: number, purpose: Purpose }} asked
 * @returns {SearchTrial | null}
 */
function keptTrial({ trials }, place, { perSecond, purpose }) {
  const trial = trials[place]
  if (trial?.perSecond === perSecond && trial.purpose === purpose && trial.sustained !== null) return trial
  trials.length = Math.min(place, trials.length)
  return null
}

/**
 * @param {SearchState} search
 * @param {{ perSecond: number, purpose: Purpose }} asked
 * @param {SearchParts} parts
 * @param {Trials} of
 */
async function tried(search, { perSecond, purpose }, { planAt }, { run, objective, inTimeMs }) {
  const { trials, repeats, blocks } = search
  const number = trials.length + 1
  const name = `${String(number).padStart(2, '0')}-${purpose}-${perSecond}`
  const plan = planAt(perSecond, purpose === 'search' ? 0 : repeatsOf(trials, perSecond) + 1)
  /** @type {SearchTrial} */
  const trial = { ...newTrial({ name, plan }), purpose }
  trials.push(trial)
  const usual = USUAL_TRIALS + 2 * repeats + FACTORS.length * blocks
  await run({
    index: number,
    total: Math.max(usual, number),
    left: Array(Math.max(1, usual - number + 1)).fill(plan),
    ...trialTurn(trial, {
      label: `${significant(perSecond)}/s${purpose === 'search' ? '' : ' again'}`,
      objective,
      inTimeMs,
      judge: () => judge(trial, trials)
    })
  })
  if (trial.sustained === null) throw new StudyEndedError(blameless(trial, trial))
  return trial
}

/** @param {readonly SearchTrial[]} trials @param {number} rate */
const repeatsOf = (trials, rate) =>
  trials.filter(({ perSecond, purpose }) => purpose !== 'search' && perSecond === rate).length

/**
 * A run that ends early did not sustain its load, but where nothing was measured yet: then it is not the load that it failed at.
 *
 * @param {SearchTrial} trial
 * @param {readonly SearchTrial[]} trials
 */
function judge(trial, trials) {
  const { status, reason, point } = trial
  if (point !== null || status === 'interrupted' || isLost(reason)) return
  if (trials.every(other => other.point === null)) return
  trial.reasons = [{ code: 'ENDED', message: reason?.message ?? 'no result' }]
  trial.sustained = false
}

/**
 * @typedef {object} TrialParts - what a trial has beside its plan
 * @property {string} label
 * @property {import('./objective.js').Objective} objective - that it is judged by
 * @property {number} [inTimeMs] - within which a message of a gossip network is to reach everyone
 * @property {() => void} [judge] - what the trial shows, beside its figures
 */

/** RUNS is the folder of the runs, in that of their document. */
const RUNS = 'runs'

/**
 * trialTurn is a trial as a run of its study, on a server of its own where the server is ours. The trial says what became of it.
 *
 * @param {AnyTrial} trial - is filled
 * @param {TrialParts} parts
 * @returns {import('../study.js').TurnOf}
 */
export const trialTurn = (trial, { label, objective, inTimeMs, judge }) => ({
  label,
  plan: trial.plan,
  part: RUNS,
  name: trial.name,
  isDone: () => trial.status === 'complete',
  keep({ status, reason, tookMs, result }, inside) {
    Object.assign(trial, { status, reason, tookMs, run: result === null ? null : inside })
    // what was measured of a run that was broken off is no measure of its load
    if (result?.status === 'complete') {
      trial.point = saturatedBy(trial.plan).pointOf(result, { inTimeMs })
      const { point, plan } = trial
      trial.reasons = missedBy(plan.scenario, objective, {
        point: /** @type {object} */ (point),
        outcome: result.outcome
      })
      trial.sustained = trial.reasons.length === 0
    } else Object.assign(trial, { point: null, sustained: null, reasons: [] })
    judge?.()
  }
})

/**
 * blameless says why a study ends at a run that did not come to its end where nothing of its load is to blame.
 *
 * @param {Pick<AnyTrial, 'name'>} trial
 * @param {Pick<AnyTrial, 'reason'>} ended
 * @returns {import('../../report/schema.js').Reason}
 */
export const blameless = ({ name }, { reason }) => ({
  code: reason?.code ?? 'NO_RESULT',
  message: `${name}: ${reason?.message ?? 'it ended without a result'}`
})
