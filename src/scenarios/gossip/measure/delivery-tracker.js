// Accounting of deliveries: which subscriber received which message, how long after it was published.
import { Distribution } from '../../../measure/distribution.js'
import { Histogram, mergedHistogram, quantize } from '../../../measure/histogram.js'
import { Steps } from '../../../measure/series.js'
import {
  EvidenceIndex,
  Hops,
  MessageNumbers,
  MISSING_REASONS,
  missingReason,
  OpenMessages
} from './receipts.js'

/** Topics are 8 bits wide. */
const MAX_TOPICS = 256

/** DeliveryCounts are deliveries expected and made: in all, by topic and by node. */
class DeliveryCounts {
  expected = 0
  delivered = 0
  /** expectedMessages counts published messages that somebody was to receive. */
  expectedMessages = 0
  #topics
  #published = new Float64Array(MAX_TOPICS)
  #expected = new Float64Array(MAX_TOPICS)
  #delivered = new Float64Array(MAX_TOPICS)
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

  /** @returns {DeliveryResult['topics']} */
  topics() {
    return Array.from({ length: this.#topics }, (_, topic) => ({
      topic,
      published: this.#published[topic],
      expected: this.#expected[topic],
      delivered: this.#delivered[topic]
    }))
  }

  /** @returns {NodeDeliveries[]} */
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

/**
 * @typedef {object} Overhead - of a delivery, or of a message
 * @property {number} us - from the publish call
 * @property {number} overheadUs - of that: its bytes waited for processes that held other nodes too, or for a core
 */

/** From when a message was with the one before on its way. @param {OpenMessage} message @param {number} node */
function hopUs(message, node) {
  const from = message.from(node)
  const sentUs = message.has(from) ? message.receivedUs(from) : message.publishedUs
  return Math.max(0, message.receivedUs(node) - sentUs)
}

/**
 * overheadOnTheWay is what was added to each delivery of a message: what its receipt waited, and the receipts of all nodes that it came by,
 * never longer than a hop took. Of a way that does not lead to the publisher it is what is known.
 *
 * @param {OpenMessage} message
 * @returns {Map<number, number>} µs, by node that has it
 */
function overheadOnTheWay(message) {
  const overheads = new Map([[message.publisher, 0]])
  for (let node = 0; node < message.nodes; node++) {
    const way = []
    let at = node
    // a circle ends where it began
    for (; message.has(at) && !overheads.has(at); at = message.from(at)) {
      way.push(at)
      overheads.set(at, 0)
    }
    let before = overheads.get(at) ?? 0
    for (const each of way.reverse()) {
      before += Math.min(hopUs(message, each), message.waitedUs(each))
      overheads.set(each, before)
    }
  }
  return overheads
}

/**
 * overheadsOf gives the client overhead of each delivery of a message, and of its dissemination: without it another delivery may have been
 * the last.
 *
 * @param {OpenMessage} message
 * @returns {{ deliveries: Overhead[], dissemination: Overhead } | null} null: not known
 */
function overheadsOf(message) {
  if (!message.knowsWaits) return null
  const overheads = overheadOnTheWay(message)
  /** @type {Overhead[]} */
  const deliveries = []
  for (let node = 0; node < message.nodes; node++) {
    const us = message.receivedUs(node) - message.publishedUs
    if (!message.has(node) || us < 0) continue
    deliveries.push({ us, overheadUs: Math.min(us, overheads.get(node) ?? 0) })
  }
  const last = deliveries.reduce((most, { us }) => Math.max(most, us), 0)
  const lastWithout = deliveries.reduce((most, { us, overheadUs }) => Math.max(most, us - overheadUs), 0)
  return { deliveries, dissemination: { us: last, overheadUs: last - lastWithout } }
}

/** Dissemination is of whole messages: the time from the publish call to the last delivery. */
export class Dissemination {
  #distribution = new Distribution()
  complete = 0

  /**
   * reachedAll records a message that reached everyone.
   *
   * @param {number} publishedUs
   * @param {number} lastUs - last delivery. One before the publication is in no distribution
   */
  reachedAll(publishedUs, lastUs) {
    this.complete++
    if (lastUs >= publishedUs) this.#distribution.known.record(lastUs - publishedUs)
  }

  /**
   * fellShort records a message that had not reached everyone at the end.
   *
   * @param {number} publishedUs
   * @param {number} endUs
   */
  fellShort(publishedUs, endUs) {
    if (endUs >= publishedUs) this.#distribution.censor(endUs - publishedUs, 1)
  }

  /** slowestUs of the messages that reached everyone; 0: none did. */
  get slowestUs() {
    return this.#distribution.known.max
  }

  /** overhead records how much of such a time was client overhead. @param {Overhead} of */
  overhead({ us, overheadUs }) {
    this.#distribution.overhead(us, overheadUs)
  }

  /** figures of the messages that have reached everyone so far. */
  figures() {
    const complete = this.#distribution.knownSummary()
    return { all: complete, complete }
  }

  /** @returns {DeliveryResult['dissemination']} */
  result() {
    const { known: complete, ...rest } = this.#distribution.result()
    return { ...rest, complete }
  }
}

/** Latencies are the times from publish call to receipt of single deliveries. */
export class Latencies {
  #distribution = new Distribution()
  /** negative counts deliveries before their publication: they are in no distribution. */
  negative = 0

  /**
   * deliver records a delivery.
   *
   * @param {number} publishedUs
   * @param {number} receivedUs
   * @returns {number | null} µs; null: negative
   */
  deliver(publishedUs, receivedUs) {
    const us = receivedUs - publishedUs
    if (us < 0) {
      this.negative++
      return null
    }
    this.#distribution.known.record(us)
    return us
  }

  /**
   * miss records deliveries of one message that had not come at the end.
   *
   * @param {number} publishedUs
   * @param {number} endUs
   * @param {number} count
   */
  miss(publishedUs, endUs, count) {
    const us = endUs - publishedUs
    if (us < 0) this.negative += count
    else this.#distribution.censor(us, count)
  }

  /** overhead records how much of such a time was client overhead. @param {Overhead} of */
  overhead({ us, overheadUs }) {
    this.#distribution.overhead(us, overheadUs)
  }

  /** summary of all: those that had not come count at the time waited. */
  summary() {
    return this.#distribution.summary()
  }

  /** figures of what has been delivered so far. */
  figures() {
    const delivered = this.#distribution.knownSummary()
    return { all: delivered, delivered }
  }

  /** @returns {DeliveryResult['latency']} */
  result() {
    const { known: delivered, ...rest } = this.#distribution.result()
    return { ...rest, delivered }
  }
}

/** @typedef {import('./receipts.js').MissingReason} MissingReason */

/** LISTED_PAIRS: more would make a result that nobody opens. Counts are of all. */
const LISTED_PAIRS = 1000

/** MissingPairs collects the deliveries that did not come. */
class MissingPairs {
  #pairs = 0
  #byReason = /** @type {Record<MissingReason, number>} */ (
    Object.fromEntries(MISSING_REASONS.map(reason => [reason, 0]))
  )
  /** @type {Missing['listed']} */
  #listed = []

  /**
   * addMessage takes the deliveries of a message that did not come.
   *
   * @param {number} number
   * @param {OpenMessage} message - published, at the end of the run
   * @param {object} known
   * @param {readonly number[]} known.receivers - subscribers of its topic
   * @param {import('./receipts.js').EvidenceIndex} known.evidence
   * @returns {Map<number, MissingReason>} by node
   */
  addMessage(number, message, { receivers, evidence }) {
    const { topic, publisher, publishedUs, received } = message
    const facts = {
      message: number,
      publisher,
      topic,
      publishedNs: publishedUs * 1000,
      lastNs: (received > 0 ? message.lastUs() : publishedUs) * 1000,
      had: (/** @type {number} */ node) => node === publisher || message.has(node)
    }
    /** @type {Map<number, MissingReason>} */
    const reasons = new Map()
    for (const node of receivers)
      if (!facts.had(node)) reasons.set(node, missingReason({ ...facts, node }, evidence))
    for (const [node, reason] of reasons) this.#add(number, node, topic, reason)
    return reasons
  }

  /** @param {number} message @param {number} node @param {number} topic @param {MissingReason} reason */
  #add(message, node, topic, reason) {
    this.#pairs++
    this.#byReason[reason]++
    if (this.#listed.length < LISTED_PAIRS) this.#listed.push({ message, node, topic, reason })
  }

  /** @returns {Missing} */
  result() {
    return {
      pairs: this.#pairs,
      byReason: { ...this.#byReason },
      listed: [...this.#listed],
      listedAll: this.#listed.length === this.#pairs
    }
  }
}

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
   * @param {((node: number, publishedUs: number, topic: number) => boolean) | null} [isThere] - whether a node is to receive what is
   *   published then; null: they all are
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
    return isThere === null ? all : all.filter(node => isThere(node, publishedUs, topic))
  }

  /**
   * expects tells whether a node is to receive a message.
   *
   * @param {number} node
   * @param {{ topic: number, publisher: number, publishedUs: number }} message
   */
  expects(node, { topic, publisher, publishedUs }) {
    if (node === publisher || this.#flags[topic]?.[node] !== 1) return false
    return this.#isThere === null || this.#isThere(node, publishedUs, topic)
  }
}

/** @typedef {import('./receipts.js').OpenMessage} OpenMessage */

/**
 * @typedef {{ planned: number, published: number, delivered: number, latencies: Histogram }} Point
 */

/** Plots over time need less than percentiles do. */
const PLOT_DIGITS = 2

/** MAX_POINTS are those of an hour. In a longer run each covers 2 s, then 4 s, 8 s … */
export const MAX_POINTS = 3600

/**
 * Timeline is what happened in each second since the start of the publish phase, and the latencies of what was published in it; before
 * it seconds are negative. Its room does not grow with the run.
 */
export class Timeline {
  /** @type {Steps<Point>} */
  #steps

  /** @param {number} startUs */
  constructor(startUs) {
    this.#steps = new Steps({ startNs: startUs * 1000, most: MAX_POINTS, join: joined })
  }

  /**
   * add counts one event.
   *
   * @param {'planned' | 'published' | 'delivered'} what
   * @param {number} atUs
   */
  add(what, atUs) {
    this.#steps.tell(atUs * 1000, (point = nothing()) => {
      point[what]++
      return point
    })
  }

  /** latency records that of a delivery. @param {number} publishedUs @param {number} us */
  latency(publishedUs, us) {
    this.#steps.tell(publishedUs * 1000, (point = nothing()) => {
      point.latencies.record(quantize(us, PLOT_DIGITS))
      return point
    })
  }

  /** @returns {Pick<DeliveryResult, 'timeline' | 'perSecond' | 'secondsPerPoint'>} ascending */
  result() {
    const points = this.#steps.result()
    return {
      timeline: points.map(([atMs, { latencies: _, ...counts }]) => ({ second: atMs / 1000, ...counts })),
      perSecond: points.flatMap(([atMs, { latencies }]) =>
        latencies.count === 0 ? [] : [{ second: atMs / 1000, histogram: latencies.coarse(PLOT_DIGITS) }]
      ),
      secondsPerPoint: this.#steps.stepMs / 1000
    }
  }
}

/** @returns {Point} */
const nothing = () => ({ planned: 0, published: 0, delivered: 0, latencies: new Histogram() })

/** @param {Point} first @param {Point} second @returns {Point} */
const joined = (first, second) => ({
  planned: first.planned + second.planned,
  published: first.published + second.published,
  delivered: first.delivered + second.delivered,
  latencies: mergedHistogram([first.latencies, second.latencies])
})

/**
 * @typedef {import('../../../network/node-host.js').PublishedRows} PublishedRows
 * @typedef {import('../../../network/node-host.js').ReceivedRows} ReceivedRows
 */

/** A row's `recipients` when nothing was published. */
const SKIPPED = -1
const FAILED = -2

/** Times are compared as whole µs since the origin, so that no order of rows can round them differently. @param {number} ns */
const toUs = ns => Math.round(ns / 1000)

/**
 * DeliveryTracker turns what the hosts of all workers told of publications and first receipts into the figures of a run. Rows
 * come in any order. A message is open from the first row that names it until everyone has it; then it is closed into
 * histograms and its memory serves the next one, so that a run keeps no more than what is under way or was lost.
 */
export class DeliveryTracker {
  #subscribers
  #open
  #closed = new MessageNumbers()
  #counts
  #latencies = new Latencies()
  #dissemination = new Dissemination()
  #hops
  #publications = new PublicationTimes()
  #timeline
  #missing = new MissingPairs()
  #messages
  #rows
  #groups
  #anomalies = { duplicateReceipts: 0, duplicatePublications: 0, unknownMessages: 0, timesBeyondRange: 0 }
  #ended = false

  /**
   * @param {object} run
   * @param {number} run.nodes - of the whole network
   * @param {readonly (readonly number[])[]} run.subscriptions - topics of each node
   * @param {number} run.startNs - of the publish phase
   * @param {number | null} [run.planned] - messages in the schedule; null: not known
   * @param {ConstructorParameters<typeof Subscribers>[2]} [run.isThere] - of networks whose nodes come and go, or change subscriptions
   * @param {import('./delivery-breakdown.js').DeliveryRows | null} [run.rows] - where each delivery is a row; null: nowhere
   * @param {import('./delivery-breakdown.js').Groups | null} [run.groups] - that count too; null: there are none
   */
  constructor({ nodes, subscriptions, startNs, planned = null, isThere = null, rows = null, groups = null }) {
    this.#rows = rows
    this.#groups = groups
    this.#subscribers = new Subscribers(nodes, subscriptions, isThere)
    this.#open = new OpenMessages(nodes)
    this.#counts = new DeliveryCounts(nodes, this.#subscribers.topics)
    this.#hops = new Hops(nodes)
    this.#timeline = new Timeline(toUs(startNs))
    this.#messages = { planned, published: 0, skipped: 0, failed: 0, bytes: 0 }
  }

  /** addPublished takes what became of publications. @param {PublishedRows} rows */
  addPublished(rows) {
    this.#refuseWhenEnded()
    for (let i = 0; i < rows.message.length; i++) this.#publication(rows, i)
  }

  /** addReceived takes first receipts. @param {ReceivedRows} rows */
  addReceived({ message, node, from, atNs, waitedUs }) {
    this.#refuseWhenEnded()
    for (let i = 0; i < message.length; i++) {
      this.#receipt(message[i], {
        node: node[i],
        from: from[i],
        atUs: toUs(atNs[i]),
        waitedUs: waitedUs?.[i]
      })
    }
  }

  /**
   * addCopies takes all copies that were received, first ones too: they count in rows alone.
   *
   * @param {import('../../../network/node-host.js').Copies} copies
   * @param {number} atNs - when they were told
   */
  addCopies({ message, node }, atNs) {
    for (let i = 0; i < message.length; i++) {
      const number = message[i]
      const open = this.#closed.has(number)
        ? this.#rows?.waiting(number)
        : this.#open.open(number, toUs(atNs))
      open?.copy(node[i])
    }
  }

  /** writeRows writes those of messages that no copies are waited for any more. @param {number} nowNs */
  writeRows(nowNs) {
    this.#rows?.write(toUs(nowNs), message => this.#open.reuse(message))
  }

  /** @param {PublishedRows} rows @param {number} i */
  #publication(rows, i) {
    const number = rows.message[i]
    if (this.#closed.has(number) || this.#open.get(number)?.published) {
      this.#anomalies.duplicatePublications++
      return
    }
    this.#publications.plan(rows.dueNs[i])
    this.#timeline.add('planned', toUs(rows.dueNs[i]))
    if (rows.recipients[i] < 0) this.#unpublished(rows, i)
    else this.#published(rows, i)
  }

  /** @param {PublishedRows} rows @param {number} i */
  #unpublished({ message, dueNs, atNs, recipients }, i) {
    const number = message[i]
    if (recipients[i] === SKIPPED) this.#messages.skipped++
    else if (recipients[i] === FAILED) this.#messages.failed++
    else this.#publications.leave(dueNs[i], atNs[i])
    this.#anomalies.duplicateReceipts += this.#open.get(number)?.received ?? 0
    this.#release(number)
  }

  /** @param {PublishedRows} rows @param {number} i */
  #published(rows, i) {
    const publishedUs = toUs(rows.atNs[i])
    this.#messages.published++
    this.#messages.bytes += rows.bytes[i]
    this.#publications.publish(rows.dueNs[i], rows.atNs[i])
    this.#timeline.add('published', publishedUs)
    const topic = rows.topic[i]
    const publisher = rows.node[i]
    const subscribers = this.#subscribers.of(topic, publishedUs)
    const expected = this.#counts.publish(topic, publisher, subscribers)
    const message = this.#open.open(rows.message[i], publishedUs)
    Object.assign(message, { published: true, topic, publisher, publishedUs, expected })
    this.#groups?.publish(message, subscribers)
    this.#settle(message)
    this.#closeIfComplete(rows.message[i], message)
  }

  /** Receipts that came before their publication count from now on. @param {OpenMessage} message */
  #settle(message) {
    if (message.received === 0) return
    for (let node = 0; node < message.nodes; node++) {
      if (!message.has(node)) continue
      if (this.#subscribers.expects(node, message)) this.#deliver(message, node)
      else {
        message.forget(node)
        this.#anomalies.duplicateReceipts++
      }
    }
  }

  /** @param {number} number @param {{ node: number, from: number, atUs: number, waitedUs?: number }} row */
  #receipt(number, { node, from, atUs, waitedUs }) {
    const message = this.#closed.has(number) ? null : this.#open.open(number, atUs)
    if (message === null || !canReceive(message, node, this.#subscribers)) {
      this.#anomalies.duplicateReceipts++
      return
    }
    if (!message.receive(node, from, atUs)) this.#anomalies.timesBeyondRange++
    if (waitedUs !== undefined) message.wait(node, waitedUs)
    if (!message.published) return
    this.#deliver(message, node)
    this.#closeIfComplete(number, message)
  }

  /** @param {OpenMessage} message @param {number} node */
  #deliver(message, node) {
    const receivedUs = message.receivedUs(node)
    this.#timeline.add('delivered', receivedUs)
    const us = this.#latencies.deliver(message.publishedUs, receivedUs)
    if (us !== null) this.#timeline.latency(message.publishedUs, us)
    this.#counts.deliver(message.topic, node, us)
    this.#groups?.deliver(message, node)
  }

  /** @param {number} number @param {OpenMessage} message */
  #closeIfComplete(number, message) {
    if (message.received < message.expected) return
    if (message.expected > 0) this.#dissemination.reachedAll(message.publishedUs, message.lastUs())
    if (message.expected > 0) this.#groups?.reachedAll(message)
    this.#hops.add(message)
    this.#recordOverheads(message)
    if (this.#rows === null) return this.#release(number)
    this.#open.take(number)
    this.#closed.add(number)
    this.#rows.wait(number, message)
  }

  /** @param {OpenMessage} message */
  #recordOverheads(message) {
    const overheads = overheadsOf(message)
    if (overheads === null) return
    for (const overhead of overheads.deliveries) this.#latencies.overhead(overhead)
    const reachedAll = message.expected > 0 && message.received >= message.expected
    if (reachedAll && message.lastUs() >= message.publishedUs)
      this.#dissemination.overhead(overheads.dissemination)
  }

  /** @param {number} number */
  #release(number) {
    this.#open.release(number)
    this.#closed.add(number)
  }

  /**
   * close ends the run: what has not come by now is missing.
   *
   * @param {import('./receipts.js').DeliveryEvidence} evidence
   * @param {number} endNs - after which no receipt was taken any more
   */
  close(evidence, endNs) {
    this.#refuseWhenEnded()
    this.#ended = true
    this.#publications.close()
    const slowestNs = this.#dissemination.slowestUs * 1000
    const index = new EvidenceIndex(evidence, { endNs, slowestNs })
    this.writeRows(Number.POSITIVE_INFINITY)
    for (const [number, message] of this.#open.ascending()) {
      if (message.published) this.#fellShort(number, message, index)
      // of copies alone: their receipt was never told
      else if (message.received > 0) this.#anomalies.unknownMessages++
    }
    this.#open.clear()
    this.#rows?.close()
  }

  /** @param {number} number @param {OpenMessage} message @param {EvidenceIndex} evidence */
  #fellShort(number, message, evidence) {
    const endUs = toUs(evidence.endNs)
    this.#latencies.miss(message.publishedUs, endUs, message.expected - message.received)
    this.#dissemination.fellShort(message.publishedUs, endUs)
    this.#hops.add(message)
    this.#recordOverheads(message)
    const reasons = this.#missing.addMessage(number, message, {
      receivers: this.#subscribers.of(message.topic, message.publishedUs),
      evidence
    })
    this.#rows?.add(number, message, reasons)
    this.#groups?.fellShort(message, reasons.keys(), endUs)
  }

  #refuseWhenEnded() {
    if (this.#ended)
      throw new Error('DeliveryTracker was closed: rows must come before close, and close once')
  }

  /** memory tells how many messages are open, and for how many memory was taken. */
  get memory() {
    return { open: this.#open.size, made: this.#open.made }
  }

  /** @returns {DeliveryRatios} */
  #ratios() {
    const { expected, delivered, expectedMessages } = this.#counts
    const completeMessages = this.#dissemination.complete
    return {
      expected,
      delivered,
      ratio: expected > 0 ? delivered / expected : null,
      expectedMessages,
      completeMessages,
      completeRatio: expectedMessages > 0 ? completeMessages / expectedMessages : null
    }
  }

  /** figures so far, cheap enough for once a second. @returns {DeliveryFigures} */
  figures() {
    return {
      messages: { ...this.#messages },
      delivery: this.#ratios(),
      latency: this.#latencies.figures(),
      dissemination: this.#dissemination.figures(),
      openMessages: this.#open.size
    }
  }

  /**
   * result is what became of everything, after close.
   *
   * @returns {DeliveryResult}
   * @throws {Error} before close
   */
  result() {
    if (!this.#ended)
      throw new Error('DeliveryTracker has no result before close; resultSoFar() tells what is known')
    return this.#result()
  }

  /**
   * resultSoFar is what became of what was told until now; what is still under way is expected, and missing nowhere.
   *
   * @returns {DeliveryResult}
   */
  resultSoFar() {
    return this.#result()
  }

  /** @returns {DeliveryResult} */
  #result() {
    return {
      messages: { ...this.#messages },
      delivery: this.#ratios(),
      latency: this.#latencies.result(),
      dissemination: this.#dissemination.result(),
      hops: this.#hops.result(),
      ...this.#publications.result(),
      ...this.#timeline.result(),
      ...withGroups(this.#counts, this.#groups?.result()),
      missing: this.#missing.result(),
      anomalies: { ...this.#anomalies, negativeLatencies: this.#latencies.negative }
    }
  }
}

/**
 * Counts by topic and by node, with what is measured of groups of these.
 *
 * @param {DeliveryCounts} counts
 * @param {ReturnType<import('./delivery-breakdown.js').Groups['result']>} [grouped]
 */
function withGroups(counts, { topics, places, groups } = { topics: [], places: [] }) {
  return {
    topics: counts.topics().map(each => ({ ...each, ...topics[each.topic] })),
    nodes: counts.nodes().map(each => ({ ...each, ...places[each.node] })),
    ...(groups !== undefined && { groups })
  }
}

/**
 * Who has a message, is not to receive it, or is no node at all cannot receive it. Before the publication is told nobody knows
 * yet who is to receive it.
 *
 * @param {OpenMessage} message
 * @param {number} node
 * @param {Subscribers} subscribers
 */
const canReceive = (message, node, subscribers) =>
  node < message.nodes && !message.has(node) && (!message.published || subscribers.expects(node, message))

/**
 * What became of the messages of a gossip run. Times are ms unless a name says otherwise; seconds count from the start of the
 * publish phase. Histograms are HDR V2, compressed, base64, µs, 3 digits.
 *
 * @typedef {import('../../../report/schema.js').Summary} Summary
 *
 * @typedef {object} DeliveryResult
 * @property {MessageCounts} messages
 * @property {DeliveryRatios} delivery
 * @property {{ all: Summary, delivered: Summary, histogram: string, censoredHistogram: string | null }} latency - publish call to
 *   receipt. `all`: deliveries that never came count as longer than until the end of the run; `histogram`: those that came;
 *   `censoredHistogram`: how long those that did not were waited for, null: none
 * @property {{ all: Summary, complete: Summary, histogram: string, censoredHistogram: string | null }} dissemination - publish
 *   call to the last delivery of a message. `all`: messages that did not reach everyone count as longer than until the end of
 *   the run; `histogram`: those that did; messages that nobody was to receive have none
 * @property {HopFigures} hops
 * @property {{ summary: Summary, histogram: string, censoredHistogram: string | null, early: number }} lateness - due time to publish
 *   call; the `early` ones, published before they were due, count as 0, and in `summary` those that were due and had not gone out when
 *   publishing ended as later than that. `histogram`: those that were published; `censoredHistogram`: the others, null: none
 * @property {{ actual: Intervals, planned: Omit<Intervals, 'histogram'> }} interArrival - between one publication of the network
 *   and the next: actual of what was published, planned of all that was due
 * @property {{ second: number, planned: number, published: number, delivered: number }[]} timeline - ascending; by due time, by
 *   publish call and by receipt. Seconds without any of these are left out. Of a run of more than an hour with something in each second an
 *   entry covers `secondsPerPoint`, from `second` on
 * @property {{ second: number, histogram: [number, number][] }[]} perSecond - latencies of deliveries by the second of the
 *   publish call: value in µs, 2 digits, and count
 * @property {number} secondsPerPoint - that an entry of these two covers
 * @property {({ topic: number, published: number, expected: number, delivered: number } & Partial<GroupTimes>)[]} topics - with times where a
 *   network file has several
 * @property {NodeDeliveries[]} nodes
 * @property {{ classes: Grouped<{ class: string }>[], zones: Grouped<{ zone: string }>[], pairs: Pair[] }} [groups] - absent: nodes have no
 *   classes and are in no zones
 * @property {Missing} missing
 * @property {Anomalies} anomalies
 *
 * @typedef {object} MessageCounts
 * @property {number | null} planned - in the schedule; null: not told
 * @property {number} published - also those that no peer could be sent
 * @property {number} skipped - because --maxBacklog was reached
 * @property {number} failed - publish threw
 * @property {number} bytes - of the payloads published
 *
 * @typedef {object} DeliveryRatios - both forms of the message delivery ratio. Skipped and failed messages are expected nowhere
 * @property {number} expected - deliveries: over the messages published, subscribers of the topic other than the publisher
 * @property {number} delivered
 * @property {number | null} ratio - delivered / expected; null: nothing was expected
 * @property {number} expectedMessages - published messages that somebody was to receive
 * @property {number} completeMessages - of these, those that reached everyone
 * @property {number | null} completeRatio - null: nothing was expected
 *
 * @typedef {object} HopFigures - along first receipts: the publisher has 0, everyone else one more than the peer the first copy came from
 * @property {number[]} deliveries - count of deliveries by hops
 * @property {number[]} last - count of messages by the hops of the copy delivered last in time (of copies within one µs the one
 *   with more hops); every message with a delivery counts, whether or not it reached everyone
 * @property {number} unknown - deliveries whose way back to the publisher is not known: a peer on it was not to receive the
 *   message, or its receipt is missing
 * @property {number} lastUnknown - messages whose last delivery is one of these
 *
 * @typedef {object} Intervals
 * @property {Summary} summary
 * @property {string} histogram
 * @property {number} outOfOrder - publications that were told too late to be put in order; they are in no interval
 *
 * @typedef {Pick<DeliveryResult, 'latency' | 'dissemination'>} GroupTimes - of deliveries to it, and of messages published by it
 *
 * @typedef {object} Pair - from a zone to a zone
 * @property {string} from - of the publisher
 * @property {string} to
 * @property {number} expected
 * @property {number} delivered
 * @property {Pick<DeliveryResult['latency'], 'all'> & Partial<DeliveryResult['latency']>} latency - to two digits; without a histogram where there are
 *   more than 400 pairs
 *
 * @typedef {object} NodeDeliveries
 * @property {number} node
 * @property {string} [class] - absent: it has none
 * @property {string} [zone]
 * @property {number} published
 * @property {number} expected
 * @property {number} delivered
 * @property {number | null} averageMs - latency of what was delivered; null: nothing was
 *
 * @typedef {object} Missing
 * @property {number} pairs - (message, node) expected and not delivered
 * @property {Record<MissingReason, number>} byReason - of all pairs
 * @property {{ message: number, node: number, topic: number, reason: MissingReason }[]} listed - the first 1,000 by message and node
 * @property {boolean} listedAll
 *
 * @typedef {object} Anomalies - what cannot be when hosts and clock work; all 0 in a sound run
 * @property {number} duplicateReceipts - receipts beyond one per expected receiver of a published message; the first told counts
 * @property {number} duplicatePublications - second rows of one message; the first told counts
 * @property {number} unknownMessages - received somewhere, and no publication was told
 * @property {number} negativeLatencies - deliveries before the publish call (and waits that ended before it): they count as
 *   delivered, and are in no distribution of times
 * @property {number} timesBeyondRange - receipts more than 35 minutes from the first thing told of their message; they count at
 *   35 minutes
 *
 * @typedef {object} DeliveryFigures - the figures so far, in the shape of the result. What is still under way is expected and not
 *   delivered, and is in no distribution: `all` has the same times as `delivered` and `complete`
 * @property {MessageCounts} messages
 * @property {DeliveryRatios} delivery
 * @property {{ all: Summary, delivered: Summary }} latency
 * @property {{ all: Summary, complete: Summary }} dissemination
 * @property {number} openMessages - that have not reached everyone yet
 */

/**
 * @template Name
 * @typedef {Name & GroupTimes & { nodes: number, published: number, expected: number, delivered: number, bytesSent?: number,
 *   bytesReceived?: number }} Grouped - bytes of RPCs, since publishing began
 */

/**
 * REORDER_WINDOW: how many times wait to be put in order. Workers tell theirs once a second, each in its own order; up to half
 * as many publications as this may be told between one publication and another that was earlier. Runs with fewer publications
 * than this are in order whatever happens.
 */
const REORDER_WINDOW = 65_536

/** InterArrival measures the time from each event to the next one of the whole network. Memory is bounded by the window. */
export class InterArrival {
  #distribution = new Distribution()
  #waiting
  #count = 0
  #lastNs = -Infinity
  /** outOfOrder counts events that came after the window had passed them: they are in no interval. */
  outOfOrder = 0

  /** @param {number} [window] - at least 2 */
  constructor(window = REORDER_WINDOW) {
    this.#waiting = new Float64Array(window)
  }

  /** @param {number} atNs */
  add(atNs) {
    if (atNs < this.#lastNs) {
      this.outOfOrder++
      return
    }
    if (this.#count === this.#waiting.length) this.#pass(this.#count >> 1)
    this.#waiting[this.#count++] = atNs
  }

  /** close passes everything that waits. */
  close() {
    this.#pass(this.#count)
  }

  /** Records the earliest of those that wait. @param {number} count */
  #pass(count) {
    const waiting = this.#waiting.subarray(0, this.#count).sort()
    for (let i = 0; i < count; i++) {
      if (this.#lastNs !== -Infinity) {
        this.#distribution.known.record((waiting[i] - this.#lastNs) / 1000)
      }
      this.#lastNs = waiting[i]
    }
    waiting.copyWithin(0, count)
    this.#count -= count
  }

  /** @returns {Intervals} of what was passed */
  result() {
    return { ...this.#distribution.knownResult(), outOfOrder: this.outOfOrder }
  }
}

/** Publishing this late is more than timers explain, */
const LATE_MS = 10
/** and messages do not come as planned. Of the time between two of them. */
const LATE_SHARE = 0.1

/**
 * lateAllowedMs is how late a message may be published and still be in time. It goes by the median time between two: within a burst there is
 * none.
 *
 * @param {Pick<DeliveryResult, 'interArrival'>} outcome
 */
export function lateAllowedMs({ interArrival }) {
  const { p50, avg } = interArrival.planned.summary
  return Math.max(LATE_MS, LATE_SHARE * ((p50 ?? avg)?.ms ?? 0))
}

/** PublicationTimes compares when messages were due with when they were published. */
class PublicationTimes {
  #lateness = new Distribution()
  #early = 0
  #actual = new InterArrival()
  #planned = new InterArrival()

  /** plan records what was due, whatever became of it. @param {number} dueNs */
  plan(dueNs) {
    this.#planned.add(dueNs)
  }

  /** publish records a publication. @param {number} dueNs @param {number} atNs */
  publish(dueNs, atNs) {
    this.#actual.add(atNs)
    if (atNs < dueNs) this.#early++
    this.#lateness.known.record(Math.max(0, atNs - dueNs) / 1000)
  }

  /** leave records what was due when publishing ended, and had not gone out. @param {number} dueNs @param {number} endedNs */
  leave(dueNs, endedNs) {
    this.#lateness.censor((endedNs - dueNs) / 1000, 1)
  }

  close() {
    this.#actual.close()
    this.#planned.close()
  }

  /** @returns {Pick<DeliveryResult, 'lateness' | 'interArrival'>} */
  result() {
    const { histogram: _, ...planned } = this.#planned.result()
    const { all: summary, histogram, censoredHistogram } = this.#lateness.result()
    return {
      lateness: { summary, histogram, censoredHistogram, early: this.#early },
      interArrival: { actual: this.#actual.result(), planned }
    }
  }
}
