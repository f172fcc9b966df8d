import { join } from 'node:path'
import { ResultFileError } from '../../result/read-result.js'
import { failRulesOf, heldAgainst } from '../comparison/baseline.js'
import { readSide } from '../comparison/sides.js'
import { inTurn, runStudy, StudyEndedError } from '../study.js'
import { REPETITION_DOCUMENT, RUNS_FOLDER } from './repetition-document.js'

/** @typedef {import('./repetition-document.js').RepetitionDocument} RepetitionDocument */

/** @param {string} baseline @param {import('../../scenarios/index.js').FindScenario} find */
async function readBaseline(baseline, find) {
  try {
    return await readSide(baseline, find)
  } catch (error) {
    if (!(error instanceof ResultFileError)) throw error
    throw new StudyEndedError({
      code: 'NO_BASELINE',
      message: `${error.message}: hold these runs against it, or another one, with --resume --baseline`
    })
  }
}

/**
 * runRepetition runs a plan as often as is left, a fresh server each time, and holds the runs against a baseline. A run that does not
 * come to its end ends it.
 *
 * @param {RepetitionDocument} document - grows
 * @param {string} folder
 * @param {Parameters<typeof runStudy>[1] & { findScenario: import('../../scenarios/index.js').FindScenario }} components
 */
export async function runRepetition(document, folder, { findScenario, ...components }) {
  const { id, plan, runs, baseline } = document
  /** @param {number} place @returns {import('../study.js').TurnOf} */
  const turnOf = place => ({
    label: `run ${place + 1}`,
    plan,
    part: RUNS_FOLDER,
    // names sort in the order of the runs
    name: `${id}-${String(place + 1).padStart(2, '0')}`,
    isDone: () => runs[place] !== null,
    keep({ status }, inside) {
      if (status === 'complete') runs[place] = inside
    }
  })
  await runStudy(
    {
      document,
      file: REPETITION_DOCUMENT,
      folder,
      conduct: inTurn(runs.map((_, place) => turnOf(place))),
      async conclude() {
        if (baseline === null || runs.every(run => run === null)) return
        const before = await readBaseline(baseline, findScenario)
        const now = await readSide(join(folder, RUNS_FOLDER), findScenario)
        document.held = heldAgainst(before, now, failRulesOf(document, now.scenario.compared))
      }
    },
    components
  )
}
