import { writeFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'

/** @typedef {import('../../profile/measure/types.js').CpuProfile} CpuProfile */

const DEFAULT_INTERVAL_MICROS = 1000

/** @param {number} intervalMicros @returns {Promise<Session>} */
async function startedSession(intervalMicros) {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: intervalMicros })
    await session.post('Profiler.start')
    return session
  } catch (cause) {
    session.disconnect()
    throw new Error('CPU sampling could not be started in this process: is it built with the inspector?', {
      cause
    })
  }
}

/** @param {Session} session @returns {Promise<CpuProfile>} */
async function profileOf(session) {
  try {
    const { profile } = await session.post('Profiler.stop')
    return profile
  } finally {
    session.disconnect()
  }
}

/**
 * cpuSampling notes many times a second what the main thread of this process is doing. It sees neither other threads
 * (those of the garbage collector, of libuv and of `node:crypto`'s asynchronous functions) nor other processes. It can be
 * started again after it was stopped.
 *
 * @param {object} [options]
 * @param {number} [options.intervalMicros] - µs between two samples
 * @returns {{ start(): Promise<void>, stop(): Promise<CpuProfile> }} `stop` throws when it was not started, `start` when it
 *   was already
 * @throws {RangeError} on an interval that is not a whole number above 0
 */
export function cpuSampling({ intervalMicros = DEFAULT_INTERVAL_MICROS } = {}) {
  if (!Number.isSafeInteger(intervalMicros) || intervalMicros < 1) {
    throw new RangeError(`intervalMicros is ${intervalMicros}: it must be a whole number of µs, 1 or more`)
  }
  /** @type {Promise<Session> | null} */
  let running = null

  return {
    async start() {
      if (running !== null) throw new Error('CPU sampling is on already: stop it before it is started again')
      const starting = startedSession(intervalMicros)
      running = starting
      try {
        await starting
      } catch (error) {
        running = null
        throw error
      }
    },

    async stop() {
      if (running === null) throw new Error('CPU sampling is not on: start it before it is stopped')
      const stopping = running
      running = null
      return profileOf(await stopping)
    }
  }
}

/**
 * writeProfile writes a profile for the usual tools (the browser's developer tools, speedscope, editors); they know it by
 * its name ending in `.cpuprofile`. Where functions stand is written as it is on this machine, so that tools find them.
 *
 * @param {string} file - in a folder that exists
 * @param {CpuProfile} profile
 * @returns {Promise<void>} it rejects when the file cannot be written
 */
export async function writeProfile(file, profile) {
  try {
    await writeFile(file, JSON.stringify(profile))
  } catch (cause) {
    const reason = /** @type {Error} */ (cause).message
    throw new Error(`the CPU profile could not be written to ${file}: ${reason}`, { cause })
  }
}
