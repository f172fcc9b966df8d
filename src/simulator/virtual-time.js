// Virtual clock that jumps from event to event, with virtual versions of Node.js timers and Date.
import { Heap } from '../kit/collections.js'

/** NO_NODE stands for what happens at no node: the load, the collecting of what was measured. */
export const NO_NODE = -1

/** QUIET is what an event gives that has set off nothing but later events: no microtask waits for its turn. */
export const QUIET = Symbol('quiet')

/**
 * VirtualTime is a clock that stands still while something happens, and then goes to the moment of what happens next. It counts
 * whole nanoseconds, so that no sum of times can depend on the order it is made in. `node` is the one at which something happens
 * just now; whatever that sets off later happens there, too.
 */
export class VirtualTime {
  /** @type {Heap<VirtualEvent>} */
  #events = new Heap({ isBefore })
  #sequence = 0
  nowNs = 0
  /** How much has happened. */
  happened = 0
  node = NO_NODE

  /**
   * at lets something happen later.
   *
   * @param {number} atNs - now at the earliest
   * @param {number} node
   * @param {() => unknown} run - gives QUIET when it sets off nothing but later events
   * @param {number} [sender] - node that it comes from; default: the one at which something happens just now
   * @param {number} [place] - among what comes from this sender to this node at that moment; default: in the order of asking
   * @returns {VirtualEvent}
   * @throws {RangeError} when that moment has gone, or is no whole number of ns
   */
  at(atNs, node, run, sender = this.node, place = this.#sequence++) {
    if (!(atNs >= this.nowNs) || !Number.isSafeInteger(atNs))
      throw new RangeError(
        `nothing can happen at ${atNs} ns: it must be a whole number of ns, now (${this.nowNs}) or later`
      )
    const event = { atNs, node, sender, place, run }
    this.#events.add(event, atNs)
    return event
  }

  /** cancel lets it not happen. @param {VirtualEvent} event */
  cancel(event) {
    event.run = null
  }

  /** pending is whether anything will happen. */
  get pending() {
    return this.#first() !== undefined
  }

  /** When something happens next, ns; Infinity: nothing will. */
  get nextNs() {
    return this.#first()?.atNs ?? Infinity
  }

  /**
   * runNext goes to what happens next and lets it happen, and what comes after quiet events, too.
   *
   * @param {number} untilNs - the last moment that counts
   * @returns {boolean} false: nothing more happens until then
   */
  runNext(untilNs) {
    for (let first = this.#first(); first !== undefined && first.atNs <= untilNs; first = this.#first()) {
      this.#events.take()
      this.nowNs = first.atNs
      this.node = first.node
      this.happened += 1
      const run = /** @type {() => unknown} */ (first.run)
      first.run = null
      if (run() !== QUIET) return true
    }
    return false
  }

  /** rest goes to a moment before which nothing happens. @param {number} atNs */
  rest(atNs) {
    this.nowNs = Math.max(this.nowNs, atNs)
    this.node = NO_NODE
  }

  /** restart begins anew at 0, with nothing to come. */
  restart() {
    this.#events.clear()
    this.nowNs = 0
    this.node = NO_NODE
  }

  #first() {
    let first = this.#events.first()
    while (first !== undefined && first.run === null) {
      this.#events.take()
      first = this.#events.first()
    }
    return first
  }
}

/**
 * @typedef {object} VirtualEvent - something that will happen at a node
 * @property {number} atNs
 * @property {number} node
 * @property {number} sender - node that it comes from
 * @property {number} place - among what comes from there at that moment
 * @property {(() => unknown) | null} run - gives QUIET when it has set nothing off but later events; null: it was cancelled
 */

/**
 * At one time in the order of node, then sender, then what each sender sent first. What happens at a node depends on nothing but what comes to it,
 * so that no order of others, and no split of nodes over processes, can change it.
 *
 * @param {VirtualEvent} a
 * @param {VirtualEvent} b
 */
function isBefore(a, b) {
  if (a.node !== b.node) return a.node < b.node
  return a.sender === b.sender ? a.place < b.place : a.sender < b.sender
}

/**
 * @typedef {ReturnType<typeof makeVirtualTimers>} VirtualTimers
 * @typedef {{ signal?: AbortSignal, ref?: boolean }} WaitOptions
 */

/**
 * @template T
 * @param {AbortSignal | undefined} signal
 * @param {(resolve: (value: T) => void) => () => void} start - gives what stops it
 * @returns {Promise<T>}
 */
const abortable = (signal, start) =>
  new Promise((resolve, reject) => {
    const fail = () =>
      reject(
        Object.assign(new Error('The operation was aborted', { cause: signal?.reason }), {
          name: 'AbortError',
          code: 'ABORT_ERR'
        })
      )
    if (signal?.aborted) return fail()
    const onAbort = () => {
      stop()
      fail()
    }
    const stop = start(value => {
      signal?.removeEventListener('abort', onAbort)
      resolve(value)
    })
    signal?.addEventListener('abort', onAbort, { once: true })
  })

/**
 * makeVirtualTimerPromises makes what `node:timers/promises` exports, in virtual time.
 *
 * @param {VirtualTimers} timers
 */
export function makeVirtualTimerPromises(timers) {
  /** @template T @param {unknown} [ms] @param {T} [value] @param {WaitOptions} [options] */
  const wait = (ms, value, { signal } = {}) =>
    abortable(signal, (/** @type {(value: T | undefined) => void} */ resolve) => {
      const timer = timers.setTimeout(() => resolve(value), ms)
      return () => timers.clearTimeout(timer)
    })

  /** @template T @param {T} [value] @param {WaitOptions} [options] */
  const turn = (value, { signal } = {}) =>
    abortable(signal, (/** @type {(value: T | undefined) => void} */ resolve) => {
      const immediate = timers.setImmediate(() => resolve(value))
      return () => timers.clearImmediate(immediate)
    })

  /** @template T @param {unknown} [ms] @param {T} [value] @param {WaitOptions} [options] */
  async function* every(ms, value, { signal } = {}) {
    let due = 0
    let wake = () => {}
    const timer = timers.setInterval(() => {
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
      timers.clearInterval(timer)
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
 * @typedef {(...args: any[]) => void} Callback
 */

const MAX_DELAY_MS = 2 ** 31 - 1

/** As Node reads delays: whole milliseconds, at least one, and what is out of range is one. @param {unknown} ms @returns {number} ns */
function delayNs(ms) {
  const delay = Number(ms)
  return (delay >= 1 && delay <= MAX_DELAY_MS ? Math.trunc(delay) : 1) * 1e6
}

/** @param {unknown} callback @returns {Callback} */
function functionOf(callback) {
  if (typeof callback === 'function') return /** @type {Callback} */ (callback)
  const error = new TypeError(`The "callback" argument must be of type function. Received ${typeof callback}`)
  throw Object.assign(error, { code: 'ERR_INVALID_ARG_TYPE' })
}

/** ReferencedHandle is what Node's Timeout and Immediate have in common. Virtual time does not care whether a timer is referenced. */
class ReferencedHandle {
  #referenced = true

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
}

/** VirtualTimer is what setTimeout and setInterval give, in the shape of Node's Timeout. */
class VirtualTimer extends ReferencedHandle {
  #time
  #node
  #delayNs
  #run
  #repeats
  /** @type {VirtualEvent | null} */
  #event = null
  #name

  /**
   * @param {VirtualTime} time
   * @param {{ delayNs: number, repeats: boolean, run: () => void, name: (timer: VirtualTimer) => number }} what
   */
  constructor(time, { delayNs, repeats, run, name }) {
    super()
    this.#time = time
    this.#node = time.node
    this.#delayNs = delayNs
    this.#repeats = repeats
    this.#run = run
    this.#name = name
    this.#start()
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
    this.#event = this.#time.at(this.#time.nowNs + this.#delayNs, this.#node, () => {
      this.#event = null
      if (this.#repeats) this.#start()
      this.#run()
    })
  }
}

/** VirtualImmediate is what setImmediate gives, in the shape of Node's Immediate. */
class VirtualImmediate extends ReferencedHandle {
  #time
  #event

  /** @param {VirtualTime} time @param {() => void} run */
  constructor(time, run) {
    super()
    this.#time = time
    this.#event = time.at(time.nowNs, time.node, run)
  }

  close() {
    this.#time.cancel(this.#event)
    return this
  }
}

/**
 * makeVirtualTimers makes the timer functions of Node in virtual time. A timer belongs to the node at which it was set.
 *
 * @param {VirtualTime} time
 */
export function makeVirtualTimers(time) {
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

  /** @param {boolean} repeats @returns {(callback: unknown, ms?: unknown, ...args: unknown[]) => VirtualTimer} */
  const start =
    repeats =>
    (callback, ms, ...args) => {
      const call = functionOf(callback)
      return new VirtualTimer(time, { delayNs: delayNs(ms), repeats, run: () => call(...args), name })
    }

  const clear = (/** @type {unknown} */ timer) => {
    const target = timer instanceof VirtualTimer ? timer : named.get(Number(timer))
    target?.close()
    if (target !== undefined) named.delete(numbers.get(target) ?? 0)
  }

  return {
    setTimeout: start(false),
    setInterval: start(true),
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

/** EPOCH_MS is what a virtual clock shows at 0: 2020-01-01T00:00:00Z in every run, whatever the day. */
export const EPOCH_MS = 1_577_836_800_000

/**
 * makeVirtualDate makes a Date whose present is that of virtual time. Its objects are those of the real one.
 *
 * @param {DateConstructor} RealDate
 * @param {() => number} nowNs
 * @returns {DateConstructor}
 */
export function makeVirtualDate(RealDate, nowNs) {
  const now = () => EPOCH_MS + Math.floor(nowNs() / 1e6)
  /** @this {unknown} @param {unknown[]} args */
  function VirtualDate(...args) {
    if (new.target === undefined) return new RealDate(now()).toString()
    return Reflect.construct(
      RealDate,
      args.length === 0 ? [now()] : args,
      new.target === VirtualDate ? RealDate : new.target
    )
  }
  return /** @type {DateConstructor} */ (
    /** @type {unknown} */ (
      Object.defineProperties(VirtualDate, {
        name: { value: 'Date' },
        length: { value: RealDate.length },
        prototype: { value: RealDate.prototype },
        now: { value: now, writable: true, configurable: true },
        parse: { value: RealDate.parse },
        UTC: { value: RealDate.UTC }
      })
    )
  )
}

/** VirtualPacer waits in virtual time until an operation is due, to the nanosecond. */
export class VirtualPacer {
  #time

  /** @param {VirtualTime} time */
  constructor(time) {
    this.#time = time
  }

  /**
   * @param {bigint} dueNs
   * @param {AbortSignal} [signal] - aborted: wait no longer
   * @returns {Promise<void>}
   */
  until(dueNs, signal) {
    return new Promise(resolve => {
      if (signal?.aborted || dueNs <= this.#time.nowNs) return resolve()
      const due = () => {
        signal?.removeEventListener('abort', aborted)
        resolve()
      }
      const event = this.#time.at(Number(dueNs), NO_NODE, due)
      const aborted = () => {
        this.#time.cancel(event)
        resolve()
      }
      signal?.addEventListener('abort', aborted, { once: true })
    })
  }
}
