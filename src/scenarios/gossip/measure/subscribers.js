/** Subscribers tells who is to receive the messages of a topic. */
export class Subscribers {
  /** @type {number[][]} */
  #lists = []
  /** @type {Uint8Array[]} */
  #flags = []
  #isThere

  /**
   * @param {number} nodes
   * @param {readonly (readonly number[])[]} subscriptions - topics of each node
   * @param {((node: number, publishedUs: number) => boolean) | null} [isThere] - whether a node is to receive what is published then;
   *   null: they all are
   */
  constructor(nodes, subscriptions, isThere = null) {
    this.#isThere = isThere
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

  /**
   * of gives the subscribers of a topic that are to receive what is published at some moment, ascending.
   *
   * @param {number} topic
   * @param {number} publishedUs
   * @returns {readonly number[]}
   */
  of(topic, publishedUs) {
    const all = this.#lists[topic] ?? []
    const isThere = this.#isThere
    return isThere === null ? all : all.filter(node => isThere(node, publishedUs))
  }

  /**
   * expects tells whether a node is to receive a message.
   *
   * @param {number} node
   * @param {{ topic: number, publisher: number, publishedUs: number }} message
   */
  expects(node, { topic, publisher, publishedUs }) {
    if (node === publisher || this.#flags[topic]?.[node] !== 1) return false
    return this.#isThere === null || this.#isThere(node, publishedUs)
  }
}
