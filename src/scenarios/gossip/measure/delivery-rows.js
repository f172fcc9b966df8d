import { LineFile } from '../../../kit/line-file.js'
import { asCsv } from '../../../kit/table.js'
import { placesOf } from '../../../load/placement.js'
import { Hops, UNKNOWN } from './hops.js'

/**
 * @typedef {import('./open-messages.js').OpenMessage} OpenMessage
 * @typedef {import('./missing-reason.js').MissingReason} MissingReason
 */

/** In the order of the file. */
const COLUMNS = [
  ...['message', 'topic', 'publisher', 'node', 'class', 'zone', 'hop', 'from'],
  ...['publishedAtMs', 'latencyMs', 'duplicates', 'missing']
]

/** Copies that come so long after the last delivery are told by then: workers tell theirs once a second. */
const WAIT_US = 2e6

/**
 * DeliveryRows writes a row for each delivery that was expected, made or missing, into a file. A message is written when everyone has had it
 * for a while, so that further copies are counted, or at the end: no more is in memory than what is under way.
 */
export class DeliveryRows {
  #file
  #write
  #topics
  #places
  #hops
  #startUs
  /** In the order in which they were complete. @type {Map<number, { message: OpenMessage, sinceUs: number }>} by number */
  #waiting = new Map()

  /**
   * @param {string} path - that ends in `.csv` or `.jsonl`, or in these with `.gz` behind
   * @param {object} run
   * @param {import('../plan/gossip-plan.js').GossipPlan} run.plan
   * @param {number} run.nodes - that there are, or will be
   * @param {number} run.startNs - of the publish phase
   */
  constructor(path, { plan, nodes, startNs }) {
    this.#file = new LineFile(path)
    const isCsv = /\.csv(\.gz)?$/.test(path)
    this.#write = isCsv ? asCsvLine : asJsonLine
    this.#topics = plan.topics.map(({ name }) => name)
    this.#places = placesOf(plan)
    this.#hops = new Hops(nodes)
    this.#startUs = Math.round(startNs / 1000)
    if (isCsv) this.#file.add(asCsvLine(COLUMNS))
  }

  /** error is why rows are missing; null: none are. */
  get error() {
    return this.#file.error
  }

  /** wait keeps a message that everyone has, until its copies have been told. @param {number} number @param {OpenMessage} message */
  wait(number, message) {
    this.#waiting.set(number, { message, sinceUs: Math.max(message.publishedUs, message.lastUs()) })
  }

  /** waiting is a message that is not written yet. @param {number} number @returns {OpenMessage | undefined} */
  waiting(number) {
    return this.#waiting.get(number)?.message
  }

  /**
   * write writes the messages that have waited.
   *
   * @param {number} nowUs
   * @param {(message: OpenMessage) => void} done - takes those that are not needed any more
   */
  write(nowUs, done) {
    for (const [number, { message, sinceUs }] of this.#waiting) {
      if (nowUs - sinceUs < WAIT_US) continue
      this.add(number, message)
      this.#waiting.delete(number)
      done(message)
    }
  }

  /**
   * add writes the rows of a message, by node.
   *
   * @param {number} number
   * @param {OpenMessage} message
   * @param {ReadonlyMap<number, MissingReason>} [missing] - why nodes do not have it; none: everyone has
   */
  add(number, message, missing) {
    const { publishedUs, publisher } = message
    const topic = this.#topics[message.topic]
    const hopsOf = this.#hops.of(message)
    const publishedAtMs = (publishedUs - this.#startUs) / 1000
    for (let node = 0; node < message.nodes; node++) {
      const reason = missing?.get(node) ?? null
      const has = message.has(node)
      if (!has && reason === null) continue
      const { class: ofClass = null, zone = null } = this.#places[node] ?? {}
      const hop = has ? hopsOf(node) : UNKNOWN
      const received = has
        ? [
            message.from(node),
            publishedAtMs,
            (message.receivedUs(node) - publishedUs) / 1000,
            message.duplicates(node)
          ]
        : [null, publishedAtMs, null, null]
      this.#file.add(
        this.#write([
          number,
          topic,
          publisher,
          node,
          ofClass,
          zone,
          hop === UNKNOWN ? null : hop,
          ...received,
          reason
        ])
      )
    }
  }

  /** close ends the file. */
  close() {
    this.#file.close()
  }
}

/** @param {readonly (string | number | null)[]} cells */
const asCsvLine = cells => asCsv([cells])

/** @param {readonly (string | number | null)[]} cells */
const asJsonLine = cells =>
  `${JSON.stringify(Object.fromEntries(COLUMNS.map((column, i) => [column, cells[i]])))}\n`
