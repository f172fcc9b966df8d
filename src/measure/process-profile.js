// Takes CPU and heap profiles of this process with V8, and writes them to files. Another process can request them.
import { writeFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'

/**
 * What V8's sampling profiler gives, and `.cpuprofile` files hold.
 *
 * @typedef {object} CallFrame
 * @property {string} functionName - empty for anonymous functions
 * @property {string} scriptId
 * @property {string} url - empty for functions that are not JavaScript
 * @property {number} lineNumber - from 0; -1: there is none
 * @property {number} columnNumber - from 0; -1: there is none
 *
 * @typedef {object} ProfileNode - a function as called by all those above it
 * @property {number} id
 * @property {CallFrame} callFrame
 * @property {number} [hitCount]
 * @property {number[]} [children] - ids
 *
 * @typedef {object} CpuProfile
 * @property {ProfileNode[]} nodes - the root comes first
 * @property {number} startTime - µs on a monotonic clock
 * @property {number} endTime - µs
 * @property {number[]} [samples] - ids of nodes
 * @property {number[]} [timeDeltas] - µs from the sample before, or from the start, to each sample
 */

/**
 * What V8's allocation profiler gives, and `.heapprofile` files hold.
 *
 * @typedef {object} HeapNode - a function as called by all those above it
 * @property {number} id
 * @property {CallFrame} callFrame
 * @property {number} selfSize - bytes that it allocated
 * @property {HeapNode[]} children
 *
 * @typedef {object} HeapProfile
 * @property {HeapNode} head
 * @property {{ size: number, nodeId: number }[]} samples
 */

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

/**
 * makeCpuSampling notes many times a second what the main thread of this process is doing. It sees neither other threads
 * (those of the garbage collector, of libuv and of `node:crypto`'s asynchronous functions) nor other processes. It can be
 * started again after it was stopped.
 *
 * @param {object} [options]
 * @param {number} [options.intervalMicros] - µs between two samples
 * @returns {{ start(): Promise<void>, stop(): Promise<CpuProfile> }} `stop` throws when it was not started, `start` when it
 *   was already
 * @throws {RangeError} on an interval that is not a whole number above 0
 */
export function makeCpuSampling({ intervalMicros = DEFAULT_INTERVAL_MICROS } = {}) {
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
      const starting = running
      running = null
      const session = await starting
      try {
        const { profile } = await session.post('Profiler.stop')
        return profile
      } finally {
        session.disconnect()
      }
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
function heapSampling() {
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
 * @typedef {object} ProfileResult
 * @property {CpuProfile} profile
 * @property {string | null} error - why its file could not be written; null: it was, or none was asked for
 *
 * @typedef {object} AllocationsResult
 * @property {HeapProfile} profile
 * @property {string | null} error - as of ProfileResult
 *
 * @typedef {object} ProcessProfile
 * @property {(intervalMicros: number) => Promise<void>} startProfile - begins to sample the process
 * @property {(file: string | null) => Promise<ProfileResult>} stopProfile - ends it; `file`: path of a `.cpuprofile` to write
 * @property {() => Promise<void>} startAllocations - begins to sample what the process allocates
 * @property {(file: string | null) => Promise<AllocationsResult>} stopAllocations - ends it; `file`: path of a `.heapprofile` to write
 */

/**
 * makeProcessProfile gives the calls by which another process has this one sampled.
 *
 * @returns {ProcessProfile}
 */
export function makeProcessProfile() {
  /** @type {ReturnType<typeof makeCpuSampling> | null} */
  let sampling = null
  const heap = heapSampling()
  return {
    startProfile(intervalMicros) {
      sampling = makeCpuSampling({ intervalMicros })
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
      return {
        profile,
        error: await failureOf(file === null ? null : writeFile(file, JSON.stringify(profile)))
      }
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

/** What a process is asked for that is sampled. @type {readonly (keyof ProcessProfile)[]} */
export const PROFILE_CALLS = ['startProfile', 'stopProfile', 'startAllocations', 'stopAllocations']

/**
 * makeRemoteProfile asks another process for its profile.
 *
 * @param {(method: string, ...args: any[]) => Promise<any>} call - of that process, which serves a ProcessProfile
 * @returns {ProcessProfile}
 */
export const makeRemoteProfile = call =>
  /** @type {any} */ (
    Object.fromEntries(
      PROFILE_CALLS.map(name => [name, (/** @type {any[]} */ ...args) => call(name, ...args)])
    )
  )
