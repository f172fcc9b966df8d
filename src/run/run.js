// The base class of all runs: phases, early end, teardown, result. Also passes a running server from one run of a study
// to the next.
import { pushable } from 'it-pushable'
import { RunHeader, RunLog } from './run-header.js'

/**
 * @typedef {import('../report/schema.js').RunRecord} RunRecord
 *
 * @typedef {object} RunDocument - the state of a run, from which its result is made
 * @property {import('./run-header.js').RunHeader} header
 * @property {() => import('../report/schema.js').StartRecord} startRecord
 * @property {() => import('../scenarios/index.js').AnyResult} result
 */

/**
 * makeRunDocument makes the document of a run. Its result is made anew at each call.
 *
 * @param {{ id: string, plan: unknown, packages: readonly string[] }} run - `packages`: whose version can change the measurements
 * @param {(header: RunHeader) => unknown} resultOf
 * @returns {(log: RunLog) => RunDocument}
 */
export const makeRunDocument =
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
 * Run is the base of all runs with phases: a log, errors that end the run early, a document that becomes its result.
 *
 * @template {RunDocument} D
 */
export class Run {
  #release = () => {}
  #failing = new AbortController()
  failure = new RunFailure()

  /**
   * @param {object} parts
   * @param {(record: RunRecord) => void} parts.emit
   * @param {AbortSignal} [parts.signal] - ends it; its measurements are kept
   * @param {(log: RunLog) => D} parts.documentOf
   */
  constructor({ emit, signal = new AbortController().signal, documentOf }) {
    this.emit = emit
    this.signal = signal
    this.log = new RunLog(emit)
    this.document = documentOf(this.log)
    this.phases = new Phases({
      log: this.log,
      failure: this.failure,
      emit,
      result: () => this.document.result()
    })
  }

  begin() {
    this.#release = endOnAbort(this.signal, { raise: error => this.interrupted(error) })
    this.emit(this.document.startRecord())
  }

  /** interrupted ends the run early. @param {Error} error */
  interrupted(error) {
    this.failure.raise(error)
  }

  /** Aborts when the run ends early: a start that is under way is given up. */
  get starting() {
    return this.#failing.signal
  }

  /** fail records why the run ended early. @param {Error} error */
  fail(error) {
    this.#failing.abort(error)
    this.document.header.failed(this.failure.error ?? error)
  }

  /** endAll runs all steps of a teardown, even if some of them fail. @param {Iterable<() => unknown>} steps */
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
 * runScenario runs a plan of any scenario. Errors of the run are not thrown: the last record is always the result, with `status` and
 * `reason`.
 *
 * @param {import('../scenarios/index.js').LoadScenario} find
 * @returns {(plan: import('../scenarios/index.js').AnyPlan, options: RunOptions) => AsyncGenerator<RunRecord>}
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
 * @property {(error: Error) => void} fail - records why it ends early
 * @property {() => Promise<unknown>} teardown - ends all that was started
 * @property {() => void} end - emits the result
 */

/**
 * executeRun executes the phases of a run, then always its teardown.
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
 * generateRecords makes a generator of the records that a run emits.
 *
 * @param {(emit: (record: RunRecord) => void) => Promise<void>} execute
 * @returns {AsyncGenerator<RunRecord>}
 */
export async function* generateRecords(execute) {
  /** @type {import('it-pushable').Pushable<RunRecord>} */
  const records = pushable({ objectMode: true })
  execute(record => records.push(record)).then(
    () => records.end(),
    error => records.end(error)
  )
  yield* records
}

/**
 * endOnAbort ends a run when a signal aborts.
 *
 * @param {AbortSignal} signal - may outlive the run
 * @param {Pick<RunFailure, 'raise'>} failure
 * @returns {() => void} to be called when the run has ended
 */
export function endOnAbort(signal, failure) {
  const interrupt = () => failure.raise(new InterruptedError('interrupted'))
  if (signal.aborted) interrupt()
  signal.addEventListener('abort', interrupt, { once: true })
  return () => signal.removeEventListener('abort', interrupt)
}

/** Phases executes the phases of a run. After each phase it emits the result so far. */
export class Phases {
  #log
  #failure
  #emit
  #result

  /**
   * @param {object} run
   * @param {RunLog} run.log
   * @param {RunFailure} run.failure
   * @param {(record: RunRecord) => void} run.emit
   * @param {() => AnyResult} run.result - so far
   */
  constructor({ log, failure, emit, result }) {
    this.#log = log
    this.#failure = failure
    this.#emit = emit
    this.#result = result
  }

  /** guarded executes a phase that is left at once when the run has to end. @param {string} name @param {() => Promise<string | void>} work */
  guarded(name, work) {
    return this.plain(name, () => this.#failure.guard(work()))
  }

  /** plain executes a phase that ends by itself when the run has to end. @param {string} name @param {() => Promise<string | void>} work */
  async plain(name, work) {
    await this.#log.phase(name, async () => ({ detail: (await work()) ?? undefined }))
    this.emitPartial()
  }

  emitPartial() {
    this.#emit({ type: 'partial', result: this.#result() })
  }
}

/**
 * RunFailure holds the first error that ends a run early, such as an interruption, a lost server, a dead worker. All waiting code also waits
 * for this error.
 */
export class RunFailure {
  #deferred = Promise.withResolvers()
  /** @type {(Error & { code?: string }) | null} */
  error = null

  constructor() {
    this.#deferred.promise.catch(() => {})
  }

  /** raise ends the run; the first error counts. @param {Error} error */
  raise(error) {
    this.error ??= error
    this.#deferred.reject(error)
  }

  /**
   * guard waits for a promise, or throws as soon as the run has to end.
   *
   * @template T
   * @param {Promise<T>} promise
   * @returns {Promise<T>}
   */
  guard(promise) {
    return /** @type {Promise<T>} */ (Promise.race([this.#deferred.promise, promise]))
  }
}

/** InterruptedError ends a run that its user interrupted. */
export class InterruptedError extends Error {
  name = 'InterruptedError'
  code = 'INTERRUPTED'
}

/**
 * @typedef {import('../scenarios/index.js').AnyPlan} AnyPlan
 *
 * @typedef {object} EndedRun - a run that has ended, but has not stopped what it started
 * @property {(plan: any) => boolean} serves - whether a run of this plan can use what still runs
 * @property {() => Promise<string[]>} clear - stops it; returns problems
 */

/** Handover passes what a run of a study has started on to the next run. */
export class Handover {
  /** @type {EndedRun | null} */
  #left = null
  #onProblem

  /** @param {(error: Error) => void} onProblem - called with problems of stopping it */
  constructor(onProblem) {
    this.#onProblem = onProblem
  }

  /** leave hands over a run that has ended. @param {EndedRun} left */
  leave(left) {
    this.#left = left
  }

  /** serves says whether a run of a plan can use what was handed over. @param {AnyPlan} plan */
  serves(plan) {
    return this.#left?.serves(plan) ?? false
  }

  /**
   * take takes over what the previous run has started. If the plan cannot use it, it is stopped.
   *
   * @param {AnyPlan} plan
   * @returns {Promise<any>} the previous run; null: nothing can be used
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
    for (const problem of (await left?.clear()) ?? []) this.#onProblem(new Error(problem))
  }
}
