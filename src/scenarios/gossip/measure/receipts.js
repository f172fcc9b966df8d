// Memory-efficient store of the first receipts of each message. Gives the hops of each receipt, and the likely reason of
// each missing delivery.
import { SETTLE_MS } from '../../../plan/churn.js'

/** The largest distance in µs that an Int32 holds, both ways; the one value beyond it says that nothing was received. */
const MAX_OFFSET_US = 2 ** 31 - 1
const NOT_RECEIVED = -(2 ** 31)
/** As many copies as 16 bits hold. */
const MAX_COPIES = 2 ** 16 - 1

/**
 * OpenMessage holds the first receipts of one message: 6 bytes per node, in arrays that serve one message after the other.
 * Times are whole µs.
 */
export class OpenMessage {
  #offsets
  #from
  /** @type {Float32Array | null} wait of each receipt, in µs; null: not known for this message */
  #waits = null
  /** @type {Uint16Array | null} copies received by each node; null: they are not counted, or there are none */
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
   * @param {number} baseUs - any moment near its publication: that of the first row reported
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

  /** has says whether a node has received it. @param {number} node */
  has(node) {
    return node < this.#offsets.length && this.#offsets[node] !== NOT_RECEIVED
  }

  /**
   * receive records a receipt.
   *
   * @param {number} node
   * @param {number} from
   * @param {number} atUs
   * @param {number} [waitedUs] - of its client overhead; undefined: not known
   * @returns {boolean} false: the time is out of range, and the farthest time was recorded
   */
  receive(node, from, atUs, waitedUs) {
    const offset = atUs - this.#baseUs
    const inRange = Math.max(-MAX_OFFSET_US, Math.min(MAX_OFFSET_US, offset))
    this.#offsets[node] = inRange
    this.#from[node] = from
    this.received++
    if (waitedUs !== undefined) {
      this.#waits ??= new Float32Array(this.nodes)
      this.#waits[node] = waitedUs
    }
    return inRange === offset
  }

  /** knowsWaits says whether the waits of receipts are known. */
  get knowsWaits() {
    return this.#waits !== null
  }

  /** waitedUs of a node that has it. @param {number} node @returns {number} µs */
  waitedUs(node) {
    return this.#waits?.[node] ?? 0
  }

  /** copy counts a copy received by a node, also the first one. @param {number} node */
  copy(node) {
    this.#copies ??= new Uint16Array(this.nodes)
    if (this.#copies[node] < MAX_COPIES) this.#copies[node]++
  }

  /** duplicates are the copies after the first one, of a node that has it. @param {number} node @returns {number | null} null: not counted */
  duplicates(node) {
    const copies = this.#copies?.[node] ?? 0
    return copies === 0 ? null : copies - 1
  }

  /** forget removes a receipt. @param {number} node */
  forget(node) {
    this.#offsets[node] = NOT_RECEIVED
    this.received--
  }

  /** receivedUs is when a node that has it received it. @param {number} node */
  receivedUs(node) {
    return this.#baseUs + this.#offsets[node]
  }

  /** lastUs is when the last of those that have it received it; -Infinity: no node did. */
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

/** OpenMessages are the messages that have not reached everyone yet. The memory of a released message is used again. */
export class OpenMessages {
  /** @type {Map<number, OpenMessage>} */
  #open = new Map()
  /** @type {OpenMessage[]} */
  #free = []
  #nodes
  /** made counts the messages that memory was allocated for: the most that were open at once, or waited for their rows. */
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
   * @param {number} atUs - time of its first row
   */
  open(number, atUs) {
    let message = this.#open.get(number)
    if (message !== undefined) return message
    message = this.#free.pop()
    if (message === undefined) {
      message = new OpenMessage(this.#nodes)
      this.made++
    }
    message.begin(atUs)
    this.#open.set(number, message)
    return message
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

  /** clear frees all memory. */
  clear() {
    this.#open.clear()
    this.#free = []
    this.made = 0
  }
}

const UNRESOLVED = -3
const ON_PATH = -2
/** UNKNOWN_HOPS is the number of hops where the path back to the publisher is not known. */
export const UNKNOWN_HOPS = -1

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

  /** of starts with a message. @param {OpenMessage} message @returns {(node: number) => number} hops of a node that has it, or UNKNOWN; until the next message */
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
    let lastHops = UNKNOWN_HOPS
    for (let node = 0; node < message.nodes; node++) {
      if (!message.has(node)) continue
      const hops = of(node)
      if (hops === UNKNOWN_HOPS) this.#unknown++
      else incrementAt(this.#deliveries, hops)
      const us = message.receivedUs(node)
      if (us > lastUs || (us === lastUs && hops > lastHops)) [lastUs, lastHops] = [us, hops]
    }
    if (lastHops === UNKNOWN_HOPS) this.#lastUnknown++
    else incrementAt(this.#last, lastHops)
  }

  /**
   * Walks from a node towards the publisher until it meets a node whose hops are known, then back. A node that is met twice is in a circle,
   * which leads to no publisher.
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
    let count = hops[at] >= 0 ? hops[at] : UNKNOWN_HOPS
    while (steps > 0) {
      if (count !== UNKNOWN_HOPS) count++
      hops[this.#path[--steps]] = count
    }
    return hops[node]
  }

  /** @returns {import('./delivery-tracker.js').DeliveryResult['hops']} */
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
function incrementAt(counts, index) {
  while (counts.length <= index) counts.push(0)
  counts[index]++
}

const PAGE_BITS = 15
const PAGE_SIZE = 2 ** PAGE_BITS

/**
 * MessageNumbers is a set of message numbers (32 bits) that grow with few gaps. Pages have a bit for each number, and of a full page only its
 * index is stored: a run of any length needs a few KB.
 */
export class MessageNumbers {
  /** @type {Map<number, { bits: Uint8Array, count: number }>} */
  #pages = new Map()
  /** @type {Set<number>} */
  #full = new Set()

  /** @param {number} number */
  has(number) {
    const page = number >>> PAGE_BITS
    if (this.#full.has(page)) return true
    const bit = number & (PAGE_SIZE - 1)
    const bits = this.#pages.get(page)?.bits
    return bits !== undefined && (bits[bit >> 3] & (1 << (bit & 7))) !== 0
  }

  /** @param {number} number */
  add(number) {
    if (this.has(number)) return
    const index = number >>> PAGE_BITS
    const bit = number & (PAGE_SIZE - 1)
    const page = this.#pages.get(index) ?? { bits: new Uint8Array(PAGE_SIZE / 8), count: 0 }
    this.#pages.set(index, page)
    page.bits[bit >> 3] |= 1 << (bit & 7)
    if (++page.count < PAGE_SIZE) return
    this.#pages.delete(index)
    this.#full.add(index)
  }
}

/**
 * @typedef {typeof MISSING_REASONS[number]} MissingReason
 *
 * @typedef {object} MissingPair - a node that was to receive a message and did not
 * @property {number} message
 * @property {number} publisher
 * @property {number} node
 * @property {number} topic
 * @property {number} publishedNs
 * @property {number} lastNs - last receipt of the message anywhere; its publication if there was none
 * @property {(node: number) => boolean} had - whether a node had the message: its publisher and its receivers
 */

/** MISSING_REASONS are why a delivery was not made. */
export const MISSING_REASONS = /** @type {const} */ ([
  ...['unreachable', 'node-gone', 'partition', 'churn', 'no-mesh', 'stream-aborted', 'send-queue', 'backlog'],
  ...['end-of-run', 'unknown']
])

/** A message that was received somewhere so shortly before the end was still under way. */
const MAX_UNDERWAY_NS = 1e9
/** A node that has returned, or replaced another one, is expected to be part of meshes again by then. */
const SETTLE_NS = SETTLE_MS * 1e6

/** @type {[MissingReason, (pair: MissingPair, evidence: EvidenceIndex) => boolean][]} */
const RULES = [
  ['unreachable', ({ publisher, node }, evidence) => evidence.areApart(publisher, node)],
  ['node-gone', ({ node, publishedNs }, evidence) => evidence.nodeEndNs(node) <= publishedNs],
  [
    'partition',
    ({ publishedNs, lastNs }, evidence) => evidence.wasParted(publishedNs, lastNs + MAX_UNDERWAY_NS)
  ],
  [
    'churn',
    ({ node, publishedNs, lastNs, had }, evidence) =>
      evidence.leavers(publishedNs, lastNs + MAX_UNDERWAY_NS).some(other => other === node || had(other))
  ],
  ['no-mesh', ({ node, topic, publishedNs }, evidence) => evidence.wasWithoutMesh(node, topic, publishedNs)],
  [
    'stream-aborted',
    ({ node, had }, evidence) =>
      evidence.abortedTo(node).some(({ from, atNs }) => had(from) && atNs < evidence.nodeEndNs(node))
  ],
  ['node-gone', ({ node }, evidence) => evidence.nodeEndNs(node) <= evidence.endNs],
  ['send-queue', ({ message }, evidence) => evidence.wasRefused(message)],
  ['backlog', ({ node, had }, evidence) => evidence.backlogTo(node).some(({ from }) => had(from))],
  [
    'end-of-run',
    ({ publishedNs, lastNs }, { endNs, slowestNs }) =>
      endNs - lastNs < MAX_UNDERWAY_NS || endNs - publishedNs < slowestNs
  ],
  [
    'churn',
    ({ publishedNs, lastNs }, evidence) =>
      evidence.someoneWasAway(publishedNs - SETTLE_NS, lastNs + MAX_UNDERWAY_NS)
  ]
]

/**
 * findMissingReason gives the reason of a missing delivery by the evidence: that of the first rule that holds. It is what was recorded, and no
 * proof that there was no other cause.
 *
 * | order | reason | what was recorded |
 * |---|---|---|
 * | 1 | unreachable | the topology has no path from the publisher to the node: they are in different components |
 * | 2 | node-gone | the node was gone when the message was published |
 * | 3 | partition | a partition of the simulated network lasted when the message was published, or within a second of its last receipt |
 * | 4 | churn | the node, or one that had the message, left the network between the publication and a second after the last receipt |
 * | 5 | no-mesh | the node had no mesh peer for the topic when the message was published |
 * | 6 | stream-aborted | a peer that had the message had lost its outbound stream to the node by the end of the run, and not because the node left: other peers may have had theirs |
 * | 7 | node-gone | the node left after the publication. Its receipts of the last second before that may not have been reported |
 * | 8 | send-queue | a copy of the message found the send queue of a peer full, and was dropped: to this node, or to one on the path to it |
 * | 9 | backlog | bytes still waited at the end in the stream of a peer that had the message to the node |
 * | 10 | end-of-run | the message was received somewhere, or published, less than a second before the end; or it was published less before the end than the slowest message took that reached everyone |
 * | 11 | churn | some node was away while the message was under way, or had returned less than 5 s before: the path to this one may have led over it |
 * | 12 | unknown | none of these |
 *
 * @param {MissingPair} pair
 * @param {EvidenceIndex} evidence
 * @returns {MissingReason}
 */
export function findMissingReason(pair, evidence) {
  return RULES.find(([, holds]) => holds(pair, evidence))?.[0] ?? 'unknown'
}

/**
 * @typedef {import('../../../network/node-host.js').Evidence} HostEvidence
 *
 * @typedef {object} EndedNodes - nodes that ended, as the main process knows them
 * @property {{ node: number, atNs: number }[]} ended - because their worker died or was stopped, or they were stopped
 *
 * @typedef {object} Disruptions - of a simulated network, by its plan
 * @property {{ fromNs: number, toNs: number }[]} partitions
 * @property {{ node: number, fromNs: number, toNs: number }[]} absences - of nodes that left, and returned
 *
 * @typedef {object} Reach - which nodes the topology of the plan connects
 * @property {ArrayLike<number> | null} components - the component of each node; null: not known, as nodes discover one another while they run
 *
 * @typedef {Required<HostEvidence> & EndedNodes & Disruptions & Reach} DeliveryEvidence
 */

/** @type {Readonly<Disruptions>} */
const NO_DISRUPTIONS = { partitions: [], absences: [] }

/**
 * mergeEvidence merges what the hosts recorded.
 *
 * @param {Iterable<HostEvidence>} hosts - that still answered
 * @param {EndedNodes['ended']} [ended]
 * @param {Disruptions} [disruptions]
 * @param {Reach['components']} [components]
 * @returns {DeliveryEvidence}
 */
export function mergeEvidence(
  hosts,
  ended = [],
  { partitions, absences } = NO_DISRUPTIONS,
  components = null
) {
  const all = [...hosts]
  return {
    abortedStreams: all.flatMap(({ abortedStreams }) => abortedStreams),
    withoutMesh: all.flatMap(({ withoutMesh }) => withoutMesh),
    backlog: all.flatMap(({ backlog }) => backlog),
    meshWithoutStream: all.flatMap(({ meshWithoutStream }) => meshWithoutStream),
    refusedMessages: all.flatMap(({ refusedMessages = [] }) => refusedMessages),
    ended: [...ended],
    partitions: [...partitions],
    absences: [...absences],
    components
  }
}

/** EvidenceIndex finds what was recorded about a node. */
export class EvidenceIndex {
  /** @type {Map<number, number>} */
  #endedNs = new Map()
  #aborted
  #withoutMesh
  #backlog
  #refused
  #partitions
  #absences
  #components
  /** @type {{ span: [number, number], nodes: number[] }} */
  #left = { span: [Number.NaN, Number.NaN], nodes: [] }
  endNs
  slowestNs

  /**
   * @param {DeliveryEvidence} evidence
   * @param {object} run
   * @param {number} run.endNs - after which no receipt was taken any more
   * @param {number} run.slowestNs - longest dissemination time of a message that reached everyone; 0: none did
   */
  constructor(evidence, { endNs, slowestNs }) {
    this.endNs = endNs
    this.slowestNs = slowestNs
    for (const { node, atNs } of evidence.ended) this.#endedNs.set(node, Math.min(atNs, this.nodeEndNs(node)))
    this.#aborted = byNode(evidence.abortedStreams, ({ to }) => to)
    this.#withoutMesh = byNode(evidence.withoutMesh, ({ node }) => node)
    this.#backlog = byNode(
      evidence.backlog.filter(({ bytes }) => bytes > 0),
      ({ to }) => to
    )
    this.#refused = new Set(evidence.refusedMessages)
    this.#partitions = evidence.partitions
    this.#absences = byNode(evidence.absences, ({ node }) => node)
    this.#components = evidence.components
  }

  /** nodeEndNs is when a node ended; Infinity: it was there at the end. @param {number} node */
  nodeEndNs(node) {
    return this.#endedNs.get(node) ?? Infinity
  }

  /** areApart says whether the topology has no path between two nodes. @param {number} one @param {number} other */
  areApart(one, other) {
    return this.#components !== null && this.#components[one] !== this.#components[other]
  }

  /** abortedTo gives the streams to a node that were aborted. @param {number} node */
  abortedTo(node) {
    return this.#aborted.get(node) ?? []
  }

  /** backlogTo gives the streams to a node in which bytes waited at the end. @param {number} node */
  backlogTo(node) {
    return this.#backlog.get(node) ?? []
  }

  /** wasRefused says whether a copy of a message found the send queue of a peer full. @param {number} message */
  wasRefused(message) {
    return this.#refused.has(message)
  }

  /** wasParted says whether a partition lasted at some time of a span. @param {number} fromNs @param {number} toNs */
  wasParted(fromNs, toNs) {
    return this.#partitions.some(cut => cut.fromNs <= toNs && cut.toNs > fromNs)
  }

  /**
   * leavers are the nodes that left in a span, and are to return later.
   *
   * @param {number} fromNs
   * @param {number} toNs
   * @returns {number[]}
   */
  leavers(fromNs, toNs) {
    // called once for each node that misses a message
    const { span } = this.#left
    if (span[0] !== fromNs || span[1] !== toNs) {
      const nodes = [...this.#absences].flatMap(([node, absences]) =>
        absences.some(absence => absence.fromNs >= fromNs && absence.fromNs <= toNs) ? [node] : []
      )
      this.#left = { span: [fromNs, toNs], nodes }
    }
    return this.#left.nodes
  }

  /** someoneWasAway says whether nodes were away at some time of a span. @param {number} fromNs @param {number} toNs */
  someoneWasAway(fromNs, toNs) {
    return [...this.#absences.values()].some(own =>
      own.some(span => span.fromNs <= toNs && span.toNs > fromNs)
    )
  }

  /**
   * wasWithoutMesh says whether a node had no mesh peer for a topic at a moment.
   *
   * @param {number} node
   * @param {number} topic
   * @param {number} atNs
   */
  wasWithoutMesh(node, topic, atNs) {
    const spans = this.#withoutMesh.get(node) ?? []
    return spans.some(span => span.topic === topic && span.fromNs <= atNs && atNs < (span.toNs ?? Infinity))
  }
}

/**
 * @template T
 * @param {T[]} entries
 * @param {(entry: T) => number} nodeOf
 */
function byNode(entries, nodeOf) {
  /** @type {Map<number, T[]>} */
  const groups = new Map()
  for (const entry of entries) {
    const group = groups.get(nodeOf(entry)) ?? []
    group.push(entry)
    groups.set(nodeOf(entry), group)
  }
  return groups
}
