import { setMaxListeners } from 'node:events'
import { startForkedProcess } from './forked-process.js'

/** @typedef {import('./forked-process.js').ForkedProcess} ForkedProcess */

/** ProcessGroup are processes of ours that end together, those that are still being started too. */
export class ProcessGroup {
  #ending = new AbortController()
  /** @type {Promise<ForkedProcess>[]} */
  #started = []

  constructor() {
    // each process listens while it starts
    setMaxListeners(0, this.#ending.signal)
  }

  /**
   * start starts one more.
   *
   * @param {Omit<Parameters<typeof import('./forked-process.js').startForkedProcess>[0], 'signal'>} options
   * @returns {Promise<ForkedProcess>}
   */
  start(options) {
    const started = startForkedProcess({ ...options, signal: this.#ending.signal })
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
