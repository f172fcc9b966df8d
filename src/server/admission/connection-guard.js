// Protects a server from misbehaving clients before libp2p handles their bytes: limits connections, handshakes, Yamux
// frames and streams for each address.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { StreamMessageEvent } from '@libp2p/interface'
import { Uint8ArrayList } from 'uint8arraylist'
import { waitForEvent } from '../../kit/time.js'
import { ForwardingStream } from '../../libp2p/forwarding-stream.js'
import * as yamux from '../../libp2p/yamux.js'
import { makeConnectionLimits, STREAM_WINDOW } from '../process/node-settings.js'
import {
  AddressSlots,
  getAddressGroup,
  getHostNetwork,
  isInNetworks,
  makeNetworkList,
  readIpAddress
} from './address-groups.js'
import {
  callAfterPromises,
  GuardError,
  LoopTimeLimiter,
  makePacing,
  RequestScheduler,
  UNLIMITED_SHARE
} from './fair-share.js'

/**
 * @typedef {import('@libp2p/interface').MessageStream} MessageStream
 *
 * @typedef {object} StreamPacing
 * @property {(bytes: Uint8ArrayList) => Uint8ArrayList | undefined} cut - takes the next piece of the received bytes; undefined: there
 *   is no complete piece yet; throws when the connection must end
 * @property {(bytes: Uint8ArrayList) => Promise<void> | undefined} turn - resolves when a piece may be delivered; undefined: at once;
 *   throws when the connection must end
 * @property {() => void} began - a piece is about to be cut and delivered
 * @property {(isAll: boolean) => void} done - the turn is over, whether there was a piece or not. `isAll`: no bytes are left to deliver
 * @property {number} stallTimeoutMs - time in which the other side must take some of the bytes that wait for it
 */

/** UnreadBytesError ends a connection whose client does not read. */
export class UnreadBytesError extends Error {
  name = 'NotTakenError'
  code = 'ERR_REPLY_NOT_TAKEN'
}

/**
 * PacedStream delivers received bytes to its readers in pieces, one piece per turn. Between pieces nothing is read from the underlying
 * stream, nor while the other side does not take the bytes that were sent to it.
 */
export class PacedStream extends ForwardingStream {
  #pace
  #bytes = new Uint8ArrayList()
  /** @type {Set<(event: any) => void>} */
  #readers = new Set()
  #delivering = false
  #pausedByReader = false
  #paused = false

  /** @param {MessageStream} stream @param {StreamPacing} pace */
  constructor(stream, pace) {
    super(stream)
    this.#pace = pace
    stream.addEventListener('message', ({ data }) => {
      this.#bytes.append(data)
      this.#deliver()
    })
    stream.addEventListener('close', () => this.#bytes.consume(this.#bytes.byteLength))
  }

  /** @param {Parameters<MessageStream['addEventListener']>} args */
  addEventListener(...args) {
    const [type, reader] = args
    if (type !== 'message' || typeof reader !== 'function') {
      super.addEventListener(...args)
      return
    }
    this.#readers.add(reader)
    queueMicrotask(this.#deliver)
  }

  /** @param {Parameters<MessageStream['removeEventListener']>} args */
  removeEventListener(...args) {
    const [type, reader] = args
    if (type === 'message') this.#readers.delete(/** @type {any} */ (reader))
    else super.removeEventListener(...args)
  }

  /** @param {Uint8Array | Uint8ArrayList} data */
  unshift(data) {
    this.#bytes.prepend(data)
    queueMicrotask(this.#deliver)
  }

  pause() {
    this.#pausedByReader = true
    this.#updatePaused()
  }

  resume() {
    this.#pausedByReader = false
    this.#updatePaused()
    this.#deliver()
  }

  #deliver = async () => {
    if (this.#delivering) return
    this.#delivering = true
    try {
      while (this.#canDeliver) {
        const turn = this.#pace.turn(this.#bytes)
        if (turn !== undefined) await this.#pauseUntil(turn)
        if (!this.#deliverPiece()) break
        if (this.stream.writableNeedsDrain) await this.#pauseUntil(this.#drained())
        else if (this.#canDeliver) await this.#pauseUntil(new Promise(callAfterPromises))
      }
    } catch (error) {
      this.abort(/** @type {Error} */ (error))
    }
    this.#delivering = false
    this.#updatePaused()
  }

  get #canDeliver() {
    const isReady = !this.#pausedByReader && this.stream.status === 'open'
    return isReady && this.#readers.size > 0 && this.#bytes.byteLength > 0
  }

  /** The turn ends even when the stream has closed in the meantime. @returns {boolean} whether there was a piece */
  #deliverPiece() {
    let piece
    try {
      this.#pace.began()
      piece = this.#canDeliver ? this.#pace.cut(this.#bytes) : undefined
      if (piece === undefined) return false
      const event = new StreamMessageEvent(piece)
      for (const reader of this.#readers) reader(event)
      return true
    } finally {
      this.#pace.done(piece === undefined || this.#bytes.byteLength === 0)
    }
  }

  /** @param {Promise<void>} done */
  async #pauseUntil(done) {
    this.#updatePaused(true)
    await done
  }

  async #drained() {
    const { stream } = this
    const stall = () => this.abort(new UnreadBytesError('the client does not take what is sent to it'))
    const timer = setTimeout(stall, this.#pace.stallTimeoutMs).unref()
    while (stream.status === 'open' && stream.writableNeedsDrain) {
      await waitForEvent(stream, ['drain', 'close'])
      timer.refresh()
    }
    clearTimeout(timer)
  }

  #updatePaused(waits = false) {
    const paused = waits || this.#pausedByReader
    if (paused === this.#paused || this.stream.status !== 'open') return
    this.#paused = paused
    // a stream whose readable side has ended can be neither paused nor resumed
    if (this.stream.readableEnded) return
    if (paused) this.stream.pause()
    else this.stream.resume()
  }
}

/**
 * @typedef {import('@libp2p/interface').MultiaddrConnection} MultiaddrConnection
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {import('@libp2p/interface').StreamMuxer} StreamMuxer
 *
 * @typedef {import('./fair-share.js').Caller & Connected} RemoteClient - the client of a connection. `peer`: the address of the connection; after the
 *   handshake the peer id
 *
 * @typedef {object} Connected
 * @property {boolean} limited - whether the limits apply to it
 * @property {boolean} secured
 * @property {MultiaddrConnection} connection
 * @property {PendingStreams} [pending] - its streams without a protocol; only of a limited client
 * @property {import('../rendezvous-server.js').CallerState} [caller] - once a stream has the rendezvous protocol
 */

// all multistream lines of a piece are answered before any other client has a turn
const UNSECURED_PIECE_BYTES = 256
// 64 kB of Noise can be 3,500 messages
const PIECE_BYTES = 2048
// a handshake with an RSA key and its signature takes 2.3 kB
const HANDSHAKE_BYTES = 4096
const SECOND_MS = 1000

/**
 * Guard bounds what clients send before it is a request: connections, handshakes, Yamux frames, and streams without a protocol. Received
 * bytes are processed in turns, a small piece for each address, so that no client waits for the bytes of another one.
 *
 * @implements {NonNullable<import('../../libp2p/layers/node-parts.js').ConnectionGuard>}
 */
export class Guard {
  #limits
  #unlimited
  #turns = new RequestScheduler()
  /** event loop time of each group of addresses; the rendezvous service counts requests in it as well */
  loopTime
  /** @type {AddressSlots<RemoteClient>} */
  #handshakes
  /** @type {AddressSlots<RemoteClient>} */
  #connections
  /** @type {AddressSlots<Stream>} */
  #negotiations
  /** @type {WeakMap<object, RemoteClient>} */
  #clients = new WeakMap()
  /** @type {WeakMap<Stream, RemoteClient>} */
  #negotiating = new WeakMap()
  /** new connections of each address in the current second @type {Map<string, number>} */
  #newConnections = new Map()
  #second = Number.NEGATIVE_INFINITY

  /** @param {import('../limits.js').Limits} limits @param {readonly string[]} unlimitedFrom - networks as multiaddrs */
  constructor(limits, unlimitedFrom) {
    this.#limits = limits
    this.#unlimited = makeNetworkList(unlimitedFrom)
    this.loopTime = new LoopTimeLimiter(limits.maxGroupLoopMsPerSecond)
    const { maxHandshakes, maxConnections, maxNegotiations } = limits
    const drop = (/** @type {RemoteClient} */ { connection }) => connection.abort(tooMany('connections'))
    this.#handshakes = new AddressSlots({ each: limits.maxAddressHandshakes, all: maxHandshakes }, drop)
    this.#connections = new AddressSlots({ each: limits.maxAddressConnections, all: maxConnections }, drop)
    this.#negotiations = new AddressSlots(
      { each: limits.maxAddressNegotiations, all: maxNegotiations },
      stream => stream.abort(tooMany('streams without a protocol'))
    )
  }

  /**
   * shareOf gives an address its share of the event loop; the libp2p port and the HTTP port use the same one.
   *
   * @param {string} host
   * @param {import('./fair-share.js').CloseEmitter} connection
   * @returns {import('./fair-share.js').LoopShare}
   */
  shareOf = (host, connection) =>
    isInNetworks(this.#unlimited, host)
      ? UNLIMITED_SHARE
      : this.loopTime.of('connections', getAddressGroup(getHostNetwork(host)), connection)

  /** counts are the present numbers, of limited clients alone. */
  get counts() {
    return {
      handshakes: this.#handshakes.size,
      connections: this.#connections.size,
      negotiations: this.#negotiations.size
    }
  }

  get connectionManager() {
    return makeConnectionLimits(this.#limits)
  }

  /**
   * enter admits a connection before its handshake.
   *
   * @param {MultiaddrConnection} connection
   * @returns {MultiaddrConnection} to be used in its place
   * @throws {GuardError} the connection is refused
   */
  enter(connection) {
    const host = readIpAddress(connection.remoteAddr)
    const address = getHostNetwork(host)
    const limited = !isInNetworks(this.#unlimited, host)
    const peer = String(connection.remoteAddr)
    const client = { group: getAddressGroup(address), address, peer, limited, secured: false, connection }
    if (limited) {
      if (!this.#countNewConnection(address) || !this.#handshakes.add(address, client))
        throw tooMany('connections')
      connection.addEventListener('close', () => {
        this.#handshakes.remove(address, client)
        this.#connections.remove(address, client)
      })
    }
    const paced = new PacedStream(connection, this.#paceOfBytes(client))
    this.#clients.set(paced, client)
    return Object.assign(paced, { remoteAddr: connection.remoteAddr })
  }

  /** @param {string} address @returns {boolean} whether it may open one more connection in this second */
  #countNewConnection(address) {
    const now = performance.now()
    if (now - this.#second >= SECOND_MS) {
      this.#second = now
      this.#newConnections.clear()
    }
    const count = (this.#newConnections.get(address) ?? 0) + 1
    this.#newConnections.set(address, count)
    return count <= this.#limits.maxAddressConnectionsPerSecond
  }

  /**
   * secured is called for a connection that finished its handshake.
   *
   * @param {MessageStream} connection - of `enter`
   * @param {{ connection: MessageStream, remotePeer: import('@libp2p/interface').PeerId }} secured
   * @throws {GuardError} the connection is refused
   */
  secured(connection, { connection: stream, remotePeer }) {
    const client = this.#clients.get(connection)
    if (client === undefined) return
    this.#clients.set(stream, client)
    client.secured = true
    client.peer = String(remotePeer)
    if (!client.limited || client.connection.status !== 'open') return
    this.#handshakes.remove(client.address, client)
    if (!this.#connections.add(client.address, client)) throw tooMany('connections')
  }

  /**
   * muxed wraps the stream that a muxer reads and writes.
   *
   * @param {MessageStream} stream - that `secured` was called with
   * @param {() => StreamMuxer} muxer - gives the muxer, once there is one
   * @returns {MessageStream} to be used in its place
   */
  muxed(stream, muxer) {
    const client = this.#clients.get(stream)
    return client === undefined ? stream : new PacedStream(stream, this.#paceOfFrames(client, muxer))
  }

  /**
   * negotiated is called for a stream that has its protocol.
   *
   * @param {Stream} stream
   * @param {import('../rendezvous-server.js').CallerState} caller - the client of its connection
   */
  negotiated = (stream, caller) => {
    const client = this.#negotiating.get(stream)
    if (client === undefined) return
    this.#negotiations.remove(client.address, stream)
    const pending = /** @type {PendingStreams} */ (client.pending)
    pending.replies = caller.accounts.replies
    client.caller = caller
    stream.addEventListener('message', () => pending.spoke(stream), { once: true })
  }

  /** @param {RemoteClient} client @returns {StreamPacing} */
  #paceOfBytes(client) {
    let handshakeBytes = 0
    return {
      ...this.#turnsOf(client, bytes => client.secured && bytes.byteLength <= PIECE_BYTES),
      cut: bytes => {
        const maxBytes = client.secured ? PIECE_BYTES : UNSECURED_PIECE_BYTES
        const piece = takeFirst(bytes, Math.min(maxBytes, bytes.byteLength))
        if (!client.secured) handshakeBytes += piece.byteLength
        if (handshakeBytes > HANDSHAKE_BYTES)
          throw new GuardError('ERR_HANDSHAKE_TOO_LARGE', 'a handshake too large')
        return piece
      }
    }
  }

  /** @param {RemoteClient} client @param {() => StreamMuxer} muxer @returns {StreamPacing} */
  #paceOfFrames(client, muxer) {
    const isNegotiated = (/** @type {number} */ id) =>
      muxer().streams.some(stream => stream.id === String(id) && stream.protocol !== '')
    const cutter = new FrameCutter(STREAM_WINDOW.maxStreamWindowSize, isNegotiated)
    let listening = !client.limited
    return {
      ...this.#turnsOf(client),
      cut: bytes => {
        // not before libp2p listens: the muxer keeps streams for its first listener
        if (!listening && muxer().listenerCount('stream') > 0) {
          listening = true
          muxer().addEventListener('stream', ({ detail }) => this.#addStream(client, detail))
        }
        return cutter.cut(bytes)
      }
    }
  }

  /** @param {RemoteClient} client @param {Stream} stream */
  #addStream(client, stream) {
    if (stream.status !== 'open') return
    const maxPendingBytes = this.#limits.maxMessageBytes + UNSECURED_PIECE_BYTES
    client.pending ??= new PendingStreams(this.#shareOf(client), maxPendingBytes)
    const { pending, address } = client
    this.#negotiating.set(stream, client)
    stream.addEventListener('close', () => {
      this.#negotiations.remove(address, stream)
      pending.ended(stream)
    })
    if (this.#negotiations.add(address, stream)) pending.add(stream)
    else stream.abort(tooMany('streams without a protocol'))
  }

  /** @param {RemoteClient} client @returns {import('./fair-share.js').LoopShare} */
  #shareOf(client) {
    if (!client.limited) return UNLIMITED_SHARE
    const { begin, wait } = this.loopTime.of('connections', client.group, client.connection)
    return {
      begin,
      wait(waiter) {
        const late = wait(waiter)
        if (late !== undefined && client.caller !== undefined) client.caller.wasDelayed = true
        return late
      }
    }
  }

  /** @param {RemoteClient} client @param {(bytes: Uint8ArrayList) => boolean} [atOnce] - whether a piece needs no turn */
  #turnsOf(client, atOnce) {
    const { stallTimeoutMs } = this.#limits
    return makePacing({
      turns: this.#turns,
      caller: client,
      share: this.#shareOf(client),
      atOnce,
      stallTimeoutMs
    })
  }
}

/** @param {string} what */
const tooMany = what => new GuardError('ERR_TOO_MANY', `too many ${what}`)

// with a round trip of 150 ms, a connection can open 100 streams a second
const MAX_SILENT = 32
// clients open some streams ahead of their requests
const SILENT_MS = 1000

/**
 * PendingStreams delays the protocol negotiation of a connection's streams, which is expensive, while nothing would come of it: the client
 * does not take its replies, so that a request on a further stream would only wait; or it has sent no request on the streams
 * it opened just now. Delayed streams start one by one.
 */
export class PendingStreams {
  #share
  /** replies that wait on the connection, once a stream has the rendezvous protocol @type {import('./fair-share.js').ByteAccount | undefined} */
  replies
  #maxPendingBytes
  /** delayed streams, each with its own bound of received bytes @type {Map<Stream, number>} */
  #delayed = new Map()
  /** started streams without a request so far @type {Map<Stream, NodeJS.Timeout>} */
  #silent = new Map()
  #onFewerSilent = () => {}
  #starting = false

  /**
   * @param {import('./fair-share.js').LoopShare} share - of the event loop
   * @param {number} maxPendingBytes - bytes that may be received on a delayed stream; with more it is reset
   */
  constructor(share, maxPendingBytes) {
    this.#share = share
    this.#maxPendingBytes = maxPendingBytes
  }

  /** add takes each new stream, before any of its bytes is read. @param {Stream} stream */
  add(stream) {
    if (!this.#starting && this.#wait() === undefined) this.#start(stream)
    else if (stream.readStatus === 'readable') {
      stream.pause()
      this.#delayed.set(stream, stream.maxReadBufferLength)
      stream.maxReadBufferLength = this.#maxPendingBytes
      if (!this.#starting) this.#startDelayed()
    }
  }

  /** ended is called for a stream that has ended. @param {Stream} stream */
  ended(stream) {
    this.#delayed.delete(stream)
    this.spoke(stream)
  }

  /** spoke is called for a stream with its first request. @param {Stream} stream */
  spoke(stream) {
    clearTimeout(this.#silent.get(stream))
    if (this.#silent.delete(stream)) this.#onFewerSilent()
  }

  /** @param {Stream} stream */
  #start(stream) {
    this.#silent.set(stream, setTimeout(() => this.spoke(stream), SILENT_MS).unref())
  }

  async #startDelayed() {
    this.#starting = true
    while (this.#delayed.size > 0) await (this.#wait() ?? this.#share.wait() ?? this.#startNext())
    this.#starting = false
  }

  async #startNext() {
    await nextTurn()
    // all may have ended in the meantime
    const [next] = this.#delayed
    if (next === undefined) return
    const [stream, maxBytes] = next
    this.#delayed.delete(stream)
    if (stream.readStatus !== 'paused') return
    stream.maxReadBufferLength = maxBytes
    this.#start(stream)
    this.#share.begin()
    stream.resume()
  }

  /** @returns {Promise<void> | undefined} after which to ask again; undefined: one more stream may start */
  #wait() {
    const quota = this.replies?.waitForSpace()
    if (quota !== undefined || this.#silent.size < MAX_SILENT) return quota
    return new Promise(resolve => {
      this.#onFewerSilent = resolve
    })
  }
}

/** Flags of the first part of a split frame, and of the last part. */
const FIRST = yamux.SYN | yamux.ACK
const LAST = yamux.FIN | yamux.RST

// the work of one piece takes about half a millisecond: to open 4 streams, each of which counts as 4 of 16 frames, or to answer 64 lines
// of streams that have no protocol yet
const WEIGHT = 16
const OPENING_WEIGHT = 4
const FIRST_LINES = 64
const PART_BYTES = 4096
/** 64 lines at most: each line has its length before it and a newline at its end (https://github.com/multiformats/multistream-select). */
const FIRST_LINES_BYTES = 128
const NEWLINE = 0x0a

/** FrameError is thrown for a frame that is larger than the window of any stream. */
class FrameError extends Error {
  name = 'FrameError'
  code = 'ERR_YAMUX_FRAME'
}

/**
 * FrameCutter cuts the bytes of a Yamux connection into pieces of a few frames, so that other clients have their turns in between. A long
 * data frame is split into several, so that no client can make the server buffer the beginning of one.
 */
export class FrameCutter {
  #maxFrameBytes
  #isNegotiated
  /** bytes left of the data frame that is being split */
  #left = 0
  #header = Buffer.alloc(yamux.HEADER_BYTES)

  /**
   * @param {number} maxFrameBytes - the window of a stream
   * @param {(stream: number) => boolean} isNegotiated - whether a stream has its protocol
   */
  constructor(maxFrameBytes, isNegotiated) {
    this.#maxFrameBytes = maxFrameBytes
    this.#isNegotiated = isNegotiated
  }

  /**
   * cut takes the next piece.
   *
   * @param {Uint8ArrayList} bytes - received; those of the piece are removed
   * @returns {Uint8ArrayList | undefined} whole frames; undefined: no frame is complete yet
   * @throws {FrameError}
   */
  cut(bytes) {
    const wholeBytes = this.#left === 0 ? this.#wholeBytes(bytes) : 0
    if (wholeBytes > 0) return takeFirst(bytes, wholeBytes)
    return this.#left > 0 || this.#beginSplit(bytes) ? this.#takePart(bytes) : undefined
  }

  /** @param {Uint8ArrayList} bytes @returns {number} length of the whole frames that make up the next piece */
  #wholeBytes(bytes) {
    const view = viewOfFirst(bytes, PART_BYTES)
    let at = 0
    let lines = 0
    for (let weight = 0; weight < WEIGHT && view.length - at >= yamux.HEADER_BYTES; ) {
      const dataAt = at + yamux.HEADER_BYTES
      const end = dataAt + this.#dataBytes(view, at)
      if (end > view.length) break
      for (let i = dataAt; i < end; i++) if (view[i] === NEWLINE) lines++
      if (lines > FIRST_LINES && !this.#isNegotiated(view.readUInt32BE(at + yamux.STREAM_AT))) break
      const isSyn = (view.readUInt16BE(at + yamux.FLAGS_AT) & yamux.SYN) !== 0
      weight += isSyn && view[at + yamux.TYPE_AT] !== yamux.PING ? OPENING_WEIGHT : 1
      at = end
    }
    return at
  }

  /** @param {Buffer} view @param {number} at - of a frame */
  #dataBytes(view, at) {
    const length = view[at + yamux.TYPE_AT] === yamux.DATA ? view.readUInt32BE(at + yamux.LENGTH_AT) : 0
    if (length > this.#maxFrameBytes) throw new FrameError(`a frame of ${length} bytes`)
    return length
  }

  /**
   * Begins to split a frame that is too long to be buffered until it is complete, or a complete frame with too many lines.
   *
   * @param {Uint8ArrayList} bytes
   */
  #beginSplit(bytes) {
    if (bytes.byteLength < yamux.HEADER_BYTES) return false
    const header = Buffer.from(viewOfFirst(bytes, yamux.HEADER_BYTES))
    const dataBytes = this.#dataBytes(header, 0)
    const frameBytes = yamux.HEADER_BYTES + dataBytes
    if (frameBytes <= PART_BYTES && frameBytes > bytes.byteLength) return false
    bytes.consume(yamux.HEADER_BYTES)
    this.#left = dataBytes
    this.#header = header
    return true
  }

  /** Takes a part of the frame that is being split, with a header of its own. @param {Uint8ArrayList} bytes */
  #takePart(bytes) {
    const isNegotiated = this.#isNegotiated(this.#header.readUInt32BE(yamux.STREAM_AT))
    const partBytes = Math.min(this.#left, isNegotiated ? PART_BYTES : FIRST_LINES_BYTES)
    if (bytes.byteLength < partBytes) return undefined
    const header = Buffer.from(this.#header)
    const flags = header.readUInt16BE(yamux.FLAGS_AT)
    const isLast = partBytes === this.#left
    header.writeUInt16BE(isLast ? flags : flags & ~LAST, yamux.FLAGS_AT)
    header.writeUInt32BE(partBytes, yamux.LENGTH_AT)
    this.#left -= partBytes
    this.#header.writeUInt16BE(flags & ~FIRST, yamux.FLAGS_AT)
    return new Uint8ArrayList(header, takeFirst(bytes, partBytes))
  }
}

/** @param {Uint8ArrayList} bytes @param {number} maxBytes */
function viewOfFirst(bytes, maxBytes) {
  const { buffer, byteOffset, byteLength } = bytes.subarray(0, Math.min(maxBytes, bytes.byteLength))
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** @param {Uint8ArrayList} bytes - from which they are removed @param {number} count */
function takeFirst(bytes, count) {
  const piece = bytes.sublist(0, count)
  bytes.consume(count)
  return piece
}
