import { setTimeout as sleep } from 'node:timers/promises'
import { SAMPLE_MS } from '../../../measure/resource-series.js'

/** @typedef {import('../../../target/target.js').Target} Target */

/** Where reading takes long, as where a program must be started for it, it is done less often: for so much of the time at most. */
const READING_SHARE = 0.1

/**
 * sampleDuring samples the server from the start of the load to its end.
 *
 * @param {Pick<Target, 'reading'>} target
 * @param {import('../../../measure/resource-series.js').ResourceSeries} series
 * @param {bigint} startNs
 */
export function sampleDuring({ reading }, series, startNs) {
  if (reading == null) return { stop: async () => {} }
  const stopping = new AbortController()
  const sampling = sampleUntil(reading, series, startNs, stopping.signal)
  return {
    stop: () => {
      stopping.abort()
      return sampling
    }
  }
}

/**
 * @param {NonNullable<Target['reading']>} reading
 * @param {import('../../../measure/resource-series.js').ResourceSeries} series
 * @param {bigint} startNs
 * @param {AbortSignal} signal
 */
async function sampleUntil(reading, series, startNs, signal) {
  // a process that is gone cannot be read; whoever watches it says so, or starts it again
  const gone = () => series.lost()
  await sleep(Math.max(0, Number(startNs - process.hrtime.bigint()) / 1e6))
  await reading().then(first => series.begin(first), gone)
  let tookMs = 0
  while (!signal.aborted) {
    await sleep(Math.max(SAMPLE_MS, tookMs / READING_SHARE), undefined, { signal }).catch(() => {})
    if (signal.aborted) break
    const began = performance.now()
    await reading().then(next => series.read(next), gone)
    tookMs = performance.now() - began
  }
  await reading().then(last => series.end(last), gone)
}
