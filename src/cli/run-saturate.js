import { chosenCell } from '../load/saturation-grid.js'
import { heldLoad } from '../plan/saturation/load-plan.js'
import { faceOf, trialName } from '../report/saturation/faces.js'
import { measuredCells } from '../result/saturation/measured-cells.js'
import { sizeNames, writeSaturation } from '../result/saturation/saturation-document.js'
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
export async function runSaturate(document, { folder, ...others }) {
  const components = { ...others, folder, inTimeMs: document.inTimeMs }
  const { signal, now } = components
  const save = () => writeSaturation(folder, document)
  Object.assign(document, { status: 'running', reason: null, finishedAt: null })
  await save()
  const { grid, search } = document
  try {
    if (grid !== null) await runGrid(document, grid, save, components)
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

/**
 * With the same seed a simulated network does the same again: repeats of it have other ones.
 *
 * @param {SaturationDocument} document
 * @returns {import('./run-search.js').SearchParts['planAt']}
 */
function planner({ scenario, options, seconds, ...document }) {
  const size = document[sizeNames[scenario]] ?? undefined
  return (perSecond, repeat) => {
    const plan = heldLoad(scenario, options, { perSecond, size, seconds })
    if (repeat === 0 || !('network' in plan) || plan.network !== 'simulated') return plan
    const again = { ...options, seed: plan.seed + repeat, ...sameTopology(plan, options) }
    return heldLoad(scenario, again, { perSecond, size, seconds })
  }
}

/**
 * A topology with a seed of its own stays as it is.
 *
 * @param {import('../plan/gossip/gossip-plan.js').GossipPlan} plan
 * @param {Record<string, unknown>} options - as typed
 */
function sameTopology({ topology }, options) {
  const { topology: typed = topology.kind } = options
  if (!('seed' in topology) || String(typed).includes('seed=')) return {}
  return { topology: `${typed}${String(typed).includes(':') ? ',' : ':'}seed=${topology.seed}` }
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
 * @param {SaturationDocument} document
 * @param {GridState} grid
 * @param {() => Promise<void>} save
 * @param {TrialComponents} components
 */
async function runGrid({ scenario }, grid, save, components) {
  const { cells } = grid
  for (const [place, cell] of cells.entries()) {
    if (cell.status === 'complete') continue
    components.signal.throwIfAborted()
    const left = cells.slice(place).filter(({ status }) => status !== 'complete')
    const label = trialName(faceOf({ scenario }), cell)
    await runTrial(
      cell,
      { index: place + 1, total: cells.length, etaMs: etaOf(left, components), label },
      components
    )
    grid.chosen = chosenOf(grid, sizeNames[scenario])
    await save()
    components.signal.throwIfAborted()
    if (!cells.some(({ status }) => status === 'complete')) throw new TrialFailedError(cell)
  }
}

/** @param {GridState} grid @param {'connections' | 'nodes'} sizeName */
function chosenOf({ cells }, sizeName) {
  const chosen = chosenCell(measuredCells(cells))
  return chosen && { ratePerSecond: chosen.ratePerSecond, [sizeName]: chosen.size }
}
