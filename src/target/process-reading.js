import pidusage from 'pidusage'

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
  return { atMs: performance.now(), cpuMs: ctime, rssBytes: memory }
}
