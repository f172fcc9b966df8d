// Computes delivery ratios and latencies, also over time, from the publications and first receipts that worker processes
// report.
import { findLargest } from '../../../kit/collections.js'
import { Distribution } from '../../../measure/distribution.js'
import { Histogram, mergeHistograms, quantize } from '../../../measure/histogram.js'
import { StepSeries } from '../../../measure/series.js'
import {
  EvidenceIndex,
  findMissingReason,
  Hops,
  MessageNumbers,
  MISSING_REASONS,
  OpenMessages
} from './receipts.js'

/** DeliveryCounts counts the expected deliveries and those made: in all, by topic and by node. */
class DeliveryCounts {
  expected = 0
  delivered = 0
  /** expectedMessages counts published messages with at least one expected receiver. */
  expectedMessages = 0
  #topics
  #nodes

  /**
   * @param {number} nodes
   * @param {number} topics - the result has at least so many
   */
  constructor(nodes, topics) {
    this.#topics = Array.from({ length: topics }, noTopicDeliveries)
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
   * @returns {number} its expected deliveries
   */
  publish(topic, publisher, subscribers) {
    const receivers = subscribers.filter(node => node !== publisher)
    for (const node of receivers) this.#nodes[node].expected++
    this.#nodes[publisher].published++
    while (this.#topics.length <= topic) this.#topics.push(noTopicDeliveries(0, this.#topics.length))
    this.#topics[topic].published++
    this.#topics[topic].expected += receivers.length
    this.expected += receivers.length
    if (receivers.length > 0) this.expectedMessages++
    return receivers.length
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
    this.#topics[topic].delivered++
    const counts = this.#nodes[node]
    counts.delivered++
    if (latencyUs === null) return
    counts.timed++
    counts.us += latencyUs
  }

  /**
   * result has the counts by topic and by node, together with what was measured of groups of these.
   *
   * @param {ReturnType<import('./delivery-breakdown.js').Groups['result']>} [grouped]
   * @returns {Pick<DeliveryResult, 'topics' | 'nodes' | 'groups'>}
   */
  result({ topics, places, groups } = { topics: [], places: [] }) {
    return {
      topics: this.#topics.map((counts, topic) => ({ ...counts, ...topics[topic] })),
      nodes: this.#nodes.map(({ timed, us, ...counts }, node) => ({
        ...{ node, ...counts, averageMs: timed > 0 ? us / timed / 1000 : null },
        ...places[node]
      })),
      ...(groups !== undefined && { groups })
    }
  }
}

/** @param {unknown} _ @param {number} topic */
const noTopicDeliveries = (_, topic) => ({ topic, published: 0, expected: 0, delivered: 0 })

/**
 * makeDeliveryRatios gives both forms of the message delivery ratio.
 *
 * @param {Omit<DeliveryResult['delivery'], 'ratio' | 'completeRatio'>} counts
 * @returns {DeliveryResult['delivery']}
 */
export const makeDeliveryRatios = ({ expected, delivered, expectedMessages, completeMessages }) => ({
  ...{ expected, delivered, ratio: expected > 0 ? delivered / expected : null },
  ...{ expectedMessages, completeMessages },
  completeRatio: expectedMessages > 0 ? completeMessages / expectedMessages : null
})

/**
 * @typedef {object} Overhead - of a delivery, or of a message
 * @property {number} us - from the publish call
 * @property {number} overheadUs - of that: its bytes waited for processes that nodes share, or for a core
 */

/**
 * pathOverheads adds up the overhead of each delivery of a message: the wait of its own receipt, and those of the receipts on its path from
 * the publisher, never longer than the hop took. A path that does not lead to the publisher counts as far as it is known.
 *
 * @param {OpenMessage} message
 * @returns {Map<number, number>} µs, by node that has the message
 */
function pathOverheads(message) {
  const overheads = new Map([[message.publisher, 0]])
  for (let node = 0; node < message.nodes; node++) {
    const path = []
    let at = node
    // a circle ends where it began
    for (; message.has(at) && !overheads.has(at); at = message.from(at)) {
      path.push(at)
      overheads.set(at, 0)
    }
    let overheadUs = overheads.get(at) ?? 0
    for (const hop of path.reverse()) {
      const from = message.from(hop)
      const sentUs = message.has(from) ? message.receivedUs(from) : message.publishedUs
      const hopUs = Math.max(0, message.receivedUs(hop) - sentUs)
      overheadUs += Math.min(hopUs, message.waitedUs(hop))
      overheads.set(hop, overheadUs)
    }
  }
  return overheads
}

/**
 * clientOverheads gives the client overhead of each delivery of a message, and of its dissemination. Without overhead, another delivery may
 * have been the last.
 *
 * @param {OpenMessage} message
 * @returns {{ deliveries: Overhead[], dissemination: Overhead } | null} null: not known
 */
function clientOverheads(message) {
  if (!message.knowsWaits) return null
  const overheads = pathOverheads(message)
  /** @type {Overhead[]} */
  const deliveries = []
  for (let node = 0; node < message.nodes; node++) {
    const us = message.receivedUs(node) - message.publishedUs
    if (!message.has(node) || us < 0) continue
    deliveries.push({ us, overheadUs: Math.min(us, overheads.get(node) ?? 0) })
  }
  const last = findLargest(deliveries, ({ us }) => us)
  const lastWithout = findLargest(deliveries, ({ us, overheadUs }) => us - overheadUs)
  return { deliveries, dissemination: { us: last, overheadUs: last - lastWithout } }
}

/** Dissemination measures whole messages: the time from the publish call to the last delivery. */
export class Dissemination extends Distribution {
  complete = 0

  /**
   * reachedAll records a message that reached everyone.
   *
   * @param {number} publishedUs
   * @param {number} lastUs - last delivery. One before the publication is in no distribution
   */
  reachedAll(publishedUs, lastUs) {
    this.complete++
    if (lastUs >= publishedUs) this.known.record(lastUs - publishedUs)
  }

  /**
   * fellShort records a message that had not reached everyone at the end.
   *
   * @param {number} publishedUs
   * @param {number} endUs
   */
  fellShort(publishedUs, endUs) {
    if (endUs >= publishedUs) this.censor(endUs - publishedUs, 1)
  }

  /** figures of the messages that have reached everyone so far. */
  figures() {
    const complete = this.knownSummary()
    return { all: complete, complete }
  }

  /** @returns {DeliveryResult['dissemination']} */
  times() {
    const { known: complete, ...times } = this.result()
    return { ...times, complete }
  }
}

/** Latencies are the times of single deliveries, from the publish call to the receipt. */
export class Latencies extends Distribution {
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
    if (us >= 0) this.known.record(us)
    else this.negative++
    return us < 0 ? null : us
  }

  /**
   * miss records deliveries of one message that were still missing at the end.
   *
   * @param {number} publishedUs
   * @param {number} endUs
   * @param {number} count
   */
  miss(publishedUs, endUs, count) {
    const us = endUs - publishedUs
    if (us < 0) this.negative += count
    else this.censor(us, count)
  }

  /** figures of the deliveries made so far. */
  figures() {
    const delivered = this.knownSummary()
    return { all: delivered, delivered }
  }

  /** @returns {DeliveryResult['latency']} */
  times() {
    const { known: delivered, ...times } = this.result()
    return { ...times, delivered }
  }
}

/** @typedef {import('./receipts.js').MissingReason} MissingReason */

/** MAX_LISTED_PAIRS: a longer list would make the result too large to open. Counts are of all pairs. */
const MAX_LISTED_PAIRS = 1000

/** MissingPairs collects the deliveries that were expected and never made. */
class MissingPairs {
  #pairs = 0
  #byReason = /** @type {Record<MissingReason, number>} */ (
    Object.fromEntries(MISSING_REASONS.map(reason => [reason, 0]))
  )
  /** @type {DeliveryResult['missing']['listed']} */
  #listed = []

  /**
   * addMessage takes the missing deliveries of a message.
   *
   * @param {number} number
   * @param {OpenMessage} message - published, at the end of the run
   * @param {readonly number[]} receivers - subscribers of its topic
   * @param {EvidenceIndex} evidence
   * @returns {Map<number, MissingReason>} by node
   */
  addMessage(number, message, receivers, evidence) {
    const { topic, publisher, publishedUs, received } = message
    const pair = {
      ...{ message: number, publisher, topic },
      publishedNs: publishedUs * 1000,
      lastNs: (received > 0 ? message.lastUs() : publishedUs) * 1000,
      had: (/** @type {number} */ node) => node === publisher || message.has(node)
    }
    /** @type {Map<number, MissingReason>} */
    const reasons = new Map()
    for (const node of receivers) {
      if (pair.had(node)) continue
      const reason = findMissingReason({ ...pair, node }, evidence)
      reasons.set(node, reason)
      this.#pairs++
      this.#byReason[reason]++
      if (this.#listed.length < MAX_LISTED_PAIRS) this.#listed.push({ message: number, node, topic, reason })
    }
    return reasons
  }

  /** @returns {DeliveryResult['missing']} */
  result() {
    return {
      ...{ pairs: this.#pairs, byReason: { ...this.#byReason } },
      ...{ listed: [...this.#listed], listedAll: this.#listed.length === this.#pairs }
    }
  }
}

/** Subscribers are the nodes that are to receive the messages of a topic. */
export class Subscribers {
  /** @type {number[][]} */
  #lists
  #flags
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
    this.#lists = Array.from({ length: topics }, () => [])
    this.#flags = this.#lists.map(() => new Uint8Array(nodes))
    for (let node = 0; node < nodes; node++) {
      for (const topic of new Set(subscriptions[node] ?? [])) {
        this.#lists[topic].push(node)
        this.#flags[topic][node] = 1
      }
    }
  }

  /** topics is the number of topics, up to the last one that a node subscribes to. */
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
   * expects says whether a node is to receive a message.
   *
   * @param {number} node
   * @param {{ topic: number, publisher: number, publishedUs: number }} message
   */
  expects(node, { topic, publisher, publishedUs }) {
    if (node === publisher || this.#flags[topic]?.[node] !== 1) return false
    return this.#isThere === null || this.#isThere(node, publishedUs, topic)
  }
}

/**
 * @typedef {import('./receipts.js').OpenMessage} OpenMessage
 * @typedef {{ planned: number, published: number, delivered: number, latencies: Histogram }} Point
 */

/** Significant digits of latencies in plots over time. */
const PLOT_DIGITS = 2

/** MAX_POINTS: a run of an hour has one point each second. In a longer run a point covers 2 s, then 4 s, 8 s … */
export const MAX_POINTS = 3600

/**
 * Timeline counts the events of each second since the start of the publish phase, and the latencies of the messages published in it. Seconds
 * before the start are negative. Its memory does not grow with the run.
 */
export class Timeline {
  /** @type {StepSeries<Point>} */
  #steps

  /** @param {number} startUs */
  constructor(startUs) {
    this.#steps = new StepSeries({
      ...{ startNs: startUs * 1000, maxSteps: MAX_POINTS },
      join: (first, second) => ({
        planned: first.planned + second.planned,
        published: first.published + second.published,
        delivered: first.delivered + second.delivered,
        latencies: mergeHistograms([first.latencies, second.latencies])
      })
    })
  }

  /**
   * add counts one event.
   *
   * @param {'planned' | 'published' | 'delivered'} what
   * @param {number} atUs
   */
  add(what, atUs) {
    this.#steps.tell(atUs * 1000, (point = emptyPoint()) => {
      point[what]++
      return point
    })
  }

  /** latency records the latency of a delivery. @param {number} publishedUs @param {number} us */
  latency(publishedUs, us) {
    this.#steps.tell(publishedUs * 1000, (point = emptyPoint()) => {
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
const emptyPoint = () => ({ planned: 0, published: 0, delivered: 0, latencies: new Histogram() })

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
 * DeliveryTracker turns the publications and first receipts that the hosts of all workers report into the figures of a run. Rows
 * come in any order. A message is open from the first row that names it until everyone has it. Then it is added to the
 * histograms, and its memory serves the next one: a run holds only messages that are under way or were lost.
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

  /** addPublished takes outcomes of publications. @param {PublishedRows} rows */
  addPublished(rows) {
    this.#refuseWhenEnded()
    for (let i = 0; i < rows.message.length; i++) this.#publication(rows, i)
  }

  /** addReceived takes first receipts. @param {ReceivedRows} rows */
  addReceived({ message, node, from, atNs, waitedUs }) {
    this.#refuseWhenEnded()
    for (let i = 0; i < message.length; i++) {
      const receipt = { node: node[i], from: from[i], atUs: toUs(atNs[i]), waitedUs: waitedUs?.[i] }
      this.#receipt(message[i], receipt)
    }
  }

  /**
   * addCopies takes all copies that were received, first ones too. They count in the rows of --deliveries alone.
   *
   * @param {import('../../../network/node-host.js').CopyRows} copies
   * @param {number} atNs - when they were reported
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

  /** writeRows writes the rows of messages of which no more copies are expected. @param {number} nowNs */
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
    if (rows.recipients[i] >= 0) return this.#published(rows, i)
    if (rows.recipients[i] === SKIPPED) this.#messages.skipped++
    else if (rows.recipients[i] === FAILED) this.#messages.failed++
    else this.#publications.leave(rows.dueNs[i], rows.atNs[i])
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
    if (message === null || !this.#canReceive(message, node)) {
      this.#anomalies.duplicateReceipts++
      return
    }
    if (!message.receive(node, from, atUs, waitedUs)) this.#anomalies.timesBeyondRange++
    if (!message.published) return
    this.#deliver(message, node)
    this.#closeIfComplete(number, message)
  }

  /** Before the publication is reported, the receivers of a message are not known. @param {OpenMessage} message @param {number} node */
  #canReceive(message, node) {
    if (node >= message.nodes || message.has(node)) return false
    return !message.published || this.#subscribers.expects(node, message)
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
    if (message.expected > 0) {
      this.#dissemination.reachedAll(message.publishedUs, message.lastUs())
      this.#groups?.reachedAll(message)
    }
    this.#hops.add(message)
    this.#recordOverheads(message)
    if (this.#rows === null) return this.#release(number)
    this.#open.take(number)
    this.#closed.add(number)
    this.#rows.wait(number, message)
  }

  /** @param {OpenMessage} message */
  #recordOverheads(message) {
    const overheads = clientOverheads(message)
    if (overheads === null) return
    const { deliveries, dissemination } = overheads
    for (const { us, overheadUs } of deliveries) this.#latencies.overhead(us, overheadUs)
    const reachedAll = message.expected > 0 && message.received >= message.expected
    if (reachedAll && message.lastUs() >= message.publishedUs)
      this.#dissemination.overhead(dissemination.us, dissemination.overheadUs)
  }

  /** @param {number} number */
  #release(number) {
    this.#open.release(number)
    this.#closed.add(number)
  }

  /**
   * close ends the run: deliveries not made by now are missing.
   *
   * @param {import('./receipts.js').DeliveryEvidence} evidence
   * @param {number} endNs - after which no receipt was taken any more
   */
  close(evidence, endNs) {
    this.#refuseWhenEnded()
    this.#ended = true
    this.#publications.close()
    const index = new EvidenceIndex(evidence, { endNs, slowestNs: this.#dissemination.known.max * 1000 })
    this.writeRows(Number.POSITIVE_INFINITY)
    for (const [number, message] of this.#open.ascending()) {
      if (message.published) this.#fellShort(number, message, index)
      // a message of which only copies are known was never reported as received
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
    const receivers = this.#subscribers.of(message.topic, message.publishedUs)
    const reasons = this.#missing.addMessage(number, message, receivers, evidence)
    this.#rows?.add(number, message, reasons)
    this.#groups?.fellShort(message, reasons.keys(), endUs)
  }

  #refuseWhenEnded() {
    if (this.#ended)
      throw new Error('DeliveryTracker was closed: rows must come before close, and close once')
  }

  /** memory counts the messages that are open, and those that memory was taken for. */
  get memory() {
    return { open: this.#open.size, made: this.#open.made }
  }

  #ratios() {
    const { expected, delivered, expectedMessages } = this.#counts
    const completeMessages = this.#dissemination.complete
    return makeDeliveryRatios({ expected, delivered, expectedMessages, completeMessages })
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
   * result has the outcome of all messages, after close.
   *
   * @returns {DeliveryResult}
   * @throws {Error} before close
   */
  result() {
    if (!this.#ended)
      throw new Error('DeliveryTracker has no result before close; resultSoFar() tells what is known')
    return this.resultSoFar()
  }

  /**
   * resultSoFar has the outcome of all rows until now. Deliveries still under way are expected, and not missing.
   *
   * @returns {DeliveryResult}
   */
  resultSoFar() {
    return {
      messages: { ...this.#messages },
      delivery: this.#ratios(),
      latency: this.#latencies.times(),
      dissemination: this.#dissemination.times(),
      hops: this.#hops.result(),
      ...this.#publications.result(),
      ...this.#timeline.result(),
      ...this.#counts.result(this.#groups?.result()),
      missing: this.#missing.result(),
      anomalies: { ...this.#anomalies, negativeLatencies: this.#latencies.negative }
    }
  }
}

/**
 * The outcome of the messages of a gossip run; `src/scenarios/gossip/schema.js` describes its figures.
 *
 * @typedef {Pick<import('../outcome.js').GossipOutcome, 'messages' | 'delivery' | 'latency' | 'dissemination' | 'hops' | 'lateness' | 'interArrival'
 *   | 'timeline' | 'perSecond' | 'secondsPerPoint' | 'topics' | 'nodes' | 'groups' | 'missing' | 'anomalies'>} DeliveryResult
 *
 * @typedef {Pick<DeliveryResult, 'messages' | 'delivery'> & { latency: Pick<DeliveryResult['latency'], 'all' | 'delivered'>,
 *   dissemination: Pick<DeliveryResult['dissemination'], 'all' | 'complete'>, openMessages: number }} DeliveryFigures - the figures so far. Deliveries under
 *   way are expected and not delivered, and are in no distribution: `all` has the same times as `delivered` and `complete`. `openMessages`: that
 *   have not reached everyone yet
 */

/**
 * REORDER_WINDOW is the number of times that wait to be sorted. Workers report theirs once a second, each in its own order. A publication may
 * be reported up to half this many publications after a later one. Runs with fewer publications than this are always in order.
 */
const REORDER_WINDOW = 65_536

/** InterArrival measures the time from each event to the next one of the whole network. Its memory is bounded by the window. */
export class InterArrival {
  #distribution = new Distribution()
  #waiting
  #count = 0
  #lastNs = -Infinity
  /** outOfOrder counts events that were reported after the window had passed them: they are in no interval. */
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
      if (this.#lastNs !== -Infinity) this.#distribution.known.record((waiting[i] - this.#lastNs) / 1000)
      this.#lastNs = waiting[i]
    }
    waiting.copyWithin(0, count)
    this.#count -= count
  }

  /** @returns {DeliveryResult['interArrival']['actual']} of what was passed */
  result() {
    return { ...this.#distribution.knownResult(), outOfOrder: this.outOfOrder }
  }
}

/** Timers alone explain that a message is published so late. */
const LATE_MS = 10
/** A message may also be late by this share of the planned time between two messages. */
const LATE_SHARE = 0.1

/**
 * computeLateAllowanceMs is how late a message may be published and still be in time. It depends on the median time between two messages: within a burst,
 * that is 0.
 *
 * @param {Pick<DeliveryResult, 'interArrival'>} outcome
 */
export function computeLateAllowanceMs({ interArrival }) {
  const { p50, avg } = interArrival.planned.summary
  return Math.max(LATE_MS, LATE_SHARE * ((p50 ?? avg)?.ms ?? 0))
}

/** PublicationTimes compares the times at which messages were due with those at which they were published. */
class PublicationTimes {
  #lateness = new Distribution()
  #early = 0
  #actual = new InterArrival()
  #planned = new InterArrival()

  /** plan records a message that was due, whatever its outcome. @param {number} dueNs */
  plan(dueNs) {
    this.#planned.add(dueNs)
  }

  /** publish records a publication. @param {number} dueNs @param {number} atNs */
  publish(dueNs, atNs) {
    this.#actual.add(atNs)
    if (atNs < dueNs) this.#early++
    this.#lateness.known.record(Math.max(0, atNs - dueNs) / 1000)
  }

  /** leave records a message that was due and not published when publishing ended. @param {number} dueNs @param {number} endedNs */
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
