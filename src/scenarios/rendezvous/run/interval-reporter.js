import { handOverWhile } from '../../../measure/hand-over.js'

/**
 * reportWhile hands over what the meter collected once a second while work goes on, and the rest at its end. Every interval is
 * acknowledged, so that a worker that dies loses at most the last second.
 *
 * @template T
 * @param {object} options
 * @param {import('../../../measure/meter.js').Meter} options.meter
 * @param {bigint} options.startNs
 * @param {(interval: import('../../../measure/meter.js').Interval) => Promise<unknown>} options.report
 * @param {() => bigint} [options.clock] - ns
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function reportWhile({ meter, startNs, report, clock = process.hrtime.bigint }, work) {
  let sinceNs = clock()
  const handOver = () => {
    const untilNs = clock()
    // its middle tells which second an interval belongs to: timers are a little late or early
    const middleNs = Number(sinceNs + untilNs - 2n * startNs) / 2
    sinceNs = untilNs
    return report(meter.take(Math.floor(Math.max(0, middleNs) / 1e9)))
  }
  return handOverWhile(handOver, work)
}
