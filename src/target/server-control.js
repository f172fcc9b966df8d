import { Readable } from 'node:stream'
import { TargetError } from './target-error.js'

/**
 * @typedef {object} ServerState
 * @property {number} registrations
 * @property {number} namespaces
 */

/** ServerControl talks to the control port of our own server. */
export class ServerControl {
  #base

  /** @param {string} base - URL without path */
  constructor(base) {
    this.#base = base
  }

  /**
   * preload adds registrations in bulk.
   *
   * @param {Iterable<Uint8Array>} bodies - length-prefixed Register bodies, in chunks of any size
   * @param {AbortSignal} signal
   * @returns {Promise<number>} how many were added
   */
  async preload(bodies, signal) {
    const body = Readable.toWeb(Readable.from(bodies))
    // undici streams a body only in half-duplex mode; the DOM's types do not know the option
    const init = /** @type {RequestInit} */ (
      /** @type {unknown} */ ({ method: 'POST', body, duplex: 'half', signal })
    )
    const { added } = await this.#fetch('/control/registrations', init)
    return added
  }

  /** @param {AbortSignal} [signal] @returns {Promise<ServerState>} */
  state(signal) {
    return this.#fetch('/control/state', { signal })
  }

  /** durations are the server's own histograms since the last reset, by operation type. @returns {Promise<Record<string, string>>} */
  durations() {
    return this.#fetch('/control/durations')
  }

  resetDurations() {
    return this.#fetch('/control/durations', { method: 'DELETE' })
  }

  /** @param {string} path @param {RequestInit} [init] @returns {Promise<any>} */
  async #fetch(path, init) {
    try {
      const response = await fetch(this.#base + path, init)
      const text = await response.text()
      if (!response.ok) throw new Error(`${response.status} ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    } catch (cause) {
      init?.signal?.throwIfAborted()
      const { message } = /** @type {Error} */ (cause)
      throw new TargetError('CONTROL_FAILED', `the server's control port did not serve ${path}: ${message}`, {
        cause
      })
    }
  }
}
