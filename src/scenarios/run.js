import { interruptedBy, Phases } from './phases.js'
import { RunHeader } from './run-header.js'
import { RunLog } from './run-log.js'
import { Trouble } from './trouble.js'

/**
 * @typedef {import('../result/types.js').Record_} Record_
 *
 * @typedef {object} RunDocument - everything known of a run so far
 * @property {import('./run-header.js').RunHeader} header
 * @property {() => import('../result/types.js').StartRecord} startRecord
 * @property {() => import('../result/types.js').AnyResult} result
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
