import { execFileSync } from 'node:child_process'
import os from 'node:os'

/**
 * lowestPriority has a process run only when nobody else wants its core: Linux runs it when a core is idle, elsewhere it has the lowest
 * priority there is.
 *
 * @param {number} pid
 * @returns {string} what it has
 */
export function lowestPriority(pid) {
  try {
    os.setPriority(pid, os.constants.priority.PRIORITY_LOW)
  } catch {
    return 'as all'
  }
  if (process.platform !== 'linux') return 'lowest'
  try {
    execFileSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(pid)], { stdio: 'ignore' })
    return 'SCHED_IDLE'
  } catch {
    // the program need not be there, nor be allowed
    return 'nice 19'
  }
}
