// The life of a run: its phases, what ends it early, its teardown.

import { pushable } from 'it-pushable'
import { RunHeader, RunLog } from './run-header.js'

/**
 * @typedef {import('../report/schema.js').Record_} Record_
 *
 * @typedef {object} RunDocument - everything known of a run so far
 * @property {import('./run-header.js').RunHeader} header
 * @property {() => import('../report/schema.js').StartRecord} startRecord
 * @property {() => import('../scenarios/index.js').AnyResult} result
 */

/**
 * documentAround gives the document of a run whose result is made anew whenever it is asked for.
 *
 * @param {{ id: string, plan: unknown, packages: readonly string[] }} run - `packages`: whose version can change what is measured
 * @param {(header: RunHeader) => unknown} resultOf
 * @returns {(log: RunLog) => RunDocument}
 */
export const documentAround =
  ({ id, plan, packages }, resultOf) =>
  log => {
    const header = new RunHeader(id, log, packages)
    return {
      header,
      startRecord: () => ({ type: 'start', id, plan: /** @type {any} */ (plan), run: header.run([], []) }),
      result: () => /** @type {any} */ (resultOf(header))
    }
  }

/**
 * Run is what any run has that goes through phases: a log, trouble that ends it early, and a document that becomes its result.
 *
 * @template {RunDocument} D
 */
export class Run {
  #release = () => {}
  #failing = new AbortController()
  trouble = new Trouble()

  /**
   * @param {object} parts
   * @param {(record: Record_) => void} parts.emit
   * @param {AbortSignal} [parts.signal] - ends it; what was measured is kept
   * @param {(log: RunLog) => D} parts.documentOf
   */
  constructor({ emit, signal = new AbortController().signal, documentOf }) {
    this.emit = emit
    this.signal = signal
    this.log = new RunLog(emit)
    this.document = documentOf(this.log)
    this.phases = new Phases({
      log: this.log,
      trouble: this.trouble,
      emit,
      result: () => this.document.result()
    })
  }

  begin() {
    this.#release = interruptedBy(this.signal, { raise: error => this.interrupted(error) })
    this.emit(this.document.startRecord())
  }

  /** interrupted ends the run early. @param {Error} error */
  interrupted(error) {
    this.trouble.raise(error)
  }

  /** Aborts when the run ends early, whatever the reason: what is being started then is not waited for. */
  get starting() {
    return this.#failing.signal
  }

  /** fail keeps why the run ended early. @param {Error} error */
  fail(error) {
    this.#failing.abort(error)
    this.document.header.failed(this.trouble.error ?? error)
  }

  /** endAll ends what was started, each whatever becomes of the others. @param {Iterable<() => unknown>} steps */
  async endAll(steps) {
    for (const step of steps) {
      try {
        await step()
      } catch (error) {
        const { code, message } = /** @type {Error & { code?: string }} */ (error)
        if (code === 'LEFT_BEHIND') this.log.warn(code, { text: message })
        else this.document.header.failed(/** @type {Error} */ (error))
      }
    }
    return {}
  }

  end() {
    this.#release()
    this.document.header.finished()
    this.emit({ type: 'result', result: this.document.result() })
  }
}

/**
 * @typedef {import('../scenarios/index.js').RunOptions} RunOptions
 */

/**
 * runScenario runs a plan of any scenario. It never throws for what goes wrong with the run: the last record is always the result,
 * whose `status` and `reason` tell.
 *
 * @param {import('../scenarios/index.js').FindScenario} find
 * @returns {(plan: import('../scenarios/index.js').AnyPlan, options: RunOptions) => AsyncGenerator<Record_>}
 */
export const runScenario = find =>
  async function* (plan, options) {
    const scenario = /** @type {import('../scenarios/index.js').Scenario} */ (await find(plan.scenario))
    const run = await scenario.run()
    yield* run(plan, options)
  }

/**
 * @typedef {object} PhasedRun
 * @property {() => void} begin
 * @property {(error: Error) => void} fail - notes why it ends early
 * @property {() => Promise<unknown>} teardown - ends all that was started
 * @property {() => void} end - gives out the result
 */

/**
 * executeRun takes a run through its phases, and ends it whatever happens in them.
 *
 * @template {PhasedRun} T
 * @param {T} run
 * @param {(run: T) => Promise<unknown>} phases
 */
export async function executeRun(run, phases) {
  run.begin()
  try {
    await phases(run)
  } catch (error) {
    run.fail(/** @type {Error} */ (error))
  }
  await run.teardown()
  run.end()
}

/**
 * @typedef {import('../scenarios/index.js').AnyResult} AnyResult
 */

/**
 * recordsOf gives out the records that a run emits, until it has ended.
 *
 * @param {(emit: (record: Record_) => void) => Promise<void>} execute
 * @returns {AsyncGenerator<Record_>}
 */
export async function* recordsOf(execute) {
  /** @type {import('it-pushable').Pushable<Record_>} */
  const records = pushable({ objectMode: true })
  execute(record => records.push(record)).then(
    () => records.end(),
    error => records.end(error)
  )
  yield* records
}

/**
 * interruptedBy raises trouble when a signal aborts.
 *
 * @param {AbortSignal} signal - outlives the run: further runs may hang on it
 * @param {Pick<Trouble, 'raise'>} trouble
 * @returns {() => void} to be called when the run has ended
 */
export function interruptedBy(signal, trouble) {
  const interrupt = () => trouble.raise(new InterruptedError('interrupted'))
  if (signal.aborted) interrupt()
  signal.addEventListener('abort', interrupt, { once: true })
  return () => signal.removeEventListener('abort', interrupt)
}

/** Phases runs the phases of a run; after each the result so far is given out. */
export class Phases {
  #log
  #trouble
  #emit
  #result

  /**
   * @param {object} run
   * @param {RunLog} run.log
   * @param {Trouble} run.trouble
   * @param {(record: Record_) => void} run.emit
   * @param {() => AnyResult} run.result - so far
   */
  constructor({ log, trouble, emit, result }) {
    this.#log = log
    this.#trouble = trouble
    this.#emit = emit
    this.#result = result
  }

  /** guarded is a phase that is left at once when there is trouble. @param {string} name @param {() => Promise<string | void>} work */
  guarded(name, work) {
    return this.plain(name, () => this.#trouble.guard(work()))
  }

  /** plain is a phase that fails by itself when there is trouble. @param {string} name @param {() => Promise<string | void>} work */
  async plain(name, work) {
    await this.#log.phase(name, async () => ({ detail: (await work()) ?? undefined }))
    this.emitPartial()
  }

  emitPartial() {
    this.#emit({ type: 'partial', result: this.#result() })
  }
}

/**
 * Trouble is what ends a run early: the first of an interruption, a server that is gone, a worker that died. Everything that
 * waits, waits for it too.
 */
export class Trouble {
  #deferred = Promise.withResolvers()
  /** @type {(Error & { code?: string }) | null} */
  error = null

  constructor() {
    this.#deferred.promise.catch(() => {})
  }

  /** raise ends the run; the first one counts. @param {Error} error */
  raise(error) {
    this.error ??= error
    this.#deferred.reject(error)
  }

  /**
   * guard waits for something, or fails as soon as there is trouble.
   *
   * @template T
   * @param {Promise<T>} promise
   * @returns {Promise<T>}
   */
  guard(promise) {
    return /** @type {Promise<T>} */ (Promise.race([this.#deferred.promise, promise]))
  }
}

/** InterruptedError ends a run because its user said so. */
export class InterruptedError extends Error {
  name = 'InterruptedError'
  code = 'INTERRUPTED'
}

/**
 * @typedef {import('../scenarios/index.js').AnyPlan} AnyPlan
 *
 * @typedef {object} Left - a run that has ended and left up what it had started
 * @property {(plan: any) => boolean} serves - whether what is up is still there, and does for a run of this plan
 * @property {() => Promise<string[]>} clear - ends it; what went wrong with that
 */

/** Handover is what a run of a study leaves up for the next one, which then need not start the same again. */
export class Handover {
  /** @type {Left | null} */
  #left = null
  #tell

  /** @param {(error: Error) => void} tell - what went wrong when something that nobody needs any more was ended */
  constructor(tell) {
    this.#tell = tell
  }

  /** leave keeps what a run has started, until another one takes it. @param {Left} left */
  leave(left) {
    this.#left = left
  }

  /** serves says whether a run of a plan would go on with what was left up. @param {AnyPlan} plan */
  serves(plan) {
    return this.#left?.serves(plan) ?? false
  }

  /**
   * take gives what the run before has left up; what does not serve a plan is ended.
   *
   * @param {AnyPlan} plan
   * @returns {Promise<any>} the run that left it; null: there is nothing that serves
   */
  async take(plan) {
    const left = this.#left
    if (left?.serves(plan)) {
      this.#left = null
      return left
    }
    await this.clear()
    return null
  }

  async clear() {
    const left = this.#left
    this.#left = null
    for (const problem of (await left?.clear()) ?? []) this.#tell(new Error(problem))
  }
}
