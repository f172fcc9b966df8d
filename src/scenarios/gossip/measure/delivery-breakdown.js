// Counts deliveries and bytes separately by topic, node class or zone. Also writes the optional file with a row for each
// delivery.
import { computeSum } from '../../../kit/collections.js'
import { LineFile } from '../../../kit/files.js'
import { formatCsv } from '../../../kit/text-layout.js'
import { namePlaces, placeNodes } from '../../../load/network-script.js'
import { quantize } from '../../../measure/histogram.js'
import { parseCondition } from '../../../plan/threshold.js'
import { GOSSIP_FIGURES } from '../figures.js'
import { matchesTopic } from '../topics.js'
import { Dissemination, Latencies, makeDeliveryRatios } from './delivery-tracker.js'
import { Hops, UNKNOWN_HOPS } from './receipts.js'

/**
 * @typedef {import('./receipts.js').OpenMessage} OpenMessage
 * @typedef {import('../options.js').GossipPlan} GossipPlan
 * @typedef {import('../../../measure/figure.js').NetworkPart} NetworkPart
 * @typedef {import('../../../network/node-host.js').NodeBytes} NodeBytes
 */

/** Significant digits of latencies between zones. */
const PAIR_DIGITS = 2
/** Histograms of more pairs would make the result too large to open. */
const MAX_PAIR_HISTOGRAMS = 400

/** Group counts deliveries of a part of a network. Messages belong to the group of their publisher, deliveries to that of their receiver. */
class Group {
  #published = 0
  #expectedMessages = 0
  #delivered = 0
  /** expected counts deliveries. */
  expected = 0
  #latencies = new Latencies()
  #dissemination = new Dissemination()

  /** @param {Pick<OpenMessage, 'expected'>} message */
  publish({ expected }) {
    this.#published++
    if (expected > 0) this.#expectedMessages++
  }

  /** @param {number} publishedUs @param {number} us */
  deliver(publishedUs, us) {
    this.#delivered++
    this.#latencies.deliver(publishedUs, publishedUs + us)
  }

  /** @param {OpenMessage} message */
  reachedAll(message) {
    this.#dissemination.reachedAll(message.publishedUs, message.lastUs())
  }

  /** @param {OpenMessage} message @param {number} endUs */
  fellShort({ publishedUs }, endUs) {
    this.#dissemination.fellShort(publishedUs, endUs)
  }

  /** miss records a delivery that was still missing at the end. @param {OpenMessage} message @param {number} endUs */
  miss({ publishedUs }, endUs) {
    this.#latencies.miss(publishedUs, endUs, 1)
  }

  get latency() {
    return this.#latencies.times()
  }

  /** latencySummary of all deliveries, without a histogram. */
  get latencySummary() {
    return this.#latencies.summary()
  }

  get dissemination() {
    return this.#dissemination.times()
  }

  /** messages, in the shape of the figures of a network. */
  get messages() {
    return { published: this.#published, skipped: 0, failed: 0 }
  }

  /** delivery, in the shape of the figures of a network. @returns {import('./delivery-tracker.js').DeliveryResult['delivery']} */
  get delivery() {
    return makeDeliveryRatios({
      ...{ expected: this.expected, delivered: this.#delivered, expectedMessages: this.#expectedMessages },
      completeMessages: this.#dissemination.complete
    })
  }

  result() {
    const { expected, latency, dissemination } = this
    return { published: this.#published, expected, delivered: this.#delivered, latency, dissemination }
  }
}

/** Bytes counts the bytes that nodes sent and received since publishing began. */
class Bytes {
  #now
  #before

  /** @param {number} nodes */
  constructor(nodes) {
    this.#now = Array.from({ length: nodes }, () => [0, 0])
    this.#before = Array.from({ length: nodes }, () => [0, 0])
  }

  /** @param {NodeBytes} report @param {boolean} [before] - publishing */
  add({ node, sent, received }, before = false) {
    for (let i = 0; i < node.length; i++) {
      this.#now[node[i]] = [sent[i], received[i]]
      if (before) this.#before[node[i]] = [sent[i], received[i]]
    }
  }

  /** @param {readonly number[]} nodes */
  of(nodes) {
    const [bytesSent, bytesReceived] = [0, 1].map(i =>
      computeSum(nodes, node => this.#now[node][i] - this.#before[node][i])
    )
    return { bytesSent, bytesReceived }
  }
}

/** Groups are parts of a network whose deliveries are counted separately: by topic, class and zone, and the parts that thresholds are set on. */
export class Groups {
  #plan
  /** By topic; empty: there is one topic, or no network file. @type {Group[]} */
  #topics = []
  /** @type {Group[]} */
  #classes = []
  /** @type {Group[]} */
  #zones = []
  /** From zone to zone. @type {Map<number, Group>} */
  #pairs = new Map()
  /** @type {(Group & { takes: (topic: number, node: number) => boolean, key: string })[]} */
  #parts
  #placement
  #bytes

  /** @param {GossipPlan} plan @param {readonly NetworkPart[]} parts - that thresholds are set on */
  constructor(plan, parts) {
    const { networkFile, topics, nodes } = plan
    this.#plan = plan
    this.#placement = placeNodes(plan) ?? { classOf: [], zoneOf: [] }
    if (networkFile !== undefined && topics.length > 1) this.#topics = topics.map(() => new Group())
    this.#classes = (networkFile?.classes ?? []).map(() => new Group())
    this.#zones = (networkFile?.zones?.names ?? []).map(() => new Group())
    this.#parts = [...new Map(parts.map(part => [keyOf(part), part])).values()].map(part =>
      Object.assign(new Group(), { takes: this.#takes(part), key: keyOf(part) })
    )
    this.#bytes = this.hasPlaces ? new Bytes(nodes) : null
  }

  /**
   * of makes the groups of a plan.
   *
   * @param {GossipPlan} plan
   * @returns {Groups | null} null: there are none, and deliveries are not counted a second time
   */
  static of(plan) {
    const parts = plan.thresholds.flatMap(threshold => parseCondition(threshold, GOSSIP_FIGURES).part ?? [])
    const groups = new Groups(plan, parts)
    const isUsed = groups.hasPlaces || groups.#topics.length > 0 || groups.#parts.length > 0
    return isUsed ? groups : null
  }

  /** hasPlaces says whether nodes have classes, or are in zones. */
  get hasPlaces() {
    return this.#classes.length > 0 || this.#zones.length > 0
  }

  /** @param {NetworkPart} part */
  #takes({ topic, class: ofClass, zone }) {
    const { topics, networkFile } = this.#plan
    const { classOf, zoneOf } = this.#placement
    const isOf = topics.map(({ name }) => matchesTopic(topic, name))
    const inClass = networkFile?.classes.findIndex(({ name }) => name === ofClass)
    const inZone = networkFile?.zones?.names.indexOf(zone ?? '')
    return (/** @type {number} */ number, /** @type {number} */ node) =>
      (topic === undefined || isOf[number]) &&
      (ofClass === undefined || classOf[node] === inClass) &&
      (zone === undefined || zoneOf[node] === inZone)
  }

  /** The groups of a node, as a publisher or a receiver of a topic. @param {number} topic @param {number} node @returns {Group[]} */
  #groupsOf(topic, node) {
    const { classOf, zoneOf } = this.#placement
    const groups = [this.#topics[topic], this.#classes[classOf[node]], this.#zones[zoneOf[node]]]
    const parts = this.#parts.filter(({ takes }) => takes(topic, node))
    return [...groups.filter(group => group !== undefined), ...parts]
  }

  /** @param {number} from - node @param {number} to @returns {Group | undefined} undefined: one of them is in no zone */
  #pairOf(from, to) {
    const { zoneOf } = this.#placement
    const [zone, other] = [zoneOf[from] ?? -1, zoneOf[to] ?? -1]
    if (zone < 0 || other < 0) return
    const key = zone * this.#zones.length + other
    const pair = this.#pairs.get(key) ?? new Group()
    this.#pairs.set(key, pair)
    return pair
  }

  /** publish counts a message. @param {OpenMessage} message @param {readonly number[]} subscribers - of its topic */
  publish(message, subscribers) {
    const { topic, publisher } = message
    for (const group of this.#groupsOf(topic, publisher)) group.publish(message)
    for (const node of subscribers) {
      if (node === publisher) continue
      for (const group of this.#groupsOf(topic, node)) group.expected++
      const pair = this.#pairOf(publisher, node)
      if (pair !== undefined) pair.expected++
    }
  }

  /** deliver counts a delivery. @param {OpenMessage} message @param {number} node */
  deliver(message, node) {
    const { topic, publisher, publishedUs } = message
    const us = message.receivedUs(node) - publishedUs
    for (const group of this.#groupsOf(topic, node)) group.deliver(publishedUs, us)
    this.#pairOf(publisher, node)?.deliver(publishedUs, us < 0 ? us : quantize(us, PAIR_DIGITS))
  }

  /** reachedAll records a message that reached everyone. @param {OpenMessage} message */
  reachedAll(message) {
    for (const group of this.#groupsOf(message.topic, message.publisher)) group.reachedAll(message)
  }

  /** fellShort records a message that had not reached everyone at the end. @param {OpenMessage} message @param {Iterable<number>} missing - nodes @param {number} endUs */
  fellShort(message, missing, endUs) {
    const { topic, publisher } = message
    for (const group of this.#groupsOf(topic, publisher)) group.fellShort(message, endUs)
    for (const node of missing) {
      for (const group of this.#groupsOf(topic, node)) group.miss(message, endUs)
      this.#pairOf(publisher, node)?.miss(message, endUs)
    }
  }

  /** addBytes takes the bytes that nodes sent and received so far. @param {NodeBytes | undefined} report @param {boolean} [before] - publishing */
  addBytes(report, before) {
    if (report !== undefined) this.#bytes?.add(report, before)
  }

  /** part has the figures of a part that a threshold is set on. @param {NetworkPart} part */
  part(part) {
    return this.#parts.find(({ key }) => key === keyOf(part)) ?? null
  }

  /** result so far: by topic, by node, by class, by zone and by pair of zones. */
  result() {
    const { networkFile } = this.#plan
    const { classOf, zoneOf } = this.#placement
    const { zones = null, classes = [] } = networkFile ?? {}
    /** @param {Group} group @param {readonly number[]} placeOf @param {number} place */
    const withNodes = (group, placeOf, place) => {
      const nodes = [...placeOf.keys()].filter(node => placeOf[node] === place)
      return { nodes: nodes.length, ...group.result(), ...this.#bytes?.of(nodes) }
    }
    return {
      topics: this.#topics.map(group => group.result()),
      places: namePlaces(this.#plan),
      ...(this.hasPlaces && {
        groups: {
          classes: this.#classes.map((group, place) => ({
            class: classes[place].name,
            ...withNodes(group, classOf, place)
          })),
          zones: this.#zones.map((group, place) => ({
            zone: zones?.names[place] ?? '',
            ...withNodes(group, zoneOf, place)
          })),
          pairs: [...this.#pairs]
            .sort(([a], [b]) => a - b)
            .map(([key, group]) => this.#pairResult(key, group))
        }
      })
    }
  }

  /** @param {number} key @param {Group} group */
  #pairResult(key, group) {
    const names = this.#plan.networkFile?.zones?.names ?? []
    const { expected, delivered } = group.delivery
    const all = this.#pairs.size > MAX_PAIR_HISTOGRAMS ? { all: group.latencySummary } : group.latency
    return {
      from: names[Math.floor(key / names.length)],
      to: names[key % names.length],
      ...{ expected, delivered, latency: all }
    }
  }
}

/** @param {NetworkPart} part */
const keyOf = ({ topic, class: ofClass, zone }) => JSON.stringify([topic, ofClass, zone])

/** @typedef {import('./receipts.js').MissingReason} MissingReason */

/** Columns of a row, in their order in the file. */
const COLUMNS = [
  ...['message', 'topic', 'publisher', 'node', 'class', 'zone', 'hop', 'from'],
  ...['publishedAtMs', 'latencyMs', 'duplicates', 'missing']
]

/** Workers report copies once a second: a copy that comes so long after the last delivery is not waited for. */
const WAIT_US = 2e6

/**
 * DeliveryRows writes a row for each expected delivery, made or missing, into a file. The rows of a message are written some time after
 * everyone has it, so that further copies are counted, or at the end: only messages under way are in memory.
 */
export class DeliveryRows {
  #file
  #write
  #topics
  #places
  #hops
  #startUs
  /** Messages that everyone has, in the order in which they were complete. @type {Map<number, { message: OpenMessage, sinceUs: number }>} by number */
  #waiting = new Map()

  /**
   * @param {string} path - that ends in `.csv` or `.jsonl`, or in these with `.gz` behind
   * @param {object} run
   * @param {import('../options.js').GossipPlan} run.plan
   * @param {number} run.nodes - that there are, or will be
   * @param {number} run.startNs - of the publish phase
   */
  constructor(path, { plan, nodes, startNs }) {
    this.#file = new LineFile(path)
    const isCsv = /\.csv(\.gz)?$/.test(path)
    this.#write = isCsv ? asCsvLine : asJsonLine
    this.#topics = plan.topics.map(({ name }) => name)
    this.#places = namePlaces(plan)
    this.#hops = new Hops(nodes)
    this.#startUs = Math.round(startNs / 1000)
    if (isCsv) this.#file.add(asCsvLine(COLUMNS))
  }

  /** error is why rows are missing in the file; null: none are. */
  get error() {
    return this.#file.error
  }

  /** wait holds a message that everyone has, until its copies are reported. @param {number} number @param {OpenMessage} message */
  wait(number, message) {
    this.#waiting.set(number, { message, sinceUs: Math.max(message.publishedUs, message.lastUs()) })
  }

  /** waiting gives a message that is not written yet. @param {number} number @returns {OpenMessage | undefined} */
  waiting(number) {
    return this.#waiting.get(number)?.message
  }

  /**
   * write writes the messages that have waited long enough.
   *
   * @param {number} nowUs
   * @param {(message: OpenMessage) => void} done - takes the messages that were written
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
   * @param {ReadonlyMap<number, MissingReason>} [missing] - reasons of nodes that do not have it; undefined: everyone has it
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
      const hop = has ? hopsOf(node) : UNKNOWN_HOPS
      const latencyMs = has ? (message.receivedUs(node) - publishedUs) / 1000 : null
      this.#file.add(
        this.#write([
          ...[number, topic, publisher, node, ofClass, zone, hop === UNKNOWN_HOPS ? null : hop],
          ...[has ? message.from(node) : null, publishedAtMs, latencyMs],
          ...[has ? message.duplicates(node) : null, reason]
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
const asCsvLine = cells => formatCsv([cells])

/** @param {readonly (string | number | null)[]} cells */
const asJsonLine = cells =>
  `${JSON.stringify(Object.fromEntries(COLUMNS.map((column, i) => [column, cells[i]])))}\n`
