/**
 * @typedef {ReturnType<typeof import('./virtual-timers.js').virtualTimers>} VirtualTimers
 * @typedef {{ signal?: AbortSignal, ref?: boolean }} WaitOptions
 */

/** @param {AbortSignal} signal */
const aborted = signal =>
  Object.assign(new Error('The operation was aborted', { cause: signal.reason }), {
    name: 'AbortError',
    code: 'ABORT_ERR'
  })

/**
 * @template T
 * @param {AbortSignal | undefined} signal
 * @param {(resolve: (value: T) => void) => () => void} start - gives what stops it
 * @returns {Promise<T>}
 */
const abortable = (signal, start) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(aborted(signal))
    const onAbort = () => {
      stop()
      reject(aborted(/** @type {AbortSignal} */ (signal)))
    }
    const stop = start(value => {
      signal?.removeEventListener('abort', onAbort)
      resolve(value)
    })
    signal?.addEventListener('abort', onAbort, { once: true })
  })

/**
 * virtualTimerPromises makes what `node:timers/promises` exports, in virtual time.
 *
 * @param {VirtualTimers} timers
 */
export function virtualTimerPromises({
  setTimeout,
  setImmediate,
  setInterval,
  clearTimeout,
  clearImmediate,
  clearInterval
}) {
  /** @template T @param {unknown} [ms] @param {T} [value] @param {WaitOptions} [options] */
  const wait = (ms, value, { signal } = {}) =>
    abortable(signal, (/** @type {(value: T | undefined) => void} */ resolve) => {
      const timer = setTimeout(() => resolve(value), ms)
      return () => clearTimeout(timer)
    })

  /** @template T @param {T} [value] @param {WaitOptions} [options] */
  const turn = (value, { signal } = {}) =>
    abortable(signal, (/** @type {(value: T | undefined) => void} */ resolve) => {
      const immediate = setImmediate(() => resolve(value))
      return () => clearImmediate(immediate)
    })

  /** @template T @param {unknown} [ms] @param {T} [value] @param {WaitOptions} [options] */
  async function* every(ms, value, { signal } = {}) {
    let due = 0
    let wake = () => {}
    const timer = setInterval(() => {
      due++
      wake()
    }, ms)
    try {
      while (true) {
        if (due === 0)
          await abortable(signal, (/** @type {(value: void) => void} */ resolve) => {
            wake = resolve
            return () => {}
          })
        for (; due > 0; due--) yield value
      }
    } finally {
      clearInterval(timer)
    }
  }

  return {
    setTimeout: wait,
    setImmediate: turn,
    setInterval: every,
    scheduler: {
      wait: (/** @type {unknown} */ ms, /** @type {WaitOptions} */ options) => wait(ms, undefined, options),
      yield: () => turn()
    }
  }
}
