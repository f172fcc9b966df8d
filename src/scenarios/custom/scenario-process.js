// Starts the separate process of a scenario that the user wrote, calls it with time limits, and ends it.
import { existsSync } from 'node:fs'
import { forkEntry, startForkedProcess } from '../../run/workers.js'
import { BAD_SCENARIO_CODE, BadScenarioError } from './module.js'

/**
 * @typedef {import('./run/custom-process.js').ModuleDescription} ModuleDescription
 *
 * @typedef {object} Step - the current step of the scenario
 * @property {string} at - `in phase setup`
 * @property {number} ms - time limit
 * @property {boolean} [turning] - it may take longer while its event loop turns: the step ends by itself
 */

const ENTRY = new URL('./run/custom-entry.js', import.meta.url)

/** STEP_TIMEOUT_MS is the time limit of a step, or --timeout if that is longer. */
export const STEP_TIMEOUT_MS = 30_000
const END_MS = 5000
const TEARDOWN_MS = 10_000
const GRACE_MS = 1000
/** The process sends a message every second. Without one for this time, its event loop is blocked. */
const SILENT_MS = 5000
const LOOK_EVERY_MS = 250

const MAX_MESSAGE_LENGTH = 2000

/** ScenarioFaultError says why the process of a user's own scenario was ended. */
class ScenarioFaultError extends Error {
  name = 'ScenarioFaultError'
  code = 'SCENARIO_FAULT'
}

/** ScenarioProcess is the process of a user's own scenario. Whatever the scenario does, the process ends in bounded time. */
export class ScenarioProcess {
  #path
  #handlers
  #onFault
  /** @type {Promise<import('../../run/workers.js').ForkedProcess> | undefined} */
  #process
  /** @type {number | undefined} */
  #pid
  #ending = new AbortController()
  /** fault is the first error outside of its functions. @type {ScenarioFaultError | null} */
  fault = null
  #faulty = Promise.withResolvers()
  #exit = Promise.withResolvers()
  /** @type {Step} */
  #step = { at: 'while it was loaded', ms: STEP_TIMEOUT_MS }
  #leftMs = STEP_TIMEOUT_MS
  #silentMs = 0
  #lookedMs = 0
  /** @type {NodeJS.Timeout | undefined} */
  #timer

  /**
   * @param {string} path - of its file, as typed
   * @param {object} [run] - none: only its plan is made
   * @param {import('../../run/channel.js').Handlers} run.handlers - functions that it may call
   * @param {(fault: ScenarioFaultError) => void} run.onFault - the first one
   */
  constructor(path, { handlers, onFault } = { handlers: {}, onFault: () => {} }) {
    this.#path = path
    this.#handlers = handlers
    this.#onFault = onFault
    this.#exit.promise.catch(() => {})
    this.#faulty.promise.catch(() => {})
  }

  get pid() {
    return this.#pid ?? null
  }

  /** exited rejects when the process has ended unexpectedly. @type {Promise<any>} */
  get exited() {
    return this.#exit.promise
  }

  /** load starts the process, which imports the file. @returns {Promise<ModuleDescription>} */
  async load() {
    if (!existsSync(this.#path)) throw new BadScenarioError('does not exist')
    this.#process = startForkedProcess({
      entry: ENTRY,
      begin: async () => {
        // standard output is reserved for the result
        const child = forkEntry(ENTRY, { stdout: 2 })
        this.#pid = child.pid
        child.once('exit', (code, signal) => this.#onExit(code, signal))
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
    this.step({ at: 'while its options were read', ms: STEP_TIMEOUT_MS })
    return this.call('plan', options, more)
  }

  /** step sets the current step. @param {Step} step */
  step(step) {
    this.#step = step
    this.#leftMs = step.ms
  }

  /**
   * call calls a method of the process.
   *
   * @param {string} method
   * @param {...any} args
   * @returns {Promise<any>}
   * @throws its fault, as soon as there is one, or the error of the method
   */
  async call(method, ...args) {
    return Promise.race([this.#ask(method, ...args), this.#faulty.promise])
  }

  /** endRun ends the run in the process. @param {Error & { code?: string }} why @returns {Promise<number>} number of functions to be called by `closeAll` */
  endRun({ message, code }) {
    this.step({ at: `${this.#step.at}, which was to end`, ms: END_MS })
    return this.#ask('end', { message, code })
  }

  /** closeAll calls the functions that the scenario gave to `onEnd`. @returns {Promise<void>} */
  closeAll() {
    this.step({ at: 'in teardown', ms: TEARDOWN_MS })
    return this.#ask('closeAll')
  }

  /** describe calls describeResult of the scenario. @param {unknown} result @returns {Promise<import('./schema.js').CheckedDescription>} */
  describe(result) {
    this.step({ at: 'in describeResult', ms: STEP_TIMEOUT_MS })
    return this.call('describe', result)
  }

  /** @param {string} method @param {...any} args @returns {Promise<any>} */
  async #ask(method, ...args) {
    try {
      const process = await this.#process
      return await Promise.race([process?.call(method, ...args), this.exited])
    } catch (error) {
      const { message, code } = /** @type {Error & { code?: string }} */ (error)
      if (code === 'WORKER_DIED' && this.fault !== null) throw this.fault
      const whose = code === BAD_SCENARIO_CODE || error === this.fault ? '' : `${this.#path}: `
      throw Object.assign(new Error(`${whose}${joinLines(String(message))}`), { code })
    }
  }

  /** end ends the process, with all processes that it has started. */
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
    // while this process was stopped itself, it received nothing
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
  #onExit(code, signal) {
    clearInterval(this.#timer)
    this.#killGroup()
    if (this.#ending.signal.aborted) return
    const how =
      signal === null
        ? `ended its process with exit code ${code}, as process.exit does`
        : `had its process ended by ${signal}, as happens where memory runs out`
    this.#failed(`${how}, ${this.#step.at}`)
    this.#exit.reject(this.fault)
  }

  /** @param {string} what */
  #failed(what) {
    if (this.fault !== null) return
    this.fault = new ScenarioFaultError(`${this.#path} ${joinLines(what)}`)
    this.#faulty.reject(this.fault)
    this.#onFault(this.fault)
  }

  /** The process leads a group of its own. */
  #killGroup() {
    if (this.#pid === undefined) return
    try {
      process.kill(-this.#pid, 'SIGKILL')
    } catch {} // all have ended
  }
}

/** @param {string} text */
const joinLines = text => text.replace(/\s+/g, ' ').slice(0, MAX_MESSAGE_LENGTH)
