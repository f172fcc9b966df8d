const INTERVAL_MS = 1000

/**
 * handOverWhile hands over once a second while work goes on, and once more at its end. It waits until everything was received, so
 * that a process that dies loses at most the last second.
 *
 * @template T
 * @param {() => Promise<unknown> | unknown} handOver - gives on what is new; resolves when it was received
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function handOverWhile(handOver, work) {
  /** @type {Set<Promise<unknown>>} */
  const unacknowledged = new Set()
  const send = () => {
    /** @type {Promise<unknown>} */
    const acknowledged = new Promise(resolve => resolve(handOver())).then(() =>
      unacknowledged.delete(acknowledged)
    )
    unacknowledged.add(acknowledged)
    return acknowledged
  }
  const timer = setInterval(() => send().catch(() => {}), INTERVAL_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    send()
    await Promise.all(unacknowledged)
  }
}

/**
 * reportWhile hands over what the meter collected once a second while work goes on, and the rest at its end. Every interval is
 * acknowledged, so that a worker that dies loses at most the last second.
 *
 * @template T
 * @param {object} options
 * @param {import('./meter.js').Meter} options.meter
 * @param {bigint} options.startNs
 * @param {(interval: import('./meter.js').Interval) => Promise<unknown>} options.report
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
