/**
 * @typedef {import('@libp2p/interface').Libp2p} Libp2p
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('@libp2p/interface').Stream} Stream
 *
 * @typedef {object} OpenStream
 * @property {Pick<Stream, 'writeBufferLength'>} stream
 * @property {string} peerId - at the other end
 *
 * @typedef {{ node: number, peerId: string, atNs: number }} Aborted
 */

const PROTOCOLS = ['/meshsub/', '/floodsub/']
/** @param {string} protocol */
const isPubsub = protocol => PROTOCOLS.some(prefix => protocol.startsWith(prefix))
/** A connection that closes so soon after a stream ended is what ended it. */
const CUT_NS = 1e9

/**
 * OutboundStreams watches the streams that nodes send gossip on, one to each peer. The library opens them by itself, puts no bound
 * on what waits in them and tells nobody when one is gone, so connections are looked through: on every heartbeat, and when asked.
 * A stream that came and went between two looks is not seen.
 *
 * What waits is what the library still holds. A peer that does not read is noticed only when the system's buffers (some MB on
 * loopback) or the muxer's window (256 KiB, growing up to 16 MiB with Yamux; none with mplex) are full.
 */
export class OutboundStreams {
  #now
  #peers
  /** @type {Map<number, Pick<Libp2p, 'getConnections'>>} */
  #nodes = new Map()
  /** @type {Map<number, Set<OpenStream>>} by node */
  #open = new Map()
  /** @type {WeakSet<object>} */
  #known = new WeakSet()
  /** @type {Set<Aborted>} */
  #aborted = new Set()
  #stopped = false

  /**
   * @param {object} components
   * @param {() => number} components.now - ns
   * @param {import('./peer-numbers.js').PeerNumbers} components.peers
   */
  constructor({ now, peers }) {
    this.#now = now
    this.#peers = peers
  }

  /** @param {number} node @param {Pick<Libp2p, 'getConnections'>} libp2p */
  watch(node, libp2p) {
    this.#nodes.set(node, libp2p)
    this.#open.set(node, new Set())
  }

  /** forget watches a node no more, whose streams are about to be cut. @param {number} node */
  forget(node) {
    this.#nodes.delete(node)
    this.#open.delete(node)
  }

  /** look finds streams that were opened since the last look. @param {number} node */
  look(node) {
    for (const connection of this.#nodes.get(node)?.getConnections() ?? []) {
      for (const stream of connection.streams) {
        if (stream.direction !== 'outbound' || !isPubsub(stream.protocol)) continue
        if (this.#known.has(stream)) continue
        this.#known.add(stream)
        this.#add(node, connection, stream)
      }
    }
  }

  /** lookAtAll looks at all nodes. */
  lookAtAll() {
    for (const node of this.#nodes.keys()) this.look(node)
  }

  /** abortedCount counts streams that ended while their connection was open. */
  get abortedCount() {
    return this.#aborted.size
  }

  /** aborted tells which ones. @returns {import('../node-host.js').Evidence['abortedStreams']} */
  aborted() {
    return [...this.#aborted].flatMap(({ node, peerId, atNs }) => {
      const to = this.#peers.nodeOf(peerId)
      return to === undefined ? [] : [{ from: node, to, atNs }]
    })
  }

  /** backlogOf tells what waits in a node's streams. @param {number} node @returns {number} bytes */
  backlogOf(node) {
    let bytes = 0
    for (const { stream } of this.#open.get(node) ?? []) bytes += stream.writeBufferLength
    return bytes
  }

  /** backlogBytes is what waits in the streams of all nodes. */
  get backlogBytes() {
    let bytes = 0
    for (const node of this.#nodes.keys()) bytes += this.backlogOf(node)
    return bytes
  }

  /** backlog tells where something waits. @returns {import('../node-host.js').Evidence['backlog']} */
  backlog() {
    return [...this.#open].flatMap(([from, streams]) =>
      [...streams].flatMap(({ stream: { writeBufferLength: bytes }, peerId }) => {
        const to = bytes > 0 ? this.#peers.nodeOf(peerId) : undefined
        return to === undefined ? [] : { from, to, bytes }
      })
    )
  }

  /** peersWithStream tells whom a node can send to. @param {number} node @returns {Set<number>} */
  peersWithStream(node) {
    return new Set(this.#peers.nodesOf([...(this.#open.get(node) ?? [])].map(({ peerId }) => peerId)))
  }

  /** stop notes no more ends: streams that the run itself closes are no evidence. */
  stop() {
    this.#stopped = true
  }

  /** @param {number} node @param {Connection} connection @param {Stream} stream */
  #add(node, connection, stream) {
    const peerId = connection.remotePeer.toString()
    const streams = /** @type {Set<OpenStream>} */ (this.#open.get(node))
    const open = { stream, peerId }
    streams.add(open)
    const ended = () => {
      streams.delete(open)
      if (this.#stopped || !this.#nodes.has(node) || connection.status !== 'open') return
      const aborted = { node, peerId, atNs: this.#now() }
      this.#aborted.add(aborted)
      // the streams of a connection that is cut end a moment before it does
      connection.addEventListener('close', () => this.#forgive(aborted), { once: true })
    }
    stream.addEventListener('close', ended, { once: true })
  }

  /** @param {Aborted} aborted - whose connection has closed */
  #forgive(aborted) {
    if (this.#now() - aborted.atNs < CUT_NS) this.#aborted.delete(aborted)
  }
}
