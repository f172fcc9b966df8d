import { readFileSync } from 'node:fs'
import { statFields } from '../kit/proc-stat.js'

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
    return STOPPED.has(statFields(readFileSync(`/proc/${pid}/stat`, 'latin1'))[0])
  } catch {
    return null
  }
}
