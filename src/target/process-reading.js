import { readdirSync } from 'node:fs'
import pidusage from 'pidusage'
import { sumOf } from '../kit/lists.js'
import { coreTimeOf } from '../measure/core-wait.js'

/** RESIDENT_SET is how the memory of a process is counted. */
export const RESIDENT_SET = 'resident set'

/**
 * processReading reads the CPU time and resident memory of a process.
 *
 * @param {number} pid
 * @returns {Promise<import('../measure/resource-series.js').Reading>}
 */
export async function processReading(pid) {
  const { ctime, memory } = await pidusage(pid)
  return { atMs: performance.now(), cpuMs: Math.max(ctime, threadsCpuMs(pid)), rssBytes: memory }
}

/**
 * Linux counts the CPU time of a process in steps of 10 ms, too coarse for a sample of 50 ms, but that of a thread in ns. Threads that have
 * ended are in the former alone.
 *
 * @param {number} pid
 * @returns {number} of the threads that there are; 0: this system does not tell
 */
function threadsCpuMs(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return sumOf(threads, thread => coreTimeOf(Number(thread))?.onCore ?? 0) / 1e6
  } catch {
    return 0
  }
}
