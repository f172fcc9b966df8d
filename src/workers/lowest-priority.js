import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import { statFields } from '../kit/proc-stat.js'

const LOWEST = 19

/**
 * Linux shares cores among sessions first (sched(7), autogroups), and only then within one: of two that want a core each gets half, be the
 * processes of one of them ever so low. One that has a session of its own lowers that.
 *
 * @param {number} pid
 */
function lowerSession(pid) {
  try {
    const [, , , session] = statFields(readFileSync(`/proc/${pid}/stat`, 'latin1'))
    if (Number(session) === pid) writeFileSync(`/proc/${pid}/autogroup`, String(LOWEST))
  } catch {
    // there are no such groups here
  }
}

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
  lowerSession(pid)
  try {
    execFileSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(pid)], { stdio: 'ignore' })
    return 'SCHED_IDLE'
  } catch {
    // the program need not be there, nor be allowed
    return 'nice 19'
  }
}
