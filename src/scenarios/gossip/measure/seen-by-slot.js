import { MessageNumbers } from './message-numbers.js'

/** Bytes that may be kept of who has which message. */
const MOST_BYTES = 64 * 2 ** 20
/** Of a message beside its slots: number, time, topic and place. */
const BYTES_EACH = 64
const NOBODY = 0

/**
 * SeenBySlot keeps, of the messages told last, when and on which topic each was published, and which life of each slot received it last. It takes at most
 * 64 MiB: of messages told before these nothing is known. Messages go by when they were told, not by their numbers: nodes that publish
 * in their own time drift apart in these.
 */
export class SeenBySlot {
  #slots
  #room
  #told = new MessageNumbers()
  /** @type {Map<number, number>} by message */
  #places = new Map()
  /** By place. */
  #numbers
  #publishedUs
  #topics
  #lastLife
  #next = 0

  /**
   * @param {number} slots
   * @param {number | null} messages - in all; null: not known
   */
  constructor(slots, messages) {
    this.#slots = slots
    const most = Math.floor(MOST_BYTES / (BYTES_EACH + 2 * slots))
    this.#room = Math.max(1, Math.min(messages ?? most, most))
    this.#numbers = new Float64Array(this.#room).fill(-1)
    this.#publishedUs = new Float64Array(this.#room)
    this.#topics = new Uint8Array(this.#room)
    this.#lastLife = new Uint16Array(this.#room * slots)
  }

  /** publish begins a message, in the place of the one that was told the longest ago. @param {number} message @param {number} publishedUs @param {number} topic */
  publish(message, publishedUs, topic) {
    if (this.#told.has(message)) return
    this.#told.add(message)
    const place = this.#next++ % this.#room
    this.#places.delete(this.#numbers[place])
    this.#places.set(message, place)
    this.#numbers[place] = message
    this.#publishedUs[place] = publishedUs
    this.#topics[place] = topic
    this.#lastLife.fill(NOBODY, place * this.#slots, (place + 1) * this.#slots)
  }

  /** publishedUs is when a message was published. @param {number} message @returns {number | null | undefined} undefined: not told yet; null: it is too long ago */
  publishedUs(message) {
    const place = this.#places.get(message)
    if (place !== undefined) return this.#publishedUs[place]
    return this.#told.has(message) ? null : undefined
  }

  /** topicOf is the topic of a message that is known. @param {number} message */
  topicOf(message) {
    return this.#topics[/** @type {number} */ (this.#places.get(message))]
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
    const place = /** @type {number} */ (this.#places.get(message)) * this.#slots + slot
    const before = this.#lastLife[place]
    this.#lastLife[place] = life + 1
    return before === NOBODY ? null : before - 1
  }
}
