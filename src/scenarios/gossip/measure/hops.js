const UNRESOLVED = -3
const ON_PATH = -2
/** UNKNOWN hops: the way back to the publisher is not known. */
export const UNKNOWN = -1

/** @typedef {import('./open-messages.js').OpenMessage} OpenMessage */

/** Hops follows the first receipts of messages back to their publishers. */
export class Hops {
  #hops
  #path
  /** @type {number[]} */
  #deliveries = []
  /** @type {number[]} */
  #last = []
  #unknown = 0
  #lastUnknown = 0

  /** @param {number} nodes */
  constructor(nodes) {
    this.#hops = new Int32Array(nodes)
    this.#path = new Int32Array(nodes)
  }

  /** @param {OpenMessage} message @returns {(node: number) => number} hops of a node that has it, or UNKNOWN; until the next message */
  of(message) {
    this.#hops.fill(UNRESOLVED)
    this.#hops[message.publisher] = 0
    return node => this.#resolve(node, message)
  }

  /** add counts the deliveries of a message. @param {OpenMessage} message */
  add(message) {
    if (message.received === 0) return
    const of = this.of(message)
    let lastUs = -Infinity
    let lastHops = UNKNOWN
    for (let node = 0; node < message.nodes; node++) {
      if (!message.has(node)) continue
      const hops = of(node)
      if (hops === UNKNOWN) this.#unknown++
      else countOne(this.#deliveries, hops)
      const us = message.receivedUs(node)
      if (us > lastUs || (us === lastUs && hops > lastHops)) [lastUs, lastHops] = [us, hops]
    }
    if (lastHops === UNKNOWN) this.#lastUnknown++
    else countOne(this.#last, lastHops)
  }

  /**
   * Walks from a node towards the publisher until it meets a node whose hops are known, then back. Who is met twice on the way
   * is in a circle, which leads to no publisher.
   *
   * @param {number} node
   * @param {OpenMessage} message
   */
  #resolve(node, message) {
    const hops = this.#hops
    let at = node
    let steps = 0
    while (hops[at] === UNRESOLVED && message.has(at)) {
      hops[at] = ON_PATH
      this.#path[steps++] = at
      at = message.from(at)
    }
    let count = hops[at] >= 0 ? hops[at] : UNKNOWN
    while (steps > 0) {
      if (count !== UNKNOWN) count++
      hops[this.#path[--steps]] = count
    }
    return hops[node]
  }

  /** @returns {import('./delivery-result.js').Hops} */
  result() {
    return {
      deliveries: [...this.#deliveries],
      last: [...this.#last],
      unknown: this.#unknown,
      lastUnknown: this.#lastUnknown
    }
  }
}

/** @param {number[]} counts @param {number} index */
function countOne(counts, index) {
  while (counts.length <= index) counts.push(0)
  counts[index]++
}
