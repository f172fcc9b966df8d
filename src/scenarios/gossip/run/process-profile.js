import { cpuSampling, writeProfile } from './cpu-sampling.js'

/**
 * @typedef {object} ProfileTaken
 * @property {import('../../profile/measure/types.js').CpuProfile} profile
 * @property {string | null} error - why its file could not be written; null: it was, or none was asked for
 *
 * @typedef {object} ProcessProfile
 * @property {(intervalMicros: number) => Promise<void>} startProfile - begins to sample the process
 * @property {(file: string | null) => Promise<ProfileTaken>} stopProfile - ends it; `file`: path of a `.cpuprofile` to write
 */

/**
 * processProfile gives the calls by which another process has this one sampled.
 *
 * @returns {ProcessProfile}
 */
export function processProfile() {
  /** @type {ReturnType<typeof cpuSampling> | null} */
  let sampling = null
  return {
    startProfile(intervalMicros) {
      sampling = cpuSampling({ intervalMicros })
      return sampling.start()
    },

    async stopProfile(file) {
      if (sampling === null) throw new Error('this process is not being sampled: call startProfile first')
      const profile = await sampling.stop()
      return { profile, error: await failureOf(file === null ? null : writeProfile(file, profile)) }
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
