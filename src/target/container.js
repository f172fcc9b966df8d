// Starts a Docker container that is used like a child process. Also pauses containers, and reads their CPU and memory.

import { readFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseFlatKeyed } from '../kit/linux.js'
import { MessagePipe } from '../kit/message-pipe.js'
import { computeMemoryInUse, readContainerStats } from '../measure/resources.js'
import { describeEngineError, isEngineDown } from './docker-engine.js'

/**
 * startContainerChild starts a container whose process talks to its parent over its input and output. It has the methods and events of a
 * child process.
 *
 * @param {import('dockerode')} docker
 * @param {import('dockerode').ContainerCreateOptions} options
 * @param {string} memoryFlag - that limits its memory, for messages
 * @returns {Promise<ContainerChild>}
 */
export async function startContainerChild(docker, options, memoryFlag) {
  const container = await docker.createContainer({
    ...options,
    ...{ AttachStdin: true, AttachStdout: true, AttachStderr: true, OpenStdin: true, StdinOnce: true },
    // its output is messages, which do not belong in a log
    HostConfig: { ...options.HostConfig, LogConfig: { Type: 'none', Config: {} } }
  })
  const streams = await attachStreams(docker, container)
  await container.start()
  const { State } = await container.inspect()
  streams.stderr.on('data', text => process.stderr.write(text))
  return new ContainerChild(container, { ...streams, pid: State.Pid, memoryFlag })
}

/** ContainerChild is a container used as a child process. */
class ContainerChild extends MessagePipe {
  #container

  /**
   * @param {import('dockerode').Container} container - that runs
   * @param {Omit<Awaited<ReturnType<typeof attachStreams>>, 'stderr'> & { pid: number, memoryFlag: string }} parts - `pid`: of its process, as this
   *   machine counts
   */
  constructor(container, { stdin, stdout, closed, close, pid, memoryFlag }) {
    super({ input: stdout, output: stdin })
    this.#container = container
    this.pid = pid
    waitForEnd(container, closed)
      .then(({ StatusCode }) => describeEnd(container, StatusCode, memoryFlag))
      .catch(error => `a Docker engine that no longer responds: ${describeEngineError(error)}`)
      .then(why => {
        close()
        this.emit('exit', null, why)
      })
  }

  /** @param {NodeJS.Signals | number} [signal] */
  kill(signal = 'SIGTERM') {
    // a failure means that it has ended, or is being removed
    this.#container.kill({ signal: String(signal) }).catch(() => {})
    return true
  }
}

/**
 * attachStreams connects a container's input and output to this process. When this process ends, the container's input ends, and its program
 * stops on that: so a container never outlives the process that started it.
 *
 * @param {import('dockerode')} docker
 * @param {import('dockerode').Container} container - made with OpenStdin and StdinOnce; not yet started
 * @returns {Promise<{ stdin: import('node:stream').Writable, stdout: PassThrough, stderr: PassThrough, closed: Promise<void>, close: () => void }>} `closed`: by either end
 */
export async function attachStreams(docker, container) {
  const all = { stream: true, stdin: true, stdout: true, stderr: true, hijack: true }
  const stream = /** @type {import('node:stream').Duplex} */ (await container.attach(all))
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  docker.modem.demuxStream(stream, stdout, stderr)
  stream.on('error', () => {}) // the engine is gone: endOf reports that
  stream.on('end', () => {
    stdout.end()
    stderr.end()
  })
  const closed = new Promise(resolve => void stream.once('close', () => resolve(undefined)))
  return { stdin: stream, stdout, stderr, closed, close: () => void stream.destroy() }
}

/** Above this, an exit code stands for a signal. */
const SIGNALLED = 128

/** After the end of a killed engine its socket exists a little longer, or the engine is back. */
const CHECK_AFTER_MS = 500

/**
 * waitForEnd waits for the end of a container. The request to wait never ends when the engine is gone; the end of the attached streams does
 * show that.
 *
 * @param {import('dockerode').Container} container
 * @param {Promise<void>} closed - of `attached`
 * @returns {Promise<{ StatusCode: number }>}
 * @throws {Error} the engine is gone
 */
export const waitForEnd = (container, closed) =>
  new Promise((resolve, reject) => {
    container.wait().then(resolve, reject)
    closed
      .then(() => sleep(CHECK_AFTER_MS, undefined, { ref: false }))
      .then(() => container.inspect())
      .then(
        ({ State }) => {
          if (!State.Running) resolve({ StatusCode: State.ExitCode })
        },
        error => {
          if (isEngineDown(error)) reject(error)
        }
      )
  })

/**
 * describeEnd describes the end of a container.
 *
 * @param {import('dockerode').Container} container
 * @param {number} code - its exit code
 * @param {string} flag - that limits its memory
 * @returns {Promise<string>}
 */
export async function describeEnd(container, code, flag) {
  const inspected = await container.inspect().catch(() => null) // removed already
  if (inspected?.State.OOMKilled)
    return `no memory left: it needed more than it was allowed and was killed (raise ${flag})`
  const [signal] = Object.entries(constants.signals).find(([, number]) => number === code - SIGNALLED) ?? []
  return signal === undefined ? `exit code ${code}` : `signal ${signal}`
}

const ATTEMPTS = 5
const RETRY_AFTER_MS = 100

/**
 * pauseContainer pauses a container. runc checks a few times whether its processes have stopped, and gives up ("unable to freeze") if they have
 * not, as on a machine whose cores are all busy. The container runs on then, and freeze tries again a few times.
 *
 * @param {Pick<import('dockerode').Container, 'pause'>} container
 * @returns {Promise<void>}
 * @throws {Error} of the engine; for another reason at once
 */
export async function pauseContainer(container) {
  for (let attempt = 1; ; attempt++)
    try {
      await container.pause()
      return
    } catch (error) {
      if (attempt === ATTEMPTS || !/unable to freeze/.test(describeEngineError(error))) throw error
      await sleep(RETRY_AFTER_MS)
    }
}

/**
 * @typedef {object} CgroupFiles - the kernel's counters of a container
 * @property {1 | 2} version
 * @property {string} cpu
 * @property {string} memory
 * @property {string} memoryStat
 */

const ROOT = '/sys/fs/cgroup'

/**
 * findCgroupFiles finds the kernel's counters of a container.
 *
 * @param {string} membership - text of /proc/<pid>/cgroup of its first process
 * @param {string} containerId - must be part of the path: otherwise the process is another one, as where the engine runs in a
 *   virtual machine with process ids of its own
 * @returns {CgroupFiles | null}
 */
export function findCgroupFiles(membership, containerId) {
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
 * readCgroup reads the CPU time and memory of a container.
 *
 * @param {CgroupFiles} files
 * @param {{ read?: (file: string) => Promise<string>, clock?: () => number }} [components]
 * @returns {Promise<import('../measure/series.js').ResourceReading>}
 */
export async function readCgroup(
  { version, ...files },
  { read = file => readFile(file, 'utf8'), clock = () => performance.now() } = {}
) {
  const atMs = clock()
  const [cpu, memory, memoryStat] = await Promise.all([files.cpu, files.memory, files.memoryStat].map(read))
  const cpuMs = version === 1 ? Number(cpu) / 1e6 : parseFlatKeyed(cpu).usage_usec / 1e3
  return {
    atMs,
    cpuMs,
    rssBytes: computeMemoryInUse({ usage: Number(memory), stats: parseFlatKeyed(memoryStat) })
  }
}

/** CONTAINER_USAGE is how the memory of a container is counted. */
export const CONTAINER_USAGE = 'container usage without page cache'

/**
 * @typedef {import('../measure/series.js').ResourceReading} ResourceReading
 *
 * @typedef {object} ContainerReadings
 * @property {'control group' | 'engine'} source
 * @property {number | null} pid - of its main process, as this machine counts; null: it runs in a virtual machine, or is not known
 * @property {() => Promise<ResourceReading>} reading
 * @property {() => void} close
 */

/**
 * openContainerReadings reads the CPU time and the memory of a container: from the kernel's counters, at any moment, if they can be read here;
 * otherwise from the engine's statistics, which come once a second.
 *
 * @param {import('dockerode').Container} container - that is running
 * @returns {Promise<ContainerReadings>}
 */
export async function openContainerReadings(container) {
  try {
    const { Id, State } = await container.inspect()
    const files = findCgroupFiles(await readFile(`/proc/${State.Pid}/cgroup`, 'utf8'), Id)
    if (files === null) return openEngineReadings(container)
    await readCgroup(files)
    return { source: 'control group', pid: State.Pid, reading: () => readCgroup(files), close() {} }
  } catch {
    return openEngineReadings(container)
  }
}

/**
 * openEngineReadings follows the engine's statistics. A reading is the latest message, at most a second old.
 *
 * @param {import('dockerode').Container} container
 * @returns {Promise<ContainerReadings>}
 */
export async function openEngineReadings(container) {
  const stream = /** @type {import('node:stream').Readable} */ (await container.stats({ stream: true }))
  /** @type {ResourceReading | null} */
  let latest = null
  /** difference of the engine's clock from ours @type {number | null} */
  let offsetMs = null
  const first = Promise.withResolvers()
  first.promise.catch(() => {})
  createInterface({ input: stream }).on('line', line => {
    const reading = readContainerStats(JSON.parse(line))
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
      return /** @type {ResourceReading} */ (latest)
    },
    close: () => void stream.destroy()
  }
}
