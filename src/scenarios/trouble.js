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
