import { existsSync } from 'node:fs'
import { forked, startForkedProcess } from '../../run/workers.js'
import { BAD_SCENARIO, BadScenarioError } from './module.js'

/**
 * @typedef {import('./run/custom-process.js').SaidModule} SaidModule
 *
 * @typedef {object} Step - what the scenario is at
 * @property {string} at - `in phase setup`
 * @property {number} ms - that it may take
 * @property {boolean} [turning] - it may go on as long as its event loop turns: what it does ends by itself
 */

const ENTRY = new URL('./run/custom-entry.js', import.meta.url)

/** STEP_MS is how long a step may take, or --timeout where that is longer. */
export const STEP_MS = 30_000
const END_MS = 5000
const TEARDOWN_MS = 10_000
const GRACE_MS = 1000
/** It tells every second that its event loop turns; later than this it does not. */
const SILENT_MS = 5000
const LOOK_EVERY_MS = 250

const LONGEST_MESSAGE = 2000

/** ScenarioFaultError says what the process of a scenario of a user's own was ended by. */
class ScenarioFaultError extends Error {
  name = 'ScenarioFaultError'
  code = 'SCENARIO_FAULT'
}

/** ScenarioProcess is the process that a scenario of a user's own runs in. Whatever the scenario does, it ends in bounded time. */
export class ScenarioProcess {
  #path
  #handlers
  #onFault
  /** @type {Promise<import('../../run/workers.js').ForkedProcess> | undefined} */
  #process
  /** @type {number | undefined} */
  #pid
  #ending = new AbortController()
  /** fault is what it did that nobody asked for, if anything. @type {ScenarioFaultError | null} */
  fault = null
  #faulty = Promise.withResolvers()
  #gone = Promise.withResolvers()
  /** @type {Step} */
  #step = { at: 'while it was loaded', ms: STEP_MS }
  #leftMs = STEP_MS
  #silentMs = 0
  #lookedMs = 0
  /** @type {NodeJS.Timeout | undefined} */
  #timer

  /**
   * @param {string} path - of its file, as typed
   * @param {object} [run] - none: only its plan is made
   * @param {import('../../run/channel.js').Handlers} run.handlers - what it may call
   * @param {(fault: ScenarioFaultError) => void} run.onFault - the first one
   */
  constructor(path, { handlers, onFault } = { handlers: {}, onFault: () => {} }) {
    this.#path = path
    this.#handlers = handlers
    this.#onFault = onFault
    this.#gone.promise.catch(() => {})
    this.#faulty.promise.catch(() => {})
  }

  get pid() {
    return this.#pid ?? null
  }

  /** gone rejects when it has ended without being asked. @type {Promise<any>} */
  get gone() {
    return this.#gone.promise
  }

  /** load starts it and has it import the file. @returns {Promise<SaidModule>} */
  async load() {
    if (!existsSync(this.#path)) throw new BadScenarioError('does not exist')
    this.#process = startForkedProcess({
      entry: ENTRY,
      begin: async () => {
        // standard output is for the result
        const child = forked(ENTRY, { stdout: 2 })
        this.#pid = child.pid
        child.once('exit', (code, signal) => this.#exited(code, signal))
        return child
      },
      name: this.#path,
      setup: { path: this.#path },
      handlers: {
        ...this.#handlers,
        alive: () => this.#heard(),
        fault: (/** @type {string} */ what) => this.#failed(`${what}, ${this.#step.at}`)
      },
      onDied: () => {},
      graceMs: GRACE_MS,
      signal: this.#ending.signal
    })
    this.#process.catch(() => {})
    await this.#process
    this.step(this.#step)
    this.#lookedMs = performance.now()
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS)
    return this.call('load')
  }

  /**
   * plan makes a plan.
   *
   * @param {Record<string, unknown>} options
   * @param {unknown} more
   * @returns {Promise<ReturnType<typeof import('../../plan/plan.js').makePlan>>}
   */
  async plan(options, more) {
    this.step({ at: 'while its options were read', ms: STEP_MS })
    return this.call('plan', options, more)
  }

  /** step says what it is at from now on. @param {Step} step */
  step(step) {
    this.#step = step
    this.#leftMs = step.ms
  }

  /**
   * call asks it for something.
   *
   * @param {string} method
   * @param {...any} args
   * @returns {Promise<any>}
   * @throws its fault, as soon as there is one, or what it was answered with
   */
  async call(method, ...args) {
    return Promise.race([this.#ask(method, ...args), this.#faulty.promise])
  }

  /** endRun tells it that the run has ended. @param {Error & { code?: string }} why @returns {Promise<number>} how many there are to close */
  endRun({ message, code }) {
    this.step({ at: `${this.#step.at}, which was to end`, ms: END_MS })
    return this.#ask('end', { message, code })
  }

  /** closeAll has it end what the scenario has begun. @returns {Promise<void>} */
  closeAll() {
    this.step({ at: 'in teardown', ms: TEARDOWN_MS })
    return this.#ask('closeAll')
  }

  /** describe has the scenario describe its result. @param {unknown} result @returns {Promise<import('./schema.js').Checked>} */
  describe(result) {
    this.step({ at: 'in describeResult', ms: STEP_MS })
    return this.call('describe', result)
  }

  /** @param {string} method @param {...any} args @returns {Promise<any>} */
  async #ask(method, ...args) {
    try {
      const process = await this.#process
      return await Promise.race([process?.call(method, ...args), this.gone])
    } catch (error) {
      const { message, code } = /** @type {Error & { code?: string }} */ (error)
      if (code === 'WORKER_DIED' && this.fault !== null) throw this.fault
      const whose = code === BAD_SCENARIO || error === this.fault ? '' : `${this.#path}: `
      throw Object.assign(new Error(`${whose}${oneLine(String(message))}`), { code })
    }
  }

  /** end ends it, with all that it has started. */
  async end() {
    clearInterval(this.#timer)
    this.#ending.abort()
    const process = await this.#process?.catch(() => undefined)
    await process?.stop()
  }

  #heard() {
    this.#silentMs = 0
    if (this.#step.turning) this.#leftMs = this.#step.ms
  }

  #look() {
    const nowMs = performance.now()
    // as long as this process was itself stopped, it could hear nothing
    const passedMs = Math.min(nowMs - this.#lookedMs, 4 * LOOK_EVERY_MS)
    this.#lookedMs = nowMs
    this.#leftMs -= passedMs
    this.#silentMs += passedMs
    if (this.#leftMs > 0) return
    const { at, ms } = this.#step
    const seconds = `${Math.round(ms / 1000)} s`
    this.#failed(
      this.#silentMs >= Math.min(SILENT_MS, ms)
        ? `blocked its event loop for more than ${seconds}, ${at}`
        : `was not done within ${seconds}, ${at}`
    )
    this.#killGroup()
  }

  /** @param {number | null} code @param {string | null} signal */
  #exited(code, signal) {
    clearInterval(this.#timer)
    this.#killGroup()
    if (this.#ending.signal.aborted) return
    const how =
      signal === null
        ? `ended its process with exit code ${code}, as process.exit does`
        : `had its process ended by ${signal}, as happens where memory runs out`
    this.#failed(`${how}, ${this.#step.at}`)
    this.#gone.reject(this.fault)
  }

  /** @param {string} what */
  #failed(what) {
    if (this.fault !== null) return
    this.fault = new ScenarioFaultError(`${this.#path} ${oneLine(what)}`)
    this.#faulty.reject(this.fault)
    this.#onFault(this.fault)
  }

  /** It leads a group of its own. */
  #killGroup() {
    if (this.#pid === undefined) return
    try {
      process.kill(-this.#pid, 'SIGKILL')
    } catch {} // nobody is left
  }
}

/** @param {string} text */
const oneLine = text => text.replace(/\s+/g, ' ').slice(0, LONGEST_MESSAGE)
