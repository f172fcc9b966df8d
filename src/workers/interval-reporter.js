const INTERVAL_MS = 1000

/**
 * reportWhile hands over what the meter collected once a second while work goes on, and the rest at its end. Every interval is
 * acknowledged, so that a worker that dies loses at most the last second.
 *
 * @template T
 * @param {object} options
 * @param {import('../measure/meter.js').Meter} options.meter
 * @param {bigint} options.phaseStartNs
 * @param {(interval: import('../measure/meter.js').Interval) => Promise<unknown>} options.report
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function reportWhile({ meter, phaseStartNs, report }, work) {
  /** @type {Promise<unknown>[]} */
  let unacknowledged = []
  const send = () => {
    const second = Math.floor(Math.max(0, Number(process.hrtime.bigint() - phaseStartNs)) / 1e9)
    const acknowledged = report(meter.take(second)).then(() => {
      unacknowledged = unacknowledged.filter(other => other !== acknowledged)
    })
    unacknowledged.push(acknowledged)
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
