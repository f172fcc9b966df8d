import { readFileSync } from 'node:fs'

/** Stopped by a signal, or by a debugger; see proc_pid_stat(5). */
const STOPPED = new Set(['T', 't'])

/**
 * isStopped tells whether a process was stopped (SIGSTOP, Ctrl-Z).
 *
 * @param {number} pid
 * @returns {boolean | null} null: not known, for there is no /proc, or no such process
 */
export function isStopped(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // the second field, a name in brackets, may have spaces and brackets in it
    return STOPPED.has(stat.slice(stat.lastIndexOf(')') + 2)[0])
  } catch {
    return null
  }
}
