import { Fifo } from '../links/fifo.js'
import { SendQueue } from '../links/send-queue.js'

/** RpcQueue bounds the RPCs of one stream that have not left the node, as go-libp2p-pubsub does for each peer. */
export class RpcQueue {
  #wire
  #queue
  /** @type {Fifo<number>} places among the writes of the wire of RPCs that have not left */
  #waiting = new Fifo()
  #departed = 0

  /**
   * @param {Pick<import('./wire.js').WireOut<unknown>, 'sent' | 'departed'>} wire - that takes each RPC at once
   * @param {number} capacity - RPCs that may wait, beside the one in hand
   */
  constructor(wire, capacity) {
    this.#wire = wire
    this.#queue = new SendQueue(capacity)
  }

  /** takes says whether the next RPC is sent; if so, it has to be, as the next write of the wire. */
  takes() {
    const left = this.#wire.departed
    for (; (this.#waiting.peek() ?? Infinity) <= left; this.#departed += 1) this.#waiting.shift()
    const isTaken = this.#queue.offer(this.#departed)
    if (isTaken) this.#waiting.push(this.#wire.sent + 1)
    return isTaken
  }
}
