import { measuredCells } from '../../saturation/result/measured-cells.js'
import { saturatedBy } from '../../saturation/saturated.js'

/**
 * failedBeyond says whether a cell of a grid failed at a load beyond those that are carried: a server that no longer answers there is an
 * answer. Where no cell is carried, it is a failure.
 *
 * @param {Pick<import('./qa-document.js').QaDocument['grid'], 'cells'>} grid
 * @param {import('./qa-document.js').AnyTrial} trial
 */
export function failedBeyond({ cells }, trial) {
  if (trial.status !== 'failed' || !cells.includes(trial)) return false
  const { sizeOf, rateOf } = saturatedBy(trial.plan)
  const carried = measuredCells(cells).filter(({ beyond }) => !beyond)
  const asMuch = carried.some(
    ({ ratePerSecond, size }) => ratePerSecond >= rateOf(trial) && size >= sizeOf(trial.plan)
  )
  return carried.length > 0 && !asMuch
}
