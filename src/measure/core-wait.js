import { openSync, readFileSync, readSync } from 'node:fs'

/** A line of three numbers: ns on a core, ns ready to run and waiting for one, turns on a core. */
const MOST_BYTES = 128

/**
 * This thread's own line, kept open: it is read beside every turn of an event loop, and opening it costs as much again. See
 * https://docs.kernel.org/scheduler/sched-stats.html, /proc/<pid>/schedstat.
 */
const OWN = opened('/proc/thread-self/schedstat')
const bytes = Buffer.alloc(MOST_BYTES)

/** @param {string} path @returns {number | null} */
function opened(path) {
  try {
    return openSync(path, 'r')
  } catch {
    return null
  }
}

/**
 * @typedef {object} CoreTime - of one thread since it began, in ns
 * @property {number} onCore
 * @property {number} waited - for a core, while it was ready to run
 */

/**
 * ownCoreTime reads how long this thread ran, and how long it waited for a core.
 *
 * @returns {CoreTime | null} null: this system does not tell
 */
export function ownCoreTime() {
  if (OWN === null) return null
  return coreTimeIn(bytes.toString('latin1', 0, readSync(OWN, bytes, 0, MOST_BYTES, 0)))
}

/**
 * coreTimeOf reads the same of the main thread of a process: the one that an event loop of Node runs on.
 *
 * @param {number} pid
 * @returns {CoreTime | null} null: this system does not tell, or there is no such process
 */
export function coreTimeOf(pid) {
  try {
    return coreTimeIn(readFileSync(`/proc/${pid}/schedstat`, 'latin1'))
  } catch {
    return null
  }
}

/**
 * coreTimeIn reads a line of the kernel's.
 *
 * @param {string} line
 * @returns {CoreTime | null} null: it is something else
 */
export function coreTimeIn(line) {
  const [onCore, waited] = line.split(' ', 2).map(Number)
  return Number.isFinite(onCore) && Number.isFinite(waited) ? { onCore, waited } : null
}
