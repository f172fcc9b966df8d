import { inTurn, runStudy, StudyEndedError } from '../study.js'
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
        if (search?.found === null)
          await runSearch(
            search,
            { planAt: planner(document) },
            { run, objective: objectiveIn(document, []), inTimeMs, seed: search.seed }
          )
      }
    },
    components
  )
}

/**
 * objectiveIn is what the trials of a study are judged by.
 *
 * @param {Pick<SaturationDocument, 'objective'>} document
 * @param {readonly import('./result/trial.js').AnyTrial[]} trials - that are to be run, unless they were
 * @throws {StudyEndedError} where some are left, and the others were judged by the rules of an earlier version
 */
export function objectiveIn({ objective }, trials) {
  if (objective !== null) return objective
  if (trials.length > 0 && trials.every(({ status }) => status === 'complete')) return []
  throw new StudyEndedError({
    code: 'FORMER_RULES',
    message: 'its trials were judged by the rules of an earlier version: run it again from the beginning'
  })
}

/** @param {SaturationDocument} document @returns {import('./run-search.js').SearchParts['planAt']} */
function planner({ scenario, options, seconds, objective, ...document }) {
  const { sizeName, again } = SATURATED[scenario]
  const size = document[sizeName] ?? undefined
  return (perSecond, repeat) => {
    const load = { perSecond, size, seconds, objective }
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
function runGrid({ scenario, inTimeMs, ...document }, grid) {
  const { cells } = grid
  const objective = objectiveIn(document, cells)
  const judge = () => {
    grid.chosen = chosenOf(grid, SATURATED[scenario].sizeName)
  }
  return inTurn(
    cells.map(cell =>
      trialTurn(cell, { label: trialName(faceOf({ scenario }), cell), objective, inTimeMs, judge })
    ),
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
