import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Every process that a test starts has this variable in its environment with a value of the test's own, and so has whatever
 * that process starts: nothing can hide by losing its parent.
 */
export const MARK = 'LOADTEST_ACCEPTANCE_MARK'

/** @typedef {{ pid: number, command: string, started: number }} Process - started: in clock ticks since the machine did */

const HAS_PROC = existsSync('/proc/self/environ')

/** ON_LINUX are the options of a test that looks at processes. */
export const ON_LINUX = Object.freeze({ skip: HAS_PROC ? false : 'processes are looked for in /proc' })

/**
 * processesWith lists the living processes that carry a mark, oldest first; none where there is no /proc. Files of /proc are never waited
 * for, and read at once they cost a fifth.
 *
 * @param {string} mark
 * @returns {Process[]}
 */
export function processesWith(mark) {
  if (!HAS_PROC) return []
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  const found = pids.map(pid => ifMarked(Number(pid), mark)).filter(process => process !== null)
  // numbers of processes begin anew when they are used up
  return found.sort((a, b) => a.started - b.started || a.pid - b.pid)
}

/** @param {number} pid @param {string} mark @returns {Process | null} */
function ifMarked(pid, mark) {
  try {
    // a process that has ended and was not waited for has no environment any more
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
    if (!environment.split('\0').includes(`${MARK}=${mark}`)) return null
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim()
    return { pid, command, started: startOf(pid) }
  } catch {
    return null // of somebody else, or gone meanwhile
  }
}

/** isMarked says whether a living process was started by a test, whichever. @param {number} pid */
export function isMarked(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`${MARK}=`)
  } catch {
    return false
  }
}

/** @param {number} pid @returns {number} when it was started, see proc(5) */
function startOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // the second field, a name in brackets, may have spaces in it
  return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[20])
}

/** GONE_WITHIN_MS: longer than this nothing takes to end, however busy the machine is. */
export const GONE_WITHIN_MS = 10_000

/**
 * goneWithin waits until no process carries a mark any more.
 *
 * @param {string} mark
 * @param {number} [ms]
 * @returns {Promise<Process[]>} those that are still there
 */
export async function goneWithin(mark, ms = GONE_WITHIN_MS) {
  const untilMs = performance.now() + ms
  for (;;) {
    const left = processesWith(mark)
    if (left.length === 0 || performance.now() > untilMs) return left
    await sleep(50)
  }
}

/** endAll ends every process with a mark, at once. @param {string} mark */
export function endAll(mark) {
  for (const { pid } of processesWith(mark)) send(pid, 'SIGKILL')
}

/**
 * send sends a signal to a process, or to the process group of a negative number, if it is still there.
 *
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
export function send(pid, signal) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error
  }
}
