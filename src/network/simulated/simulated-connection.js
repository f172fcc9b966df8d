import {
  connectionSymbol,
  StreamCloseEvent,
  TypedEventEmitter,
  UnsupportedProtocolError
} from '@libp2p/interface'
import { RpcQueue } from './rpc-queue.js'
import { SimulatedStream } from './simulated-stream.js'

/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {import('./wire.js').Wire} Wire
 * @typedef {import('./simulated-node.js').SimulatedNode} SimulatedNode
 */

/** What the two ends say to agree on the protocol of a stream, each way. */
const NEGOTIATION_BYTES = 60
const FRAME_BYTES = 12

/**
 * SimulatedConnection is one end of a connection between two simulated nodes.
 *
 * @implements {Connection}
 * @extends {TypedEventEmitter<import('@libp2p/interface').MessageStreamEvents>}
 */
export class SimulatedConnection extends TypedEventEmitter {
  #local
  #wire
  #queueOf
  #streams = 0
  /** @type {Set<SimulatedStream>} that wait until there is room */
  #held = new Set();
  /** @readonly */
  [connectionSymbol] = true
  id
  remoteAddr
  remotePeer
  direction
  /** @type {import('@libp2p/interface').MultiaddrConnectionTimeline} */
  timeline
  log
  direct = true
  /** @type {Stream[]} */
  streams = []
  /** @type {import('@libp2p/interface').ConnectionStatus} */
  status = 'open'
  /** @type {SimulatedConnection | null} */
  other = null

  /**
   * @param {object} init
   * @param {string} init.id
   * @param {SimulatedNode} init.local
   * @param {SimulatedNode} init.remote
   * @param {Wire} init.wire - from here to the other end
   * @param {import('./shared-writes.js').SharedWrites} init.writes
   * @param {number | null} [init.sendQueue] - RPCs that may wait in each stream; null: all that come
   * @param {import('@libp2p/interface').MessageStreamDirection} init.direction
   */
  constructor({ id, local, remote, wire, writes, sendQueue = null, direction }) {
    super()
    this.#local = local
    this.#wire = wire
    this.#queueOf = () => (sendQueue === null ? null : new RpcQueue(wire, sendQueue))
    wire.onRoom = () => this.#goOn()
    this.id = id
    this.writes = writes
    this.remotePeer = remote.peerId
    this.remoteAddr = remote.multiaddr
    this.direction = direction
    this.timeline = { open: Date.now(), upgraded: Date.now() }
    this.log = local.log
  }

  /**
   * carry brings something to the other end, where it happens as the other node comes to it.
   *
   * @param {number} bytes - written to a stream
   * @param {() => void} happen
   * @param {Uint8Array | import('uint8arraylist').Uint8ArrayList} [data] - what a stream carries
   * @returns {boolean} whether the connection takes more
   */
  carry(bytes, happen, data) {
    return this.#wire.send(bytes, happen, data)
  }

  /** hold remembers a stream that is to wait until there is room. @param {SimulatedStream} stream */
  hold(stream) {
    this.#held.add(stream)
  }

  /** refused counts an RPC that found its queue full. @param {Uint8Array | import('uint8arraylist').Uint8ArrayList} rpc */
  refused(rpc) {
    this.#local.refused(rpc)
  }

  /** As many go on as there is room for, in the order in which they had to wait. */
  #goOn() {
    const waiting = [...this.#held]
    this.#held.clear()
    for (const [place, stream] of waiting.entries()) {
      stream.goOn()
      if (this.#held.size === 0) continue
      for (const later of waiting.slice(place + 1)) this.#held.add(later)
      return
    }
  }

  /**
   * newStream opens a stream: a round trip, in which the other end takes the first protocol that it has.
   *
   * @param {string | string[]} protocols
   * @returns {Promise<Stream>}
   */
  newStream(protocols) {
    const { other } = this
    if (this.status !== 'open' || other === null)
      return Promise.reject(new Error(`the connection is ${this.status}: no stream can be opened`))
    const asked = [protocols].flat()
    const stream = new SimulatedStream(this, {
      id: `${this.#streams++}`,
      direction: 'outbound',
      queue: this.#queueOf()
    })
    this.#keep(stream)
    return new Promise((resolve, reject) => {
      // whoever opens one stream after the other must not wait for one that will never be
      stream.addEventListener('close', () => reject(new Error('the connection ended first')), { once: true })
      const refused = () => {
        const error = new UnsupportedProtocolError(`the peer has none of ${asked.join(', ')}`)
        reject(error)
        stream.abort(error)
      }
      const agreed = (/** @type {string} */ protocol) => {
        stream.protocol = protocol
        resolve(stream)
      }
      this.carry(NEGOTIATION_BYTES, () => other.#asked(stream, asked, { agreed, refused }))
    })
  }

  /**
   * @param {SimulatedStream} theirs
   * @param {string[]} protocols
   * @param {{ agreed: (protocol: string) => void, refused: () => void }} answer
   */
  #asked(theirs, protocols, { agreed, refused }) {
    const { registrar } = this.#local
    const protocol = protocols.find(each => registrar.getProtocols().includes(each))
    if (protocol === undefined || this.status !== 'open') return void this.carry(NEGOTIATION_BYTES, refused)
    const ours = new SimulatedStream(this, { id: theirs.id, protocol, direction: 'inbound' })
    ours.other = theirs
    theirs.other = ours
    this.#keep(ours)
    this.carry(NEGOTIATION_BYTES, () => agreed(protocol))
    registrar.getHandler(protocol).handler(ours, this)
  }

  /** @param {SimulatedStream} stream */
  #keep(stream) {
    this.streams.push(stream)
    const drop = () => {
      this.streams = this.streams.filter(each => each !== stream)
    }
    stream.addEventListener('close', drop, { once: true })
  }

  /** close ends the streams in good order, then the connection. */
  async close() {
    if (this.status !== 'open') return
    this.status = 'closing'
    await Promise.all(this.streams.map(stream => stream.close()))
    this.carry(FRAME_BYTES, () => this.#otherEnds())
    this.#end()
  }

  /** abort ends everything at once. @param {Error} error */
  abort(error) {
    if (this.status !== 'open' && this.status !== 'closing') return
    this.carry(FRAME_BYTES, () => this.#otherEnds())
    this.#end(error)
  }

  /** cut ends this end alone: nothing gets through to the other one. @param {Error} error */
  cut(error) {
    this.#end(error)
    this.#wire.close()
  }

  /** Nothing comes any more, from either end. */
  #otherEnds() {
    this.#wire.close()
    if (this.other === null) return
    this.other.#end()
    this.other.#wire.close()
  }

  /** @param {Error} [error] */
  #end(error) {
    if (this.status !== 'open' && this.status !== 'closing') return
    this.status = error === undefined ? 'closed' : 'aborted'
    this.timeline.close = Date.now()
    for (const stream of this.streams) stream.abort(error ?? new Error('the connection was closed'))
    this.dispatchEvent(new StreamCloseEvent(error === undefined, error))
    this.#local.disconnected(this)
  }
}
