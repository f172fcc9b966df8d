import { timeLimit } from '../kit/time-limit.js'

/** TimeBound adds up the time that goes by in several steps, until there is none left. */
export class TimeBound {
  #leftMs
  #signal
  #over

  /**
   * @param {number} maxMs
   * @param {object} options
   * @param {AbortSignal} [options.signal] - of the caller, who gives his own time for each step with it
   * @param {() => Error} options.over - what is thrown when no time is left
   */
  constructor(maxMs, { signal, over }) {
    this.#leftMs = maxMs
    this.#signal = signal
    this.#over = over
  }

  /**
   * within makes a step that ends with the time there is.
   *
   * @template T
   * @param {number} stepMs - most for this step, unless the caller has a signal
   * @param {(until: AbortSignal) => Promise<T>} step
   * @returns {Promise<T>}
   * @throws what `step` throws; what `over` gives where that is because no time is left
   */
  async within(stepMs, step) {
    if (this.#leftMs <= 0) throw this.#over()
    const beganMs = performance.now()
    const mostMs = this.#signal === undefined ? Math.min(stepMs, this.#leftMs) : this.#leftMs
    const timer = timeLimit(Math.ceil(mostMs))
    try {
      return await step(this.#signal === undefined ? timer : AbortSignal.any([this.#signal, timer]))
    } catch (error) {
      if (this.#signal?.aborted || performance.now() - beganMs < this.#leftMs) throw error
      throw this.#over()
    } finally {
      this.#leftMs -= performance.now() - beganMs
    }
  }
}
