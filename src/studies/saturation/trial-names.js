import { rateWords } from '../../kit/rate-words.js'
import { saturatedBy } from './saturated.js'

/**
 * cellName is what a cell is called in texts.
 *
 * @param {import('../../scenarios/saturation.js').Face} face
 * @param {{ ratePerSecond: number, size: number }} cell
 */
export const cellName = ({ sizeSign }, { ratePerSecond, size }) =>
  `r=${rateWords(ratePerSecond)}, ${sizeSign}=${size}`

/**
 * trialName is what a cell is called before it was measured.
 *
 * @param {import('../../scenarios/saturation.js').Face} face
 * @param {import('./result/trial.js').AnyTrial} trial
 */
export function trialName(face, trial) {
  const { sizeOf, rateOf } = saturatedBy(trial.plan)
  return cellName(face, { ratePerSecond: rateOf(trial), size: sizeOf(trial.plan) })
}
