import { setMaxListeners } from 'node:events'
import pLimit from 'p-limit'
import { startForkedProcess } from './forked-process.js'
import { STARTS_AT_ONCE } from './starts-at-once.js'

/**
 * @typedef {import('./fleet.js').HeldProcess} HeldProcess
 * @typedef {(options: import('./fleet.js').StartOptions) => Promise<HeldProcess>} Start
 */

/** ProcessGroup are processes of ours that end together, those that are still being started too. */
export class ProcessGroup {
  #ending = new AbortController()
  #onThisMachine = pLimit(STARTS_AT_ONCE)
  /** @type {Promise<HeldProcess>[]} */
  #started = []

  constructor() {
    // each process listens while it starts
    setMaxListeners(0, this.#ending.signal)
  }

  /**
   * start starts one more.
   *
   * @param {Omit<import('./fleet.js').StartOptions, 'signal'>} options
   * @param {Start} [start] - default: on this machine
   * @returns {Promise<HeldProcess>}
   */
  start(options, start) {
    const { signal } = this.#ending
    const started =
      start?.({ ...options, signal }) ??
      this.#onThisMachine(() => {
        signal.throwIfAborted()
        return startForkedProcess({ ...options, signal })
      })
    this.#started.push(started)
    return started
  }

  /** end ends all of them; after a failure at once, for they may hang. @param {{ failed: boolean }} how */
  async end({ failed }) {
    this.#ending.abort()
    await Promise.allSettled(
      this.#started.map(async started => {
        const process = await started
        await (failed ? process.kill() : process.stop())
      })
    )
  }
}
