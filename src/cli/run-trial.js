import { mkdir } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { outputFile } from '../report/output-file.js'
import { viewsOfRun } from '../report/views.js'
import { makeRunFolder, resultFolder } from '../result/folder.js'
import { judgeOf } from '../result/saturation/judges.js'
import { deliver } from './deliver.js'
import { errorText } from './error-text.js'

/**
 * @typedef {import('../result/saturation/trial.js').AnyTrial} Trial
 *
 * @typedef {object} TrialComponents
 * @property {import('./surroundings.js').RunScenario} runScenario
 * @property {import('../report/view.js').View} view
 * @property {AbortSignal} signal
 * @property {string} cacheDir
 * @property {import('../report/matrix-progress.js').MatrixProgress} progress
 * @property {(text: string) => void} complain - about an error
 * @property {() => Date} now
 * @property {Readonly<import('../plan/plan.js').Output>} output
 * @property {string} folder - of all trials
 * @property {number} [inTimeMs] - within which a message of a gossip network is to reach everyone
 *
 * @typedef {{ index: number, total: number, etaMs: number, label: string }} About - a trial among the others, for who watches
 */

/** RUNS is the folder of the runs, in that of their document. */
const RUNS = 'runs'

/**
 * runTrial runs a trial, on a server of its own where the server is ours, and keeps its run. The trial says what became of it.
 *
 * @param {Trial} trial - is filled
 * @param {About} about
 * @param {TrialComponents} components
 * @returns {Promise<void>}
 */
export async function runTrial(trial, { label, ...about }, components) {
  const { runScenario, view, signal, cacheDir, progress, complain, output, folder, inTimeMs } = components
  await mkdir(join(folder, RUNS), { recursive: true })
  const runFolder = await makeRunFolder(join(folder, RUNS), trial.name)
  const row = () => ({
    id: label,
    plan: trial.plan,
    status: trial.status === 'complete' ? /** @type {const} */ ('complete') : /** @type {const} */ ('failed'),
    reason: trial.reason,
    tookMs: trial.tookMs
  })
  progress.begin({ ...about, row: row() })
  const began = performance.now()
  const records = runScenario(trial.plan, { id: runFolder.id, folder: runFolder.path, signal, cacheDir })
  const delivered = await deliver(records, [
    resultFolder(runFolder),
    viewsOfRun(runFolder.path, output, complain, view),
    ...(output.outputFile === null ? [] : [outputFile(output.outputFile, view)]),
    { add: progress.add, close() {} }
  ])
  for (const error of delivered.errors) if (error !== signal.reason) complain(errorText(error))
  const { result } = delivered
  Object.assign(trial, ending(trial, delivered, signal), {
    tookMs: Math.round(performance.now() - began),
    run: result === null ? null : posix.join(RUNS, runFolder.id),
    // what was measured of a run that was broken off is no measure of its load
    point: result?.status === 'complete' ? judgeOf(trial.plan).pointOf(result, { inTimeMs }) : null
  })
  progress.end({ ...about, row: row() }, result)
}

/**
 * @param {Trial} trial
 * @param {import('./deliver.js').Delivered} delivered
 * @param {AbortSignal} signal
 * @returns {Pick<Trial, 'status' | 'reason'>}
 */
function ending({ name }, { result, finished, errors }, signal) {
  if (finished && result?.status === 'complete' && errors.length === 0)
    return { status: 'complete', reason: null }
  if (signal.aborted)
    return { status: 'interrupted', reason: { code: 'INTERRUPTED', message: signal.reason.message } }
  const message = `${name} ended without a result`
  return { status: 'failed', reason: result?.reason ?? { code: 'NO_RESULT', message } }
}

/**
 * etaOf says about how long trials take.
 *
 * @param {readonly Pick<Trial, 'plan'>[]} trials
 * @param {Pick<TrialComponents, 'view'>} components
 */
export const etaOf = (trials, { view: { scenario } }) =>
  trials.reduce((sum, { plan }) => sum + scenario.estimateMs(plan), 0)
