import { cpuSampling, writeProfile } from './cpu-sampling.js'
import { heapSampling, writeHeapProfile } from './heap-sampling.js'

/**
 * @typedef {object} ProfileTaken
 * @property {import('../../profile/measure/types.js').CpuProfile} profile
 * @property {string | null} error - why its file could not be written; null: it was, or none was asked for
 *
 * @typedef {object} AllocationsTaken
 * @property {import('../../profile/measure/types.js').HeapProfile} profile
 * @property {string | null} error - as of ProfileTaken
 *
 * @typedef {object} ProcessProfile
 * @property {(intervalMicros: number) => Promise<void>} startProfile - begins to sample the process
 * @property {(file: string | null) => Promise<ProfileTaken>} stopProfile - ends it; `file`: path of a `.cpuprofile` to write
 * @property {() => Promise<void>} startAllocations - begins to sample what the process allocates
 * @property {(file: string | null) => Promise<AllocationsTaken>} stopAllocations - ends it; `file`: path of a `.heapprofile` to write
 */

/**
 * processProfile gives the calls by which another process has this one sampled.
 *
 * @returns {ProcessProfile}
 */
export function processProfile() {
  /** @type {ReturnType<typeof cpuSampling> | null} */
  let sampling = null
  const heap = heapSampling()
  return {
    startProfile(intervalMicros) {
      sampling = cpuSampling({ intervalMicros })
      return sampling.start()
    },

    async stopProfile(file) {
      if (sampling === null) throw new Error('this process is not being sampled: call startProfile first')
      const profile = await sampling.stop()
      return { profile, error: await failureOf(file === null ? null : writeProfile(file, profile)) }
    },

    startAllocations: () => heap.start(),

    async stopAllocations(file) {
      const profile = await heap.stop()
      return { profile, error: await failureOf(file === null ? null : writeHeapProfile(file, profile)) }
    }
  }
}

/** @param {Promise<void> | null} written @returns {Promise<string | null>} */
async function failureOf(written) {
  try {
    await written
    return null
  } catch (error) {
    return /** @type {Error} */ (error).message
  }
}
