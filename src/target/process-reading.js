import pidusage from 'pidusage'

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
