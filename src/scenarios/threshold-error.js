import { withUnit } from '../kit/units.js'

/** @typedef {import('../result/types.js').ThresholdResult} ThresholdResult */

/** ThresholdError ends a run because a threshold with abortOnFail failed. */
export class ThresholdError extends Error {
  name = 'ThresholdError'
  code = 'THRESHOLD_FAILED'

  /** @param {ThresholdResult} brokeOff - its figure when it did */
  constructor(brokeOff) {
    const { text, actual, unit } = brokeOff
    super(`threshold ${text} failed at ${withUnit(Number(actual), unit)}`)
    this.brokeOff = brokeOff
  }
}
