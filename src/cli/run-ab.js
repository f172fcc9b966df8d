import { remainingMs } from '../plan/estimate.js'
import { outputFile } from '../report/output-file.js'
import { viewsOfRun } from '../report/views.js'
import { makeArmFolder, writeAb } from '../result/ab-folder.js'
import { resultFolder } from '../result/folder.js'
import { deliver } from './deliver.js'
import { errorText } from './error-text.js'

/**
 * @typedef {import('../result/ab-folder.js').AbDocument} AbDocument
 * @typedef {import('../result/ab-folder.js').Arm} Arm
 * @typedef {import('../result/folder.js').RunFolder} RunFolder
 * @typedef {import('../result/types.js').Reason} Reason
 * @typedef {import('../plan/plan.js').Output} Output
 *
 * @typedef {object} AbComponents
 * @property {import('./surroundings.js').RunScenario} runScenario
 * @property {import('../report/view.js').ViewOf} viewOf
 * @property {AbortSignal} signal
 * @property {string} cacheDir
 * @property {import('../report/matrix-progress.js').MatrixProgress} progress
 * @property {(text: string) => void} complain - about an error
 * @property {() => Date} now
 *
 * @typedef {{ pair: number, arm: Arm }} Turn
 */

/**
 * turns gives the order of the runs: ABBA and again ABBA, so that what drifts steadily meets both plans alike.
 *
 * @param {number} pairs
 * @returns {Turn[]}
 */
export const turns = pairs =>
  Array.from({ length: pairs }, (_, pair) => {
    /** @type {Arm[]} */
    const order = pair % 2 === 0 ? ['a', 'b'] : ['b', 'a']
    return order.map(arm => ({ pair, arm }))
  }).flat()

/**
 * runAb runs two plans in turn, a fresh server each time. Its document is kept up to date, so that what was measured is
 * there whatever happens. A run that does not come to its end ends it.
 *
 * @param {AbDocument} document - grows
 * @param {{ folder: RunFolder, output: Readonly<Output> }} where
 * @param {AbComponents} components
 */
export async function runAb(document, { folder, output }, components) {
  const { signal, now, viewOf } = components
  const todo = turns(document.pairs.length)
  /** @type {{ estimateMs: number, tookMs: number }[]} */
  const done = []
  await writeAb(folder.path, document)
  for (const [place, turn] of todo.entries()) {
    if (signal.aborted) break
    const left = todo.slice(place).map(({ arm }) => {
      const { plan } = document.arms[arm]
      return viewOf(plan).scenario.estimateMs(plan)
    })
    const about = { index: place + 1, total: todo.length, etaMs: remainingMs(done, left) }
    const { tookMs, reason } = await runTurn(document, turn, { folder, output, about, ...components })
    done.push({ estimateMs: left[0], tookMs })
    document.reason = reason
    await writeAb(folder.path, document)
    if (reason !== null) break
  }
  if (signal.aborted) document.reason = { code: 'INTERRUPTED', message: signal.reason.message }
  document.status = document.reason === null ? 'complete' : 'partial'
  document.finishedAt = now().toISOString()
  await writeAb(folder.path, document)
}

/**
 * @param {AbDocument} document
 * @param {Turn} turn
 * @param {AbComponents & { folder: RunFolder, output: Readonly<Output>, about: { index: number, total: number, etaMs: number } }} how
 * @returns {Promise<{ tookMs: number, reason: Reason | null }>} `reason`: why the run did not come to its end
 */
async function runTurn(document, { pair, arm }, { folder, output, about, ...components }) {
  const { runScenario, viewOf, signal, cacheDir, progress, complain } = components
  const { label, plan } = document.arms[arm]
  const id = `pair ${pair + 1}  ${arm.toUpperCase()} ${label}`
  const { inside, ...runFolder } = await makeArmFolder(folder, arm, pair)
  progress.begin({ ...about, row: { id, plan, status: 'running', reason: null, tookMs: null } })
  const began = performance.now()
  const records = runScenario(plan, { id: runFolder.id, folder: runFolder.path, signal, cacheDir })
  const { result, finished, errors } = await deliver(records, [
    resultFolder(runFolder),
    viewsOfRun(runFolder.path, output, complain, viewOf(plan)),
    ...(output.outputFile === null ? [] : [outputFile(output.outputFile, viewOf(plan))]),
    { add: progress.add, close() {} }
  ])
  for (const error of errors) if (error !== signal.reason) complain(errorText(error))
  const tookMs = Math.round(performance.now() - began)
  const complete = finished && result?.status === 'complete' && errors.length === 0
  const reason = complete
    ? null
    : (result?.reason ?? { code: 'NO_RESULT', message: `${id} ended without a result` })
  if (complete) document.pairs[pair][arm] = inside
  progress.end(
    { ...about, row: { id, plan, status: complete ? 'complete' : 'failed', reason, tookMs } },
    /** @type {import('../result/types.js').Result | null} */ (result)
  )
  return { tookMs, reason }
}
