import {
  connectionSymbol,
  StreamCloseEvent,
  StreamMessageEvent,
  TypedEventEmitter,
  UnsupportedProtocolError
} from '@libp2p/interface'
import { AbstractStream } from '@libp2p/utils'
import { Fifo } from '../links/fifo.js'
import { SendQueue } from '../links/send-queue.js'
import { AGREED, OPEN } from './connecting.js'
import { aboutConnection, aboutStream, carrying, KIND, NO_BYTES, protocolsOf } from './load.js'

/** RpcQueue bounds the RPCs of one stream that have not left the node, as go-libp2p-pubsub does for each peer. */
class RpcQueue {
  #wire
  #queue
  /** @type {Fifo<number>} places among the writes of the wire of RPCs that have not left */
  #waiting = new Fifo()
  #departed = 0

  /**
   * @param {Pick<import('./wire.js').WireOut<unknown>, 'sent' | 'departed'>} wire - that takes each RPC at once
   * @param {number} capacity - RPCs that may wait, beside the one in hand
   */
  constructor(wire, capacity) {
    this.#wire = wire
    this.#queue = new SendQueue(capacity)
  }

  /** takes says whether the next RPC is sent; if so, it has to be, as the next write of the wire. */
  takes() {
    const left = this.#wire.departed
    for (; (this.#waiting.peek() ?? Infinity) <= left; this.#departed += 1) this.#waiting.shift()
    const isTaken = this.#queue.offer(this.#departed)
    if (isTaken) this.#waiting.push(this.#wire.sent + 1)
    return isTaken
  }
}

/**
 * @typedef {import('uint8arraylist').Uint8ArrayList} Uint8ArrayList
 * @typedef {import('./load.js').Load} Load
 */

/**
 * SimulatedStream is one end of a stream over a simulated connection. What it does is the library's own; only that the other end
 * hears of it is simulated.
 */
export class SimulatedStream extends AbstractStream {
  #connection
  #number
  #queue
  /** Who alone hears messages and asked for no more than that; null: nobody, or several. @type {((event: Event) => void) | null} */
  #reader = null

  /**
   * @param {SimulatedConnection} connection
   * @param {object} init
   * @param {number} init.number - the same at both ends
   * @param {string} [init.protocol]
   * @param {import('@libp2p/interface').MessageStreamDirection} init.direction
   * @param {RpcQueue | null} [init.queue] - null: nothing is refused
   */
  constructor(connection, { number, protocol, direction, queue = null }) {
    super({ id: `${number}`, protocol, direction, log: connection.log })
    this.#connection = connection
    this.#number = number
    this.#queue = queue
  }

  /** @param {any} type @param {any} listener @param {any} [options] */
  addEventListener(type, listener, options) {
    if (type === 'message') {
      const isAlone = this.listenerCount(type) === 0
      this.#reader = isAlone && typeof listener === 'function' && options === undefined ? listener : null
    }
    super.addEventListener(type, listener, options)
  }

  /** @param {any} type @param {any} listener @param {any} [options] */
  removeEventListener(type, listener, options) {
    if (type === 'message') this.#reader = null
    super.removeEventListener(type, listener, options)
  }

  /** No event is made that nobody hears. @param {any} type @param {any} [detail] */
  safeDispatchEvent(type, detail) {
    return this.listenerCount(type) === 0 || super.safeDispatchEvent(type, detail)
  }

  /** Gossipsub writes one RPC at a time. @param {Uint8Array | Uint8ArrayList} data */
  send(data) {
    if (this.#queue !== null && this.writeStatus === 'writable' && !this.#queue.takes()) {
      this.#connection.refused(data)
      return true
    }
    return super.send(data)
  }

  /** @param {Uint8ArrayList} data */
  sendData(data) {
    const sentBytes = data.byteLength
    const write = this.#connection.writes.of(data)
    const canSendMore = this.#connection.carry(sentBytes, carrying(this.#number, write))
    if (!canSendMore) this.#connection.hold(this)
    return { sentBytes, canSendMore }
  }

  /** goOn is called when a connection that took no more does again. */
  goOn() {
    this.safeDispatchEvent('drain')
  }

  /** heard takes what the other end has told. @param {Load} load */
  heard({ kind, data }) {
    if (kind === KIND.DATA) {
      this.#read(/** @type {Uint8Array} */ (data))
      this.#connection.grantMore(this.#number)
    } else if (kind === KIND.CLOSE_WRITE) this.onRemoteCloseWrite()
    else if (kind === KIND.CLOSE_READ) this.onRemoteCloseRead()
    else this.onRemoteReset()
  }

  /**
   * What comes while nothing else waits to be read goes to the one who reads: buffering it, and what an event target of Node does for each event,
   * costs more than the rest of the way of a message.
   *
   * @param {Uint8Array} data
   */
  #read(data) {
    const isNext = this.readStatus === 'readable' && this.remoteWriteStatus === 'writable'
    const waits = this.readBuffer.byteLength > 0 || data.byteLength === 0
    if (this.#reader === null || !isNext || waits) this.onData(data)
    else this.#reader(new StreamMessageEvent(data))
  }

  async sendCloseWrite() {
    this.#tell(KIND.CLOSE_WRITE)
  }

  async sendCloseRead() {
    this.#tell(KIND.CLOSE_READ)
  }

  sendReset() {
    this.#tell(KIND.RESET)
  }

  // a reader that pauses is not told to the other end: what comes is kept here, as the library does
  sendPause() {}

  sendResume() {}

  /** @param {number} kind */
  #tell(kind) {
    this.#connection.carry(NO_BYTES, aboutStream(kind, this.#number))
  }
}

/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('@libp2p/interface').Stream} Stream
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
