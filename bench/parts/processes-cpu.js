import { readdirSync, readFileSync } from 'node:fs'
import { parseStatFields } from '../../src/kit/linux.js'

/** Linux counts CPU time of processes in hundredths of a second. */
const TICK_SECONDS = 0.01

/**
 * @param {string} pid
 * @returns {{ parent: string, seconds: number } | null} null: it has ended
 */
function processIn(pid) {
  try {
    const fields = parseStatFields(readFileSync(`/proc/${pid}/stat`, 'latin1'))
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { parent: fields[1], seconds: ticks * TICK_SECONDS }
  } catch {
    return null
  }
}

/**
 * cpuSecondsOf is the CPU time of a process that is there.
 *
 * @param {number} pid
 */
export const cpuSecondsOf = pid => processIn(String(pid))?.seconds ?? Number.NaN

/**
 * processesCpu is the CPU time of this process and all that it has started, with those that have ended.
 *
 * @returns {number} seconds
 */
export function processesCpu() {
  const all = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  const found = new Map(all.flatMap(pid => /** @type {const} */ ([[pid, processIn(pid)]])))
  /** @param {string} pid @returns {number} */
  const withChildren = pid => {
    const children = all.filter(each => found.get(each)?.parent === pid)
    return children.reduce((sum, child) => sum + withChildren(child), found.get(pid)?.seconds ?? 0)
  }
  return withChildren(String(process.pid))
}
