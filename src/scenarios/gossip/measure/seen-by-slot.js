/** Bytes that may be kept of who has which message. */
const MOST_BYTES = 16 * 2 ** 20
const NOBODY = 0

/**
 * SeenBySlot keeps, of the latest messages, when each was published and which life of each slot received it last. It takes at most
 * 16 MiB: of messages before these nothing is known.
 */
export class SeenBySlot {
  #slots
  #room
  #numbers
  #publishedUs
  #lastLife

  /**
   * @param {number} slots
   * @param {number | null} messages - in all; null: not known
   */
  constructor(slots, messages) {
    this.#slots = slots
    this.#room = Math.max(1, Math.min(messages ?? 1024, Math.floor(MOST_BYTES / (2 * slots))))
    this.#numbers = new Float64Array(this.#room).fill(-1)
    this.#publishedUs = new Float64Array(this.#room)
    this.#lastLife = new Uint16Array(this.#room * slots)
  }

  /** publish begins a message, in the place of the one that is the longest ago. @param {number} message @param {number} publishedUs */
  publish(message, publishedUs) {
    const place = message % this.#room
    if (this.#numbers[place] > message) return
    this.#numbers[place] = message
    this.#publishedUs[place] = publishedUs
    this.#lastLife.fill(NOBODY, place * this.#slots, (place + 1) * this.#slots)
  }

  /** publishedUs is when a message was published. @param {number} message @returns {number | null | undefined} undefined: not told yet; null: it is too long ago */
  publishedUs(message) {
    const place = message % this.#room
    const known = this.#numbers[place]
    if (known === message) return this.#publishedUs[place]
    return known > message ? null : undefined
  }

  /**
   * receive keeps that a life received a message that is known.
   *
   * @param {number} message
   * @param {number} slot
   * @param {number} life - number of its node
   * @returns {number | null} the life of this slot that had received it before; null: none
   */
  receive(message, slot, life) {
    const place = (message % this.#room) * this.#slots + slot
    const before = this.#lastLife[place]
    this.#lastLife[place] = life + 1
    return before === NOBODY ? null : before - 1
  }
}
