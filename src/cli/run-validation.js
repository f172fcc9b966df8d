import { remainingMs } from '../plan/estimate.js'
import { outputFile } from '../report/output-file.js'
import { viewsOfRun } from '../report/views.js'
import { resultFolder } from '../result/folder.js'
import { judgeValidation, readSideResults } from '../result/validation/judge-validation.js'
import { makeSideFolder, SIDES, writeValidation } from '../result/validation/validation-document.js'
import { GOSSIP } from '../scenarios/gossip/scenario.js'
import { deliver } from './deliver.js'
import { errorText } from './error-text.js'

/**
 * @typedef {import('../result/folder.js').RunFolder} RunFolder
 * @typedef {import('../result/types.js').Reason} Reason
 * @typedef {import('../result/validation/validation-document.js').SideName} SideName
 * @typedef {import('../result/validation/validation-document.js').ValidationDocument} ValidationDocument
 * @typedef {import('../result/validation/validation-document.js').ValidationRun} ValidationRun
 *
 * @typedef {object} ValidationComponents
 * @property {import('./surroundings.js').RunScenario} runScenario
 * @property {import('../report/view.js').View} view
 * @property {import('../scenarios/index.js').FindScenario} findScenario
 * @property {AbortSignal} signal
 * @property {string} cacheDir
 * @property {import('../report/matrix-progress.js').MatrixProgress} progress
 * @property {(text: string) => void} complain - about an error
 * @property {() => Date} now
 * @property {Pick<import('../plan/plan.js').Output, 'csv' | 'outputFile'>} output
 * @property {RunFolder} folder
 *
 * @typedef {{ side: SideName, run: ValidationRun }} Turn
 */

/** A simulated second takes a real one only where it has to: a rough guess, for who waits. */
const SIMULATED_PACE = 0.1

/** @param {Turn} turn */
const guessMs = ({ side, run: { plan } }) => GOSSIP.estimateMs(plan) * (side === 'real' ? 1 : SIMULATED_PACE)

/**
 * runValidation runs the plans of a validation one after the other, a real one and its simulation in turn, and judges what they came
 * to. Its document is kept up to date, so that what was measured is there whatever happens. A run that does not come to its end ends it.
 *
 * @param {ValidationDocument} document - grows
 * @param {ValidationComponents} components
 */
export async function runValidation(document, components) {
  const { folder, signal, now } = components
  const turns = document.runs.real.flatMap((_, place) =>
    SIDES.map(side => ({ side, run: document.runs[side][place] }))
  )
  /** @type {{ estimateMs: number, tookMs: number }[]} */
  const done = []
  await writeValidation(folder.path, document)
  for (const [place, turn] of turns.entries()) {
    if (signal.aborted) break
    const left = turns.slice(place).map(guessMs)
    const about = { index: place + 1, total: turns.length, etaMs: remainingMs(done, left) }
    document.reason = await runTurn(turn, about, components)
    done.push({ estimateMs: left[0], tookMs: turn.run.tookMs ?? 0 })
    await writeValidation(folder.path, document)
    if (document.reason !== null) break
  }
  if (signal.aborted) document.reason = { code: 'INTERRUPTED', message: signal.reason.message }
  document.status = document.reason === null ? 'complete' : 'partial'
  document.finishedAt = now().toISOString()
  document.verdict = judgeValidation(
    document,
    await readSideResults(folder.path, document, components.findScenario)
  )
  await writeValidation(folder.path, document)
}

/**
 * @param {Turn} turn - its run is filled
 * @param {{ index: number, total: number, etaMs: number }} about
 * @param {ValidationComponents} components
 * @returns {Promise<Reason | null>} why the run did not come to its end
 */
async function runTurn({ side, run }, about, components) {
  const { runScenario, view, signal, cacheDir, progress, complain, output, folder } = components
  const { plan } = run
  const id = `${side}, seed ${plan.seed}`
  const { inside, ...runFolder } = await makeSideFolder(folder, side, plan.seed)
  progress.begin({ ...about, row: { id, plan, status: 'running', reason: null, tookMs: null } })
  const began = performance.now()
  const records = runScenario(plan, { id: runFolder.id, folder: runFolder.path, signal, cacheDir })
  const { result, finished, errors } = await deliver(records, [
    resultFolder(runFolder),
    viewsOfRun(runFolder.path, output, complain, view),
    ...(output.outputFile === null ? [] : [outputFile(output.outputFile, view)]),
    { add: progress.add, close() {} }
  ])
  for (const error of errors) if (error !== signal.reason) complain(errorText(error))
  const complete = finished && result?.status === 'complete' && errors.length === 0
  const reason = complete
    ? null
    : (result?.reason ?? { code: 'NO_RESULT', message: `${id} ended without a result` })
  Object.assign(run, {
    status: complete ? 'complete' : 'failed',
    run: result === null ? null : inside,
    tookMs: Math.round(performance.now() - began)
  })
  progress.end(
    { ...about, row: { id, plan, status: complete ? 'complete' : 'failed', reason, tookMs: run.tookMs } },
    result
  )
  return reason
}
