import {
  connectionSymbol,
  StreamCloseEvent,
  TypedEventEmitter,
  UnsupportedProtocolError
} from '@libp2p/interface'
import { AGREED, OPEN } from './connecting.js'
import { aboutConnection, aboutStream, KIND, NO_BYTES, protocolsOf } from './load.js'
import { RpcQueue } from './rpc-queue.js'
import { SimulatedStream } from './simulated-stream.js'

/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {import('./load.js').Load} Load
 * @typedef {import('./simulated-node.js').SimulatedNode} SimulatedNode
 * @typedef {Pick<SimulatedNode, 'peerId' | 'multiaddr'>} RemotePeer
 *
 * @typedef {object} Opening - a stream that the other end has not agreed to yet
 * @property {SimulatedStream} stream
 * @property {(protocol: string) => void} agreed
 * @property {() => void} refused
 */

/**
 * SimulatedConnection is one end of a connection between two simulated nodes. Of the other one it knows what it is told.
 *
 * @implements {Connection}
 * @extends {TypedEventEmitter<import('@libp2p/interface').MessageStreamEvents>}
 */
export class SimulatedConnection extends TypedEventEmitter {
  #local
  #wire
  #ended
  #queueOf
  #windowUpdates
  /** Streams of the dialler have even numbers, those of the listener odd ones. */
  #nextStream
  /** @type {Map<number, SimulatedStream>} by number */
  #byNumber = new Map()
  /** @type {Map<number, Opening>} by number */
  #opening = new Map()
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

  /**
   * @param {object} init
   * @param {string} init.id
   * @param {SimulatedNode} init.local
   * @param {RemotePeer} init.remote
   * @param {import('./wire.js').WireOut<Load>} init.wire - from here to the other end
   * @param {() => void} init.ended - is called when this end has ended
   * @param {import('./shared-writes.js').SharedWrites} init.writes
   * @param {number | null} [init.sendQueue] - RPCs that may wait in each stream; null: all that come
   * @param {boolean} [init.windowUpdates] - each thing that is read is answered by one
   * @param {import('@libp2p/interface').MessageStreamDirection} init.direction
   */
  constructor({
    id,
    local,
    remote,
    wire,
    ended,
    writes,
    sendQueue = null,
    windowUpdates = false,
    direction
  }) {
    super()
    this.#local = local
    this.#wire = wire
    this.#ended = ended
    this.#windowUpdates = windowUpdates
    this.#queueOf = () => (sendQueue === null ? null : new RpcQueue(wire, sendQueue))
    wire.onRoom = () => this.#goOn()
    this.#nextStream = direction === 'outbound' ? 0 : 1
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
   * @param {import('../links/wire-bytes.js').Written} written
   * @param {Load} load
   * @returns {boolean} whether the connection takes more
   */
  carry(written, load) {
    return this.#wire.send(written, load)
  }

  /** heard takes what the other end has told. @param {Load} load */
  heard(load) {
    const { kind, stream } = load
    if (kind === KIND.WINDOW_UPDATE) return
    if (kind === KIND.OPEN) return this.#asked(stream, protocolsOf(load))
    if (kind === KIND.AGREED) return this.#opening.get(stream)?.agreed(load.text)
    if (kind === KIND.REFUSED) return this.#opening.get(stream)?.refused()
    this.#byNumber.get(stream)?.heard(load)
  }

  /** grantMore says to the other end that what came was read: `@libp2p/yamux` does of each frame. @param {number} stream */
  grantMore(stream) {
    if (this.#windowUpdates && this.status === 'open')
      this.carry(NO_BYTES, aboutStream(KIND.WINDOW_UPDATE, stream))
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
    if (this.status !== 'open')
      return Promise.reject(new Error(`the connection is ${this.status}: no stream can be opened`))
    const asked = [protocols].flat()
    const number = this.#nextStream
    this.#nextStream += 2
    const stream = new SimulatedStream(this, { number, direction: 'outbound', queue: this.#queueOf() })
    this.#keep(number, stream)
    return new Promise((resolve, reject) => {
      // whoever opens one stream after the other must not wait for one that will never be
      stream.addEventListener('close', () => reject(new Error('the connection ended first')), { once: true })
      const refused = () => {
        const error = new UnsupportedProtocolError(`the peer has none of ${asked.join(', ')}`)
        reject(error)
        stream.abort(error)
      }
      const agreed = (/** @type {string} */ protocol) => {
        this.#opening.delete(number)
        // of both frames that said so
        for (let frame = 0; frame < 2; frame++) this.grantMore(number)
        stream.protocol = protocol
        resolve(stream)
      }
      this.#opening.set(number, { stream, agreed, refused })
      this.carry(OPEN, aboutStream(KIND.OPEN, number, asked))
    })
  }

  /** @param {number} number @param {string[]} protocols */
  #asked(number, protocols) {
    const { registrar } = this.#local
    const protocol = protocols.find(each => registrar.getProtocols().includes(each))
    if (protocol === undefined || this.status !== 'open')
      return void this.carry(AGREED, aboutStream(KIND.REFUSED, number))
    const stream = new SimulatedStream(this, { number, protocol, direction: 'inbound' })
    this.#keep(number, stream)
    this.carry(AGREED, aboutStream(KIND.AGREED, number, [protocol]))
    registrar.getHandler(protocol).handler(stream, this)
  }

  /** @param {number} number @param {SimulatedStream} stream */
  #keep(number, stream) {
    this.#byNumber.set(number, stream)
    this.streams.push(stream)
    const drop = () => {
      this.#byNumber.delete(number)
      this.#opening.delete(number)
      this.streams = this.streams.filter(each => each !== stream)
    }
    stream.addEventListener('close', drop, { once: true })
  }

  /** close ends the streams in good order, then the connection. */
  async close() {
    if (this.status !== 'open') return
    this.status = 'closing'
    await Promise.all(this.streams.map(stream => stream.close()))
    this.carry(NO_BYTES, aboutConnection(KIND.END))
    this.end()
  }

  /** abort ends everything at once. @param {Error} error */
  abort(error) {
    if (this.status !== 'open' && this.status !== 'closing') return
    this.carry(NO_BYTES, aboutConnection(KIND.END))
    this.end(error)
  }

  /** end ends this end alone, of which the other one hears nothing. @param {Error} [error] */
  end(error) {
    if (this.status !== 'open' && this.status !== 'closing') return
    this.status = error === undefined ? 'closed' : 'aborted'
    this.timeline.close = Date.now()
    for (const stream of this.streams) stream.abort(error ?? new Error('the connection was closed'))
    this.dispatchEvent(new StreamCloseEvent(error === undefined, error))
    this.#local.disconnected(this)
    this.#ended()
  }
}
