import { DeliveryCounts } from './delivery-counts.js'
import { overheadsOf } from './delivery-overheads.js'
import { Dissemination } from './dissemination.js'
import { EvidenceIndex } from './evidence.js'
import { Hops } from './hops.js'
import { Latencies } from './latencies.js'
import { MessageNumbers } from './message-numbers.js'
import { MissingPairs } from './missing-pairs.js'
import { OpenMessages } from './open-messages.js'
import { PublicationTimes } from './publication-times.js'
import { Subscribers } from './subscribers.js'
import { Timeline } from './timeline.js'

/**
 * @typedef {import('./open-message.js').OpenMessage} OpenMessage
 * @typedef {import('./delivery-result.js').DeliveryResult} DeliveryResult
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
  #anomalies = { duplicateReceipts: 0, duplicatePublications: 0, unknownMessages: 0, timesBeyondRange: 0 }
  #ended = false

  /**
   * @param {object} run
   * @param {number} run.nodes - of the whole network
   * @param {readonly (readonly number[])[]} run.subscriptions - topics of each node
   * @param {number} run.startNs - of the publish phase
   * @param {number | null} [run.planned] - messages in the schedule; null: not known
   * @param {ConstructorParameters<typeof Subscribers>[2]} [run.isThere] - of networks whose nodes come and go
   */
  constructor({ nodes, subscriptions, startNs, planned = null, isThere = null }) {
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
    const expected = this.#counts.publish(topic, publisher, this.#subscribers.of(topic, publishedUs))
    const message = this.#open.open(rows.message[i], publishedUs)
    Object.assign(message, { published: true, topic, publisher, publishedUs, expected })
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
  }

  /** @param {number} number @param {OpenMessage} message */
  #closeIfComplete(number, message) {
    if (message.received < message.expected) return
    if (message.expected > 0) this.#dissemination.reachedAll(message.publishedUs, message.lastUs())
    this.#hops.add(message)
    this.#recordOverheads(message)
    this.#release(number)
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
   * @param {import('./evidence.js').DeliveryEvidence} evidence
   * @param {number} endNs - after which no receipt was taken any more
   */
  close(evidence, endNs) {
    this.#refuseWhenEnded()
    this.#ended = true
    this.#publications.close()
    const slowestNs = this.#dissemination.slowestUs * 1000
    const index = new EvidenceIndex(evidence, { endNs, slowestNs })
    for (const [number, message] of this.#open.ascending()) {
      if (message.published) this.#fellShort(number, message, index)
      else this.#anomalies.unknownMessages++
    }
    this.#open.clear()
  }

  /** @param {number} number @param {OpenMessage} message @param {EvidenceIndex} evidence */
  #fellShort(number, message, evidence) {
    const endUs = toUs(evidence.endNs)
    this.#latencies.miss(message.publishedUs, endUs, message.expected - message.received)
    this.#dissemination.fellShort(message.publishedUs, endUs)
    this.#hops.add(message)
    this.#recordOverheads(message)
    this.#missing.addMessage(number, message, {
      receivers: this.#subscribers.of(message.topic, message.publishedUs),
      evidence
    })
  }

  #refuseWhenEnded() {
    if (this.#ended)
      throw new Error('DeliveryTracker was closed: rows must come before close, and close once')
  }

  /** memory tells how many messages are open, and for how many memory was taken. */
  get memory() {
    return { open: this.#open.size, made: this.#open.made }
  }

  /** @returns {import('./delivery-result.js').DeliveryRatios} */
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

  /** figures so far, cheap enough for once a second. @returns {import('./delivery-result.js').DeliveryFigures} */
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
      topics: this.#counts.topics(),
      nodes: this.#counts.nodes(),
      missing: this.#missing.result(),
      anomalies: { ...this.#anomalies, negativeLatencies: this.#latencies.negative }
    }
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
