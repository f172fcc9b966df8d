import { HOST } from './virtual-time.js'

/** VirtualPacer waits in virtual time until an operation is due, to the nanosecond. */
export class VirtualPacer {
  #time

  /** @param {import('./virtual-time.js').VirtualTime} time */
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
      const event = this.#time.at(Number(dueNs), HOST, due)
      const aborted = () => {
        this.#time.cancel(event)
        resolve()
      }
      signal?.addEventListener('abort', aborted, { once: true })
    })
  }
}
