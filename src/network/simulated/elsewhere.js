import { KnownBytes } from './known-bytes.js'
import { Outbox, openBox } from './outbox.js'

/**
 * @typedef {import('./outbox.js').Box} Box
 * @typedef {import('./wire.js').Way} Way
 * @typedef {import('./load.js').Load} Load
 * @typedef {import('../links/direction.js').Answer} Answer
 */

/** What nodes remember of a message is there once, also when it came from several processes, or again. */
const MOST_BYTES = 16e6

/** Elsewhere is the rest of a network, whose nodes are in other processes. */
export class Elsewhere {
  #own
  #workerOf
  #outboxes
  /** @type {KnownBytes<Uint8Array>} */
  #known = new KnownBytes(MOST_BYTES)

  /**
   * @param {object} split
   * @param {number} split.worker - this process
   * @param {number} split.workers
   * @param {(node: number) => number} split.workerOf
   */
  constructor({ worker, workers, workerOf }) {
    this.#own = worker
    this.#workerOf = workerOf
    this.#outboxes = Array.from({ length: workers }, () => new Outbox())
  }

  /** has says whether a node is in another process. @param {number} node */
  has(node) {
    return this.#workerOf(node) !== this.#own
  }

  /** towards gives the other end of a way to one of its nodes. @param {Way} way @returns {import('./wire.js').OtherEnd<Load>} */
  towards(way) {
    const outbox = this.#outboxes[this.#workerOf(way.to)]
    return {
      brings: (load, atNs) => outbox.brings(way, load, atNs),
      written: (load, end) => outbox.written(way, load, end),
      flies: flight => outbox.flies(way, flight)
    }
  }

  /** answers acknowledges to one of its nodes. @param {Way} way - that it is of @param {Answer} answer */
  answers(way, answer) {
    this.#outboxes[this.#workerOf(way.from)].answers(way, answer)
  }

  /** When the first of what was sent there happens; Infinity: nothing was. */
  get soonestNs() {
    return Math.min(...this.#outboxes.map(({ soonestNs }) => soonestNs))
  }

  /** How much is to be handed over. */
  get size() {
    return this.#outboxes.reduce((sum, { size }) => sum + size, 0)
  }

  /** take hands over what was sent. @returns {(Box | null)[]} by process */
  take() {
    return this.#outboxes.map(outbox => outbox.take())
  }

  /** opened gives what came from there to a network. @param {Box} box @param {Omit<Parameters<typeof openBox>[1], 'kept'>} to */
  opened(box, to) {
    openBox(box, {
      ...to,
      // the box is not to be kept for the sake of a part of it
      kept: bytes => this.#known.of(new Uint8Array(bytes), own => own)
    })
  }
}
