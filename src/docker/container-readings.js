import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { flatKeyed } from '../kit/system-files.js'
import { memoryInUse, statsReading } from '../measure/container-stats.js'

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

/** CONTAINER_USAGE is how the memory of a container is counted. */
export const CONTAINER_USAGE = 'container usage without page cache'

/**
 * @typedef {import('../measure/resource-series.js').Reading} Reading
 *
 * @typedef {object} ContainerReadings
 * @property {'control group' | 'engine'} source
 * @property {number | null} pid - of its main process, as this machine counts; null: that runs in a machine of its own, or is not known
 * @property {() => Promise<Reading>} reading
 * @property {() => void} close
 */

/**
 * containerReadings reads the CPU time and the memory of a container: from the kernel's counters where they can be read here,
 * at any moment; otherwise from the engine's statistics, which come once a second.
 *
 * @param {import('dockerode').Container} container - that is running
 * @returns {Promise<ContainerReadings>}
 */
export async function containerReadings(container) {
  return (await kernelReadings(container)) ?? engineReadings(container)
}

/** @param {import('dockerode').Container} container @returns {Promise<ContainerReadings | null>} */
async function kernelReadings(container) {
  try {
    const { Id, State } = await container.inspect()
    const files = cgroupFiles(await readFile(`/proc/${State.Pid}/cgroup`, 'utf8'), Id)
    if (files === null) return null
    await cgroupReading(files)
    return { source: 'control group', pid: State.Pid, reading: () => cgroupReading(files), close() {} }
  } catch {
    return null
  }
}

/**
 * engineReadings follows the engine's statistics. A reading is the latest message, at most a second old.
 *
 * @param {import('dockerode').Container} container
 * @returns {Promise<ContainerReadings>}
 */
export async function engineReadings(container) {
  const stream = /** @type {import('node:stream').Readable} */ (await container.stats({ stream: true }))
  /** @type {Reading | null} */
  let latest = null
  /** the engine's clock, in ours @type {number | null} */
  let offsetMs = null
  const first = Promise.withResolvers()
  first.promise.catch(() => {})
  createInterface({ input: stream }).on('line', line => {
    const reading = statsReading(JSON.parse(line))
    if (reading === null) return
    offsetMs ??= performance.now() - reading.atMs
    latest = { ...reading, atMs: reading.atMs + offsetMs }
    first.resolve(undefined)
  })
  const ended = () => first.reject(new Error('the engine gives no statistics of the container'))
  stream.on('error', ended).on('close', ended)
  return {
    source: 'engine',
    pid: null,
    reading: async () => {
      await first.promise
      return /** @type {Reading} */ (latest)
    },
    close: () => void stream.destroy()
  }
}
