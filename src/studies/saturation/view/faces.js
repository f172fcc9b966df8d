import { rateWords } from '../../../kit/rate-words.js'
import { saturatedBy } from '../saturated.js'

/** gridLegend says what the signs of a grid are, which stand under it. @param {import('../../../scenarios/saturation.js').Face} face */
export const gridLegend = ({ what }) =>
  `✗ not kept up with, beyond the saturation diagonal, with the ${what} expected. ◆ the chosen cell.`

/**
 * cellName is what a cell is called in texts.
 *
 * @param {import('../../../scenarios/saturation.js').Face} face
 * @param {{ ratePerSecond: number, size: number }} cell
 */
export const cellName = ({ sizeSign }, { ratePerSecond, size }) =>
  `r=${rateWords(ratePerSecond)}, ${sizeSign}=${size}`

/**
 * trialName is what a cell is called before it was measured.
 *
 * @param {import('../../../scenarios/saturation.js').Face} face
 * @param {import('../result/trial.js').AnyTrial} trial
 */
export function trialName(face, trial) {
  const { sizeOf, rateOf } = saturatedBy(trial.plan)
  return cellName(face, { ratePerSecond: rateOf(trial), size: sizeOf(trial.plan) })
}

export { faceOf } from '../saturated.js'
