import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** A thread that sleeps so long takes less than 1 % of a core (`npm run bench hiccups`), which every 10 ms it did not. */
const SLEEP_MS = 15
const TELL_EVERY_MS = 1000

/**
 * watchHiccups starts a thread that does nothing but sleep for a few ms, again and again, and tells by how much each sleep was too
 * long, as jHiccup does (https://github.com/giltene/jHiccup): what stood still for it stood still for everybody on this machine.
 *
 * @param {(overshoots: import('../measure/histogram.js').HistogramData) => void} tell - what there was in about a second, in µs
 * @returns {{ begun: Promise<unknown>, stop: () => Promise<void> }} `stop` ends once everything was told
 */
export function watchHiccups(tell) {
  const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const thread = new Worker(new URL('./hiccup-thread.js', import.meta.url), {
    execArgv: [],
    workerData: { stop, sleepMs: SLEEP_MS, tellEveryMs: TELL_EVERY_MS }
  })
  thread.on('message', tell)
  // nothing of a run depends on it
  thread.on('error', () => {})
  let stopping = false
  thread.once('online', () => stopping || thread.unref())
  const ended = once(thread, 'exit').catch(() => {})
  return {
    begun: Promise.race([once(thread, 'online').catch(() => {}), ended]),
    stop: async () => {
      Atomics.store(stop, 0, 1)
      Atomics.notify(stop, 0)
      stopping = true
      thread.ref()
      await ended
    }
  }
}
