import { setTimeout as sleep } from 'node:timers/promises'
import { partsOf } from '../bus/parts.js'

const RETRY_MS = 200
const ACK_WITHIN_MS = 1500

/** Telling hands over values in order, each once, as soon as the bus takes them: what a link lost is sent again. */
export class Telling {
  #stream
  #subject
  #number = 0
  #over = false
  /** @type {Promise<unknown>} */
  #last = Promise.resolve()

  /**
   * @param {Pick<import('@nats-io/jetstream').JetStreamClient, 'publish'>} stream
   * @param {string} subject
   */
  constructor(stream, subject) {
    this.#stream = stream
    this.#subject = subject
  }

  /** tell hands a value over. @param {unknown} value @returns {Promise<void>} when the bus has kept it; it never comes where the end was first */
  tell(value) {
    const id = String(this.#number++)
    const parts = partsOf(value, id)
    const told = this.#last.then(async () => {
      for (const [i, part] of parts.entries()) await this.#send(part, `${this.#subject}.${id}.${i}`)
    })
    this.#last = told
    return told
  }

  /** @param {import('../bus/parts.js').Part} part @param {string} msgID - by which the bus knows what came twice */
  async #send({ payload, headers }, msgID) {
    while (!this.#over)
      try {
        await this.#stream.publish(this.#subject, payload, { msgID, headers, timeout: ACK_WITHIN_MS })
        return
      } catch {
        await sleep(RETRY_MS)
      }
  }

  /** end waits until all is handed over, or the time is up. @param {number} withinMs */
  async end(withinMs) {
    await Promise.race([this.#last, sleep(withinMs, undefined, { ref: false })])
    this.#over = true
  }
}
