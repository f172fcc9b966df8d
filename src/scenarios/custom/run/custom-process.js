import { setTimeout as sleep } from 'node:timers/promises'
import { Meter } from '../../../measure/meter.js'
import { OperationRecorder } from '../../../measure/operation-recorder.js'
import { OwnMemoryWatch } from '../../../measure/own-memory.js'
import { Turns } from '../../../measure/turns.js'
import { takenOf } from '../../../plan/option.js'
import { makePlan } from '../../../plan/plan.js'
import { generatorUsage } from '../../../workers/generator-usage.js'
import { reportWhile } from '../../rendezvous/run/interval-reporter.js'
import { BadScenarioError, loadModule } from '../module.js'
import { customScenario } from '../scenario.js'
import { CustomLoad } from './custom-load.js'

/**
 * @typedef {import('../types.js').CustomModule} CustomModule
 * @typedef {import('../types.js').CustomPlan} CustomPlan
 * @typedef {import('../types.js').Operation} Operation
 *
 * @typedef {Pick<CustomModule, 'name' | 'describe' | 'operations'> & {
 *   helpOptions: import('../../../cli/arguments.js').CommandHelp['options'], describesResult: boolean }} SaidModule - what a module says of itself, without its functions
 * @typedef {{ failure: string | undefined, durationMs: number }} Measured
 */

/** Nothing is sent ahead of its time, for which a pacer would have to spin. */
const NO_PACER = { spunNs: 0 }

/** What is under way when the run is ended has so long to notice. */
const SETTLE_MS = 3000

/** The phases of a run are kept in its result. */
const MOST_PHASES = 1000
const LONGEST_NAME = 100

/** CustomProcess holds a scenario of a user's own, in a process of its own. */
export class CustomProcess {
  #path
  #call
  #ended = new AbortController()
  /** @type {(() => unknown)[]} */
  #closers = []
  #phases = 0
  #measured = false
  /** @type {Promise<unknown>} */
  #running = Promise.resolve()
  /** @type {CustomModule | undefined} */
  #loaded
  /** @type {(why: Error) => void} */
  #stopLoad = () => {}

  /**
   * @param {{ path: string }} setup
   * @param {(method: string, ...args: any[]) => Promise<any>} call - of the process that runs plans
   */
  constructor({ path }, call) {
    this.#path = path
    this.#call = call
  }

  get #module() {
    if (this.#loaded === undefined) throw new Error('the scenario was not loaded')
    return this.#loaded
  }

  /** load imports the file. @returns {Promise<SaidModule>} */
  async load() {
    this.#loaded = await loadModule(this.#path)
    const { name, describe, operations, describeResult } = this.#module
    try {
      const { options } = customScenario(this.#module, this.#path)
      const [flag] = Object.entries(options).find(([, { schema }]) => typeof schema !== 'function') ?? []
      if (flag !== undefined) throw new Error(`--${flag} has none of the kinds of values`)
      return {
        ...plain({ name, describe, operations, helpOptions: takenOf(options) }),
        describesResult: describeResult !== undefined
      }
    } catch (cause) {
      const { message } = /** @type {Error} */ (cause)
      throw new BadScenarioError(`has options that cannot be read: ${message}`, { cause })
    }
  }

  /**
   * plan makes a plan, by the module's own kinds of values and rules.
   *
   * @param {Parameters<typeof makePlan>[1]} options
   * @param {Parameters<typeof makePlan>[2]} more
   */
  plan(options, more) {
    return plain(makePlan(customScenario(this.#module, this.#path), options, more))
  }

  /** run runs a plan. @param {CustomPlan} plan */
  async run(plan) {
    const load = new CustomLoad(plan, {
      ended: this.#ended.signal,
      progress: progress => void this.#call('progress', progress).catch(() => {})
    })
    this.#stopLoad = why => load.stop(why)
    this.#running = (async () =>
      this.#module.run(Object.freeze({ ...plan }), {
        phase: (name, work) => this.#phase(name, work),
        measure: operations => this.#measure(operations, { plan, load }),
        onEnd: close => void this.#closers.unshift(close),
        signal: this.#ended.signal
      }))()
    await this.#running
  }

  /**
   * end ends the run, and waits for what is under way, as long as that can be waited for.
   *
   * @param {{ message: string, code?: string }} why
   * @returns {Promise<number>} how many there are to close
   */
  async end(why) {
    const error = Object.assign(new Error(why.message), { code: why.code })
    this.#ended.abort(error)
    this.#stopLoad(error)
    await Promise.race([this.#running.catch(() => {}), sleep(SETTLE_MS, undefined, { ref: false })])
    return this.#closers.length
  }

  /** closeAll ends what the scenario has begun, each whatever becomes of the others. */
  async closeAll() {
    const failed = []
    for (const close of this.#closers) {
      try {
        await close()
      } catch (error) {
        failed.push(error)
      }
    }
    if (failed.length > 0) throw failed[0]
  }

  /**
   * describe has the scenario describe its result, and checks what it gives.
   *
   * @param {import('../../../result/types.js').AnyResult} result
   * @returns {Promise<import('../description-check.js').Checked>}
   */
  async describe(result) {
    const { checkDescription } = await import('../description-check.js')
    const of = `describeResult of ${this.#path}`
    try {
      const { description, problem } = checkDescription(await this.#module.describeResult?.(result))
      return description === undefined ? { problem: `${of}: ${problem}` } : { description }
    } catch (error) {
      return { problem: `${of} threw: ${/** @type {any} */ (error)?.message ?? error}` }
    }
  }

  /**
   * @template T
   * @param {string} name
   * @param {(signal: AbortSignal) => Promise<T> | T} work
   * @param {(value: T) => { detail?: string }} [own] - of a phase of ours, which ends by itself: what is said of it
   * @returns {Promise<T>}
   */
  async #phase(name, work, own) {
    const { signal } = this.#ended
    signal.throwIfAborted()
    const id = this.#phases++
    if (id === MOST_PHASES) throw new Error(`the scenario has more than ${MOST_PHASES} phases`)
    const tell = (/** @type {string} */ what, /** @type {any[]} */ ...said) =>
      void this.#call(what, ...said).catch(() => {})
    tell('phase', id, String(name).slice(0, LONGEST_NAME), own !== undefined)
    try {
      const value = await orAborted(signal, async () => work(signal))
      tell('phaseEnded', id, own?.(value) ?? {})
      return value
    } catch (error) {
      tell('phaseEnded', id, { failed: true })
      throw error
    }
  }

  /** @param {Readonly<Record<string, Operation>>} operations @param {{ plan: CustomPlan, load: CustomLoad }} by */
  async #measure(operations, { plan: { warmupMs, durationMs }, load }) {
    if (this.#measured) throw new Error('the scenario called measure twice: give it all operations at once')
    const stranger = Object.keys(operations).find(name => !this.#module.operations.includes(name))
    if (stranger !== undefined)
      throw new Error(`${stranger} is measured, and is not among the scenario's operations`)
    this.#measured = true
    if (warmupMs > 0)
      await this.#phase(
        'warmup',
        () => load.run(operations, { forMs: warmupMs, phase: 'warmup' }),
        detail => ({ detail })
      )
    this.#ended.signal.throwIfAborted()
    await this.#call('measure')
    await this.#call(
      'measured',
      await this.#counted(how => load.run(operations, { forMs: durationMs, phase: 'measure', ...how }))
    )
  }

  /** @param {(how: Pick<Parameters<CustomLoad['run']>[1], 'done'>) => Promise<string | undefined>} work @returns {Promise<Measured>} */
  async #counted(work) {
    const meter = new Meter()
    const recorder = new OperationRecorder(meter)
    const turns = new Turns({ onTurn: ns => meter.record('turn', '', '', ns) })
    const memory = new OwnMemoryWatch()
    const usage = generatorUsage(NO_PACER, memory)
    const startNs = process.hrtime.bigint()
    try {
      const failure = await reportWhile(
        {
          meter,
          startNs,
          report: interval => this.#call('interval', { ...interval, usage: usage() })
        },
        () =>
          work({
            done: (type, outcome, sentNs, repliedNs) => {
              const overheadNs = turns.event(repliedNs).total
              recorder.record({ type, dueNs: null, sentNs, repliedNs, overheadNs }, outcome)
            }
          })
      )
      return { failure, durationMs: Number(process.hrtime.bigint() - startNs) / 1e6 }
    } finally {
      memory.stop()
    }
  }
}

/** What is left of a value in JSON: no functions. @template T @param {T} value @returns {T} */
const plain = value => JSON.parse(JSON.stringify(value))

/**
 * @template T
 * @param {AbortSignal} signal
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function orAborted(signal, work) {
  const { promise: aborted, reject } = Promise.withResolvers()
  const leave = () => reject(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await /** @type {Promise<T>} */ (Promise.race([work(), aborted]))
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
