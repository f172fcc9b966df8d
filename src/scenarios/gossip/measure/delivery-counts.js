/** Topics are 8 bits wide. */
const MOST_TOPICS = 256

/** DeliveryCounts are deliveries expected and made: in all, by topic and by node. */
export class DeliveryCounts {
  expected = 0
  delivered = 0
  /** expectedMessages counts published messages that somebody was to receive. */
  expectedMessages = 0
  #topics
  #published = new Float64Array(MOST_TOPICS)
  #expected = new Float64Array(MOST_TOPICS)
  #delivered = new Float64Array(MOST_TOPICS)
  /** @type {{ published: number, expected: number, delivered: number, timed: number, us: number }[]} */
  #nodes

  /**
   * @param {number} nodes
   * @param {number} topics - at least so many are in the result
   */
  constructor(nodes, topics) {
    this.#topics = topics
    this.#nodes = Array.from({ length: nodes }, () => ({
      published: 0,
      expected: 0,
      delivered: 0,
      timed: 0,
      us: 0
    }))
  }

  /**
   * publish counts a message.
   *
   * @param {number} topic
   * @param {number} publisher
   * @param {readonly number[]} subscribers - of the topic
   * @returns {number} how many are to receive it
   */
  publish(topic, publisher, subscribers) {
    let expected = 0
    for (const node of subscribers) {
      if (node === publisher) continue
      this.#nodes[node].expected++
      expected++
    }
    this.#nodes[publisher].published++
    this.#topics = Math.max(this.#topics, topic + 1)
    this.#published[topic]++
    this.#expected[topic] += expected
    this.expected += expected
    if (expected > 0) this.expectedMessages++
    return expected
  }

  /**
   * deliver counts a delivery.
   *
   * @param {number} topic
   * @param {number} node
   * @param {number | null} latencyUs - null: not known
   */
  deliver(topic, node, latencyUs) {
    this.delivered++
    this.#delivered[topic]++
    const counts = this.#nodes[node]
    counts.delivered++
    if (latencyUs === null) return
    counts.timed++
    counts.us += latencyUs
  }

  /** @returns {import('./delivery-result.js').DeliveryResult['topics']} */
  topics() {
    return Array.from({ length: this.#topics }, (_, topic) => ({
      topic,
      published: this.#published[topic],
      expected: this.#expected[topic],
      delivered: this.#delivered[topic]
    }))
  }

  /** @returns {import('./delivery-result.js').NodeDeliveries[]} */
  nodes() {
    return this.#nodes.map(({ published, expected, delivered, timed, us }, node) => ({
      node,
      published,
      expected,
      delivered,
      averageMs: timed > 0 ? us / timed / 1000 : null
    }))
  }
}
