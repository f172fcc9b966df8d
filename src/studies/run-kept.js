import { outputFile } from '../report/output-file.js'
import { viewsOfRun } from '../report/views.js'
import { compactRecord } from '../result/compact.js'
import { deliver } from '../result/deliver.js'
import { resultFolder } from '../result/folder.js'

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
export async function runKept({ label, plan, ...about }, folder, components) {
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
