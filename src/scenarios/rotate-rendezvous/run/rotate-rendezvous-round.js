import { setTimeout as sleep } from 'node:timers/promises'
import { rotationSchedule } from '../../../load/rotation-schedule.js'
import { ServerDurations } from '../../rendezvous/measure/server-durations.js'
import { watchIntervals } from '../../rendezvous/run/interval-watch.js'
import { tellProgress } from '../../rendezvous/run/measure-progress.js'
import { countRegistrations } from '../../rendezvous/run/registration-counts.js'
import { requestsServed, watchReplies } from '../../rendezvous/run/reply-watch.js'
import { sampleDuring } from '../../rendezvous/run/sample-target.js'
import { ROTATE_RENDEZVOUS_FIGURES } from '../figures.js'
import { RotateRendezvousMeasurement } from '../measure/rotate-rendezvous-measurement.js'

/**
 * @typedef {object} RotationParts
 * @property {import('../plan/rotate-rendezvous-plan.js').RotateRendezvousPlan} plan
 * @property {import('../../../target/target.js').Target} target
 * @property {import('./rotate-rendezvous-pool.js').RotateRendezvousPool} pool - whose intervals go to the document
 * @property {import('./rotate-rendezvous-document.js').RotateRendezvousDocument} document
 * @property {import('../../trouble.js').Trouble} trouble
 * @property {import('../../run-log.js').RunLog} log
 * @property {() => void} emitPartial
 */

const PROGRESS_MS = 500
const PARTIAL_EVERY_MS = 5000
const LAST_WORDS_MS = 2000

/**
 * measureRotating measures from the start of the rotation to its last reply, or until there is trouble. What was measured until then is
 * in the document.
 *
 * @param {RotationParts} parts
 */
export async function measureRotating(parts) {
  const { plan, pool, document, trouble } = parts
  const { measurement } = document
  const { startNs, ended, over } = pool.run()
  const lives = rotationSchedule({ ...plan, dials: 0 })
  document.rotation = new RotateRendezvousMeasurement({ plan, lives, startNs: Number(startNs) })
  measurement.begin(startNs)
  const stop = watch(parts, startNs)
  try {
    const ends = await trouble.guard(ended)
    await trouble.guard(addServerDurations(parts))
    close(document, Math.max(...ends.map(({ endNs }) => Number(endNs))))
  } catch (error) {
    // workers still hand over what they measured; a timer that is left must not keep the process
    const told = pool.abort(String(error)).then(() => over)
    await Promise.race([told, sleep(LAST_WORDS_MS, undefined, { ref: false })])
    close(document, Number(process.hrtime.bigint()))
    throw error
  } finally {
    await stop()
  }
}

/**
 * Whatever looks at the measurement while it goes on.
 *
 * @param {RotationParts} parts
 * @param {bigint} startNs
 * @returns {() => Promise<void>} ends that
 */
function watch({ plan, target, document, trouble, log, emitPartial }, startNs) {
  const { measurement, rotation } = document
  const progress = setInterval(() => tellProgress({ plan, log }, measurement), PROGRESS_MS)
  const partial = setInterval(emitPartial, PARTIAL_EVERY_MS)
  const sampling = sampleDuring(target, measurement.resources, startNs)
  const watches = [
    watchReplies({ totals: measurement.load, trouble, served: requestsServed(target) }),
    watchIntervals(
      { plan, log, trouble },
      { measurement, figures: () => document.figures(), rows: ROTATE_RENDEZVOUS_FIGURES }
    ),
    countRegistrations({
      control: target.control,
      durationMs: Number(plan.durationMs),
      onCount: (atNs, registrations) => rotation?.count(atNs, registrations)
    })
  ]
  return async () => {
    clearInterval(progress)
    clearInterval(partial)
    for (const one of watches) one.stop()
    await sampling.stop()
  }
}

/** @param {RotationParts['document']} document @param {number} endNs */
function close({ measurement, rotation }, endNs) {
  rotation?.end(endNs)
  measurement.end([BigInt(Math.round(endNs))])
}

/** @param {RotationParts} parts */
async function addServerDurations({ target: { control }, document: { measurement } }) {
  if (control == null) return
  measurement.serverDurations ??= new ServerDurations()
  measurement.serverDurations.add(await control.durations())
}
