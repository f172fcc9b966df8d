/** The largest distance in µs that an Int32 holds, both ways; the one value beyond it says that nothing was received. */
const FARTHEST = 2 ** 31 - 1
const NOT_RECEIVED = -(2 ** 31)
/** As many as 16 bits hold. */
const MOST_COPIES = 2 ** 16 - 1

/**
 * OpenMessage holds the first receipts of one message: 6 bytes per node, in arrays that serve one message after the other.
 * Times are whole µs.
 */
export class OpenMessage {
  #offsets
  #from
  /** @type {Float32Array | null} what each receipt waited; null: not known of this message */
  #waits = null
  /** @type {Uint16Array | null} copies that came to each node; null: they are not counted, or none came */
  #copies = null
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
    this.#copies?.fill(0)
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

  /** copy counts a copy that came to a node, the first one too. @param {number} node */
  copy(node) {
    this.#copies ??= new Uint16Array(this.nodes)
    if (this.#copies[node] < MOST_COPIES) this.#copies[node]++
  }

  /** duplicates are the copies beside the first of a node that has it. @param {number} node @returns {number | null} null: not counted */
  duplicates(node) {
    const copies = this.#copies?.[node] ?? 0
    return copies === 0 ? null : copies - 1
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
  /** made counts the messages that memory was taken for: as many as were ever open at once, or waited for their rows. */
  made = 0

  /** @param {number} nodes */
  constructor(nodes) {
    this.#nodes = nodes
  }

  get size() {
    return this.#open.size
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
    const message = this.#free.pop() ?? this.#make()
    message.begin(atUs)
    this.#open.set(number, message)
    return message
  }

  #make() {
    this.made++
    return new OpenMessage(this.#nodes)
  }

  /** release ends a message. @param {number} number */
  release(number) {
    const message = this.#open.get(number)
    this.take(number)
    if (message !== undefined) this.reuse(message)
  }

  /** take ends a message that is still needed. @param {number} number */
  take(number) {
    this.#open.delete(number)
  }

  /** reuse gives the memory of a message to the next one. @param {OpenMessage} message */
  reuse(message) {
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
    this.made = 0
  }
}
