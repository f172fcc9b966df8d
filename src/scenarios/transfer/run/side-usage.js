const LOOK_EVERY_MS = 20

/**
 * @typedef {object} Usage - of a process, while something went on
 * @property {number} cpuMs
 * @property {number} wallMs
 * @property {number} peakBytes - resident, as looked at every 20 ms
 */

/** watchUsage begins to watch what this process uses. @returns {() => Usage} ends it */
export function watchUsage() {
  const [beganMs, before] = [performance.now(), process.cpuUsage()]
  let peakBytes = process.memoryUsage.rss()
  const look = () => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  return () => {
    clearInterval(timer)
    look()
    const { user, system } = process.cpuUsage(before)
    return { cpuMs: (user + system) / 1000, wallMs: performance.now() - beganMs, peakBytes }
  }
}
