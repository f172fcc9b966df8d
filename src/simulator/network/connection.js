// Simulated libp2p connection between two nodes: handshake, streams, and the bounded queue of gossipsub messages for
// each peer.
import {
  connectionSymbol,
  StreamCloseEvent,
  StreamMessageEvent,
  TypedEventEmitter,
  UnsupportedProtocolError
} from '@libp2p/interface'
import { AbstractStream } from '@libp2p/utils'
import { Fifo } from '../../kit/collections.js'

/**
 * @typedef {import('./node.js').SimulatedNode} SimulatedNode
 * @typedef {import('./wire.js').WireOut<ConnectionMessage>} WireOut
 * @typedef {import('./wire.js').WireIn<ConnectionMessage>} WireIn
 *
 * @typedef {object} EndpointContext - what an endpoint needs of its network
 * @property {(number: number) => SimulatedNode | undefined} nodeAt - undefined: there is no such node
 * @property {(number: number) => RemotePeer} peerOf
 * @property {(endpoint: Endpoint) => Endpoint | undefined} rival - another endpoint of the same node to the same peer, whose connection is established
 * @property {import('./shared-bytes.js').SharedWrites} writes
 * @property {number | null} sendQueue
 * @property {boolean} windowUpdates
 */

/**
 * Endpoint is one end of a connection, from the first message of the handshake until the connection has ended.
 *
 *     state      | leaves it by
 *     dialling   | the third answer: the connection is established at the dialler; END of the listener: its node does not exist
 *     listening  | HELLO: the connection is established at the listener
 *     established | KNOWN at the dialler, DONE at the listener: each knows the other's protocols, and its node learns of the connection
 *     closed     | nothing: later messages are ignored
 *
 * When two nodes dial each other at once, the connection that the node with the lower number dialled is kept.
 */
export class Endpoint {
  #around
  #number
  /** @type {SimulatedNode | null} null: nothing has come yet */
  node
  /** Completed round trips of the handshake. */
  #trips = 0
  /** @type {SimulatedConnection | null} */
  connection = null
  /** Its node has been told of the connection. */
  isKnown = false
  isClosed = false
  /** @type {{ resolve: (connection: SimulatedConnection) => void, reject: (error: Error) => void } | null} */
  #dialling = null
  /** Its node is the one that dialled. */
  dials
  /** @type {WireIn} */
  incoming

  /**
   * @param {object} parts
   * @param {number} parts.local - node
   * @param {number} parts.remote - node
   * @param {number} parts.connection - number among those of the two
   * @param {SimulatedNode | null} parts.dialler - that this endpoint is of; null: it listens
   * @param {WireOut} parts.out
   * @param {(endpoint: Endpoint) => WireIn} parts.incoming
   * @param {EndpointContext} around
   */
  constructor({ incoming, dialler, local, remote, connection, out }, around) {
    this.local = local
    this.remote = remote
    this.#number = connection
    /** the sender's end of the wire to the other node. */
    this.out = out
    this.#around = around
    this.node = dialler
    this.dials = dialler !== null
    this.incoming = incoming(this)
  }

  /** dial begins the handshake. @returns {Promise<SimulatedConnection>} when the connection stands at this end */
  dial() {
    return new Promise((resolve, reject) => {
      this.#dialling = { resolve, reject }
      this.#ask()
    })
  }

  /** heard handles a message of the other end, once its node has time for it. @param {ConnectionMessage} load */
  heard(load) {
    if (this.isClosed) return
    if (load.kind > MESSAGE_KIND.END) return this.connection?.heard(load)
    if (load.kind === MESSAGE_KIND.END) return this.#end()
    if (load.kind === MESSAGE_KIND.TRIP) return this.dials ? this.#answered() : this.#onHandshake()
    if (load.kind === MESSAGE_KIND.HELLO) return this.#accept()
    this.#met(protocolsOf(load), load.kind)
  }

  /** The dialler's message of a round trip. */
  #ask() {
    this.#send(MESSAGE_KIND.TRIP, HANDSHAKE_ROUND_TRIPS[this.#trips].request)
  }

  /** leave ends the connection as the end of the node's process does: the other end is told. @param {Error} error */
  leave(error) {
    if (this.connection !== null) return this.connection.abort(error)
    this.#send(MESSAGE_KIND.END)
    this.#close(error)
  }

  /** cut ends this end alone: the other end is not told. @param {Error} error */
  cut(error) {
    this.out.close()
    this.connection?.end(error)
    this.#close(error)
  }

  /** A message of the handshake has come to the listener. */
  #onHandshake() {
    this.node ??= this.#around.nodeAt(this.local) ?? null
    if (this.node === null) {
      this.#send(MESSAGE_KIND.END)
      return this.#close()
    }
    this.#send(MESSAGE_KIND.TRIP, HANDSHAKE_ROUND_TRIPS[this.#trips].answered)
    this.#trips += 1
  }

  /** An answer has come to the dialler. */
  #answered() {
    this.#trips += 1
    if (this.#trips < HANDSHAKE_ROUND_TRIPS.length) return this.#ask()
    const rival = this.#around.rival(this)?.connection
    // the other node dialled, too, and was faster
    if (rival != null) {
      this.#dialling?.resolve(rival)
      this.#send(MESSAGE_KIND.END)
      return this.#close()
    }
    const connection = this.#stand('outbound')
    this.#send(MESSAGE_KIND.HELLO, HANDSHAKE_END_WRITES)
    this.#dialling?.resolve(connection)
    this.#dialling = null
  }

  /** The connection is established at the dialler, and now at the listener. */
  #accept() {
    const node = this.node
    if (node === null) return
    const own = this.#around.rival(this)
    // a connection that this node dialled at the same time
    if (own?.dials && !own.isKnown) {
      if (this.local < this.remote) {
        this.#send(MESSAGE_KIND.END)
        return this.#close()
      }
      own.leave(new Error('the other one dialled, too'))
    }
    this.#stand('inbound')
    this.#send(MESSAGE_KIND.KNOWN, LISTENER_PROTOCOLS_WRITES, node.registrar.getProtocols())
  }

  /** @param {string[]} protocols - of the other node @param {number} kind */
  #met(protocols, kind) {
    if (this.node === null || this.connection?.status !== 'open') return
    this.isKnown = true
    this.node.connected(this.connection, protocols)
    if (kind === MESSAGE_KIND.KNOWN)
      this.#send(MESSAGE_KIND.DONE, DIALLER_PROTOCOLS_WRITES, this.node.registrar.getProtocols())
    else this.#send(MESSAGE_KIND.WINDOW_UPDATE, WINDOW_UPDATE_WRITES)
  }

  /** The other end has ended. */
  #end() {
    this.out.close()
    this.connection?.end()
    this.#close(new Error(`node ${this.remote} was not there when node ${this.local} dialled it`))
  }

  /** @param {'outbound' | 'inbound'} direction */
  #stand(direction) {
    const { local, remote } = this
    this.connection = new SimulatedConnection({
      ...this.#around,
      id: `${local}-${remote}-${this.#number}`,
      local: /** @type {SimulatedNode} */ (this.node),
      remote: this.#around.peerOf(remote),
      wire: this.out,
      ended: () => this.#close(),
      direction
    })
    return this.connection
  }

  /** @param {number} kind @param {import('../../network/links/direction.js').WriteSize} [written] @param {readonly string[]} [protocols] */
  #send(kind, written = NO_BYTES, protocols) {
    this.out.send(written, makeStreamMessage(kind, 0, protocols))
  }

  /** Later messages are ignored. @param {Error} [error] - of a dial that is under way */
  #close(error = new Error('the connection was closed')) {
    if (this.isClosed) return
    this.isClosed = true
    this.incoming.close()
    this.#dialling?.reject(error)
    // what is still under way from here may need its wire
    this.#dialling = null
    this.connection = null
    this.node = null
  }
}

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
    this.#queue = new RpcSendQueue(capacity)
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
    const canSendMore = this.#connection.carry(sentBytes, makeDataMessage(this.#number, write))
    if (!canSendMore) this.#connection.hold(this)
    return { sentBytes, canSendMore }
  }

  /** heard takes what the other end has told. @param {ConnectionMessage} load */
  heard({ kind, data }) {
    if (kind === MESSAGE_KIND.DATA) {
      const bytes = /** @type {Uint8Array} */ (data)
      const isNext = this.readStatus === 'readable' && this.remoteWriteStatus === 'writable'
      const waits = this.readBuffer.byteLength > 0 || bytes.byteLength === 0
      // when nothing waits to be read, the one listener gets the bytes directly: buffering them, and Node's event target, cost more than all else
      if (this.#reader === null || !isNext || waits) this.onData(bytes)
      else this.#reader(new StreamMessageEvent(bytes))
      this.#connection.grantMore(this.#number)
    } else if (kind === MESSAGE_KIND.CLOSE_WRITE) this.onRemoteCloseWrite()
    else if (kind === MESSAGE_KIND.CLOSE_READ) this.onRemoteCloseRead()
    else this.onRemoteReset()
  }

  async sendCloseWrite() {
    this.#tell(MESSAGE_KIND.CLOSE_WRITE)
  }

  async sendCloseRead() {
    this.#tell(MESSAGE_KIND.CLOSE_READ)
  }

  sendReset() {
    this.#tell(MESSAGE_KIND.RESET)
  }

  // a reader that pauses is not told to the other end: what comes is kept here, as the library does
  sendPause() {}

  sendResume() {}

  /** @param {number} kind */
  #tell(kind) {
    this.#connection.carry(NO_BYTES, makeStreamMessage(kind, this.#number))
  }
}

/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {Pick<SimulatedNode, 'peerId' | 'multiaddr'>} RemotePeer
 *
 * @typedef {object} Opening - a stream that the other end has not agreed to yet
 * @property {SimulatedStream} stream
 * @property {(protocol: string) => void} agreed
 * @property {() => void} refused
 */

/**
 * SimulatedConnection is one end of a connection between two simulated nodes. It knows of the other end only what messages say.
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
  #waitingStreams = new Set();
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
   * @param {import('./wire.js').WireOut<ConnectionMessage>} init.wire - from here to the other end
   * @param {() => void} init.ended - is called when this end has ended
   * @param {import('./shared-bytes.js').SharedWrites} init.writes
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
    wire.onDrain = () => this.#goOn()
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
   * @param {import('../../network/links/direction.js').WriteSize} written
   * @param {ConnectionMessage} load
   * @returns {boolean} whether the connection takes more
   */
  carry(written, load) {
    return this.#wire.send(written, load)
  }

  /** heard takes what the other end has told. @param {ConnectionMessage} load */
  heard(load) {
    const { kind, stream } = load
    if (kind === MESSAGE_KIND.WINDOW_UPDATE) return
    if (kind === MESSAGE_KIND.OPEN) return this.#onOpenRequest(stream, protocolsOf(load))
    if (kind === MESSAGE_KIND.AGREED) return this.#opening.get(stream)?.agreed(load.text)
    if (kind === MESSAGE_KIND.REFUSED) return this.#opening.get(stream)?.refused()
    this.#byNumber.get(stream)?.heard(load)
  }

  /** grantMore says to the other end that what came was read: `@libp2p/yamux` does of each frame. @param {number} stream */
  grantMore(stream) {
    if (this.#windowUpdates && this.status === 'open')
      this.carry(NO_BYTES, makeStreamMessage(MESSAGE_KIND.WINDOW_UPDATE, stream))
  }

  /** hold remembers a stream that is to wait until there is room. @param {SimulatedStream} stream */
  hold(stream) {
    this.#waitingStreams.add(stream)
  }

  /** refused counts an RPC that found its queue full. @param {Uint8Array | import('uint8arraylist').Uint8ArrayList} rpc */
  refused(rpc) {
    this.#local.refused(rpc)
  }

  /** As many go on as there is room for, in the order in which they had to wait. */
  #goOn() {
    const waiting = [...this.#waitingStreams]
    this.#waitingStreams.clear()
    for (const [place, stream] of waiting.entries()) {
      stream.safeDispatchEvent('drain')
      if (this.#waitingStreams.size === 0) continue
      for (const later of waiting.slice(place + 1)) this.#waitingStreams.add(later)
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
    const requested = [protocols].flat()
    const number = this.#nextStream
    this.#nextStream += 2
    const stream = new SimulatedStream(this, { number, direction: 'outbound', queue: this.#queueOf() })
    this.#keep(number, stream)
    return new Promise((resolve, reject) => {
      // a caller that opens one stream after another must not wait for a stream that will never open
      stream.addEventListener('close', () => reject(new Error('the connection ended first')), { once: true })
      const refused = () => {
        const error = new UnsupportedProtocolError(`the peer has none of ${requested.join(', ')}`)
        reject(error)
        stream.abort(error)
      }
      const agreed = (/** @type {string} */ protocol) => {
        this.#opening.delete(number)
        // two frames said so: each is answered
        for (let frame = 0; frame < 2; frame++) this.grantMore(number)
        stream.protocol = protocol
        resolve(stream)
      }
      this.#opening.set(number, { stream, agreed, refused })
      this.carry(STREAM_OPEN_WRITES, makeStreamMessage(MESSAGE_KIND.OPEN, number, requested))
    })
  }

  /** @param {number} number @param {string[]} protocols */
  #onOpenRequest(number, protocols) {
    const { registrar } = this.#local
    const protocol = protocols.find(each => registrar.getProtocols().includes(each))
    if (protocol === undefined || this.status !== 'open')
      return void this.carry(STREAM_AGREED_WRITES, makeStreamMessage(MESSAGE_KIND.REFUSED, number))
    const stream = new SimulatedStream(this, { number, protocol, direction: 'inbound' })
    this.#keep(number, stream)
    this.carry(STREAM_AGREED_WRITES, makeStreamMessage(MESSAGE_KIND.AGREED, number, [protocol]))
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
    this.carry(NO_BYTES, makeStreamMessage(MESSAGE_KIND.END))
    this.end()
  }

  /** abort ends everything at once. @param {Error} error */
  abort(error) {
    if (this.status !== 'open' && this.status !== 'closing') return
    this.carry(NO_BYTES, makeStreamMessage(MESSAGE_KIND.END))
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

/**
 * A message from one end of a connection to the other. It is plain data, so that the two ends can be in different processes.
 *
 * @typedef {object} ConnectionMessage
 * @property {number} kind - one of KIND
 * @property {number} stream - number of the stream that it is about; 0 where it is about none
 * @property {string} text - protocols, each on a line
 * @property {Uint8Array | import('uint8arraylist').Uint8ArrayList | null} data - that a stream carries, and its node has to read
 */

/** MESSAGE_KIND lists the kinds of messages. */
export const MESSAGE_KIND = Object.freeze({
  /** A message of the handshake: the listener answers it by another one. */
  TRIP: 0,
  /** The connection stands: which protocols has the listener? */
  HELLO: 1,
  /** The listener's protocols. */
  KNOWN: 2,
  /** The dialler's. */
  DONE: 3,
  /** The connection has ended. */
  END: 4,
  /** A stream is opened, with one of these protocols. */
  OPEN: 5,
  /** It has this one. */
  AGREED: 6,
  /** There is none of them. */
  REFUSED: 7,
  /** Bytes of a stream. */
  DATA: 8,
  CLOSE_WRITE: 9,
  CLOSE_READ: 10,
  RESET: 11,
  /** What came was read, and as much may follow: nothing happens, but it takes its way. */
  WINDOW_UPDATE: 12
})

/** NO_BYTES are written with what is a frame of the muxer without content. */
const NO_BYTES = 0

/** makeStreamMessage makes a load without data. @param {number} kind @param {number} [stream] - 0: it is about the connection @param {readonly string[]} [protocols] @returns {ConnectionMessage} */
export const makeStreamMessage = (kind, stream = 0, protocols = []) => ({
  kind,
  stream,
  text: protocols.join('\n'),
  data: null
})

/** makeDataMessage makes a load with data of a stream. @param {number} stream @param {NonNullable<ConnectionMessage['data']>} data @returns {ConnectionMessage} */
export const makeDataMessage = (stream, data) => ({ kind: MESSAGE_KIND.DATA, stream, text: '', data })

/** @param {ConnectionMessage} load */
const protocolsOf = ({ text }) => (text === '' ? [] : text.split('\n'))

/**
 * What stock libp2p hands a socket while two nodes connect and agree on protocols, with Noise and Yamux: bytes of each write. A frame of Yamux is
 * two, the length of its Noise message by itself. `test/simulator/network/connection.test.js` holds it against stock nodes.
 *
 * @typedef {import('../../network/links/direction.js').WriteSize} WriteSize
 */

/** A frame without content: a ping, an update of a window, the beginning or the end of a stream. */
const EMPTY_FRAME = [2, 28]
/** The first line that both ends of a stream say, and the one with a protocol; both together from who opens it. */
const MULTISTREAM = [2, 48]
const AGREED_PROTOCOL = [2, 44]
const REQUESTED_PROTOCOL = [2, 64]
const IDENTIFY = [2, 425]

const repeatFrame = (/** @type {number} */ count, /** @type {number[]} */ frame) =>
  Array(count).fill(frame).flat()

/** HANDSHAKE_ROUND_TRIPS of a handshake: TCP, of which SYN counts as a byte; the choice of Noise; Noise. */
export const HANDSHAKE_ROUND_TRIPS = Object.freeze([
  { request: [1], answered: [1] },
  { request: [1, 19, 1, 7], answered: [1, 19, 1, 7] },
  { request: [2, 32], answered: [2, 32, 48, 136] }
])

/** HANDSHAKE_END_WRITES ends the handshake, which has chosen the muxer too, and asks for what the other one has to say of itself. */
export const HANDSHAKE_END_WRITES = Object.freeze([
  2,
  48,
  136,
  ...repeatFrame(2, EMPTY_FRAME),
  ...REQUESTED_PROTOCOL
])

/** LISTENER_PROTOCOLS_WRITES says it, and asks likewise. */
export const LISTENER_PROTOCOLS_WRITES = Object.freeze([
  ...repeatFrame(4, EMPTY_FRAME),
  ...REQUESTED_PROTOCOL,
  ...MULTISTREAM,
  ...AGREED_PROTOCOL,
  ...IDENTIFY,
  ...EMPTY_FRAME
])

/** DIALLER_PROTOCOLS_WRITES says it in return. */
export const DIALLER_PROTOCOLS_WRITES = Object.freeze([
  ...repeatFrame(5, EMPTY_FRAME),
  ...MULTISTREAM,
  ...AGREED_PROTOCOL,
  ...EMPTY_FRAME,
  ...IDENTIFY,
  ...EMPTY_FRAME
])

/** WINDOW_UPDATE_WRITES answers DONE: what came was read. */
export const WINDOW_UPDATE_WRITES = Object.freeze(repeatFrame(4, EMPTY_FRAME))

/** STREAM_OPEN_WRITES begins a stream and asks for a protocol. */
export const STREAM_OPEN_WRITES = Object.freeze([...EMPTY_FRAME, ...REQUESTED_PROTOCOL])

/** STREAM_AGREED_WRITES takes it. */
export const STREAM_AGREED_WRITES = Object.freeze([...EMPTY_FRAME, ...MULTISTREAM, ...AGREED_PROTOCOL])

/**
 * RpcSendQueue is the bounded queue that go-libp2p-pubsub keeps for each peer: a writer takes one RPC after the other out of it, and has one in
 * hand until it has left; what finds the queue full is dropped. Here an RPC has left when its last byte has left the node's up-link:
 * socket buffers, which would take some more, are not counted.
 */
export class RpcSendQueue {
  #capacity
  #taken = 0
  /** RPCs refused so far. */
  refused = 0

  /** @param {number} capacity - RPCs that wait, beside the one in hand */
  constructor(capacity) {
    this.#capacity = capacity
  }

  /**
   * offer asks whether one more RPC can be sent, and counts it.
   *
   * @param {number} departed - RPCs that have left so far, see Direction
   * @returns {boolean} false: the queue is full, and the RPC is lost
   */
  offer(departed) {
    const full = this.#taken - departed > this.#capacity
    if (full) this.refused += 1
    else this.#taken += 1
    return !full
  }
}
