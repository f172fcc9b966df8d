/** Subscribers tells who is to receive the messages of a topic. */
export class Subscribers {
  /** @type {number[][]} */
  #lists = []
  /** @type {Uint8Array[]} */
  #flags = []

  /**
   * @param {number} nodes
   * @param {readonly (readonly number[])[]} subscriptions - topics of each node
   */
  constructor(nodes, subscriptions) {
    const topics = 1 + Math.max(-1, ...subscriptions.flat())
    for (let topic = 0; topic < topics; topic++) {
      this.#lists.push([])
      this.#flags.push(new Uint8Array(nodes))
    }
    for (let node = 0; node < nodes; node++) {
      for (const topic of new Set(subscriptions[node] ?? [])) {
        this.#lists[topic].push(node)
        this.#flags[topic][node] = 1
      }
    }
  }

  /** topics is how many there are, as far as anyone subscribes. */
  get topics() {
    return this.#lists.length
  }

  /** of gives the subscribers of a topic, ascending. @param {number} topic @returns {readonly number[]} */
  of(topic) {
    return this.#lists[topic] ?? []
  }

  /**
   * expects tells whether a node is to receive a message.
   *
   * @param {number} node
   * @param {{ topic: number, publisher: number }} message
   */
  expects(node, { topic, publisher }) {
    return node !== publisher && this.#flags[topic]?.[node] === 1
  }
}
