// Publishes the messages of a host's nodes when they are due, and slows down when the process cannot keep up.
import { setMaxListeners } from 'node:events'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { Columns } from '../kit/collections.js'
import { makeSubStream } from '../kit/random.js'
import { Pacer } from '../load/pacing.js'
import { LoopTurns } from '../measure/client-overhead.js'
import { makePayload } from './gossipsub.js'

/**
 * @typedef {import('../scenarios/gossip/options.js').GossipPlan} GossipPlan
 * @typedef {import('./node-host.js').PublishStart} PublishStart
 * @typedef {import('./node-host.js').PublishEnd} PublishEnd
 *
 * @typedef {object} Publication
 * @property {number} message
 * @property {number} node
 * @property {number} topic
 * @property {number} dueNs
 * @property {number} bytes
 *
 * @typedef {object} PublisherComponents
 * @property {Pick<GossipPlan, 'seed' | 'nodes' | 'messages' | 'intervalMs' | 'messageBytes' | 'loadModel' | 'maxBacklogBytes'
 *   | 'memoryCeilingBytes'>} plan
 * @property {readonly string[]} topics - names, by number
 * @property {readonly (readonly number[])[]} subscriptions - by node of the whole network
 * @property {number} runNonce
 * @property {bigint} originNs
 * @property {() => number} now - ns since originNs
 * @property {readonly number[]} nodes - that it publishes for
 * @property {(node: number, topic: string, payload: Uint8Array) => Promise<{ recipients: ArrayLike<unknown> }>} publish
 * @property {(node: number) => number} backlogOf - bytes
 * @property {() => number} [rssBytes] - of the process
 * @property {Pick<Pacer, 'until'>} [pacer] - waits until a publication is due
 */

const SKIPPED = -1
const FAILED = -2
/** The message was due, and publishing ended before it was sent. */
const NOT_SENT = -3
/** How long late messages are published in a row before the event loop turns, so that other work is not held up. */
const MAX_BURST_NS = 5e6
const MEMORY_CHECK_MS = 200
const BACKLOG_CHECK_MS = 10

/**
 * Publisher publishes when it is due. Due times come from the schedule, so that lateness never adds up: what is late goes out at
 * once and keeps its due time. Waiting is sleeping, by timers of whole milliseconds: a publication goes out up to about 2 ms late.
 */
export class Publisher {
  #components
  #pacer
  #throttle
  #rows = new Columns({
    message: Uint32Array,
    node: Uint16Array,
    topic: Uint8Array,
    dueNs: Float64Array,
    atNs: Float64Array,
    bytes: Uint32Array,
    recipients: Int32Array
  })
  /** @type {Set<Promise<void>>} publications that have not been handed over */
  #pending = new Set()
  #turnedNs = 0
  #end = nothingPublished()
  /** @type {AbortController | null} of what runs */
  #running = null

  /** @param {PublisherComponents} components */
  constructor(components) {
    this.#components = components
    this.#pacer = components.pacer ?? new Pacer({ precise: false, turns: new LoopTurns() })
    this.#throttle = makeEventLoopThrottle(components)
  }

  /**
   * run publishes.
   *
   * @param {PublishStart} start
   * @returns {Promise<PublishEnd>} when the last publication has been handed over
   */
  async run(start) {
    const running = new AbortController()
    // every node waits by the same signal
    setMaxListeners(0, running.signal)
    this.#running = running
    this.#end = nothingPublished()
    const { nodes } = this.#components
    const stopWatching = this.#watchMemory(running)
    try {
      const through =
        start.publications == null
          ? (await Promise.all(nodes.map(node => this.#runNode(node, start, running.signal)))).every(Boolean)
          : await this.#runSchedule(start.publications, start, running.signal)
      await Promise.all(this.#pending)
      this.#end.endedBy = running.signal.aborted ? running.signal.reason : through ? 'schedule' : 'time'
    } finally {
      stopWatching()
      this.#running = null
    }
    return { ...this.#end, endedNs: this.#components.now() }
  }

  /** abort publishes no more. */
  abort() {
    this.#running?.abort('abort')
  }

  /** take hands over what became of publications since the last time. @returns {import('./node-host.js').PublishedRows} */
  take() {
    return this.#rows.take()
  }

  /**
   * @param {import('./node-host.js').Publications} publications
   * @param {PublishStart} start
   * @param {AbortSignal} signal
   * @returns {Promise<boolean>} whether all of it was published
   */
  async #runSchedule(publications, { startNs, endNs }, signal) {
    const { length } = publications.message
    for (let i = 0; i < length; i++) {
      const publication = rowOf(publications, i, startNs)
      if (await this.#until(publication.dueNs, endNs, signal)) this.#handOver(this.#publish(publication))
      else {
        while (i < length && this.#leave(rowOf(publications, i, startNs), endNs)) i++
        return false
      }
    }
    return true
  }

  /**
   * runNode publishes in a node's own time. Messages are numbered so that no two nodes of the network have the same.
   *
   * @param {number} node
   * @param {PublishStart} start
   * @param {AbortSignal} signal
   */
  async #runNode(node, { startNs, endNs }, signal) {
    const { plan, subscriptions, now } = this.#components
    if (subscriptions[node].length === 0) return true
    const draw = drawOwnMessages(plan, subscriptions[node], node)
    const maxMessages = plan.messages ?? Infinity
    const isOpen = plan.loadModel === 'open'
    let message = node
    let dueNs = startNs + draw.intervalNs()
    const next = () => ({ message, node, topic: draw.topic(), dueNs, bytes: draw.bytes() })
    for (; message < maxMessages; message += plan.nodes) {
      if (
        !(await this.#until(dueNs, endNs, signal)) ||
        !(isOpen || (await this.#waitForShortTurn(endNs, signal)))
      ) {
        // in the closed model nothing is due before this one went out
        for (; message < maxMessages && this.#leave(next(), endNs) && isOpen; message += plan.nodes)
          dueNs += draw.intervalNs()
        return false
      }
      const published = this.#publish(next())
      if (isOpen) {
        this.#handOver(published)
        dueNs += draw.intervalNs()
      } else {
        await published
        await this.#waitForBacklog(node, endNs, signal)
        dueNs = now() + draw.intervalNs()
      }
    }
    return true
  }

  /**
   * until waits for a publication to be due.
   *
   * @param {number} dueNs
   * @param {number} endNs
   * @param {AbortSignal} signal
   * @returns {Promise<boolean>} whether it may go out
   */
  async #until(dueNs, endNs, signal) {
    const { now, originNs } = this.#components
    if (dueNs >= endNs) {
      // the end itself is waited for, so that the phase lasts as long as it should
      await this.#pacer.until(originNs + BigInt(Math.round(endNs)), signal)
      return false
    }
    if (now() < dueNs) {
      await this.#pacer.until(originNs + BigInt(Math.round(dueNs)), signal)
      this.#turnedNs = now()
    } else if (now() - this.#turnedNs > MAX_BURST_NS) {
      await nextTurn()
      this.#turnedNs = now()
    }
    return !signal.aborted && now() < endNs
  }

  /** @param {Publication} publication @returns {Promise<void>} when it was handed over */
  async #publish(publication) {
    const { plan, backlogOf, now } = this.#components
    // only the open model skips: in the closed one nobody publishes before there is room
    const mayBeFull = plan.loadModel === 'open' && plan.maxBacklogBytes != null
    if (mayBeFull && backlogOf(publication.node) > Number(plan.maxBacklogBytes))
      return this.#ended(publication, now(), SKIPPED)
    // it is counted
    await this.publish(publication).catch(() => {})
  }

  /**
   * publish publishes now.
   *
   * @param {Publication} publication
   * @throws {Error} what the library says
   */
  async publish(publication) {
    const { runNonce, now, publish, topics } = this.#components
    const { message, node, topic, bytes } = publication
    const atNs = now()
    try {
      const { recipients } = await publish(node, topics[topic], makePayload(runNonce, message, bytes))
      this.#ended(publication, atNs, recipients.length)
    } catch (error) {
      const { code, message: text } = /** @type {Error & { code?: string }} */ (error)
      const { errors } = this.#end
      errors[code ?? text] = (errors[code ?? text] ?? 0) + 1
      this.#ended(publication, atNs, FAILED)
      throw error
    }
  }

  /** What was due when publishing ended, and had not gone out. @param {Publication} publication @param {number} endNs @returns {boolean} whether it was due */
  #leave(publication, endNs) {
    const endedNs = Math.min(this.#components.now(), endNs)
    if (publication.dueNs >= endedNs) return false
    this.#ended(publication, endedNs, NOT_SENT)
    return true
  }

  /** @param {Publication} publication @param {number} atNs @param {number} recipients */
  #ended(publication, atNs, recipients) {
    if (recipients === SKIPPED) this.#end.skipped++
    else if (recipients === FAILED) this.#end.failed++
    else if (recipients !== NOT_SENT) this.#end.published++
    this.#rows.add({ ...publication, atNs, recipients })
  }

  /** @param {Promise<void>} published */
  #handOver(published) {
    this.#pending.add(published)
    published.finally(() => this.#pending.delete(published))
  }

  /** @param {number} endNs @param {AbortSignal} signal @returns {Promise<boolean>} whether a message may still go out */
  async #waitForShortTurn(endNs, signal) {
    await this.#throttle(signal)
    return !signal.aborted && this.#components.now() < endNs
  }

  /** @param {number} node @param {number} endNs @param {AbortSignal} signal */
  async #waitForBacklog(node, endNs, signal) {
    const { plan, backlogOf, now } = this.#components
    const limit = plan.maxBacklogBytes ?? Infinity
    while (backlogOf(node) > limit && !signal.aborted && now() < endNs) {
      await sleep(BACKLOG_CHECK_MS, undefined, { signal }).catch(() => {})
    }
  }

  /** @param {AbortController} running @returns {() => void} stops it */
  #watchMemory(running) {
    const { plan, rssBytes = () => process.memoryUsage.rss() } = this.#components
    if (plan.memoryCeilingBytes == null) return () => {}
    const ceiling = plan.memoryCeilingBytes
    const timer = setInterval(() => {
      if (rssBytes() > ceiling) running.abort('memory')
    }, MEMORY_CHECK_MS)
    return () => clearInterval(timer)
  }
}

/** @param {import('./node-host.js').Publications} rows @param {number} i @param {number} startNs @returns {Publication} */
const rowOf = ({ message, node, topic, offsetNs, bytes }, i, startNs) => ({
  message: message[i],
  node: node[i],
  topic: topic[i],
  dueNs: startNs + offsetNs[i],
  bytes: bytes[i]
})

/** @returns {PublishEnd} */
const nothingPublished = () => ({
  published: 0,
  skipped: 0,
  failed: 0,
  errors: {},
  endedBy: 'schedule',
  endedNs: 0
})

/**
 * drawOwnMessages gives what a node that publishes in its own time draws for each of its messages. Each concern has a sub-stream of
 * its own, so that a node publishes the same whatever carries it.
 *
 * @param {Pick<import('../scenarios/gossip/options.js').GossipPlan, 'seed' | 'intervalMs' | 'messageBytes'>} plan
 * @param {readonly number[]} topics - it subscribes to, at least one
 * @param {number} node
 * @returns {{ intervalNs: () => number, topic: () => number, bytes: () => number }} each the next draw
 */
export function drawOwnMessages({ seed, intervalMs, messageBytes }, topics, node) {
  const interval = makeSubStream(seed, 'intervals', node)
  const topic = makeSubStream(seed, 'topics', node)
  const size = makeSubStream(seed, 'sizes', node)
  return {
    intervalNs: () => (intervalMs.min + interval() * (intervalMs.max - intervalMs.min)) * 1e6,
    topic: () => topics[Math.floor(topic() * topics.length)],
    bytes: () => messageBytes.min + Math.floor(size() * (messageBytes.max - messageBytes.min + 1))
  }
}

/** A turn of the event loop that takes longer has more to read than there is time for. */
const SHORT_TURN_NS = 25e6
/** After this time a caller passes even if no turn was short. */
const MAX_WAIT_NS = 2e9

/**
 * makeEventLoopThrottle slows down work of a process that does not keep up: one caller passes at a time, after a short turn of the event loop.
 * On one machine, what nodes have not read yet waits in the system's sockets, where nobody sees it: long turns are the sign of it.
 *
 * @param {object} components
 * @param {() => number} components.now - ns
 * @param {() => Promise<unknown>} [components.turn] - lets the event loop turn once
 * @returns {(signal: AbortSignal) => Promise<void>} waits behind those that called before; the signal ends the wait
 */
export function makeEventLoopThrottle({ now, turn = () => nextTurn() }) {
  const shortTurn = async (/** @type {AbortSignal} */ signal) => {
    const startNs = now()
    let beforeNs = startNs
    do {
      if (signal.aborted) return
      beforeNs = now()
      await turn()
    } while (now() - beforeNs > SHORT_TURN_NS && now() - startNs < MAX_WAIT_NS)
  }
  let last = Promise.resolve()
  return signal => {
    last = last.then(() => shortTurn(signal))
    return last
  }
}
