import { inTurn, runStudy } from '../study.js'
import { failRulesOf, heldAgainst } from './baseline.js'
import { COMPARISON_DOCUMENT, letterOf, wholePlaces } from './comparison-document.js'
import { readSide, sidesOf } from './sides.js'

/**
 * @typedef {import('./comparison-document.js').ComparisonDocument} ComparisonDocument
 * @typedef {{ pair: number, arm: string }} ArmTurn - `pair`: from 0
 */

/**
 * turns gives the order of the runs: ABBA and again ABBA, so that what drifts steadily meets all plans alike.
 *
 * @template {string} A
 * @param {number} pairs
 * @param {readonly A[]} arms
 * @returns {{ pair: number, arm: A }[]}
 */
export const turns = (pairs, arms) =>
  Array.from({ length: pairs }, (_, pair) => {
    const order = pair % 2 === 0 ? arms : arms.toReversed()
    return order.map(arm => ({ pair, arm }))
  }).flat()

/** @param {ComparisonDocument} document @returns {import('../study.js').TurnOf[]} */
function turnsOf({ id, sides }) {
  const arms = sides.map((_, place) => letterOf(place).toLowerCase())
  return turns(sides[0].runs.length, arms).map(({ pair, arm }) => {
    const { label, plan, runs } = sides[arms.indexOf(arm)]
    return {
      label: sides.length === 1 ? `run ${pair + 1}` : `pair ${pair + 1}  ${arm.toUpperCase()} ${label}`,
      plan,
      part: arm,
      // names sort in the order of the runs, and no two runs of all times have the same
      name: `${id}-${arm}${String(pair + 1).padStart(2, '0')}`,
      isDone: () => runs[pair] !== null,
      keep({ status }, inside) {
        if (status === 'complete') runs[pair] = inside
      }
    }
  })
}

/**
 * runComparison runs plans in turn, a fresh server each time, and holds the last one against a baseline. A run that does not come to its
 * end ends it. Of a pair that was broken off before all runs are made again: they are to be neighbours in time.
 *
 * @param {ComparisonDocument} document - grows
 * @param {string} folder
 * @param {Parameters<typeof runStudy>[1] & { findScenario: import('../../scenarios/index.js').FindScenario }} components
 */
export async function runComparison(document, folder, { findScenario, ...components }) {
  const { sides, baseline } = document
  const whole = wholePlaces(document)
  for (const side of sides) side.runs = side.runs.map((run, place) => (whole.includes(place) ? run : null))
  const before = baseline === null ? null : await readSide(baseline, findScenario)
  await runStudy(
    {
      document,
      file: COMPARISON_DOCUMENT,
      folder,
      conduct: inTurn(turnsOf(document)),
      async conclude() {
        if (before === null || wholePlaces(document).length === 0) return
        const now = (await sidesOf(document, folder, findScenario))[sides.length - 1]
        document.held = heldAgainst(before, now, failRulesOf(document, now.scenario.compared))
      }
    },
    components
  )
}
