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
