/** The time line of a long run has no more points than these. */
const MOST_POINTS = 3600
const LEAST_MS = 1000

/**
 * countRegistrations asks our own server once a second, in long runs less often, how many registrations it holds. Of a server of others
 * that is not known.
 *
 * @param {object} options
 * @param {Pick<import('../../../target/server-control.js').ServerControl, 'state'> | null} options.control
 * @param {number} options.durationMs - of the measurement
 * @param {(atNs: number, registrations: number | null) => void} options.onCount
 * @param {() => number} [options.clock] - ns
 * @returns {{ stop: () => void }}
 */
export function countRegistrations({
  control,
  durationMs,
  onCount,
  clock = () => Number(process.hrtime.bigint())
}) {
  let stopped = false
  const count = async () => {
    const beganNs = clock()
    // a server that is gone is noticed elsewhere
    const state = await control?.state().catch(() => null)
    // the answer was true at some moment in between
    if (!stopped) onCount((beganNs + clock()) / 2, state?.registrations ?? null)
  }
  const timer = setInterval(count, Math.max(LEAST_MS, durationMs / MOST_POINTS))
  return {
    stop: () => {
      stopped = true
      clearInterval(timer)
    }
  }
}
