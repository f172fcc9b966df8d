import { executionAsyncId } from 'node:async_hooks'
import { Trap } from './trap.js'
import { HOST } from './virtual-time.js'

/** @typedef {import('./environment.js').VirtualEnvironment} VirtualEnvironment */

/** How long the simulation runs before others in this process are heard: those who ask it to stop. */
const TURN_MS = 20
/** Looking at the real clock costs as much as a small event. */
const STEPS_BETWEEN_LOOKS = 64

const resolved = Promise.resolve()

/**
 * Driver lets virtual time pass: one event after the other, and after each everything that it set off at once (microtasks), before
 * the next one's turn comes. So what happens at a node happens while it is that node's turn.
 *
 * Between two events it sleeps nowhere. `process.nextTick` runs when no microtask is left, for a sixth of what a turn of the event
 * loop costs.
 */
export class Driver {
  #environment
  #time
  #trap
  #untilNs = 0
  /** @type {() => boolean} */
  #ended = () => true
  /** @type {{ resolve: () => void, reject: (error: Error) => void } | null} */
  #running = null
  /** @type {Set<Promise<unknown>>} of the real world */
  #held = new Set()
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
    this.#trap = new Trap(environment)
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
    let settled = false
    const onSettled = () => {
      settled = true
    }
    promise.then(onSettled, onSettled)
    await this.#run(this.#time.nowNs + withinNs, () => settled)
    if (!settled) throw new Error(`the simulation waits in vain: ${this.#inVain(withinNs)}`)
    return promise
  }

  /**
   * hold keeps time from passing until something in the real world is through.
   *
   * @param {Promise<unknown> | unknown} promise
   */
  hold(promise) {
    // what was begun for it is no escape
    this.#trap.open()
    const held = Promise.resolve(promise)
    this.#held.add(held)
    const release = () => void this.#held.delete(held)
    held.then(release, release)
    return held
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
    if (this.#held.size > 0 || this.#isLongAgo()) return this.#letOthersRun()
    if (this.#time.runNext(this.#untilNs)) return void resolved.then(this.#schedule)
    if (this.#untilNs < Infinity) this.#time.rest(this.#untilNs)
    this.#end(null)
  }

  /** @param {number} withinNs */
  #inVain(withinNs) {
    return this.#time.pending
      ? `what it waits for has not come within ${withinNs / 1e9} s`
      : 'nothing is due any more'
  }

  #isLongAgo() {
    if (--this.#lookIn > 0) return false
    this.#lookIn = STEPS_BETWEEN_LOOKS
    return this.#environment.real.nowMs() - this.#turnedMs > TURN_MS
  }

  async #letOthersRun() {
    this.#time.node = HOST
    const { setImmediate } = this.#environment.real
    if (this.#held.size === 0) return setImmediate(this.#goOn)
    await Promise.allSettled(this.#held)
    setImmediate(this.#goOn)
  }

  /** @param {Error | null} error */
  #end(error) {
    this.#time.node = HOST
    const running = this.#running
    this.#running = null
    if (error === null) running?.resolve()
    else running?.reject(error)
  }
}
