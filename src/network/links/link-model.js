import { BandwidthQueue } from './bandwidth-queue.js'
import { jitter } from './jitter.js'
import { linkProperties } from './link-properties.js'
import { openTcp } from './open-tcp.js'
import { PacketDirection } from './packet-direction.js'
import { PartitionSchedule } from './partition-schedule.js'
import { Path } from './path.js'
import { PipeSending } from './pipe-sending.js'
import { QueuedReceiving } from './queued-receiving.js'

/**
 * @typedef {import('./link-latencies.js').RandomStreams} RandomStreams
 *
 * @typedef {object} LinkSettings
 * @property {import('./link-latencies.js').LatencySpec} latency - one way
 * @property {import('./jitter.js').JitterSpec | null} jitter
 * @property {number} lossShare - of the segments in each direction, 0 to below 1
 * @property {number | null} upBytesPerSecond - of each node; null: without a limit
 * @property {number | null} downBytesPerSecond - of each node
 * @property {number | null} linkBytesPerSecond - of each direction of a link
 * @property {readonly import('./link-properties.js').LinkData[]} [links] - what single links have instead
 * @property {readonly import('./link-properties.js').HostData[]} [hosts] - what single nodes have instead, by their numbers
 * @property {import('./link-properties.js').ZoneData} [zones]
 * @property {readonly import('./partition-schedule.js').Cut[]} cuts
 * @property {import('./wire-bytes.js').Layers} layers
 * @property {boolean} tcp - with congestion windows; without, writes pass as a whole, which takes lossShare 0 and no cuts
 */

/**
 * LinkModel makes the connections of a network: nodes with an up-link and a down-link each, and links between them. Everything random
 * comes from streams named after what it is about: `latency/a/b`, `region/node`, `jitter/from/to/connection`, `loss/from/to/connection`
 * (with `/answers` those of acknowledgements).
 */
export class LinkModel {
  #settings
  #streams
  #properties
  #upLinks
  #downLinks
  /** @type {Map<string, BandwidthQueue>} by nodes, from and to: a link stays when its connection goes */
  #links = new Map()

  /**
   * @param {LinkSettings} settings
   * @param {{ nodes: number, streams: RandomStreams }} of
   * @throws {RangeError} when settings contradict each other
   */
  constructor(settings, { nodes, streams }) {
    const loses =
      settings.lossShare > 0 ||
      settings.zones?.lossShare != null ||
      settings.links?.some(({ lossShare = 0 }) => lossShare > 0)
    if (!settings.tcp && (loses || settings.cuts.length > 0)) {
      throw new RangeError('Losses and partitions are recovered by TCP: settings with them need tcp: true')
    }
    const properties = linkProperties(settings, { nodes, streams })
    const queues = (/** @type {(node: number) => number | null} */ bytesPerSecond) =>
      Array.from({ length: nodes }, (_, node) => new BandwidthQueue(bytesPerSecond(node)))
    this.#settings = settings
    this.#streams = streams
    this.#properties = properties
    this.#upLinks = queues(properties.upBytesPerSecond)
    this.#downLinks = queues(properties.downBytesPerSecond)
    /** Who is cut off from whom when. */
    this.partitions = new PartitionSchedule(settings.cuts)
  }

  /** What each link and each node has; latencies are without jitter and queues. */
  get properties() {
    return this.#properties
  }

  /** shortestNs is how long what is sent is under way at the least, between any two nodes, ns. */
  get shortestNs() {
    let shortestNs = Infinity
    for (const from of this.#upLinks.keys())
      for (const to of this.#downLinks.keys())
        if (from !== to) {
          const latencyNs = this.#properties.latencyNs(from, to)
          const spec = this.#properties.jitter(from, to)
          const leastNs = spec === null ? latencyNs : jitter(spec, { latencyNs, random: () => 0 })()
          shortestNs = Math.min(shortestNs, leastNs)
        }
    return shortestNs
  }

  /**
   * sending opens the sender's half of one way of a connection.
   *
   * @param {number} from
   * @param {number} to
   * @param {number} connection - number of the connection among those of the two nodes, so that each has losses and jitter of its own
   * @param {import('./direction.js').Far} far
   * @returns {import('./direction.js').Sending}
   */
  sending(from, to, connection, far) {
    const parts = this.#parts(from, to, connection)
    return parts.tcp ? openTcp(parts, far) : new PipeSending(parts, far)
  }

  /**
   * receiving opens the receiver's half of one way of a connection.
   *
   * @param {number} from
   * @param {number} to
   * @param {(answer: import('./direction.js').Answer) => void} answer - acknowledges to the sender's half
   * @returns {import('./direction.js').Receiving | null} null: no line into the receiver is limited, and the sender's half knows all
   */
  receiving(from, to, answer) {
    const downLink = this.#downLinks[to]
    if (!downLink.limited) return null
    const returnNs = this.#properties.latencyNs(to, from)
    return new QueuedReceiving({
      pass: ({ bytes, firstNs, lastNs }) => downLink.pass(bytes, firstNs, lastNs),
      answer: this.#settings.tcp
        ? ({ atNs, ...answered }) => answer({ ...answered, atNs: atNs + returnNs })
        : null
    })
  }

  /** packets opens one way between two nodes for packets of all their connections. @param {number} from @param {number} to */
  packets(from, to) {
    const latency = this.#latency(from, to, 0)
    return new PacketDirection({
      path: () => this.#path(from, to, latency),
      lossShare: this.#properties.lossShare(from, to),
      random: this.#streams('loss', from, to, 0),
      cut: this.partitions.between(from, to)
    })
  }

  /** @param {number} from @param {number} to @param {number} connection */
  #parts(from, to, connection) {
    const { layers, tcp } = this.#settings
    const lossShare = this.#properties.lossShare(from, to)
    const answerLossShare = this.#properties.lossShare(to, from)
    const returnNs = this.#properties.latencyNs(to, from)
    return {
      tcp,
      path: this.#path(from, to, this.#latency(from, to, connection)),
      layers,
      rttNs: this.#properties.latencyNs(from, to) + returnNs,
      returnNs,
      lossShare,
      random: lossShare > 0 ? this.#streams('loss', from, to, connection) : () => 1,
      answerLossShare,
      answerRandom: answerLossShare > 0 ? this.#streams('loss', to, from, connection, 'answers') : () => 1,
      cut: this.partitions.between(from, to)
    }
  }

  /** @param {number} from @param {number} to @param {() => number} latency - of the next segment, ns */
  #path(from, to, latency) {
    return new Path({
      upLink: this.#upLinks[from],
      link: this.#link(from, to),
      downLink: this.#downLinks[to],
      latency
    })
  }

  /** @param {number} from @param {number} to @param {number} connection @returns {() => number} of the next segment, ns */
  #latency(from, to, connection) {
    const latencyNs = this.#properties.latencyNs(from, to)
    const spec = this.#properties.jitter(from, to)
    return spec === null
      ? () => latencyNs
      : jitter(spec, { latencyNs, random: this.#streams('jitter', from, to, connection) })
  }

  /** @param {number} from @param {number} to */
  #link(from, to) {
    const name = `${from}/${to}`
    const link = this.#links.get(name) ?? new BandwidthQueue(this.#properties.linkBytesPerSecond(from, to))
    this.#links.set(name, link)
    return link
  }
}
