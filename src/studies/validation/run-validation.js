import { inTurn, runStudy } from '../study.js'
import { judgeValidation, readSideResults } from './result/judge-validation.js'
import { SIDES, VALIDATION_DOCUMENT } from './result/validation-document.js'

/** @typedef {import('./result/validation-document.js').ValidationDocument} ValidationDocument */

/**
 * runValidation runs the plans of a validation one after the other, a real one and its simulation in turn, and judges what they came
 * to. A run that does not come to its end ends it.
 *
 * @param {ValidationDocument} document - grows
 * @param {string} folder
 * @param {Parameters<typeof runStudy>[1] & { findScenario: import('../../scenarios/index.js').FindScenario, of?: string }} components - `of`: what its runs are of, where they
 *   are not the only ones
 */
export async function runValidation(document, folder, { findScenario, of = '', ...components }) {
  const { id, runs } = document
  /** @param {import('./result/validation-document.js').SideName} side @param {number} place @returns {import('../study.js').TurnOf} */
  const turnOf = (side, place) => {
    const own = runs[side][place]
    const { plan } = own
    return {
      label: `${of}${side}, seed ${plan.seed}`,
      plan,
      part: side,
      name: `${id}-${side}-${plan.seed}`,
      isDone: () => own.status === 'complete',
      keep({ status, result, tookMs }, inside) {
        const kept = status === 'complete' ? status : 'failed'
        Object.assign(own, { status: kept, run: result === null ? null : inside, tookMs })
      }
    }
  }
  await runStudy(
    {
      document,
      file: VALIDATION_DOCUMENT,
      folder,
      before: SIDES.flatMap(side => runs[side]),
      conduct: inTurn(
        runs.real.flatMap((_, place) =>
          SIDES.flatMap(side => (place < runs[side].length ? [turnOf(side, place)] : []))
        )
      ),
      async conclude() {
        document.verdict = judgeValidation(document, await readSideResults(folder, document, findScenario))
      }
    },
    components
  )
}
