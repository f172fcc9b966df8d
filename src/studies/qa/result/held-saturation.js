import { isDeepStrictEqual } from 'node:util'
import { planDifferences } from '../../comparison/differences.js'
import { isBarelyMissed } from '../../saturation/objective.js'
import { measuredCells } from '../../saturation/result/measured-cells.js'
import { faceOf, saturatedBy } from '../../saturation/saturated.js'
import { isGenerators, limitAt } from '../../saturation/search/limits.js'
import { cellName } from '../../saturation/trial-names.js'

/**
 * @typedef {import('./qa-document.js').QaDocument} QaDocument
 * @typedef {import('./qa-document.js').AnyTrial} AnyTrial
 * @typedef {ReturnType<typeof measuredCells>[number]} Cell
 *
 * @typedef {'carried' | 'lost' | 'barely' | 'generators'} Outcome - of a cell that was carried then
 */

/** @param {Cell} cell */
const isForWantOfGenerator = ({ point }) => isGenerators(limitAt(point))

/** Of a gossip network on real TCP nodes and load generator are one. @param {QaDocument} document */
const isReal = ({ scenario, options }) => scenario === 'gossip' && options.network !== 'simulated'

/**
 * sameCell is a cell that was run to some end with the same plan.
 *
 * @param {readonly AnyTrial[]} cells
 * @param {Cell} old
 */
const sameCell = (cells, old) =>
  cells.find(
    trial =>
      (trial.point !== null || trial.status === 'failed') &&
      saturatedBy(trial.plan).rateOf(trial) === old.ratePerSecond &&
      saturatedBy(trial.plan).sizeOf(trial.plan) === old.size &&
      planDifferences(/** @type {any} */ (old.trial.plan), /** @type {any} */ (trial.plan)).length === 0
  )

/** @param {AnyTrial} trial - at a load that was carried then @param {QaDocument} now @returns {Outcome} */
function outcomeOf(trial, now) {
  const [cell] = measuredCells([trial])
  // a run that fails is no answer there
  if (cell === undefined) return 'lost'
  if (!cell.beyond) return 'carried'
  // runs at the edge fall to either side
  if (isBarelyMissed(trial.reasons)) return 'barely'
  return isForWantOfGenerator(cell) && !isReal(now) ? 'generators' : 'lost'
}

/**
 * heldSaturation says whether what was carried then is carried now. A cell that fails to be alone decides; what is open of one is open whatever
 * is open of others.
 *
 * @param {QaDocument} before
 * @param {QaDocument} now
 * @returns {{ verdict: 'PASS' | 'FAIL' | 'UNDECIDED', why: string }}
 */
export function heldSaturation(before, now) {
  if (!isDeepStrictEqual(before.objective, now.objective))
    return { verdict: 'UNDECIDED', why: 'they were judged by different objectives' }
  const carried = measuredCells(before.grid.cells).filter(({ beyond }) => !beyond)
  const pairs = carried.flatMap(old => {
    const trial = sameCell(now.grid.cells, old)
    return trial === undefined ? [] : [{ old, outcome: outcomeOf(trial, now) }]
  })
  const face = faceOf(now)
  const names = (/** @type {Outcome} */ outcome) =>
    pairs
      .filter(pair => pair.outcome === outcome)
      .map(({ old }) => `(${cellName(face, old)})`)
      .join(', ')
  const [lost, barely, generators] = [names('lost'), names('barely'), names('generators')]
  if (pairs.length === 0)
    return { verdict: 'UNDECIDED', why: 'no cell that was carried then was run with the same plan now' }
  if (lost !== '') return { verdict: 'FAIL', why: `${lost} was carried then, and is not now` }
  const open = [
    ...(barely === '' ? [] : [`${barely} barely misses the objective now, which one run can`]),
    ...(generators === '' ? [] : [`${generators} was not carried now, for want of the load generator`])
  ]
  return open.length > 0
    ? { verdict: 'UNDECIDED', why: open.join('; ') }
    : { verdict: 'PASS', why: `all ${pairs.length} cells that were carried then are carried now` }
}
