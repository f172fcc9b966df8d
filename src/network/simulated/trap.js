import { createHook } from 'node:async_hooks'

/** EscapeError is thrown when something of the real world was started in virtual time. */
export class EscapeError extends Error {
  name = 'EscapeError'
  code = 'VIRTUAL_TIME_ESCAPED'
}

/** How long the run goes on to see the same once more, with its stack. */
const GRACE_STEPS = 2000
const STACK_LINES = 12
/** What is no escape: it runs before virtual time goes on. */
const HARMLESS = new Set(['PROMISE', 'TickObject', 'Microtask'])

/**
 * Trap notices when something that lasts in the real world was started between two steps of a simulation: a timer, an immediate,
 * work in a thread (Web Crypto's, files'), a socket. Node numbers all of these, and promises only where somebody listens; so the
 * numbers of the simulation's own ticks follow each other unless there was something between. Comparing them costs next to
 * nothing, and tells neither what it was nor where: that is listened for from then on, and the run ends when it happens again, or
 * soon anyway.
 */
export class Trap {
  #time
  #ticks
  /** @type {number | null} number of the last tick; null: nothing to compare with */
  #last = null
  #askedBefore = 0
  #askedNow = 0
  /** @type {{ where: string, stepsLeft: number } | null} */
  #sprung = null
  /** @type {{ type: string, stack: string } | null} */
  #seen = null
  #hook = createHook({ init: (_id, type) => this.#init(type) })

  /** @param {Pick<import('./environment.js').VirtualEnvironment, 'time' | 'ticks'>} environment */
  constructor({ time, ticks }) {
    this.#time = time
    this.#ticks = ticks
  }

  /** open lets pass whatever was started until now: real things may happen between instants. */
  open() {
    this.#last = null
    this.#seen = null
  }

  /** mark is called just before a tick of the simulation is asked for, which is when it gets its number. */
  mark() {
    this.#askedNow = this.#ticks.asked
  }

  /**
   * check is called in every tick of the simulation.
   *
   * @param {number} tick - its number: executionAsyncId()
   * @throws {EscapeError}
   */
  check(tick) {
    const known = this.#askedNow - this.#askedBefore
    const between = this.#last === null ? 0 : tick - this.#last - 1 - known
    this.#last = tick
    this.#askedBefore = this.#askedNow
    if (this.#sprung === null && between === 0) return
    if (this.#sprung === null) this.#spring()
    else if (this.#seen !== null || this.#sprung.stepsLeft-- === 0) this.#fail(this.#sprung.where)
  }

  /** stop listens no more. */
  stop() {
    this.#hook.disable()
  }

  #spring() {
    const { node, nowNs } = this.#time
    this.#sprung = { where: `at node ${node}, ${nowNs / 1e9} s of virtual time`, stepsLeft: GRACE_STEPS }
    this.#hook.enable()
  }

  /** @param {string} type */
  #init(type) {
    if (this.#last === null || this.#seen !== null || this.#ticks.inside || HARMLESS.has(type)) return
    const lines = new Error('').stack?.split('\n').slice(2, 2 + STACK_LINES) ?? []
    this.#seen = { type, stack: lines.join('\n') }
  }

  /** @param {string} where @returns {never} */
  #fail(where) {
    this.stop()
    const what =
      this.#seen === null
        ? 'it did not happen again, so what it was is not known'
        : `it was a ${this.#seen.type} started\n${this.#seen.stack}`
    throw new EscapeError(
      `something of the real world was started ${where}, which virtual time cannot wait for; ${what}`
    )
  }
}
