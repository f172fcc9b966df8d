import { OwnMemoryWatch } from '../../../measure/own-memory.js'
import { LiveThresholds } from '../../../result/thresholds/live.js'
import { ThresholdError } from '../../threshold-error.js'
import { utilizations } from '../measure/operation-result.js'

const EVERY_MS = 1000

/**
 * @typedef {object} Watched - what was measured so far
 * @property {import('../measure/measurement.js').Measurement} measurement
 * @property {() => import('../../../result/types.js').Figures} figures
 * @property {readonly import('../../../measure/figure.js').Figure[]} rows - of the scenario
 */

/**
 * watchIntervals tells once a second what was measured so far, and ends the run when a threshold with abortOnFail has failed
 * for its grace time.
 *
 * @param {object} parts
 * @param {Pick<import('../../../plan/plan.js').Plan, 'thresholds'>} parts.plan
 * @param {import('../../run-log.js').RunLog} parts.log
 * @param {import('../../trouble.js').Trouble} parts.trouble
 * @param {Watched} watched
 * @param {() => number} [clock] - ms
 * @returns {{ stop: () => void }}
 */
export function watchIntervals(
  { plan, log, trouble },
  { measurement, figures: figuresSoFar, rows },
  clock = () => performance.now()
) {
  const thresholds = new LiveThresholds(plan.thresholds, rows)
  const memory = new OwnMemoryWatch()
  const look = () => {
    measurement.addOwnMemory('main process', memory.read())
    const figures = figuresSoFar()
    const { results, brokeOff } = thresholds.look(figures, clock())
    log.interval({ figures, utilizations: utilizations(measurement), thresholds: results })
    if (brokeOff !== null) trouble.raise(new ThresholdError(brokeOff))
  }
  const timer = setInterval(look, EVERY_MS)
  return {
    stop: () => {
      clearInterval(timer)
      memory.stop()
    }
  }
}
