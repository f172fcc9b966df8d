// The runs of a study made in turn, kept in its folder beside its document.
import { join, posix } from 'node:path'
import pLimit from 'p-limit'
import { readText } from '../kit/files.js'
import { clockFrom } from '../kit/time.js'
import { estimateOf, remainingMs } from '../plan/plan.js'
import {
  compactRecord,
  deliverRecords,
  makeRunFolder,
  minute,
  resultFolder,
  writeWhole
} from '../report/result-folder.js'
import { outputFile, viewsOfRun } from '../report/run-report.js'
import { Handover } from '../run/run.js'

/**
 * @typedef {import('../report/result-folder.js').RunFolder} RunFolder
 *
 * @typedef {object} Head - what the document of every study begins with
 * @property {number} schemaVersion
 * @property {string} id - also the name of its folder; empty as long as it has none
 * @property {'running' | 'complete' | 'partial'} status - `running` is left behind only by a process that was killed
 * @property {import('../report/schema.js').Reason | null} reason - why it is partial
 * @property {string} startedAt - ISO 8601
 * @property {string | null} finishedAt
 * @property {'process' | 'docker'} [server] - where --server auto has put the server of its first run; the others have it there, too
 *
 * @typedef {RunFolder & { inside: string }} PartFolder - `inside`: its path in the folder of the study
 */

/** REPORT_PAGE is the page of a study, and of a run. */
export const REPORT_PAGE = 'report.html'

/**
 * newHead begins the document of a study.
 *
 * @param {string} id
 * @param {Date} now
 * @returns {Head}
 */
export const newHead = (id, now) => ({
  schemaVersion: 1,
  id,
  status: 'running',
  reason: null,
  startedAt: now.toISOString(),
  finishedAt: null
})

/** documentText is a document as it is written. @param {object} document */
export const documentText = document => `${JSON.stringify(document, null, 2)}\n`

/**
 * @template {Head} D
 * @typedef {object} StudyFile - the document of a kind of study, in its folder
 * @property {string} file
 * @property {readonly string[]} former - files that it had in earlier versions
 * @property {import('../scenarios/index.js').Handed<[folder: string, document: D], Promise<void>>} write - in place of what is there
 * @property {(folder: string) => Promise<D | null>} read - null: the folder holds none that can be read
 */

/**
 * studyFile is where the document of a kind of study stands.
 *
 * @template {Head} D
 * @param {object} kind
 * @param {string} kind.file
 * @param {number} [kind.version] - of its schema
 * @param {(document: any) => boolean} [kind.holds] - whether a document with the head of a study is one of this kind
 * @param {(document: any) => D} [kind.current] - fills what documents of this version did not have at first
 * @param {Readonly<Record<string, (document: any) => object>>} [kind.former] - files of earlier versions: what each is now
 * @returns {StudyFile<D>}
 */
export const studyFile = ({
  file,
  version = 1,
  holds = () => true,
  current = document => document,
  former = {}
}) =>
  Object.freeze({
    file,
    former: Object.keys(former),
    write: (/** @type {string} */ folder, /** @type {D} */ document) =>
      writeWhole(join(folder, file), documentText(document)),
    async read(/** @type {string} */ folder) {
      for (const [name, upgraded] of Object.entries({ [file]: asItIs, ...former })) {
        const document = await readText(join(folder, name)).then(upgradedBy(upgraded)).catch(none)
        if (document?.schemaVersion === version && holds(document)) return current(document)
      }
      return null
    }
  })

/** @param {object} document */
const asItIs = document => document

/** @param {(document: any) => object} upgraded */
const upgradedBy = upgraded => (/** @type {string} */ text) => /** @type {any} */ (upgraded(JSON.parse(text)))

const none = () => null

/**
 * makeStudyFolder makes a folder of its own for a study, and never takes one that exists.
 *
 * @param {string} outputDir
 * @param {Date} time
 * @param {string} name - `saturate-rendezvous-7`
 * @returns {Promise<RunFolder>}
 */
export const makeStudyFolder = (outputDir, time, name) => makeRunFolder(outputDir, `${minute(time)}-${name}`)

/**
 * makePartFolder makes a folder of its own for a run of a study.
 *
 * @param {string} folder - of the study
 * @param {string} part - folder in it
 * @param {string} name
 * @returns {Promise<PartFolder>}
 */
async function makePartFolder(folder, part, name) {
  const made = await makeRunFolder(join(folder, part), name)
  return { ...made, inside: posix.join(part, made.id) }
}

/**
 * @typedef {import('../scenarios/index.js').AnyResult} AnyResult
 * @typedef {import('../report/schema.js').Reason} Reason
 * @typedef {import('../report/schema.js').Record_} Record_
 * @typedef {import('../report/result-folder.js').Consumer} Consumer
 * @typedef {import('../cli/progress.js').Place} Place
 *
 * @typedef {object} Ended - what became of a run
 * @property {'complete' | 'failed' | 'interrupted'} status
 * @property {Reason | null} reason - why it is not complete
 * @property {number} tookMs
 * @property {AnyResult | null} result - the last one known, maybe partial; null: there is none
 *
 * @typedef {object} RunComponents - what runs of a study share
 * @property {(plan: any, options: import('../scenarios/index.js').StudyRunOptions) => AsyncIterable<Record_>} runScenario
 * @property {import('../report/run-report.js').ViewOf} viewOf
 * @property {AbortSignal} signal
 * @property {string | null} cacheDir
 * @property {import('../cli/progress.js').StudyProgress} progress
 * @property {(text: string) => void} complain - about a view that cannot be written
 * @property {(error: unknown) => void} tellError - of a run, or of what takes its records
 * @property {{ csv: boolean, outputFile: string | null }} output
 * @property {boolean} [compact] - runs are kept without what only plots over time need
 * @property {readonly Consumer[]} [watchers] - take the records of every run
 * @property {(run: import('../report/run-report.js').LineOf) => readonly Consumer[]} [ofRun] - what takes those of a run alone
 * @property {import('../run/run.js').Handover} [standing] - what a run leaves up for the next one; none: nothing is
 * @property {import('../run/fleet.js').Fleets} [fleets] - machines that hold the workers of every run; none: this one does
 * @property {import('../run/fleet.js').Fleet} [fleet] - of them, for the run
 * @property {'process' | 'docker'} [server] - where --server auto has put the server of an earlier run
 */

/** @param {Consumer['add']} add @param {boolean} compact @returns {Consumer['add']} */
const kept = (add, compact) => record => add(compact ? compactRecord(record) : record)

/**
 * @param {Place} place
 * @param {import('../report/result-folder.js').RunFolder} folder
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
 * @param {import('../report/result-folder.js').Delivered} delivered
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
 * @param {import('../report/result-folder.js').RunFolder} folder
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
  const delivered = await deliverRecords(records, consumers(place, folder, components))
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
 * @typedef {import('../scenarios/index.js').AnyPlan} AnyPlan
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
 * @property {StudyFile<any>} file - the document's
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
  const standing = leavesUp && fleets === undefined ? new Handover(tellError) : undefined
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
