import { processReading } from '../../../target/process-reading.js'

/**
 * foreignServer reads what is known of a target: CPU and memory, where its process is named.
 *
 * @param {number | null} pid
 * @returns {Pick<import('./perf-processes.js').ServerSide, 'begin' | 'count'>}
 */
export function foreignServer(pid) {
  let cpuMs = 0
  return {
    async begin() {
      if (pid !== null) cpuMs = (await processReading(pid)).cpuMs
    },
    async count() {
      if (pid === null) return {}
      const reading = await processReading(pid)
      return { cpuMicros: (reading.cpuMs - cpuMs) * 1000, rssBytes: reading.rssBytes }
    }
  }
}
