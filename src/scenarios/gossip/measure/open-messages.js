/** The largest distance in µs that an Int32 holds, both ways; the one value beyond it says that nothing was received. */
const FARTHEST = 2 ** 31 - 1
const NOT_RECEIVED = -(2 ** 31)

/**
 * OpenMessage holds the first receipts of one message: 6 bytes per node, in arrays that serve one message after the other.
 * Times are whole µs.
 */
export class OpenMessage {
  #offsets
  #from
  /** @type {Float32Array | null} what each receipt waited; null: not known of this message */
  #waits = null
  #baseUs = 0
  /** received is the number of nodes that have it. */
  received = 0
  published = false
  publisher = 0
  topic = 0
  publishedUs = 0
  expected = 0

  /** @param {number} nodes - of the network */
  constructor(nodes) {
    this.#offsets = new Int32Array(nodes)
    this.#from = new Uint16Array(nodes)
  }

  /**
   * begin clears everything for a new message.
   *
   * @param {number} baseUs - any moment near its publication: that of the first row told
   */
  begin(baseUs) {
    this.#baseUs = baseUs
    this.#offsets.fill(NOT_RECEIVED)
    this.#waits = null
    this.received = 0
    this.published = false
  }

  get nodes() {
    return this.#offsets.length
  }

  /** has tells whether a node has received it. @param {number} node */
  has(node) {
    return node < this.#offsets.length && this.#offsets[node] !== NOT_RECEIVED
  }

  /**
   * receive keeps a receipt.
   *
   * @param {number} node
   * @param {number} from
   * @param {number} atUs
   * @returns {boolean} false: the time is too far off and was kept as the farthest one
   */
  receive(node, from, atUs) {
    const offset = atUs - this.#baseUs
    const kept = Math.max(-FARTHEST, Math.min(FARTHEST, offset))
    this.#offsets[node] = kept
    this.#from[node] = from
    this.received++
    return kept === offset
  }

  /** wait keeps what a receipt waited. @param {number} node @param {number} us */
  wait(node, us) {
    this.#waits ??= new Float32Array(this.nodes)
    this.#waits[node] = us
  }

  /** knowsWaits says whether it is known what receipts waited. */
  get knowsWaits() {
    return this.#waits !== null
  }

  /** waitedUs of a node that has it. @param {number} node @returns {number} µs */
  waitedUs(node) {
    return this.#waits?.[node] ?? 0
  }

  /** forget takes a receipt back. @param {number} node */
  forget(node) {
    this.#offsets[node] = NOT_RECEIVED
    this.received--
  }

  /** receivedUs is when a node that has it received it. @param {number} node */
  receivedUs(node) {
    return this.#baseUs + this.#offsets[node]
  }

  /** lastUs is when the last of those that have it received it; -Infinity: nobody did. */
  lastUs() {
    let last = NOT_RECEIVED
    for (const offset of this.#offsets) if (offset > last) last = offset
    return last === NOT_RECEIVED ? -Infinity : this.#baseUs + last
  }

  /** from is the peer a node that has it received it from. @param {number} node */
  from(node) {
    return this.#from[node]
  }
}

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
