// Runs a scenario that the user wrote, inside its own process: calls its functions, and sends and measures its
// operations.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { runClosedLoop } from '../../../load/pacing.js'
import { LoopTurns } from '../../../measure/client-overhead.js'
import { Meter, OperationRecorder, reportWhile } from '../../../measure/operations.js'
import { OwnMemoryWatch } from '../../../measure/resources.js'
import { listUsableOptions } from '../../../plan/options.js'
import { makePlan } from '../../../plan/plan.js'
import { startUsageMeter } from '../../../run/worker-process.js'
import { BadScenarioError, loadModule } from '../module.js'
import { makeCustomScenario } from '../scenario.js'

/**
 * @typedef {import('../module.js').Operation} Operation
 * @typedef {import('../../../report/schema.js').OperationType} OperationType
 */

const PROGRESS_MS = 500
const MAX_OPERATIONS_PER_TURN = 64
const TIMEOUT = new Error('took longer than --timeout')

/** CustomLoad executes the user's operations, --inFlight at the same time. */
class CustomLoad {
  #plan
  #progress
  #ended
  /** @type {Set<AbortController>} of the operations in flight */
  #underWay = new Set()

  /**
   * @param {Pick<import('../module.js').CustomPlan, 'inFlight' | 'timeoutMs'>} plan
   * @param {{ progress: import('../../../run/run-header.js').RunLog['progress'], ended: AbortSignal }} run - `ended`: no further operation begins
   */
  constructor(plan, { progress, ended }) {
    this.#plan = plan
    this.#progress = progress
    this.#ended = ended
  }

  /** stop aborts the operations in flight. @param {Error} [why] */
  stop(why) {
    for (const stop of this.#underWay) stop.abort(why)
  }

  /**
   * run executes operations in turn for a time.
   *
   * @param {Readonly<Record<string, Operation>>} operations
   * @param {{ forMs: number, phase: string,
   *   done?: (type: OperationType, outcome: string, sentNs: bigint, repliedNs: bigint) => void }} how
   * @returns {Promise<string | undefined>} the first error
   */
  async run(operations, { forMs, phase, done = () => {} }) {
    const entries = Object.entries(operations)
    const beganMs = performance.now()
    let count = 0
    /** @type {string | undefined} */
    let failure
    const showing = setInterval(() => {
      const soFarMs = performance.now() - beganMs
      this.#progress({
        phase,
        done: Math.min(forMs, soFarMs),
        total: forMs,
        unit: 'ms',
        ratePerSecond: (count * 1000) / soFarMs
      })
    }, PROGRESS_MS)
    const perform = async () => {
      const [name, operation] = entries[count++ % entries.length]
      const sentNs = process.hrtime.bigint()
      const { outcome, message } = await this.#attempt(operation)
      done(/** @type {OperationType} */ (name), outcome, sentNs, process.hrtime.bigint())
      if (outcome !== 'OK') failure ??= `${name}: ${message}`
      // operations that take no time must not block timers
      if (outcome !== 'OK' || count % MAX_OPERATIONS_PER_TURN === 0) await nextTurn()
    }
    try {
      await runClosedLoop({
        lanes: this.#plan.inFlight,
        operations: Infinity,
        stopped: () => performance.now() - beganMs >= forMs || this.#ended.aborted,
        perform
      })
    } finally {
      clearInterval(showing)
    }
    return failure
  }

  /** @param {Operation} operation @returns {Promise<{ outcome: string, message?: string }>} */
  async #attempt(operation) {
    const stop = new AbortController()
    const { promise: stopped, reject } = Promise.withResolvers()
    // an operation that ignores its signal is not waited for
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason), { once: true })
    const timer = setTimeout(() => stop.abort(TIMEOUT), this.#plan.timeoutMs)
    this.#underWay.add(stop)
    try {
      await Promise.race([operation(stop.signal), stopped])
      return { outcome: 'OK' }
    } catch (error) {
      const { message = String(error) } = /** @type {Partial<Error>} */ (error ?? {})
      if (this.#ended.aborted) return { outcome: 'INTERRUPTED', message }
      return { outcome: stop.signal.aborted ? 'TIMEOUT' : 'FAILED', message }
    } finally {
      clearTimeout(timer)
      this.#underWay.delete(stop)
    }
  }
}

/**
 * @typedef {import('../module.js').CustomModule} CustomModule
 * @typedef {import('../module.js').CustomPlan} CustomPlan
 *
 * @typedef {Pick<CustomModule, 'name' | 'describe' | 'operations'> & {
 *   helpOptions: import('../../../cli/command-line.js').CommandHelp['options'], describesResult: boolean }} ModuleDescription -
 *   a module without its functions
 * @typedef {{ failure: string | undefined, durationMs: number }} LoadSummary
 */

/** The closed model needs no pacer, so none spins. */
const IDLE_PACER = { spunNs: 0 }

/** Operations in flight at the end of the run have this time to end. */
const SETTLE_MS = 3000

/** The result has a row for each phase. */
const MAX_PHASES = 1000
const MAX_NAME_LENGTH = 100

/** CustomProcess runs a user's own scenario in this process. */
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

  /** load imports the file. @returns {Promise<ModuleDescription>} */
  async load() {
    this.#loaded = await loadModule(this.#path)
    const { name, describe, operations, describeResult } = this.#module
    try {
      const { options } = makeCustomScenario(this.#module, this.#path)
      const [flag] = Object.entries(options).find(([, { schema }]) => typeof schema !== 'function') ?? []
      if (flag !== undefined) throw new Error(`--${flag} has none of the kinds of values`)
      return {
        ...copyAsJson({ name, describe, operations, helpOptions: listUsableOptions(options) }),
        describesResult: describeResult !== undefined
      }
    } catch (cause) {
      const { message } = /** @type {Error} */ (cause)
      throw new BadScenarioError(`has options that cannot be read: ${message}`, { cause })
    }
  }

  /**
   * plan makes a plan with the options and rules of the module.
   *
   * @param {Parameters<typeof makePlan>[1]} options
   * @param {Parameters<typeof makePlan>[2]} more
   */
  plan(options, more) {
    return copyAsJson(makePlan(makeCustomScenario(this.#module, this.#path), options, more))
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
   * end ends the run, and waits for operations in flight, for a limited time.
   *
   * @param {{ message: string, code?: string }} why
   * @returns {Promise<number>} number of functions for `closeAll`
   */
  async end(why) {
    const error = Object.assign(new Error(why.message), { code: why.code })
    this.#ended.abort(error)
    this.#stopLoad(error)
    await Promise.race([this.#running.catch(() => {}), sleep(SETTLE_MS, undefined, { ref: false })])
    return this.#closers.length
  }

  /** closeAll calls the functions that the scenario gave to `onEnd`, even if some of them fail. */
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
   * describe calls describeResult of the scenario, and checks its value.
   *
   * @param {import('../../index.js').AnyResult} result
   * @returns {Promise<import('../schema.js').CheckedDescription>}
   */
  async describe(result) {
    const { checkDescription } = await import('../schema.js')
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
   * @param {(value: T) => { detail?: string }} [own] - of a phase of ours, which ends by itself: its detail
   * @returns {Promise<T>}
   */
  async #phase(name, work, own) {
    const { signal } = this.#ended
    signal.throwIfAborted()
    const id = this.#phases++
    if (id === MAX_PHASES) throw new Error(`the scenario has more than ${MAX_PHASES} phases`)
    const report = (/** @type {string} */ method, /** @type {any[]} */ ...args) =>
      void this.#call(method, ...args).catch(() => {})
    report('phase', id, String(name).slice(0, MAX_NAME_LENGTH), own !== undefined)
    try {
      const value = await waitUntilAborted(signal, async () => work(signal))
      report('phaseEnded', id, own?.(value) ?? {})
      return value
    } catch (error) {
      report('phaseEnded', id, { failed: true })
      throw error
    }
  }

  /** @param {Readonly<Record<string, Operation>>} operations @param {{ plan: CustomPlan, load: CustomLoad }} by */
  async #measure(operations, { plan: { warmupMs, durationMs }, load }) {
    if (this.#measured) throw new Error('the scenario called measure twice: give it all operations at once')
    const unknown = Object.keys(operations).find(name => !this.#module.operations.includes(name))
    if (unknown !== undefined)
      throw new Error(`${unknown} is measured, and is not among the scenario's operations`)
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

  /** @param {(how: Pick<Parameters<CustomLoad['run']>[1], 'done'>) => Promise<string | undefined>} work @returns {Promise<LoadSummary>} */
  async #counted(work) {
    const meter = new Meter()
    const recorder = new OperationRecorder(meter)
    const turns = new LoopTurns({ onTurn: ns => meter.record('turn', '', '', ns) })
    const memory = new OwnMemoryWatch()
    const usage = startUsageMeter(IDLE_PACER, memory)
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

/** Copies a value as JSON, without functions. @template T @param {T} value @returns {T} */
const copyAsJson = value => JSON.parse(JSON.stringify(value))

/**
 * @template T
 * @param {AbortSignal} signal
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function waitUntilAborted(signal, work) {
  const { promise: aborted, reject } = Promise.withResolvers()
  const leave = () => reject(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await /** @type {Promise<T>} */ (Promise.race([work(), aborted]))
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
