import { runStudy, StudyEndedError } from '../study.js'
import { makeArmFolder, writeAb } from './ab-folder.js'

/**
 * @typedef {import('./ab-folder.js').AbDocument} AbDocument
 * @typedef {import('./ab-folder.js').Arm} Arm
 * @typedef {{ pair: number, arm: Arm }} AbTurn
 */

/**
 * turns gives the order of the runs: ABBA and again ABBA, so that what drifts steadily meets both plans alike.
 *
 * @param {number} pairs
 * @returns {AbTurn[]}
 */
export const turns = pairs =>
  Array.from({ length: pairs }, (_, pair) => {
    /** @type {Arm[]} */
    const order = pair % 2 === 0 ? ['a', 'b'] : ['b', 'a']
    return order.map(arm => ({ pair, arm }))
  }).flat()

/**
 * runAb runs two plans in turn, a fresh server each time. A run that does not come to its end ends it.
 *
 * @param {AbDocument} document - grows
 * @param {import('../../result/folder.js').RunFolder} folder
 * @param {Parameters<typeof runStudy>[1]} components
 */
export async function runAb(document, folder, components) {
  const { arms, pairs } = document
  const order = turns(pairs.length)
  const planOf = (/** @type {AbTurn} */ { arm }) => arms[arm].plan
  await runStudy(
    {
      document,
      save: () => writeAb(folder.path, document),
      open: () => null,
      async conduct(run) {
        for (const [place, turn] of order.entries()) {
          const { pair, arm } = turn
          const { status, reason } = await run({
            label: `pair ${pair + 1}  ${arm.toUpperCase()} ${arms[arm].label}`,
            plan: planOf(turn),
            index: place + 1,
            total: order.length,
            left: order.slice(place).map(planOf),
            makeFolder: () => makeArmFolder(folder, arm, pair),
            keep({ status }, { inside = null }) {
              if (status === 'complete') pairs[pair][arm] = inside
            }
          })
          if (status !== 'complete') throw new StudyEndedError(/** @type {any} */ (reason))
        }
      }
    },
    components
  )
}
