import { ResultFileError } from '../../result/read-result.js'
import { inTurn, runStudy } from '../study.js'
import { AB_DOCUMENT } from './ab-folder.js'
import { failRulesOf, heldAgainst } from './baseline.js'
import { readAbSides, readSide } from './sides.js'

/**
 * @typedef {import('./ab-folder.js').AbDocument} AbDocument
 * @typedef {import('./ab-folder.js').Arm} Arm
 * @typedef {{ pair: number, arm: Arm }} AbTurn - `pair`: from 0
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

/** @param {AbDocument} document @param {AbTurn} turn @returns {import('../study.js').TurnOf} */
const turnOf = ({ id, arms, pairs }, { pair, arm }) => ({
  label: `pair ${pair + 1}  ${arm.toUpperCase()} ${arms[arm].label}`,
  plan: arms[arm].plan,
  part: arm,
  // names sort in the order of the runs, and no two runs of all times have the same
  name: `${id}-${arm}${String(pair + 1).padStart(2, '0')}`,
  isDone: () => pairs[pair][arm] !== null,
  keep({ status }, inside) {
    if (status === 'complete') pairs[pair][arm] = inside
  }
})

/**
 * runAb runs two plans in turn, a fresh server each time. A run that does not come to its end ends it. Of a pair that was broken off
 * before both runs are made again: they are to be neighbours in time.
 *
 * @param {AbDocument} document - grows
 * @param {string} folder
 * @param {Parameters<typeof runStudy>[1] & { findScenario: import('../../scenarios/index.js').FindScenario }} components
 */
export async function runAb(document, folder, { findScenario, ...components }) {
  const { pairs, baseline } = document
  for (const pair of pairs) if (pair.a === null || pair.b === null) Object.assign(pair, { a: null, b: null })
  const before = baseline === null ? null : await readSide(baseline, findScenario)
  await runStudy(
    {
      document,
      file: AB_DOCUMENT,
      folder,
      conduct: inTurn(turns(pairs.length).map(turn => turnOf(document, turn))),
      async conclude() {
        const { b } = before === null ? { b: null } : await readAbSides(folder, findScenario).catch(none)
        if (before === null || b === null) return
        document.held = heldAgainst(before, b, failRulesOf(document, b.scenario.compared))
      }
    },
    components
  )
}

/** @param {unknown} error */
function none(error) {
  if (error instanceof ResultFileError) return { b: null }
  throw error
}
