// The model of simulated links between nodes: computes when bytes or packets arrive, from latency, jitter, loss and
// bandwidth.
import { makeSubStream } from '../kit/random.js'
import { placeNodes } from '../load/network-script.js'
import { makeJitterSampler, makeLinkProperties, PartitionSchedule } from './link-properties.js'
import { PipeSending, QueuedReceiving } from './links/direction.js'
import { openTcpSending } from './links/tcp-connection.js'

/**
 * @typedef {import('../scenarios/gossip/options.js').GossipPlan} GossipPlan
 * @typedef {Pick<GossipPlan, 'linkLatencyMs' | 'linkLatencies' | 'linkJitter' | 'linkLossShare' | 'linkBandwidthBytesPerSecond'
 *   | 'upBandwidthBytesPerSecond' | 'downBandwidthBytesPerSecond' | 'partitions' | 'muxer' | 'security'>
 *   & { topology?: GossipPlan['topology'], networkFile?: GossipPlan['networkFile'], nodes?: number, seed?: number }} LinkPlan
 */

/**
 * What a network file says of links and nodes, but for latencies, which the plan has.
 *
 * @param {LinkPlan} plan
 * @returns {Pick<LinkSettings, 'hosts' | 'zones'>}
 */
function readNetworkFileLinks({ networkFile, nodes = 0, seed = 0 }) {
  if (networkFile === undefined) return {}
  const { classes, zones } = networkFile
  const placement = placeNodes({ networkFile, nodes, seed })
  if (placement === null) return {}
  const { classOf, zoneOf } = placement
  return {
    ...(classes.length > 0 && {
      hosts: classOf.map(place => ({
        upBytesPerSecond: classes[place].upBytesPerSecond ?? undefined,
        downBytesPerSecond: classes[place].downBytesPerSecond ?? undefined
      }))
    }),
    ...(zones !== null && { zones: { zoneOf, jitter: zones.jitter, lossShare: zones.lossShare } })
  }
}

/**
 * makeLinkSettings gives what joins the nodes of a plan.
 *
 * @param {LinkPlan} plan
 * @returns {LinkSettings}
 */
export function makeLinkSettings(plan) {
  const { linkLatencyMs, linkLatencies, partitions, muxer, security, topology } = plan
  return {
    ...readNetworkFileLinks(plan),
    ...(topology?.kind === 'file' && {
      links: topology.links,
      ...(topology.hosts !== undefined && { hosts: topology.hosts })
    }),
    latency: linkLatencies ?? { kind: 'constant', ms: linkLatencyMs },
    jitter: plan.linkJitter,
    lossShare: plan.linkLossShare ?? 0,
    upBytesPerSecond: plan.upBandwidthBytesPerSecond,
    downBytesPerSecond: plan.downBandwidthBytesPerSecond,
    linkBytesPerSecond: plan.linkBandwidthBytesPerSecond,
    cuts: partitions,
    layers: { muxer: /** @type {'yamux' | 'mplex'} */ (muxer), security, tcp: true },
    tcp: true
  }
}

/**
 * Half of a round trip between two processes of one host. In a network without any latency a node is done with all it does before the next one
 * begins: the first to dial had all of the mesh peers that the last ones lacked.
 */
const MIN_LATENCY_MS = 0.025

/**
 * withMinLatency gives simulated links the time that real ones take where none is asked for.
 *
 * @template {LinkPlan} P
 * @param {P} plan
 * @returns {P}
 */
export const withMinLatency = plan => ({
  ...plan,
  linkLatencyMs: Math.max(MIN_LATENCY_MS, plan.linkLatencyMs)
})

/**
 * makeLinkModel makes what joins the nodes of a plan.
 *
 * @param {LinkPlan & Pick<GossipPlan, 'nodes' | 'seed'>} plan
 * @param {Partial<LinkSettings>} [other] - settings
 * @returns {LinkModel}
 */
export const makeLinkModel = (plan, other = {}) =>
  new LinkModel(
    { ...makeLinkSettings(plan), ...other },
    { nodes: plan.nodes, streams: (...name) => makeSubStream(plan.seed, ...name) }
  )

/**
 * @typedef {import('./link-properties.js').RandomStreams} RandomStreams
 *
 * @typedef {object} LinkSettings
 * @property {import('./link-properties.js').LatencySpec} latency - one way
 * @property {import('./link-properties.js').JitterSpec | null} jitter
 * @property {number} lossShare - of the segments in each direction, 0 to below 1
 * @property {number | null} upBytesPerSecond - of each node; null: without a limit
 * @property {number | null} downBytesPerSecond - of each node
 * @property {number | null} linkBytesPerSecond - of each direction of a link
 * @property {readonly import('./link-properties.js').LinkData[]} [links] - what single links have instead
 * @property {readonly import('./link-properties.js').HostData[]} [hosts] - what single nodes have instead, by their numbers
 * @property {import('./link-properties.js').ZoneData} [zones]
 * @property {readonly import('./link-properties.js').Cut[]} cuts
 * @property {import('./links/direction.js').Layers} layers
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
  /** What each link and each node has; latencies are without jitter and queues. */
  properties
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
    const properties = makeLinkProperties(settings, { nodes, streams })
    const queues = (/** @type {(node: number) => number | null} */ bytesPerSecond) =>
      Array.from({ length: nodes }, (_, node) => new BandwidthQueue(bytesPerSecond(node)))
    this.#settings = settings
    this.#streams = streams
    this.properties = properties
    this.#upLinks = queues(properties.upBytesPerSecond)
    this.#downLinks = queues(properties.downBytesPerSecond)
    /** Who is cut off from whom when. */
    this.partitions = new PartitionSchedule(settings.cuts)
  }

  /** shortestNs is how long what is sent is under way at the least, between any two nodes, ns. */
  get shortestNs() {
    let shortestNs = Infinity
    for (const from of this.#upLinks.keys())
      for (const to of this.#downLinks.keys())
        if (from !== to) {
          const latencyNs = this.properties.latencyNs(from, to)
          const spec = this.properties.jitter(from, to)
          const minNs = spec === null ? latencyNs : makeJitterSampler(spec, { latencyNs, random: () => 0 })()
          shortestNs = Math.min(shortestNs, minNs)
        }
    return shortestNs
  }

  /**
   * sending opens the sender's half of one way of a connection.
   *
   * @param {number} from
   * @param {number} to
   * @param {number} connection - number of the connection among those of the two nodes, so that each has losses and jitter of its own
   * @param {import('./links/direction.js').FarEnd} far
   * @returns {import('./links/direction.js').Sending}
   */
  sending(from, to, connection, far) {
    const parts = this.#parts(from, to, connection)
    return parts.tcp ? openTcpSending(parts, far) : new PipeSending(parts, far)
  }

  /**
   * receiving opens the receiver's half of one way of a connection.
   *
   * @param {number} from
   * @param {number} to
   * @param {(answer: import('./links/direction.js').SegmentAck) => void} answer - acknowledges to the sender's half
   * @returns {import('./links/direction.js').Receiving | null} null: no line into the receiver is limited, and the sender's half knows all
   */
  receiving(from, to, answer) {
    const downLink = this.#downLinks[to]
    if (!downLink.limited) return null
    const returnNs = this.properties.latencyNs(to, from)
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
      lossShare: this.properties.lossShare(from, to),
      random: this.#streams('loss', from, to, 0),
      cut: this.partitions.between(from, to)
    })
  }

  /** @param {number} from @param {number} to @param {number} connection */
  #parts(from, to, connection) {
    const { layers, tcp } = this.#settings
    const lossShare = this.properties.lossShare(from, to)
    const answerLossShare = this.properties.lossShare(to, from)
    const returnNs = this.properties.latencyNs(to, from)
    return {
      tcp,
      path: this.#path(from, to, this.#latency(from, to, connection)),
      layers,
      rttNs: this.properties.latencyNs(from, to) + returnNs,
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
    const latencyNs = this.properties.latencyNs(from, to)
    const spec = this.properties.jitter(from, to)
    return spec === null
      ? () => latencyNs
      : makeJitterSampler(spec, { latencyNs, random: this.#streams('jitter', from, to, connection) })
  }

  /** @param {number} from @param {number} to */
  #link(from, to) {
    const name = `${from}/${to}`
    const link = this.#links.get(name) ?? new BandwidthQueue(this.properties.linkBytesPerSecond(from, to))
    this.#links.set(name, link)
    return link
  }
}

/**
 * @typedef {object} PathParts - one way from one node to another
 * @property {BandwidthQueue} upLink - of the sender, shared by all its connections
 * @property {BandwidthQueue} link - of this direction
 * @property {BandwidthQueue} downLink - of the receiver, shared by all its connections
 * @property {() => number} latency - of the next segment, ns
 *
 * @typedef {object} UnderWay - what is under way to the down-link
 * @property {number} bytes - on the wire
 * @property {number} leftNs - the last byte left the sender's up-link
 * @property {number} firstNs - the first byte reaches the down-link
 * @property {number} lastNs - the last byte reaches the down-link
 */

/**
 * Path takes bytes from one node to another: up-link, link, latency, down-link. It keeps their order, whatever the jitter. Its calls
 * come in the order of their times: `sendOff` at the sender's, `arrive` when the first byte reaches the down-link, where bytes of all
 * connections of the receiver meet.
 */
export class Path {
  #parts
  /** When all that was sent so far is at the down-link, ns. */
  arrivedNs = 0

  /** @param {PathParts} parts */
  constructor(parts) {
    this.#parts = parts
  }

  /** Whether bytes can have to wait at the down-link. */
  get endsInQueue() {
    return this.#parts.downLink.limited
  }

  /** @param {number} bytes - on the wire @param {number} nowNs @returns {UnderWay} */
  sendOff(bytes, nowNs) {
    const { upLink, link, latency } = this.#parts
    const leftNs = upLink.pass(bytes, nowNs)
    const passedNs = link.pass(bytes, upLink.startedNs, leftNs)
    const latencyNs = latency()
    const firstNs = Math.max(link.startedNs + latencyNs, this.arrivedNs)
    const lastNs = Math.max(passedNs + latencyNs, firstNs)
    this.arrivedNs = lastNs
    return { bytes, leftNs, firstNs, lastNs }
  }

  /** @param {Omit<UnderWay, 'leftNs'>} underWay @returns {number} when the last byte is there, ns */
  arrive({ bytes, firstNs, lastNs }) {
    return this.#parts.downLink.pass(bytes, firstNs, lastNs)
  }
}

/**
 * BandwidthQueue is a line of limited bandwidth that serves in the order of asking: an up-link, a down-link, or a link. It only knows
 * until when it is busy, and its queue has no end: nothing is dropped. Askers come in the order of their times.
 */
export class BandwidthQueue {
  #nsPerByte
  #busyUntilNs = 0
  /** When what passed last began to, ns. */
  startedNs = 0

  /** @param {number | null} bytesPerSecond - null: without a limit */
  constructor(bytesPerSecond) {
    this.#nsPerByte = bytesPerSecond === null ? 0 : 1e9 / bytesPerSecond
  }

  /** Whether it takes any time. */
  get limited() {
    return this.#nsPerByte > 0
  }

  /**
   * pass gives the time at which the last byte has passed. Bytes that come in over a time pass as they come, so that two lines of the
   * same bandwidth behind one another take no longer than one.
   *
   * @param {number} bytes - on the wire
   * @param {number} firstNs - the first byte is there
   * @param {number} [lastNs] - the last byte is there
   * @returns {number} ns, whole
   */
  pass(bytes, firstNs, lastNs = firstNs) {
    if (this.#nsPerByte === 0) {
      this.startedNs = firstNs
      return lastNs
    }
    this.startedNs = Math.max(firstNs, this.#busyUntilNs)
    this.#busyUntilNs = Math.max(this.startedNs + Math.round(bytes * this.#nsPerByte), lastNs)
    return this.#busyUntilNs
  }
}

/**
 * @typedef {Pick<import('./links/tcp-connection.js').TcpParts, 'lossShare' | 'random' | 'cut'> & { path: () => Path }} PacketParts - of packets in place
 *   of segments; `path`: a new one, of packets that keep their order
 */

/** Flows of a way that are remembered; of more, those of which nothing is under way are forgotten. */
const MAX_FLOWS = 64

/**
 * PacketDirection is one way between two nodes for packets of a TCP that is not ours: what TcpSending does with a segment, it does with
 * each packet, acknowledgements included. What keeps its order is a flow.
 */
export class PacketDirection {
  #parts
  /** Lines are the same for all flows. */
  #path
  /** @type {Map<number, Path>} */
  #flows = new Map()

  /** @param {PacketParts} parts */
  constructor(parts) {
    this.#parts = parts
    this.#path = parts.path()
  }

  /** Whether packets can have to wait at the down-link: `arrive` has to be asked when the first byte is there. */
  get endsInQueue() {
    return this.#path.endsInQueue
  }

  /**
   * send gives when a packet is at the down-link.
   *
   * @param {number} bytes - of the packet, with its headers
   * @param {number} nowNs
   * @param {number} [flow]
   * @returns {UnderWay | 'lost' | 'cut'}
   */
  send(bytes, nowNs, flow = 0) {
    const { lossShare, random, cut } = this.#parts
    const underWay = this.#flow(flow, nowNs).sendOff(bytes, nowNs)
    if (lossShare > 0 && random() < lossShare) return 'lost'
    return cut?.(underWay.leftNs) ? 'cut' : underWay
  }

  /** @param {UnderWay} underWay @returns {number} when the last byte is there, ns */
  arrive(underWay) {
    return this.#path.arrive(underWay)
  }

  /** @param {number} flow @param {number} nowNs */
  #flow(flow, nowNs) {
    const known = this.#flows.get(flow)
    if (known !== undefined) return known
    if (this.#flows.size >= MAX_FLOWS)
      for (const [other, { arrivedNs }] of this.#flows) if (arrivedNs <= nowNs) this.#flows.delete(other)
    const path = this.#parts.path()
    this.#flows.set(flow, path)
    return path
  }
}
