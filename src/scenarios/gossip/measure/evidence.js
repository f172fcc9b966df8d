/**
 * @typedef {import('../../../network/node-host.js').Evidence} HostEvidence
 *
 * @typedef {object} Gone - what the main process knows of nodes that are there no longer
 * @property {{ node: number, atNs: number }[]} gone - since their worker died, or was stopped, or they were
 *
 * @typedef {object} Disruptions - what the plan of a simulated network does to it
 * @property {{ fromNs: number, toNs: number }[]} partitions
 * @property {{ node: number, fromNs: number, toNs: number }[]} absences - of nodes that left, and returned
 *
 * @typedef {object} Reach - what the topology of the plan says of who can be reached
 * @property {ArrayLike<number> | null} components - the component of each node; null: not known, as nodes find one another while they run
 *
 * @typedef {Required<HostEvidence> & Gone & Disruptions & Reach} DeliveryEvidence
 */

/** @type {Readonly<Disruptions>} */
const UNDISRUPTED = { partitions: [], absences: [] }

/**
 * mergeEvidence joins what the hosts recorded.
 *
 * @param {Iterable<HostEvidence>} hosts - of those that still answered
 * @param {Gone['gone']} [gone]
 * @param {Disruptions} [disruptions]
 * @param {Reach['components']} [components]
 * @returns {DeliveryEvidence}
 */
export function mergeEvidence(hosts, gone = [], { partitions, absences } = UNDISRUPTED, components = null) {
  const all = [...hosts]
  return {
    abortedStreams: all.flatMap(({ abortedStreams }) => abortedStreams),
    withoutMesh: all.flatMap(({ withoutMesh }) => withoutMesh),
    backlog: all.flatMap(({ backlog }) => backlog),
    meshWithoutStream: all.flatMap(({ meshWithoutStream }) => meshWithoutStream),
    refusedMessages: all.flatMap(({ refusedMessages = [] }) => refusedMessages),
    gone: [...gone],
    partitions: [...partitions],
    absences: [...absences],
    components
  }
}

/** EvidenceIndex finds what was recorded about a node. */
export class EvidenceIndex {
  /** @type {Map<number, number>} */
  #gone = new Map()
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
    for (const { node, atNs } of evidence.gone) {
      this.#gone.set(node, Math.min(atNs, this.goneNs(node)))
    }
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

  /** goneNs is when a node went; Infinity: it was there at the end. @param {number} node */
  goneNs(node) {
    return this.#gone.get(node) ?? Infinity
  }

  /** areApart tells whether no connection of the topology leads from a node to another, over however many. @param {number} one @param {number} other */
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

  /** wasRefused tells whether a copy of a message found the send queue of a peer full. @param {number} message */
  wasRefused(message) {
    return this.#refused.has(message)
  }

  /** wasParted tells whether a partition lasted at some time of a span. @param {number} fromNs @param {number} toNs */
  wasParted(fromNs, toNs) {
    return this.#partitions.some(cut => cut.fromNs <= toNs && cut.toNs > fromNs)
  }

  /**
   * leavers are the nodes that left in a span, to return later.
   *
   * @param {number} fromNs
   * @param {number} toNs
   * @returns {number[]}
   */
  leavers(fromNs, toNs) {
    // asked for once for each node that misses a message
    const { span } = this.#left
    if (span[0] !== fromNs || span[1] !== toNs)
      this.#left = { span: [fromNs, toNs], nodes: this.#leavers(fromNs, toNs) }
    return this.#left.nodes
  }

  /** @param {number} fromNs @param {number} toNs */
  #leavers(fromNs, toNs) {
    return [...this.#absences].flatMap(([node, absences]) =>
      absences.some(absence => absence.fromNs >= fromNs && absence.fromNs <= toNs) ? [node] : []
    )
  }

  /** someoneWasAway tells whether nodes were away at some time of a span. @param {number} fromNs @param {number} toNs */
  someoneWasAway(fromNs, toNs) {
    return [...this.#absences.values()].some(own =>
      own.some(span => span.fromNs <= toNs && span.toNs > fromNs)
    )
  }

  /**
   * wasWithoutMesh tells whether a node had no mesh peer for a topic at a moment.
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
    const group = groups.get(nodeOf(entry))
    if (group === undefined) groups.set(nodeOf(entry), [entry])
    else group.push(entry)
  }
  return groups
}
