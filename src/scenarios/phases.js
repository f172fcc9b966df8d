import { pushable } from 'it-pushable'
import { InterruptedError } from './trouble.js'

/**
 * @typedef {import('../result/types.js').Record_} Record_
 * @typedef {import('../result/types.js').AnyResult} AnyResult
 * @typedef {import('./trouble.js').Trouble} Trouble
 * @typedef {import('./run-log.js').RunLog} RunLog
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
