import { setImmediate as nextTurn } from 'node:timers/promises'
import { runClosedLoop } from '../../../load/closed-loop.js'

/**
 * @typedef {import('../types.js').Operation} Operation
 * @typedef {import('../../../result/types.js').OperationType} OperationType
 */

const PROGRESS_MS = 500
const IN_A_ROW = 64
const TIMEOUT = new Error('took longer than --timeout')

/** CustomLoad does operations of a user's own, as many at once as the plan says. */
export class CustomLoad {
  #plan
  #progress
  #ended
  /** @type {Set<AbortController>} of the operations under way */
  #underWay = new Set()

  /**
   * @param {Pick<import('../types.js').CustomPlan, 'inFlight' | 'timeoutMs'>} plan
   * @param {{ progress: import('../../run-log.js').RunLog['progress'], ended: AbortSignal }} run - `ended`: no further operation begins
   */
  constructor(plan, { progress, ended }) {
    this.#plan = plan
    this.#progress = progress
    this.#ended = ended
  }

  /** stop aborts what is under way. @param {Error} [why] */
  stop(why) {
    for (const stop of this.#underWay) stop.abort(why)
  }

  /**
   * run does operations in turn, several at once, for a time.
   *
   * @param {Readonly<Record<string, Operation>>} operations
   * @param {{ forMs: number, phase: string,
   *   done?: (type: OperationType, outcome: string, sentNs: bigint, repliedNs: bigint) => void }} how
   * @returns {Promise<string | undefined>} the first thing that went wrong
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
      // those that take no time must not keep timers from their turn
      if (outcome !== 'OK' || count % IN_A_ROW === 0) await nextTurn()
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
    // one that does not mind its signal is left
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
