import { inTurn, runStudy } from '../study.js'
import { heldLoad } from './plan/load-plan.js'
import { measuredCells } from './result/measured-cells.js'
import { SATURATION_DOCUMENT } from './result/saturation-document.js'
import { runSearch } from './run-search.js'
import { blameless, trialTurn } from './run-trial.js'
import { faceOf, SATURATED } from './saturated.js'
import { chosenCell } from './search/saturation-grid.js'
import { trialName } from './trial-names.js'

/**
 * @typedef {import('./result/saturation-document.js').SaturationDocument} SaturationDocument
 * @typedef {import('./result/saturation-document.js').GridState} GridState
 * @typedef {import('../../result/types.js').Reason} Reason
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
        if (search !== null)
          await runSearch(search, { planAt: planner(document) }, { run, inTimeMs, seed: search.seed })
      }
    },
    components
  )
}

/** @param {SaturationDocument} document @returns {import('./run-search.js').SearchParts['planAt']} */
function planner({ scenario, options, seconds, ...document }) {
  const { sizeName, again } = SATURATED[scenario]
  const size = document[sizeName] ?? undefined
  return (perSecond, repeat) => {
    const load = { perSecond, size, seconds }
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
export const plansAhead = ({ grid, search, ...document }) => [
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
function runGrid({ scenario, inTimeMs }, grid) {
  const { cells } = grid
  const judge = () => {
    grid.chosen = chosenOf(grid, SATURATED[scenario].sizeName)
  }
  return inTurn(
    cells.map(cell => trialTurn(cell, { label: trialName(faceOf({ scenario }), cell), inTimeMs, judge })),
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
