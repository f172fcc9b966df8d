import { LiveThresholds } from '../../../result/thresholds/live.js'
import { ThresholdError } from '../../threshold-error.js'
import { GOSSIP_FIGURES } from '../figures.js'

const EVERY_MS = 1000
/** The result so far is written this often. */
const PARTIAL_EVERY_MS = 5000

/**
 * watchPublishing tells once a second what was measured so far, and ends the run when a threshold with abortOnFail has failed for
 * its grace time.
 *
 * @param {object} parts
 * @param {'publish' | 'cooldown'} parts.phase
 * @param {import('../plan/gossip-plan.js').GossipPlan} parts.plan
 * @param {import('../../run-log.js').RunLog} parts.log
 * @param {import('../../trouble.js').Trouble} parts.trouble
 * @param {import('./gossip-measurement.js').GossipMeasurement} parts.measurement
 * @param {() => void} parts.emitPartial
 * @param {() => number} [clock] - ms; grace times of a simulated network are virtual
 * @returns {{ stop: () => void }}
 */
export function watchPublishing(
  { phase, plan, log, trouble, measurement, emitPartial },
  clock = () => (plan.network === 'simulated' ? measurement.measuredMs : performance.now())
) {
  const thresholds = new LiveThresholds(plan.thresholds, GOSSIP_FIGURES)
  const look = () => {
    const figures = measurement.figures()
    log.progress(progressOf(phase, plan, figures))
    const { results, brokeOff } = thresholds.look(figures, clock())
    const utilizations = measurement.usage.map(({ utilization }) => utilization)
    log.interval({ figures, utilizations, thresholds: results })
    if (brokeOff !== null) trouble.raise(new ThresholdError(brokeOff))
  }
  const timers = [setInterval(look, EVERY_MS), setInterval(emitPartial, PARTIAL_EVERY_MS)]
  return { stop: () => timers.forEach(clearInterval) }
}

/**
 * @param {'publish' | 'cooldown'} phase
 * @param {import('../plan/gossip-plan.js').GossipPlan} plan
 * @param {import('../gossip-types.js').GossipFigures} figures
 * @returns {Omit<import('../../../result/types.js').ProgressRecord, 'type'>}
 */
function progressOf(phase, { durationMs }, { messages, delivery, latency, measuredMs }) {
  const times = {
    p50Ms: latency.delivered.p50?.ms,
    p99Ms: latency.delivered.p99?.ms
  }
  if (phase === 'cooldown')
    return { phase, done: delivery.delivered, total: delivery.expected, unit: 'deliveries', ...times }
  const done = messages.published + messages.skipped + messages.failed
  return durationMs === null
    ? { phase, done, total: messages.planned, unit: 'messages', ...times }
    : { phase, done: Math.min(measuredMs, durationMs), total: durationMs, unit: 'ms', ...times }
}
