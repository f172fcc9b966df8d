/**
 * @typedef {ReturnType<typeof virtualTimers>} VirtualTimers
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

/**
 * @typedef {import('./virtual-time.js').VirtualTime} VirtualTime
 * @typedef {import('./virtual-time.js').Event} Event
 * @typedef {(...args: any[]) => void} Callback
 */

const LONGEST_MS = 2 ** 31 - 1

/** As Node reads delays: whole milliseconds, at least one, and what is out of range is one. @param {unknown} ms @returns {number} ns */
function delayNs(ms) {
  const delay = Number(ms)
  return (delay >= 1 && delay <= LONGEST_MS ? Math.trunc(delay) : 1) * 1e6
}

/** @param {unknown} callback @returns {Callback} */
function functionOf(callback) {
  if (typeof callback === 'function') return /** @type {Callback} */ (callback)
  const error = new TypeError(`The "callback" argument must be of type function. Received ${typeof callback}`)
  throw Object.assign(error, { code: 'ERR_INVALID_ARG_TYPE' })
}

/** VirtualTimer is what setTimeout and setInterval give, in the shape of Node's Timeout. */
class VirtualTimer {
  #time
  #node
  #delayNs
  #run
  #repeats
  #referenced = true
  /** @type {Event | null} */
  #event = null
  #name

  /**
   * @param {VirtualTime} time
   * @param {{ delayNs: number, repeats: boolean, run: () => void, name: (timer: VirtualTimer) => number }} what
   */
  constructor(time, { delayNs, repeats, run, name }) {
    this.#time = time
    this.#node = time.node
    this.#delayNs = delayNs
    this.#repeats = repeats
    this.#run = run
    this.#name = name
    this.#start()
  }

  ref() {
    this.#referenced = true
    return this
  }

  unref() {
    this.#referenced = false
    return this
  }

  hasRef() {
    return this.#referenced
  }

  refresh() {
    if (this.#event !== null) this.#time.cancel(this.#event)
    this.#start()
    return this
  }

  close() {
    if (this.#event !== null) this.#time.cancel(this.#event)
    this.#event = null
    this.#repeats = false
    return this
  }

  [Symbol.toPrimitive]() {
    return this.#name(this)
  }

  #start() {
    this.#event = this.#time.at(this.#time.nowNs + this.#delayNs, this.#node, () => this.#due())
  }

  #due() {
    this.#event = null
    if (this.#repeats) this.#start()
    this.#run()
  }
}

/** VirtualImmediate is what setImmediate gives, in the shape of Node's Immediate. */
class VirtualImmediate {
  #time
  #event
  #referenced = true

  /** @param {VirtualTime} time @param {() => void} run */
  constructor(time, run) {
    this.#time = time
    this.#event = time.at(time.nowNs, time.node, run)
  }

  ref() {
    this.#referenced = true
    return this
  }

  unref() {
    this.#referenced = false
    return this
  }

  hasRef() {
    return this.#referenced
  }

  close() {
    this.#time.cancel(this.#event)
    return this
  }
}

/**
 * virtualTimers makes the timer functions of Node in virtual time. A timer belongs to the node at which it was set.
 *
 * @param {VirtualTime} time
 */
export function virtualTimers(time) {
  let names = 0
  /** @type {Map<number, VirtualTimer>} those that somebody keeps by their number */
  const named = new Map()
  /** @type {WeakMap<VirtualTimer, number>} */
  const numbers = new WeakMap()
  const name = (/** @type {VirtualTimer} */ timer) => {
    const number = numbers.get(timer) ?? ++names
    numbers.set(timer, number)
    named.set(number, timer)
    return number
  }

  const start = (
    /** @type {unknown} */ callback,
    /** @type {unknown} */ ms,
    /** @type {unknown[]} */ args,
    repeats = false
  ) => {
    const call = functionOf(callback)
    return new VirtualTimer(time, { delayNs: delayNs(ms), repeats, run: () => call(...args), name })
  }

  const clear = (/** @type {unknown} */ timer) => {
    const found = timer instanceof VirtualTimer ? timer : named.get(Number(timer))
    found?.close()
    if (found !== undefined) named.delete(numbers.get(found) ?? 0)
  }

  return {
    setTimeout: (
      /** @type {unknown} */ callback,
      /** @type {unknown} */ ms,
      /** @type {unknown[]} */ ...args
    ) => start(callback, ms, args),
    setInterval: (
      /** @type {unknown} */ callback,
      /** @type {unknown} */ ms,
      /** @type {unknown[]} */ ...args
    ) => start(callback, ms, args, true),
    setImmediate: (/** @type {unknown} */ callback, /** @type {unknown[]} */ ...args) => {
      const call = functionOf(callback)
      return new VirtualImmediate(time, () => call(...args))
    },
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: (/** @type {unknown} */ immediate) => {
      if (immediate instanceof VirtualImmediate) immediate.close()
    }
  }
}
