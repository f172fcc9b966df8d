import { chosenCell } from '../load/saturation-grid.js'
import { loadPlan } from '../plan/saturation/load-plan.js'
import { measuredCells } from '../result/saturation/measured-cells.js'
import { writeSaturation } from '../result/saturation/saturation-document.js'
import { runSearch } from './run-search.js'
import { etaOf, runTrial } from './run-trial.js'
import { TrialFailedError } from './trial-failed-error.js'

/**
 * @typedef {import('../result/saturation/saturation-document.js').SaturationDocument} SaturationDocument
 * @typedef {import('../result/saturation/saturation-document.js').GridState} GridState
 * @typedef {import('../result/types.js').Reason} Reason
 * @typedef {import('./run-trial.js').TrialComponents} TrialComponents
 */

/**
 * runSaturate runs what is left of a grid or a search. Its document is kept up to date, so that what was measured is there whatever
 * happens.
 *
 * @param {SaturationDocument} document - grows
 * @param {TrialComponents} components
 */
export async function runSaturate(document, components) {
  const { folder, signal, now } = components
  const save = () => writeSaturation(folder, document)
  Object.assign(document, { status: 'running', reason: null, finishedAt: null })
  await save()
  const { grid, search } = document
  try {
    if (grid !== null) await runGrid(grid, save, components)
    if (search !== null) await runSearch(search, { planAt: planner(document), save }, components)
  } catch (error) {
    document.reason = reasonOf(error, signal)
  }
  document.reason ??= grid === null ? null : openCells(grid)
  document.status = document.reason === null ? 'complete' : 'partial'
  document.finishedAt = now().toISOString()
  await save()
}

/**
 * reasonOf says why trials ended early.
 *
 * @param {unknown} error
 * @param {AbortSignal} signal
 * @returns {Reason}
 * @throws what is neither an interruption nor a failed trial
 */
export function reasonOf(error, signal) {
  if (signal.aborted) return { code: 'INTERRUPTED', message: signal.reason.message }
  if (error instanceof TrialFailedError) return { code: error.code, message: error.message }
  throw error
}

/** @param {SaturationDocument} document @returns {(perSecond: number) => Readonly<import('../plan/plan.js').Plan>} */
const planner = document => perSecond => {
  const { plan, problems } = loadPlan(document.options, {
    perSecond,
    connections: /** @type {number} */ (document.connections),
    seconds: document.seconds
  })
  if (plan === undefined)
    throw new Error(problems.map(({ flag, value, allowed }) => `${flag} ${value} ${allowed}`).join('; '))
  return plan
}

/** @param {GridState} grid @returns {Reason | null} */
function openCells({ cells }) {
  const open = cells.filter(({ status }) => status !== 'complete')
  if (open.length === 0) return null
  return { code: 'CELLS_FAILED', message: `${open.length} of ${cells.length} cells are not complete` }
}

/**
 * A cell that fails may have failed at its load: the others are run all the same, unless it is the first.
 *
 * @param {GridState} grid
 * @param {() => Promise<void>} save
 * @param {TrialComponents} components
 */
async function runGrid(grid, save, components) {
  const { cells } = grid
  for (const [place, cell] of cells.entries()) {
    if (cell.status === 'complete') continue
    components.signal.throwIfAborted()
    const left = cells.slice(place).filter(({ status }) => status !== 'complete')
    const label = `r=${cell.perSecond / cell.connections}, c=${cell.connections}`
    await runTrial(cell, { index: place + 1, total: cells.length, etaMs: etaOf(left), label }, components)
    grid.chosen = chosenOf(grid)
    await save()
    components.signal.throwIfAborted()
    if (!cells.some(({ status }) => status === 'complete')) throw new TrialFailedError(cell)
  }
}

/** @param {GridState} grid */
function chosenOf({ cells }) {
  const chosen = chosenCell(measuredCells(cells))
  return chosen && { ratePerSecond: chosen.ratePerSecond, connections: chosen.connections }
}
