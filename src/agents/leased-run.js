import { setTimeout as sleep } from 'node:timers/promises'
import { GENERATOR_FLAGS, startForkedProcess } from '../workers/forked-process.js'
import { NotAdmittedError } from './admission.js'
import { ENTRIES } from './entries.js'

/**
 * @typedef {import('../workers/forked-process.js').ForkedProcess} ForkedProcess
 *
 * @typedef {object} Asked - of a worker
 * @property {'start' | 'call' | 'stop' | 'kill'} kind
 * @property {number} id - of the answer
 * @property {number} worker
 * @property {string} [entry]
 * @property {string} [name]
 * @property {any} [setup]
 * @property {readonly string[]} [calls] - that the worker may make
 * @property {number} [graceMs]
 * @property {string} [method]
 * @property {any[]} [args]
 */

/** Calls that name a file. */
const WRITES = new Set(['startProfile', 'stopProfile', 'startAllocations', 'stopAllocations'])
/** What workers know when a run is broken off they hand over in so long. */
const LAST_WORDS_MS = 700
/** What they handed over may wait so long for a bus that is away. */
const HAND_OVER_MS = 5000

/** LeasedRun is what an agent holds for one run: its workers, and what they tell. */
export class LeasedRun {
  /** @type {Map<number, { started: Promise<ForkedProcess>, ending: AbortController }>} `ending`: ends it at once while it starts */
  #workers = new Map()
  #mostWorkers
  #telling
  #admit

  /**
   * @param {object} parts
   * @param {string} parts.run - its id
   * @param {any} parts.plan
   * @param {number} parts.workers - of the plan's that it may start
   * @param {import('./telling.js').Telling} parts.telling
   * @param {(worker: any) => void} parts.admit - throws for what the owner of the machine does not allow
   */
  constructor({ run, plan, workers, telling, admit }) {
    this.run = run
    this.plan = plan
    this.#mostWorkers = workers
    this.#telling = telling
    this.#admit = admit
  }

  /** take does what is asked for, and tells what came of it. @param {Asked} asked */
  async take(asked) {
    const { id } = asked
    try {
      await this.#telling.tell({ kind: 'result', id, result: await this.#do(asked) })
    } catch (error) {
      const { message, code } = /** @type {Error & { code?: string }} */ (error)
      await this.#telling.tell({ kind: 'result', id, error: { message, code } })
    }
  }

  /** @param {Asked} asked @returns {Promise<any>} */
  async #do(asked) {
    const { kind, worker, method = '', args = [] } = asked
    if (kind === 'start') return this.#start(asked)
    const held = this.#workers.get(worker)
    if (held === undefined) throw new Error(`there is no worker ${worker}`)
    if (kind === 'kill') held.ending.abort()
    const { call, stop, kill } = await held.started
    if (kind === 'stop') return stop()
    if (kind === 'kill') return kill()
    if (method === 'setup') throw new Error(`worker ${worker} was set up already`)
    if (WRITES.has(method)) throw new Error(`an agent writes no files: ${method} was asked for`)
    for (const arg of args) this.#admit(arg)
    return call(method, ...args)
  }

  /** @param {Asked} asked */
  async #start({ worker, entry = '', name = '', setup, calls = [], graceMs }) {
    if (!Object.hasOwn(ENTRIES, entry)) throw new Error(`an agent runs no ${entry}`)
    if (this.#workers.has(worker)) throw new Error(`worker ${worker} was started already`)
    if (this.#workers.size >= this.#mostWorkers)
      throw new NotAdmittedError(`this agent holds ${this.#mostWorkers} of the workers of the run`)
    this.#admit(setup)
    const ending = new AbortController()
    const started = startForkedProcess({
      entry: ENTRIES[/** @type {keyof typeof ENTRIES} */ (entry)],
      execArgv: GENERATOR_FLAGS,
      name,
      setup,
      handlers: Object.fromEntries(
        calls.map(method => [
          method,
          (/** @type {any[]} */ ...args) => this.#telling.tell({ kind: 'called', worker, method, args })
        ])
      ),
      onDied: ({ message }) => void this.#telling.tell({ kind: 'died', worker, message }),
      graceMs,
      signal: ending.signal
    })
    this.#workers.set(worker, { started, ending })
    await started
  }

  /** end ends all workers; those of a run that was broken off may hand over what they know first. @param {{ brokenOff: string | null }} how */
  async end({ brokenOff }) {
    const held = [...this.#workers.values()]
    if (brokenOff !== null) for (const { ending } of held) ending.abort()
    const left = await Promise.allSettled(held.map(({ started }) => started))
    const processes = left.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
    if (brokenOff !== null)
      await Promise.race([
        Promise.allSettled(processes.map(({ call }) => call('abort', brokenOff))).then(() => sleep(100)),
        sleep(LAST_WORDS_MS)
      ])
    await Promise.allSettled(processes.map(({ kill }) => kill()))
    await this.#telling.end(HAND_OVER_MS)
  }
}
