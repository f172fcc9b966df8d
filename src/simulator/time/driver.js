// Advances virtual time event by event while nodes run. Detects code that escapes to real timers or threads.
import { createHook, executionAsyncId } from 'node:async_hooks'
import { NO_NODE } from '../virtual-time.js'

/** EscapeError is thrown when something of the real world was started in virtual time. */
class EscapeError extends Error {
  name = 'EscapeError'
  code = 'VIRTUAL_TIME_ESCAPED'
}

/** How long the run goes on to see the same once more, with its stack. */
const GRACE_STEPS = 2000
const STACK_LINES = 12
/** What is no escape: it runs before virtual time goes on. */
const HARMLESS_TYPES = new Set(['PROMISE', 'TickObject', 'Microtask'])

/**
 * EscapeDetector notices when something that lasts in the real world was started between two steps of a simulation: a timer, an immediate,
 * work in a thread (Web Crypto's, files'), a socket. Node numbers all of these, and promises only where somebody listens; so the
 * numbers of the simulation's own ticks follow each other unless there was something between. Comparing them costs next to
 * nothing, and tells neither what it was nor where: that is listened for from then on, and the run ends when it happens again, or
 * soon anyway.
 */
class EscapeDetector {
  #time
  #ticks
  /** @type {number | null} number of the last tick; null: nothing to compare with */
  #last = null
  #ticksBefore = 0
  #ticksNow = 0
  /** @type {{ where: string, stepsLeft: number } | null} */
  #sprung = null
  /** @type {{ type: string, stack: string } | null} */
  #escape = null
  #hook = createHook({ init: (_id, type) => this.#init(type) })

  /** @param {Pick<import('../virtual-environment.js').VirtualEnvironment, 'time' | 'ticks'>} environment */
  constructor({ time, ticks }) {
    this.#time = time
    this.#ticks = ticks
  }

  /** open ignores whatever was started until now: real work is allowed between two events. */
  open() {
    this.#last = null
    this.#escape = null
  }

  /** mark is called just before a tick of the simulation is asked for, which is when it gets its number. */
  mark() {
    this.#ticksNow = this.#ticks.scheduled
  }

  /**
   * check is called in every tick of the simulation.
   *
   * @param {number} tick - its number: executionAsyncId()
   * @throws {EscapeError}
   */
  check(tick) {
    const known = this.#ticksNow - this.#ticksBefore
    const between = this.#last === null ? 0 : tick - this.#last - 1 - known
    this.#last = tick
    this.#ticksBefore = this.#ticksNow
    if (this.#sprung === null) {
      if (between === 0) return
      const { node, nowNs } = this.#time
      this.#sprung = { where: `at node ${node}, ${nowNs / 1e9} s of virtual time`, stepsLeft: GRACE_STEPS }
      this.#hook.enable()
    } else if (this.#escape !== null || this.#sprung.stepsLeft-- === 0) {
      this.stop()
      const what =
        this.#escape === null
          ? 'it did not happen again, so what it was is not known'
          : `it was a ${this.#escape.type} started\n${this.#escape.stack}`
      throw new EscapeError(
        `something of the real world was started ${this.#sprung.where}, which virtual time cannot wait for; ${what}`
      )
    }
  }

  /** stop listens no more. */
  stop() {
    this.#hook.disable()
  }

  /** @param {string} type */
  #init(type) {
    if (this.#last === null || this.#escape !== null || this.#ticks.inside || HARMLESS_TYPES.has(type)) return
    const lines = new Error('').stack?.split('\n').slice(2, 2 + STACK_LINES) ?? []
    this.#escape = { type, stack: lines.join('\n') }
  }
}

/** @typedef {import('../virtual-environment.js').VirtualEnvironment} VirtualEnvironment */

/** How long the simulation runs before others in this process are heard: those who ask it to stop. */
const TURN_MS = 20
/** Looking at the real clock costs as much as a small event. */
const STEPS_BETWEEN_LOOKS = 64

const resolved = Promise.resolve()

/**
 * TimeDriver lets virtual time pass: one event after the other, and after each everything that it set off at once (microtasks), before
 * the next one's turn comes. So what happens at a node happens while it is that node's turn.
 *
 * Between two events it sleeps nowhere. `process.nextTick` runs when no microtask is left, for a sixth of what a turn of the event
 * loop costs.
 */
export class TimeDriver {
  #environment
  #time
  #trap
  #untilNs = 0
  /** @type {() => boolean} */
  #ended = () => true
  /** @type {{ resolve: () => void, reject: (error: Error) => void } | null} */
  #running = null
  /** @type {Set<Promise<unknown>>} of the real world */
  #pendingWork = new Set()
  #lookIn = 0
  #turnedMs = 0
  #onTurn

  /**
   * @param {VirtualEnvironment} environment
   * @param {() => void} [onTurn] - called now and then in real time, between two events: it may do what is real
   */
  constructor(environment, onTurn = () => {}) {
    this.#onTurn = onTurn
    this.#environment = environment
    this.#time = environment.time
    this.#trap = new EscapeDetector(environment)
  }

  /**
   * pass lets time pass.
   *
   * @param {number} ns
   * @param {() => boolean} [ended] - ends it early
   * @returns {Promise<void>}
   */
  async pass(ns, ended = () => false) {
    await this.#run(this.#time.nowNs + ns, ended)
  }

  /**
   * passUntil lets time pass until a promise is settled.
   *
   * @template T
   * @param {Promise<T>} promise
   * @param {number} [withinNs]
   * @returns {Promise<T>}
   * @throws {Error} when it is not settled by then, or nothing more happens that could settle it
   */
  async passUntil(promise, withinNs = Infinity) {
    const isSettled = watchSettlement(promise)
    await this.#run(this.#time.nowNs + withinNs, isSettled)
    if (isSettled()) return promise
    const reason = this.#time.pending
      ? `what it waits for has not come within ${withinNs / 1e9} s`
      : 'nothing is due any more'
    throw new Error(`the simulation waits in vain: ${reason}`)
  }

  /**
   * hold keeps time from passing until something in the real world is through.
   *
   * @param {Promise<unknown> | unknown} promise
   */
  hold(promise) {
    // work that was started for it is no escape
    this.#trap.open()
    const work = Promise.resolve(promise)
    this.#pendingWork.add(work)
    const release = () => void this.#pendingWork.delete(work)
    work.then(release, release)
    return work
  }

  /** stop is called when no more time will pass. */
  stop() {
    this.#trap.stop()
  }

  /** @param {number} untilNs @param {() => boolean} ended @returns {Promise<void>} */
  #run(untilNs, ended) {
    if (this.#running !== null)
      throw new Error('time passes already: it can be asked to pass again when it has passed')
    this.#untilNs = untilNs
    this.#ended = ended
    return new Promise((resolve, reject) => {
      this.#running = { resolve, reject }
      this.#goOn()
    })
  }

  /** goOn steps again after the real world had its turn. */
  #goOn = () => {
    this.#onTurn()
    this.#turnedMs = this.#environment.real.nowMs()
    this.#lookIn = STEPS_BETWEEN_LOOKS
    this.#trap.open()
    this.#schedule()
  }

  #schedule = () => {
    this.#trap.mark()
    this.#environment.real.nextTick(this.#tick)
  }

  #tick = () => {
    try {
      this.#step()
    } catch (error) {
      this.#end(/** @type {Error} */ (error))
    }
  }

  #step() {
    this.#trap.check(executionAsyncId())
    // somebody's tick was asked for after ours, and belongs to the event before
    if (this.#environment.ticks.waiting > 0) return void resolved.then(this.#schedule)
    if (this.#ended()) return this.#end(null)
    if (this.#pendingWork.size > 0) return this.#letOthersRun()
    if (--this.#lookIn <= 0) {
      this.#lookIn = STEPS_BETWEEN_LOOKS
      if (this.#environment.real.nowMs() - this.#turnedMs > TURN_MS) return this.#letOthersRun()
    }
    if (this.#time.runNext(this.#untilNs)) return void resolved.then(this.#schedule)
    if (this.#untilNs < Infinity) this.#time.rest(this.#untilNs)
    this.#end(null)
  }

  async #letOthersRun() {
    this.#time.node = NO_NODE
    if (this.#pendingWork.size > 0) await Promise.allSettled(this.#pendingWork)
    this.#environment.real.setImmediate(this.#goOn)
  }

  /** @param {Error | null} error */
  #end(error) {
    this.#time.node = NO_NODE
    const running = this.#running
    this.#running = null
    if (error === null) running?.resolve()
    else running?.reject(error)
  }
}

/**
 * watchSettlement watches a promise.
 *
 * @param {Promise<unknown>} promise
 * @returns {() => boolean} whether it is settled
 */
export function watchSettlement(promise) {
  let isSettled = false
  const settle = () => {
    isSettled = true
  }
  promise.then(settle, settle)
  return () => isSettled
}

/**
 * TimePassing advances the virtual time of a simulation in one process. After it has waited for something in the network, it goes on to the end
 * of the present lookahead. Several processes can stop only there, and one process has to give the same outcome.
 */
export class TimePassing {
  #driver
  #time
  #cellNs

  /**
   * @param {TimeDriver} driver
   * @param {import('../virtual-time.js').VirtualTime} time
   * @param {number} lookaheadNs - of the network; 0: none
   */
  constructor(driver, time, lookaheadNs) {
    this.#driver = driver
    this.#time = time
    this.#cellNs = lookaheadNs
  }

  /** pass lets time pass. @param {number} ns @param {() => boolean} [ended] - ends it early */
  pass(ns, ended) {
    return this.#driver.pass(ns, ended)
  }

  /**
   * passUntil lets time pass until a promise is settled, and to the end of that lookahead.
   *
   * @template T
   * @param {Promise<T>} promise
   * @param {number} [withinNs]
   * @returns {Promise<T>}
   * @throws {Error} as TimeDriver
   */
  async passUntil(promise, withinNs) {
    const value = await this.#driver.passUntil(promise, withinNs)
    if (this.#cellNs === 0) return value
    const endNs = (Math.floor(this.#time.nowNs / this.#cellNs) + 1) * this.#cellNs
    // what happens at that moment is of the next one
    await this.#driver.pass(endNs - 1 - this.#time.nowNs)
    this.#time.rest(endNs)
    return value
  }
}
