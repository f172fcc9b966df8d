import pLimit from 'p-limit'
import { usableCores } from '../../../kit/control-group.js'
import { sumOf } from '../../../kit/lists.js'
import { mergedSettings } from '../../../libp2p/node-settings.js'
import { profileOver } from '../../../measure/process-profile.js'
import { GENERATOR_FLAGS, startForkedProcess } from '../../../workers/forked-process.js'
import { ofThoseLeft } from '../../../workers/of-those-left.js'
import { STARTS_AT_ONCE } from '../../../workers/starts-at-once.js'
import { hasSpareCore } from './spare-core.js'

/**
 * @typedef {import('../../../workers/fleet.js').HeldProcess} HeldProcess
 * @typedef {import('../../../measure/meter.js').Interval} Interval
 *
 * @typedef {object} GeneratorEvents
 * @property {(interval: any, worker: number) => void} onInterval
 * @property {(interval: import('../../../network/node-host.js').HostInterval, worker: number) => void} [onNetwork] - of clients that are full
 *   peers
 * @property {(connected: number) => void} onConnected - in all of them
 * @property {(worker: number) => void} [onAlive] - of each process once a second, whatever it does: one that does not tell hangs
 * @property {(error: Error, worker: number) => void} onDied - one ended without being asked
 * @property {import('../../../workers/fleet.js').Fleet} [fleet] - machines that hold them; none: this one does
 * @property {AbortSignal} [signal] - ends processes at once while they start
 * @property {(worker: number) => readonly string[]} [enter] - a command that becomes the process of a worker, in a namespace
 */

/**
 * @typedef {Parameters<typeof hasSpareCore>[0] & { ratePerSecond: number | null }} GeneratorPlan
 */

/** Time for all workers to hear of a start. */
const START_AFTER_MS = 30

/** soon is when all workers begin that are told so now. @param {number} [afterMs] */
export const soon = (afterMs = START_AFTER_MS) => process.hrtime.bigint() + BigInt(afterMs * 1e6)

/** GeneratorPool drives processes that generate load. */
export class GeneratorPool {
  /** settings are what nodes of its processes have other than what libp2p takes by itself. @type {import('../../../libp2p/node-settings.js').Settings} */
  settings = {}

  /** @param {HeldProcess[]} processes */
  constructor(processes) {
    this.processes = processes
  }

  /** profiles are those of its processes, by worker. */
  get profiles() {
    return this.processes.map(process => profileOver((method, ...args) => process.call(method, ...args)))
  }

  get pids() {
    return this.processes.map(({ pid }) => pid)
  }

  /** all has each do something, but those that were lost with their machine. @param {string} method @param {...any} args @returns {Promise<any[]>} */
  all(method, ...args) {
    return ofThoseLeft(this.processes.map(process => process.call(method, ...args)))
  }

  /** whoever has each do something that still can. @param {string} method @param {...any} args @returns {Promise<PromiseSettledResult<any>[]>} */
  whoever(method, ...args) {
    return Promise.allSettled(this.processes.map(process => process.call(method, ...args)))
  }

  /** connect starts all clients and connects them. */
  async connect() {
    this.settings = mergedSettings(await this.all('connect'))
  }

  /** abort ends everything under way. @param {string} reason */
  async abort(reason) {
    await this.whoever('abort', reason)
  }

  /** finish gives what was wrong with replies. @returns {Promise<{ detail: string, count: number }[]>} */
  async finish() {
    return (await this.all('finish')).flat()
  }

  async stop() {
    await Promise.all(this.processes.map(process => process.stop()))
  }
}

/**
 * startGenerators starts the processes that share a load.
 *
 * @param {GeneratorEvents & { plan: GeneratorPlan }} options
 * @param {URL} entry
 * @param {(index: number, precise: boolean) => object} setupOf - `precise`: a core is free for pacing without sleeping
 * @returns {Promise<HeldProcess>[]} each when it is ready for calls
 */
export function startGenerators(
  { plan, fleet, onInterval, onNetwork, onConnected, onAlive, onDied, enter, signal },
  entry,
  setupOf
) {
  const connected = Array(plan.workers).fill(0)
  // pacing without sleeping takes a core, and the server needs one too
  const paced = plan.ratePerSecond != null
  const spare = (/** @type {number} */ index) =>
    fleet?.hasCoreToSpare(index, plan.workers) ?? hasSpareCore(plan, usableCores())
  const inTheirTurn = pLimit(STARTS_AT_ONCE)
  const onThisMachine = (/** @type {Parameters<typeof startForkedProcess>[0]} */ options) =>
    (options.through ?? []).length === 0
      ? startForkedProcess(options)
      : inTheirTurn(startForkedProcess, options)
  return connected.map((_, index) =>
    startGenerator(entry, {
      start: options => fleet?.start(index, options) ?? onThisMachine(options),
      name: `worker ${index}`,
      setup: setupOf(index, paced && spare(index)),
      onInterval: interval => onInterval(interval, index),
      onNetwork: interval => onNetwork?.(interval, index),
      onConnected: count => {
        connected[index] = count
        onConnected(sumOf(connected))
      },
      onAlive: () => onAlive?.(index),
      onDied: error => onDied(error, index),
      through: enter?.(index),
      signal
    })
  )
}

/**
 * startGenerator starts a process that generates load.
 *
 * @param {URL} entry
 * @param {object} options
 * @param {(options: import('../../../workers/fleet.js').StartOptions) => Promise<HeldProcess>} [options.start] - default: on this machine
 * @param {string} options.name - for messages
 * @param {object} options.setup
 * @param {(interval: Interval) => void} options.onInterval
 * @param {(interval: any) => void} [options.onNetwork]
 * @param {(connected: number) => void} [options.onConnected]
 * @param {() => void} options.onAlive
 * @param {(error: Error) => void} options.onDied
 * @param {readonly string[]} [options.through] - a command that becomes the process, in a namespace
 * @param {AbortSignal} [options.signal] - ends it at once while it starts
 */
const startGenerator = (
  entry,
  {
    start = startForkedProcess,
    name,
    setup,
    onInterval,
    onNetwork = () => {},
    onConnected = () => {},
    onAlive,
    onDied,
    through,
    signal
  }
) =>
  start({
    entry,
    execArgv: GENERATOR_FLAGS,
    name,
    setup,
    handlers: { interval: inOrder(onInterval), network: onNetwork, connected: onConnected, alive: onAlive },
    onDied,
    through,
    signal
  })

/** @param {(interval: Interval) => void} onInterval @returns {(interval: Interval) => void} */
function inOrder(onInterval) {
  let expected = 0
  return interval => {
    if (interval.seq !== expected) throw new Error(`interval ${interval.seq} came where ${expected} was due`)
    expected++
    onInterval(interval)
  }
}
