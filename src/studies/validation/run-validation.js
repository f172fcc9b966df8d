import { runStudy, StudyEndedError } from '../study.js'
import { judgeValidation, readSideResults } from './result/judge-validation.js'
import { makeSideFolder, SIDES, writeValidation } from './result/validation-document.js'

/** @typedef {import('./result/validation-document.js').ValidationDocument} ValidationDocument */

/**
 * runValidation runs the plans of a validation one after the other, a real one and its simulation in turn, and judges what they came
 * to. A run that does not come to its end ends it.
 *
 * @param {ValidationDocument} document - grows
 * @param {import('../../result/folder.js').RunFolder} folder
 * @param {Parameters<typeof runStudy>[1] & { findScenario: import('../../scenarios/index.js').FindScenario }} components
 */
export async function runValidation(document, folder, { findScenario, ...components }) {
  const turns = document.runs.real.flatMap((_, place) =>
    SIDES.map(side => ({ side, run: document.runs[side][place] }))
  )
  await runStudy(
    {
      document,
      save: () => writeValidation(folder.path, document),
      open: () => null,
      async conclude() {
        document.verdict = judgeValidation(
          document,
          await readSideResults(folder.path, document, findScenario)
        )
      },
      async conduct(run) {
        for (const [place, turn] of turns.entries()) {
          const { plan } = turn.run
          const { status, reason } = await run({
            label: `${turn.side}, seed ${plan.seed}`,
            plan,
            index: place + 1,
            total: turns.length,
            left: turns.slice(place).map(each => each.run.plan),
            makeFolder: () => makeSideFolder(folder, turn.side, plan.seed),
            keep({ status, result, tookMs }, { inside = null }) {
              const kept = status === 'complete' ? status : 'failed'
              Object.assign(turn.run, { status: kept, run: result === null ? null : inside, tookMs })
            }
          })
          if (status !== 'complete') throw new StudyEndedError(/** @type {any} */ (reason))
        }
      }
    },
    components
  )
}
