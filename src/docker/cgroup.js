import { readFile } from 'node:fs/promises'
import { flatKeyed } from '../kit/system-files.js'
import { memoryInUse } from '../measure/container-stats.js'

/**
 * @typedef {object} CgroupFiles - where the kernel counts what a container uses
 * @property {1 | 2} version
 * @property {string} cpu
 * @property {string} memory
 * @property {string} memoryStat
 */

const ROOT = '/sys/fs/cgroup'

/**
 * cgroupFiles finds the files that count for a container.
 *
 * @param {string} membership - text of /proc/<pid>/cgroup of its first process
 * @param {string} containerId - must be part of the path: otherwise the process is another one, as where the engine runs in a
 *   virtual machine with process ids of its own
 * @returns {CgroupFiles | null}
 */
export function cgroupFiles(membership, containerId) {
  const groups = membership
    .split('\n')
    .map(line => /^\d+:([^:]*):(.*)$/.exec(line))
    .filter(match => match !== null)
    .map(([, controllers, path]) => ({ controllers: controllers.split(','), path }))
    .filter(({ path }) => path.includes(containerId) && !path.includes('..'))
  const pathOf = (/** @type {string} */ name) =>
    groups.find(({ controllers }) => controllers.includes(name))?.path
  const [cpu, memory, unified] = ['cpuacct', 'memory', ''].map(pathOf)
  if (cpu !== undefined && memory !== undefined)
    return {
      version: 1,
      cpu: `${ROOT}/cpuacct${cpu}/cpuacct.usage`,
      memory: `${ROOT}/memory${memory}/memory.usage_in_bytes`,
      memoryStat: `${ROOT}/memory${memory}/memory.stat`
    }
  if (unified === undefined) return null
  return {
    version: 2,
    cpu: `${ROOT}${unified}/cpu.stat`,
    memory: `${ROOT}${unified}/memory.current`,
    memoryStat: `${ROOT}${unified}/memory.stat`
  }
}

/**
 * cgroupReading reads what a container uses.
 *
 * @param {CgroupFiles} files
 * @param {{ read?: (file: string) => Promise<string>, clock?: () => number }} [components]
 * @returns {Promise<import('../measure/resource-series.js').Reading>}
 */
export async function cgroupReading(
  { version, ...files },
  { read = file => readFile(file, 'utf8'), clock = () => performance.now() } = {}
) {
  const atMs = clock()
  const [cpu, memory, memoryStat] = await Promise.all([files.cpu, files.memory, files.memoryStat].map(read))
  const cpuMs = version === 1 ? Number(cpu) / 1e6 : flatKeyed(cpu).usage_usec / 1e3
  return { atMs, cpuMs, rssBytes: memoryInUse({ usage: Number(memory), stats: flatKeyed(memoryStat) }) }
}
