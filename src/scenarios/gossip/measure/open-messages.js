import { OpenMessage } from './open-message.js'

/** OpenMessages are the messages that have not reached everyone yet. Those that are released are used again. */
export class OpenMessages {
  /** @type {Map<number, OpenMessage>} */
  #open = new Map()
  /** @type {OpenMessage[]} */
  #free = []
  #nodes

  /** @param {number} nodes */
  constructor(nodes) {
    this.#nodes = nodes
  }

  get size() {
    return this.#open.size
  }

  /** made counts the messages that memory was taken for: as many as were ever open at once. */
  get made() {
    return this.#open.size + this.#free.length
  }

  /** @param {number} number */
  get(number) {
    return this.#open.get(number)
  }

  /**
   * open gives the message of a number, a new one if it is not open.
   *
   * @param {number} number
   * @param {number} atUs - of what was told of it
   */
  open(number, atUs) {
    const found = this.#open.get(number)
    if (found !== undefined) return found
    const message = this.#free.pop() ?? new OpenMessage(this.#nodes)
    message.begin(atUs)
    this.#open.set(number, message)
    return message
  }

  /** release ends a message. @param {number} number */
  release(number) {
    const message = this.#open.get(number)
    if (message === undefined) return
    this.#open.delete(number)
    this.#free.push(message)
  }

  /** ascending gives all open messages by their number. @returns {[number, OpenMessage][]} */
  ascending() {
    return [...this.#open].sort((a, b) => a[0] - b[0])
  }

  /** clear gives all memory back. */
  clear() {
    this.#open.clear()
    this.#free = []
  }
}
