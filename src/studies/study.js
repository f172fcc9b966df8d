// Makes the runs of any study in turn, and saves its document after each change so that the study can be resumed.
import { join, posix } from 'node:path'
import pLimit from 'p-limit'
import { readText } from '../kit/files.js'
import { makeClock } from '../kit/time.js'
import { estimateRemainingMs, estimateRun } from '../plan/plan.js'
import {
  deliverRecords,
  formatMinute,
  makeResultWriter,
  makeRunFolder,
  removeRecordTimeSeries,
  replaceFile
} from '../report/result-folder.js'
import { makeOutputFileWriter, makeViewWriter } from '../report/run-report.js'
import { Handover } from '../run/run.js'

/**
 * @typedef {import('../report/result-folder.js').RunFolder} RunFolder
 *
 * @typedef {object} StudyHead - the first members of the document of every study
 * @property {number} schemaVersion
 * @property {string} id - also the name of its folder; empty while it has no folder
 * @property {'running' | 'complete' | 'partial'} status - a document stays `running` only if its process was killed
 * @property {import('../report/schema.js').Reason | null} reason - why it is partial
 * @property {string} startedAt - ISO 8601
 * @property {string | null} finishedAt
 * @property {'process' | 'docker'} [server] - where `--server auto` started the server of the first run: later runs use the same
 */

/** REPORT_PAGE is the page of a study, and of a run. */
export const REPORT_PAGE = 'report.html'

/**
 * makeStudyHead begins the document of a study.
 *
 * @param {string} id
 * @param {Date} now
 * @returns {StudyHead}
 */
export const makeStudyHead = (id, now) => ({
  schemaVersion: 1,
  id,
  status: 'running',
  reason: null,
  startedAt: now.toISOString(),
  finishedAt: null
})

/** formatDocument is a document as it is written. @param {object} document */
export const formatDocument = document => `${JSON.stringify(document, null, 2)}\n`

/**
 * @template {StudyHead} D
 * @typedef {object} StudyFile - the document of a kind of study, in its folder
 * @property {string} file
 * @property {readonly string[]} former - files that it had in earlier versions
 * @property {import('../scenarios/index.js').OfScenario<[folder: string, document: D], Promise<void>>} write - in place of what is there
 * @property {(folder: string) => Promise<D | null>} read - null: the folder holds none that can be read
 */

/**
 * makeStudyFile gives access to the document of a kind of study.
 *
 * @template {StudyHead} D
 * @param {object} kind
 * @param {string} kind.file
 * @param {number} [kind.version] - of its schema
 * @param {(document: any) => boolean} [kind.holds] - whether a document with the head of a study is one of this kind
 * @param {(document: any) => D} [kind.current] - adds what earlier documents of this version do not have
 * @param {Readonly<Record<string, (document: any) => object>>} [kind.former] - files of earlier versions, each with its conversion
 * @returns {StudyFile<D>}
 */
export const makeStudyFile = ({
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
      replaceFile(join(folder, file), formatDocument(document)),
    async read(/** @type {string} */ folder) {
      const conversions = { [file]: (/** @type {any} */ document) => document, ...former }
      for (const [name, convert] of Object.entries(conversions)) {
        const read = readText(join(folder, name)).then(text => convert(JSON.parse(text)))
        const document = await read.catch(() => null)
        if (document?.schemaVersion === version && holds(document)) return current(document)
      }
      return null
    }
  })

/**
 * makeStudyFolder makes a new folder for a study; an existing folder is never used.
 *
 * @param {string} outputDir
 * @param {Date} time
 * @param {string} name - `saturate-rendezvous-7`
 * @returns {Promise<RunFolder>}
 */
export const makeStudyFolder = (outputDir, time, name) =>
  makeRunFolder(outputDir, `${formatMinute(time)}-${name}`)

/**
 * @typedef {import('../scenarios/index.js').AnyResult} AnyResult
 * @typedef {import('../report/schema.js').Reason} Reason
 * @typedef {import('../report/schema.js').RunRecord} RunRecord
 * @typedef {import('../report/result-folder.js').Consumer} Consumer
 * @typedef {import('../cli/progress.js').RunPlace} RunPlace
 *
 * @typedef {object} RunOutcome - the outcome of a run
 * @property {'complete' | 'failed' | 'interrupted'} status
 * @property {Reason | null} reason - why it is not complete
 * @property {number} tookMs
 * @property {AnyResult | null} result - the latest result, which may be partial; null: there is none
 *
 * @typedef {object} RunComponents - what runs of a study share
 * @property {(plan: any, options: import('../scenarios/index.js').StudyRunOptions) => AsyncIterable<RunRecord>} runScenario
 * @property {import('../report/run-report.js').ViewOf} viewOf
 * @property {AbortSignal} signal
 * @property {string | null} cacheDir
 * @property {import('../cli/progress.js').StudyProgress} progress
 * @property {(text: string) => void} complain - reports that a view cannot be written
 * @property {(error: unknown) => void} tellError - reports an error of a run, or of a consumer of its records
 * @property {{ csv: boolean, outputFile: string | null }} output
 * @property {boolean} [compact] - results are stored without the data that only plots over time need
 * @property {readonly Consumer[]} [watchers] - take the records of every run
 * @property {(run: import('../report/run-report.js').LineOf) => readonly Consumer[]} [ofRun] - makes the consumers of one run
 * @property {import('../run/run.js').Handover} [handover] - servers and workers that a run leaves running for the next run; none: each run
 *   starts its own
 * @property {import('../run/fleet.js').FleetPool} [fleets] - machines with the workers of every run; none: this machine has them
 * @property {import('../run/fleet.js').Fleet} [fleet] - the machines of one run
 * @property {'process' | 'docker'} [server] - where `--server auto` started the server of an earlier run
 */

/**
 * @param {RunPlace} place
 * @param {import('../report/result-folder.js').RunFolder} folder
 * @param {RunComponents} components
 * @returns {Consumer[]}
 */
function consumersOf(place, folder, components) {
  const { viewOf, progress, complain, output, compact = false, watchers = [], ofRun = () => [] } = components
  const view = viewOf(place.row.plan)
  const { csv, outputFile: path } = output
  return [
    ...[makeResultWriter(folder), makeViewWriter(folder.path, { csv }, complain, view)].map(
      ({ add, close }) => ({
        add: (/** @type {RunRecord} */ record) => add(compact ? removeRecordTimeSeries(record) : record),
        close
      })
    ),
    ...(path === null ? [] : [makeOutputFileWriter(path, view)]),
    // progress and watchers take the records of all runs: the end of one run does not close them
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
 * @param {import('../report/result-folder.js').DeliveredRecords} delivered
 * @param {AbortSignal} signal
 * @returns {Pick<RunOutcome, 'status' | 'reason'>}
 */
function statusOf(label, { result, finished, errors: [error] }, signal) {
  if (finished && result?.status === 'complete' && error === undefined)
    return { status: 'complete', reason: null }
  if (signal.aborted)
    return { status: 'interrupted', reason: { code: 'INTERRUPTED', message: signal.reason.message } }
  const message = error instanceof Error ? error.message : `${label} ended without a result`
  return { status: 'failed', reason: result?.reason ?? { code: 'NO_RESULT', message } }
}

/**
 * Runs one plan of a study, shows its progress and stores its result in a folder of its own.
 *
 * @param {Pick<RunPlace, 'index' | 'total' | 'etaMs' | 'paceKnown'> & { label: string, plan: any }} turn
 * @param {import('../report/result-folder.js').RunFolder} folder
 * @param {RunComponents} components
 * @returns {Promise<RunOutcome>}
 */
async function runTurn({ label, plan, ...about }, folder, components) {
  const { runScenario, signal, cacheDir, progress, tellError, handover, fleet, server } = components
  /** @type {RunPlace['row']} */
  const row = { id: label, plan, status: 'running', reason: null, tookMs: null }
  const place = { ...about, row }
  progress.begin(place)
  const began = performance.now()
  const options = { id: folder.id, folder: folder.path, signal, cacheDir, handover, fleet, server }
  const delivered = await deliverRecords(runScenario(plan, options), consumersOf(place, folder, components))
  for (const error of delivered.errors) if (error !== signal.reason) tellError(error)
  const outcome = { ...statusOf(label, delivered, signal), tookMs: Math.round(performance.now() - began) }
  Object.assign(row, outcome)
  progress.end(place, delivered.result)
  return { ...outcome, result: delivered.result }
}

/**
 * A study runs many plans in turn. Each run is stored and judged, and the document of the study is up to date after every run. A kind of
 * study decides which plan is next and what the results mean; this module does the rest.
 *
 * @typedef {import('../scenarios/index.js').AnyPlan} AnyPlan
 *
 * @typedef {object} PlacedTurn - one run of a study
 * @property {string} label
 * @property {AnyPlan} plan
 * @property {number} index - among the runs of the study, from 1
 * @property {number} total - number of runs, as far as known
 * @property {readonly AnyPlan[]} left - plans still to be run, this one first
 * @property {string} part - folder of this and other runs, in the folder of the study
 * @property {string} name - of the folder of this run, unless an earlier run has that name
 * @property {boolean} [anew] - it uses no server or worker that the run before started
 * @property {(inside: string) => void} [begin] - updates the document when the run begins; `inside`: path of the run's folder in that of
 *   the study
 * @property {(ended: RunOutcome, inside: string) => void | Promise<void>} keep - updates the document when the run has ended
 *
 * @typedef {(turn: PlacedTurn) => Promise<RunOutcome>} RunTurn
 *
 * @typedef {object} StudyToRun
 * @property {StudyHead} document - is updated
 * @property {StudyFile<any>} file - of the document
 * @property {string} folder - of the study
 * @property {(run: RunTurn) => Promise<void>} conduct - makes the remaining runs
 * @property {() => Reason | null} [open] - why the study is not complete although nothing ended it
 * @property {() => void | Promise<void>} [conclude] - adds the conclusions of all runs to the document
 * @property {readonly { plan: AnyPlan, tookMs: number | null }[]} [before] - runs made before the study was resumed
 * @property {number} [parallel] - number of runs side by side
 * @property {boolean} [leavesUp] - a run may use servers and workers that the run before started
 */

/** StudyEndedError ends a study early. Its code and message become the reason in the document. */
export class StudyEndedError extends Error {
  name = 'StudyEndedError'

  /** @param {Reason} reason */
  constructor(reason) {
    super(reason.message)
    this.code = reason.code
  }
}

/** @param {unknown} error @param {AbortSignal} signal @returns {Reason} @throws any error but an interruption or an early end */
function reasonOf(error, signal) {
  if (signal.aborted) return { code: 'INTERRUPTED', message: signal.reason.message }
  if (error instanceof StudyEndedError) return { code: error.code, message: error.message }
  throw error
}

/** Reasons that are not the fault of the load, and that would end the next run too. */
const LOST_MACHINES = new Set(['AGENT_LOST', 'BUS_LOST'])

/** isMachineLost says whether a run ended because machines with its workers were lost. @param {Reason | null} reason */
export const isMachineLost = reason => LOST_MACHINES.has(reason?.code ?? '')

/** @param {RunComponents['fleets']} fleets @param {AnyPlan} plan @throws {StudyEndedError} when there are not enough agents */
async function fleetFor(fleets, plan) {
  try {
    return await fleets?.forRun(plan)
  } catch (error) {
    const { code = 'NO_AGENTS', message } = /** @type {Error & { code?: string }} */ (error)
    throw new StudyEndedError({ code, message })
  }
}

/**
 * readChosenServer says where `--server auto` started the server of a run. A process and a container are measured differently, so later runs
 * use the same.
 *
 * @param {Pick<AnyResult, 'outcome'> | null} result
 * @returns {'process' | 'docker' | undefined} undefined: nothing was chosen
 */
export function readChosenServer(result) {
  const { kind, chosenBy } = /** @type {any} */ (result)?.outcome?.target ?? {}
  return chosenBy != null && (kind === 'process' || kind === 'docker') ? kind : undefined
}

/** @param {StudyToRun} study @param {() => Promise<void>} save @param {RunComponents} components @returns {RunTurn} */
function turnRunner({ document, folder, before = [], parallel = 1 }, save, components) {
  const { viewOf, signal, handover, fleets } = components
  const estimate = (/** @type {AnyPlan} */ plan, isReused = false) =>
    estimateRun(viewOf(plan).scenario, plan, isReused)
  /** Whether the run of a plan will use what the run of the previous plan has started. */
  const reuses = (/** @type {AnyPlan} */ plan, /** @type {AnyPlan} */ previous) =>
    handover !== undefined && viewOf(plan).scenario.sameParts?.(previous, plan) === true
  const done = before.flatMap(({ plan, tookMs }) => (tookMs === null ? [] : [{ ...estimate(plan), tookMs }]))
  return async ({ left, part, name, anew = false, begin, keep, ...turn }) => {
    signal.throwIfAborted()
    if (anew) await handover?.clear()
    const expected = estimate(turn.plan, handover?.serves(turn.plan))
    const later = left.slice(1).map((plan, i) => estimate(plan, reuses(plan, left[i])))
    const etaMs = estimateRemainingMs(done, [expected, ...later]) / parallel
    const lent = await fleetFor(fleets, turn.plan)
    const own = await makeRunFolder(join(folder, part), name)
    const inside = posix.join(part, own.id)
    if (begin !== undefined) {
      begin(inside)
      await save()
    }
    const place = { ...turn, etaMs, paceKnown: done.length > 0 }
    const runComponents = { ...components, fleet: lent?.fleet, server: document.server }
    const ended = await runTurn(place, own, runComponents).finally(lent?.close)
    document.server ??= readChosenServer(ended.result)
    done.push({ ...expected, tookMs: ended.tookMs })
    await keep(ended, inside)
    await save()
    signal.throwIfAborted()
    if (ended.reason !== null && isMachineLost(ended.reason)) throw new StudyEndedError(ended.reason)
    return ended
  }
}

/**
 * runStudy makes the remaining runs of a study. The document is saved after every change, so that nothing measured is lost.
 *
 * @param {StudyToRun} study
 * @param {RunComponents & { now: () => Date }} components
 * @throws any error but an interruption or an early end
 */
export async function runStudy(study, components) {
  const { document, file, folder, conduct, open = () => null, conclude, leavesUp = false } = study
  const { signal, tellError, fleets } = components
  // a resumed study began earlier, even if the clock of the machine was set back since
  const now = makeClock(new Date(Math.max(components.now().getTime(), Date.parse(document.startedAt) || 0)))
  // agents are asked again for each run: they keep nothing running between runs
  const handover = leavesUp && fleets === undefined ? new Handover(tellError) : undefined
  // parallel runs save the document one after the other
  const one = pLimit(1)
  const save = () => one(() => file.write(folder, document))
  Object.assign(document, { status: 'running', reason: null, finishedAt: null })
  await save()
  try {
    await conduct(turnRunner(study, save, { ...components, handover }))
  } catch (error) {
    document.reason = reasonOf(error, signal)
  } finally {
    await handover?.clear()
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
 * @typedef {Omit<PlacedTurn, 'index' | 'total' | 'left'> & { isDone: () => boolean }} StudyTurn - `isDone`: it is complete and not run again
 */

/**
 * makeSequence runs turns one after the other.
 *
 * @param {readonly StudyTurn[]} turns - in their order
 * @param {(ended: RunOutcome, turn: StudyTurn) => Reason | null} [endedBy] - why a turn ends the study; null: it does not
 * @returns {StudyToRun['conduct']}
 */
export const makeSequence =
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
