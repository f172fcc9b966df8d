import { OwnMemoryWatch } from '../measure/own-memory.js'
import { LiveThresholds } from '../result/thresholds/live.js'
import { figuresSoFar, utilizations } from './rendezvous-result.js'
import { ThresholdError } from './threshold-error.js'

const EVERY_MS = 1000

/**
 * watchIntervals tells once a second what was measured so far, and ends the run when a threshold with abortOnFail has failed
 * for its grace time.
 *
 * @param {Pick<import('./rounds.js').RoundParts, 'plan' | 'log' | 'trouble'>} parts
 * @param {import('../measure/measurement.js').Measurement} measurement
 * @param {() => number} [clock] - ms
 * @returns {{ stop: () => void }}
 */
export function watchIntervals({ plan, log, trouble }, measurement, clock = () => performance.now()) {
  const thresholds = new LiveThresholds(plan.thresholds)
  const memory = new OwnMemoryWatch()
  const look = () => {
    measurement.addOwnMemory('main process', memory.read())
    const figures = figuresSoFar(measurement)
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
