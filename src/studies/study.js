import pLimit from 'p-limit'
import { clockFrom } from '../kit/clock-from.js'
import { estimateOf, remainingMs } from '../plan/estimate.js'
import { outputFile } from '../report/output-file.js'
import { viewsOfRun } from '../report/views.js'
import { compactRecord } from '../result/compact.js'
import { deliver } from '../result/deliver.js'
import { resultFolder } from '../result/folder.js'
import { Standing } from '../scenarios/standing.js'
import { makePartFolder } from './study-document.js'

/**
 * @typedef {import('../result/types.js').AnyResult} AnyResult
 * @typedef {import('../result/types.js').Reason} Reason
 * @typedef {import('../result/types.js').Record_} Record_
 * @typedef {import('../result/deliver.js').Consumer} Consumer
 * @typedef {import('./study-progress.js').Place} Place
 *
 * @typedef {object} Ended - what became of a run
 * @property {'complete' | 'failed' | 'interrupted'} status
 * @property {Reason | null} reason - why it is not complete
 * @property {number} tookMs
 * @property {AnyResult | null} result - the last one known, maybe partial; null: there is none
 *
 * @typedef {object} RunComponents - what runs of a study share
 * @property {(plan: any, options: import('../scenarios/scenario.js').StudyRunOptions) => AsyncIterable<Record_>} runScenario
 * @property {import('../report/view.js').ViewOf} viewOf
 * @property {AbortSignal} signal
 * @property {string | null} cacheDir
 * @property {import('./study-progress.js').StudyProgress} progress
 * @property {(text: string) => void} complain - about a view that cannot be written
 * @property {(error: unknown) => void} tellError - of a run, or of what takes its records
 * @property {{ csv: boolean, outputFile: string | null }} output
 * @property {boolean} [compact] - runs are kept without what only plots over time need
 * @property {readonly Consumer[]} [watchers] - take the records of every run
 * @property {(run: import('../report/json-lines.js').LineOf) => readonly Consumer[]} [ofRun] - what takes those of a run alone
 * @property {import('../scenarios/standing.js').Standing} [standing] - what a run leaves up for the next one; none: nothing is
 * @property {import('../workers/fleet.js').Fleets} [fleets] - machines that hold the workers of every run; none: this one does
 * @property {import('../workers/fleet.js').Fleet} [fleet] - of them, for the run
 * @property {'process' | 'docker'} [server] - where --server auto has put the server of an earlier run
 */

/** @param {Consumer['add']} add @param {boolean} compact @returns {Consumer['add']} */
const kept = (add, compact) => record => add(compact ? compactRecord(record) : record)

/**
 * @param {Place} place
 * @param {import('../result/folder.js').RunFolder} folder
 * @param {RunComponents} components
 * @returns {Consumer[]}
 */
function consumers(place, folder, components) {
  const { viewOf, progress, complain, output, compact = false } = components
  const { watchers = [], ofRun = () => [] } = components
  const view = viewOf(place.row.plan)
  const { csv, outputFile: path } = output
  return [
    ...[resultFolder(folder), viewsOfRun(folder.path, { csv }, complain, view)].map(({ add, close }) => ({
      add: kept(add, compact),
      close
    })),
    ...(path === null ? [] : [outputFile(path, view)]),
    // these go on with the next run
    { add: record => progress.add(record, place), close() {} },
    ...watchers.map(({ add }) => ({ add, close() {} })),
    ...ofRun({
      ...{ view, folder: folder.path, label: place.row.id },
      place: { index: place.index, total: place.total }
    })
  ]
}

/**
 * @param {string} label
 * @param {import('../result/deliver.js').Delivered} delivered
 * @param {AbortSignal} signal
 * @returns {Pick<Ended, 'status' | 'reason'>}
 */
function ending(label, { result, finished, errors }, signal) {
  if (finished && result?.status === 'complete' && errors.length === 0)
    return { status: 'complete', reason: null }
  if (signal.aborted)
    return { status: 'interrupted', reason: { code: 'INTERRUPTED', message: signal.reason.message } }
  const [error] = errors
  const message = error instanceof Error ? error.message : `${label} ended without a result`
  return { status: 'failed', reason: result?.reason ?? { code: 'NO_RESULT', message } }
}

/**
 * runKept runs a plan of a study, shows how it goes on, and keeps its run in a folder of its own.
 *
 * @param {Pick<Place, 'index' | 'total' | 'etaMs' | 'paceKnown'> & { label: string, plan: any }} turn
 * @param {import('../result/folder.js').RunFolder} folder
 * @param {RunComponents} components
 * @returns {Promise<Ended>}
 */
async function runKept({ label, plan, ...about }, folder, components) {
  const { runScenario, signal, cacheDir, progress, tellError, standing, fleet, server } = components
  /** @type {Place['row']} */
  const row = { id: label, plan, status: 'running', reason: null, tookMs: null }
  const place = { ...about, row }
  progress.begin(place)
  const began = performance.now()
  const given = { signal, cacheDir, standing, fleet, server }
  const records = runScenario(plan, { id: folder.id, folder: folder.path, ...given })
  const delivered = await deliver(records, consumers(place, folder, components))
  for (const error of delivered.errors) if (error !== signal.reason) tellError(error)
  const ended = {
    ...ending(label, delivered, signal),
    tookMs: Math.round(performance.now() - began),
    result: delivered.result
  }
  Object.assign(row, { status: ended.status, reason: ended.reason, tookMs: ended.tookMs })
  progress.end(place, ended.result)
  return ended
}

/**
 * A study is many plans run in turn: the next plan is run, kept and judged, and the document of the study says at any time what is
 * known. What a study does next, and what it makes of what came of a run, is its own; all else is here.
 *
 *
 * @typedef {import('./study-document.js').Head} Head
 * @typedef {import('../plan/plan.js').AnyPlan} AnyPlan
 *
 * @typedef {object} Turn - a run of a study
 * @property {string} label
 * @property {AnyPlan} plan
 * @property {number} index - among the runs of the study, from 1
 * @property {number} total - of them, as far as it is known
 * @property {readonly AnyPlan[]} left - plans that are still to be run, this one first
 * @property {string} part - folder in that of the study, in which the run gets one of its own
 * @property {string} name - of the run's folder, where no earlier one has it
 * @property {boolean} [anew] - it goes on with nothing that the run before has started
 * @property {(inside: string) => void} [begin] - what the document says while it goes on; `inside`: path of the run's folder in that of
 *   the study
 * @property {(ended: Ended, inside: string) => void | Promise<void>} keep - what came of it
 *
 * @typedef {(turn: Turn) => Promise<Ended>} RunTurn
 *
 * @typedef {object} Study
 * @property {Head} document - grows
 * @property {import('./study-document.js').StudyFile<any>} file - the document's
 * @property {string} folder - of the study
 * @property {(run: RunTurn) => Promise<void>} conduct - runs what is left of it
 * @property {() => Reason | null} [open] - why it is not complete where nothing ended it
 * @property {() => void | Promise<void>} [conclude] - what its runs came to
 * @property {readonly { plan: AnyPlan, tookMs: number | null }[]} [before] - runs that were made before it was gone on with
 * @property {number} [parallel] - so many runs go on side by side
 * @property {boolean} [leavesUp] - a run goes on with what the run before has started, where that does for it
 */

/** StudyEndedError ends a study early, for a reason that its document keeps. */
export class StudyEndedError extends Error {
  name = 'StudyEndedError'

  /** @param {Reason} reason */
  constructor(reason) {
    super(reason.message)
    this.code = reason.code
  }
}

/** @param {unknown} error @param {AbortSignal} signal @returns {Reason} @throws what is neither an interruption nor an early end */
function reasonOf(error, signal) {
  if (signal.aborted) return { code: 'INTERRUPTED', message: signal.reason.message }
  if (error instanceof StudyEndedError) return { code: error.code, message: error.message }
  throw error
}

/** Why a run ended that its own load is not to blame for, and the next one would end for as well. */
const LOST = new Set(['AGENT_LOST', 'BUS_LOST'])

/** isLost says whether a run ended because machines that held its workers were gone. @param {Reason | null} reason */
export const isLost = reason => LOST.has(reason?.code ?? '')

/** @param {RunComponents['fleets']} fleets @param {AnyPlan} plan */
async function lentTo(fleets, plan) {
  try {
    return await fleets?.forRun(plan)
  } catch (error) {
    const { code = 'NO_AGENTS', message } = /** @type {Error & { code?: string }} */ (error)
    throw new StudyEndedError({ code, message })
  }
}

/**
 * Where --server auto has put the server. A process and a container are counted differently: later runs have it there, too.
 *
 * @param {Ended} ended
 * @returns {'process' | 'docker' | undefined} undefined: nothing was chosen
 */
function chosenServer({ result }) {
  const { kind, chosenBy } = /** @type {any} */ (result)?.outcome?.target ?? {}
  return chosenBy != null && (kind === 'process' || kind === 'docker') ? kind : undefined
}

/** @param {Study} study @param {() => Promise<void>} save @param {RunComponents} components @returns {RunTurn} */
function turnRunner({ document, folder, before = [], parallel = 1 }, save, components) {
  const { viewOf, signal, standing, fleets } = components
  const estimate = (/** @type {AnyPlan} */ plan, goesOn = false) =>
    estimateOf(viewOf(plan).scenario, plan, goesOn)
  /** Whether the run after another one goes on with what that leaves up. */
  const willGoOn = (/** @type {AnyPlan} */ plan, /** @type {AnyPlan} */ previous) =>
    standing !== undefined && viewOf(plan).scenario.sameParts?.(previous, plan) === true
  const done = before.flatMap(({ plan, tookMs }) => (tookMs === null ? [] : [{ ...estimate(plan), tookMs }]))
  return async ({ left, part, name, anew = false, begin, keep, ...turn }) => {
    signal.throwIfAborted()
    if (anew) await standing?.clear()
    const expected = estimate(turn.plan, standing?.serves(turn.plan))
    const later = left.slice(1).map((plan, i) => estimate(plan, willGoOn(plan, left[i])))
    const etaMs = remainingMs(done, [expected, ...later]) / parallel
    const lent = await lentTo(fleets, turn.plan)
    const { inside, ...own } = await makePartFolder(folder, part, name)
    if (begin !== undefined) {
      begin(inside)
      await save()
    }
    const place = { ...turn, etaMs, paceKnown: done.length > 0 }
    const { server } = document
    const ended = await runKept(place, own, { ...components, fleet: lent?.fleet, server }).finally(
      lent?.close
    )
    document.server ??= chosenServer(ended)
    done.push({ ...expected, tookMs: ended.tookMs })
    await keep(ended, inside)
    await save()
    signal.throwIfAborted()
    if (ended.reason !== null && isLost(ended.reason)) throw new StudyEndedError(ended.reason)
    return ended
  }
}

/**
 * runStudy runs what is left of a study. Its document is kept up to date, so that what was measured is there whatever happens.
 *
 * @param {Study} study
 * @param {RunComponents & { now: () => Date }} components
 * @throws what is neither an interruption nor a run that did not come to its end
 */
export async function runStudy(study, components) {
  const { document, file, folder, conduct, open = () => null, conclude, leavesUp = false } = study
  const { signal, tellError, fleets } = components
  // one that is gone on with began before, even where the machine's clock was set back since
  const now = clockFrom(new Date(Math.max(components.now().getTime(), Date.parse(document.startedAt) || 0)))
  // agents are asked anew for each run
  const standing = leavesUp && fleets === undefined ? new Standing(tellError) : undefined
  // runs side by side do not write over one another
  const one = pLimit(1)
  const save = () => one(() => file.write(folder, document))
  Object.assign(document, { status: 'running', reason: null, finishedAt: null })
  await save()
  try {
    await conduct(turnRunner(study, save, { ...components, standing }))
  } catch (error) {
    document.reason = reasonOf(error, signal)
  } finally {
    await standing?.clear()
  }
  document.reason ??= open()
  document.status = document.reason === null ? 'complete' : 'partial'
  document.finishedAt = now().toISOString()
  try {
    await conclude?.()
  } catch (error) {
    document.reason ??= reasonOf(error, signal)
    document.status = 'partial'
  }
  await save()
}

/**
 * @typedef {Omit<Turn, 'index' | 'total' | 'left'> & { isDone: () => boolean }} TurnOf - `isDone`: it was run before, and is not again
 */

/**
 * inTurn runs turns one after the other.
 *
 * @param {readonly TurnOf[]} turns - in their order
 * @param {(ended: Ended, turn: TurnOf) => Reason | null} [endedBy] - why a turn ends the study; null: it does not
 * @returns {Study['conduct']}
 */
export const inTurn =
  (turns, endedBy = ({ reason }) => reason) =>
  async run => {
    for (const [place, turn] of turns.entries()) {
      const { isDone, ...what } = turn
      if (isDone()) continue
      const left = turns.slice(place).flatMap(({ isDone, plan }) => (isDone() ? [] : [plan]))
      const reason = endedBy(await run({ ...what, index: place + 1, total: turns.length, left }), turn)
      if (reason !== null) throw new StudyEndedError(reason)
    }
  }
