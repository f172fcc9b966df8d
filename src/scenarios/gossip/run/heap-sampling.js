import { writeFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'

/** @typedef {import('../../profile/measure/types.js').HeapProfile} HeapProfile */

/**
 * On average one allocation in so many bytes is noted. Counts of V8 are weighted by how likely each was to be, so that sums are of all.
 */
export const HEAP_INTERVAL_BYTES = 32_768

/**
 * heapSampling notes who allocates on the heap of this process's main thread, what was collected since among it. Memory outside of the
 * heap (buffers that are not small, WebAssembly) is not in it.
 *
 * @returns {{ start(): Promise<void>, stop(): Promise<HeapProfile> }} `stop` throws when it was not started
 */
export function heapSampling() {
  /** @type {Session | null} */
  let session = null
  return {
    async start() {
      session = new Session()
      session.connect()
      await session.post('HeapProfiler.startSampling', {
        samplingInterval: HEAP_INTERVAL_BYTES,
        // what is gone by the end was allocated too
        ...{ includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true }
      })
    },

    async stop() {
      if (session === null)
        throw new Error('allocations are not being sampled: start it before it is stopped')
      try {
        const { profile } = await session.post('HeapProfiler.stopSampling')
        return /** @type {HeapProfile} */ (/** @type {unknown} */ (profile))
      } finally {
        session.disconnect()
        session = null
      }
    }
  }
}

/**
 * writeHeapProfile writes a profile for the usual tools; they know it by its name ending in `.heapprofile`.
 *
 * @param {string} file - in a folder that exists
 * @param {HeapProfile} profile
 */
export const writeHeapProfile = (file, profile) => writeFile(file, JSON.stringify(profile))
