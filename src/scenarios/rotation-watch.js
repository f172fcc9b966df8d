import { OwnMemoryWatch } from '../measure/own-memory.js'
import { LiveThresholds } from '../result/thresholds/live.js'
import { utilizations } from './rendezvous-result.js'
import { ThresholdError } from './threshold-error.js'

const EVERY_MS = 1000

/**
 * watchRotation tells once a second what was measured so far, and ends the run when a threshold with abortOnFail has failed for its
 * grace time.
 *
 * @param {object} parts
 * @param {import('../plan/rendezvous-rotation-plan.js').RendezvousRotationPlan} parts.plan
 * @param {import('./run-log.js').RunLog} parts.log
 * @param {import('./trouble.js').Trouble} parts.trouble
 * @param {import('./rotation-document.js').RotationDocument} document
 * @param {() => number} [clock] - ms
 * @returns {{ stop: () => void }}
 */
export function watchRotation({ plan, log, trouble }, document, clock = () => performance.now()) {
  const thresholds = new LiveThresholds(plan.thresholds)
  const memory = new OwnMemoryWatch()
  const look = () => {
    document.measurement.addOwnMemory('main process', memory.read())
    const figures = document.figures()
    const { results, brokeOff } = thresholds.look(figures, clock())
    log.interval({ figures, utilizations: utilizations(document.measurement), thresholds: results })
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
