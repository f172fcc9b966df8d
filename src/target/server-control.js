import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { TargetError } from './target-error.js'

/**
 * @typedef {object} ServerState
 * @property {number} registrations
 * @property {number} namespaces
 * @property {import('../server/store/registration-store.js').StoreHealth} [store] - of one that is no memory
 */

/** A server that neither takes bytes nor answers for this long does nothing any more. */
const HUNG_MS = 30_000

/** Of registrations in one request: the server gives one no more than some minutes, and a database takes some thousands a second. */
const CHUNKS_EACH = 256

/** A connection breaks a little before anybody is told that the server behind it has ended. */
const LAST_WORDS_MS = 1000

/** ServerControl talks to the control port of our own server. */
export class ServerControl {
  #base
  #exited
  #hungMs

  /**
   * @param {string} base - URL without path
   * @param {() => Promise<TargetError>} exited - says why, when the server that runs now has ended
   * @param {{ hungMs?: number }} [options]
   */
  constructor(base, exited, { hungMs = HUNG_MS } = {}) {
    this.#base = base
    this.#exited = exited
    this.#hungMs = hungMs
  }

  /** url of the port, without path. */
  get url() {
    return this.#base
  }

  /**
   * preload adds registrations in bulk.
   *
   * @param {Iterable<Uint8Array>} bodies - length-prefixed Register bodies, in chunks that end at the border of one
   * @param {AbortSignal} signal
   * @returns {Promise<number>} how many were added
   */
  async preload(bodies, signal) {
    let added = 0
    for (const some of portions(bodies, CHUNKS_EACH)) added += await this.#add(some, signal)
    return added
  }

  /** @param {Iterable<Uint8Array>} bodies @param {AbortSignal} signal @returns {Promise<number>} */
  async #add(bodies, signal) {
    const stillness = this.#stillness()
    const body = Readable.toWeb(Readable.from(telling(bodies, stillness)))
    // undici streams a body only in half-duplex mode; the DOM's types do not know the option
    const init = /** @type {RequestInit} */ (
      /** @type {unknown} */ ({ method: 'POST', body, duplex: 'half', signal })
    )
    const { added } = await this.#fetch('/control/registrations', init, stillness)
    return added
  }

  /** @param {AbortSignal} [signal] @returns {Promise<ServerState>} */
  state(signal) {
    return this.#fetch('/control/state', { signal })
  }

  /** settings are what its node has other than what libp2p takes by itself. @returns {Promise<import('../libp2p/node-settings.js').Settings>} */
  settings() {
    return this.#fetch('/control/settings')
  }

  /**
   * durations are the server's own, in µs, since the last reset, by operation type.
   *
   * @param {AbortSignal} [signal]
   * @returns {Promise<Record<string, import('../measure/histogram.js').HistogramCounts>>}
   */
  durations(signal) {
    return this.#fetch('/control/durations', { signal })
  }

  resetDurations() {
    return this.#fetch('/control/durations', { method: 'DELETE' })
  }

  /** seen is what the server cost since it was asked last; it is watched from the first time on. @returns {Promise<import('../server/loop-watch.js').Seen>} */
  seen() {
    return this.#fetch('/control/watch', { method: 'POST' })
  }

  /** inUse has the server collect its garbage first, which takes about a second. @returns {Promise<{ heapBytes: number, externalBytes: number }>} */
  inUse() {
    return this.#fetch('/control/collect', { method: 'POST' })
  }

  /** @param {string} path @param {RequestInit} [init] @param {Stillness} [stillness] @returns {Promise<any>} */
  async #fetch(path, init = {}, stillness = this.#stillness()) {
    const signal = AbortSignal.any([stillness.signal, ...(init.signal ? [init.signal] : [])])
    try {
      const response = await fetch(this.#base + path, { ...init, signal })
      const text = await response.text()
      if (!response.ok) throw notServed(path, `${response.status} ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof TargetError) throw error
      throw (await this.#death()) ?? notServed(path, /** @type {Error} */ (error).message)
    } finally {
      stillness.over()
    }
  }

  /** @returns {Promise<TargetError | undefined>} */
  #death() {
    return Promise.race([this.#exited(), sleep(LAST_WORDS_MS, undefined, { ref: false })])
  }

  /** @returns {Stillness} */
  #stillness() {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(hung(this.#hungMs)), this.#hungMs)
    return {
      signal: controller.signal,
      moved: () => void timer.refresh(),
      over: () => clearTimeout(timer)
    }
  }
}

/**
 * Each portion has to be taken whole before the next.
 *
 * @template T
 * @param {Iterable<T>} items
 * @param {number} most
 * @returns {Generator<Iterable<T>>}
 */
function* portions(items, most) {
  const rest = items[Symbol.iterator]()
  for (let next = rest.next(); !next.done; next = rest.next()) yield portion(next.value, rest, most - 1)
}

/** @template T @param {T} first @param {Iterator<T>} rest @param {number} more @returns {Generator<T>} */
function* portion(first, rest, more) {
  yield first
  for (; more > 0; more--) {
    const next = rest.next()
    if (next.done) return
    yield next.value
  }
}

/** @typedef {{ signal: AbortSignal, moved: () => void, over: () => void }} Stillness - aborts unless something moves */

/**
 * Nothing more is given once the request has ended, though a body may still be read then.
 *
 * @template T
 * @param {Iterable<T>} items
 * @param {Stillness} stillness
 */
function* telling(items, { moved, signal }) {
  for (const item of items) {
    if (signal.aborted) return
    moved()
    yield item
  }
}

/** @param {number} ms */
const hung = ms =>
  new TargetError('SERVER_HUNG', `the server's control port has answered nothing for ${ms / 1000} s`)

/** @param {string} path @param {string} why */
const notServed = (path, why) =>
  new TargetError('CONTROL_FAILED', `the server's control port did not serve ${path}: ${why}`)
