/**
 * SendQueue is the bounded queue that go-libp2p-pubsub keeps for each peer: a writer takes one RPC after the other out of it, and has one in
 * hand until it has left; what finds the queue full is dropped. Here an RPC has left when its last byte has left the node's up-link:
 * socket buffers, which would take some more, are not counted.
 */
export class SendQueue {
  #capacity
  #taken = 0
  #refused = 0

  /** @param {number} capacity - RPCs that wait, beside the one in hand */
  constructor(capacity) {
    this.#capacity = capacity
  }

  /** RPCs refused so far. */
  get refused() {
    return this.#refused
  }

  /**
   * offer asks whether one more RPC can be sent, and counts it.
   *
   * @param {number} departed - RPCs that have left so far, see Direction
   * @returns {boolean} false: the queue is full, and the RPC is lost
   */
  offer(departed) {
    const full = this.#taken - departed > this.#capacity
    if (full) this.#refused += 1
    else this.#taken += 1
    return !full
  }
}
