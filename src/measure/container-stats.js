/**
 * @typedef {object} ContainerStats - what is read of a statistics message of a Docker engine
 * @property {{ cpu_usage: { total_usage: number, percpu_usage?: number[] | null }, system_cpu_usage?: number,
 *   online_cpus?: number }} cpu_stats - ns since the container, and the host, began
 * @property {MemoryStats} memory_stats
 *
 * @typedef {object} MemoryStats
 * @property {number} [usage] - bytes charged to the container
 * @property {Record<string, number>} [stats] - of its control group
 *
 * @typedef {import('./resource-series.js').Reading} Reading
 */

/**
 * memoryInUse is a container's memory without the page cache that it would give back at once: what its control group of
 * version 1 calls `total_inactive_file`, of version 2 `inactive_file`.
 *
 * @param {MemoryStats} memory
 * @returns {number} bytes
 */
export function memoryInUse({ usage = 0, stats = {} }) {
  const cache = stats.total_inactive_file ?? stats.inactive_file ?? 0
  return cache < usage ? usage - cache : usage
}

/**
 * statsReading turns a message of the engine's statistics into a reading. Its clock is the CPU time that each of the host's
 * cores has had, so that between two readings CPU ÷ time is the engine's own formula:
 * Δ`total_usage` ÷ Δ`system_cpu_usage` × `online_cpus`.
 *
 * @param {ContainerStats} message
 * @returns {Reading | null} null: the container is not running
 */
export function statsReading({ cpu_stats: cpu, memory_stats: memory }) {
  const { cpu_usage: usage, system_cpu_usage: systemNs } = cpu
  const cores = cpu.online_cpus || usage.percpu_usage?.length
  if (!systemNs || !cores) return null
  return { atMs: systemNs / cores / 1e6, cpuMs: usage.total_usage / 1e6, rssBytes: memoryInUse(memory) }
}
