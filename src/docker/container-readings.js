import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { statsReading } from '../measure/container-stats.js'
import { cgroupFiles, cgroupReading } from './cgroup.js'

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
