// The guard in front of libp2p that bounds connections, streams, bytes of each address.

import { setImmediate as turn } from 'node:timers/promises'
import { StreamMessageEvent } from '@libp2p/interface'
import { Uint8ArrayList } from 'uint8arraylist'
import { nextOf } from '../../kit/time.js'
import { ForwardingStream } from '../../libp2p/forwarding-stream.js'
import {
  ACK,
  DATA,
  FIN,
  FLAGS_AT,
  HEADER_BYTES,
  LENGTH_AT,
  PING,
  RST,
  STREAM_AT,
  SYN,
  TYPE_AT
} from '../../libp2p/yamux.js'
import { connectionLimits, STREAM_WINDOW } from '../process/node-settings.js'
import { AddressSlots, addressOf, groupOf, isOneOf, networkOf, networks } from './address-groups.js'
import { afterPromises, GuardError, LoopTime, pacedTurns, Turns, UNTIMED } from './fair-share.js'

/**
 * @typedef {import('@libp2p/interface').MessageStream} MessageStream
 *
 * @typedef {object} Pace
 * @property {(bytes: Uint8ArrayList) => Uint8ArrayList | undefined} cut - takes the next piece of what arrived; undefined: there is
 *   none yet; throws when the connection must end
 * @property {(bytes: Uint8ArrayList) => Promise<void> | undefined} turn - to hand a piece on; undefined: at once; throws when the
 *   connection must end
 * @property {() => void} began - a piece is about to be cut and handed on
 * @property {(isAll: boolean) => void} done - the turn is over, whether there was a piece or not. `isAll`: nothing is left that could
 *   be handed on
 * @property {number} stallTimeoutMs - in which the other side must take some of what waits for it
 */

/** NotTakenError is why a connection ends that does not read. */
export class NotTakenError extends Error {
  name = 'NotTakenError'
  code = 'ERR_REPLY_NOT_TAKEN'
}

/**
 * PacedStream hands what arrives on in pieces, each when it is its turn. Meanwhile no more is read, and none as long as the other side
 * does not take what is sent to it.
 */
export class PacedStream extends ForwardingStream {
  #pace
  #bytes = new Uint8ArrayList()
  /** @type {Set<(event: any) => void>} */
  #readers = new Set()
  #working = false
  /** by the reader */
  #held = false
  #paused = false

  /** @param {MessageStream} stream @param {Pace} pace */
  constructor(stream, pace) {
    super(stream)
    this.#pace = pace
    stream.addEventListener('message', ({ data }) => {
      this.#bytes.append(data)
      this.#work()
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
    queueMicrotask(this.#work)
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
    queueMicrotask(this.#work)
  }

  pause() {
    this.#held = true
    this.#readOnOrNot()
  }

  resume() {
    this.#held = false
    this.#readOnOrNot()
    this.#work()
  }

  #work = async () => {
    if (this.#working) return
    this.#working = true
    try {
      while (this.#hasWork) {
        const wait = this.#pace.turn(this.#bytes)
        if (wait !== undefined) await this.#meanwhile(wait)
        if (!this.#handOnPiece()) break
        if (this.stream.writableNeedsDrain) await this.#meanwhile(this.#drained())
        else if (this.#hasWork) await this.#meanwhile(new Promise(afterPromises))
      }
    } catch (error) {
      this.abort(/** @type {Error} */ (error))
    }
    this.#working = false
    this.#readOnOrNot()
  }

  get #hasWork() {
    return (
      this.#readers.size > 0 && this.#bytes.byteLength > 0 && !this.#held && this.stream.status === 'open'
    )
  }

  /** The turn is given back, whatever became of it meanwhile. @returns {boolean} whether there was a piece */
  #handOnPiece() {
    let piece
    try {
      this.#pace.began()
      piece = this.#hasWork ? this.#pace.cut(this.#bytes) : undefined
      if (piece === undefined) return false
      const event = new StreamMessageEvent(piece)
      for (const reader of this.#readers) reader(event)
      return true
    } finally {
      this.#pace.done(piece === undefined || this.#bytes.byteLength === 0)
    }
  }

  /** @param {Promise<void>} wait */
  async #meanwhile(wait) {
    this.#readOnOrNot(true)
    await wait
  }

  async #drained() {
    const { stream } = this
    const late = setTimeout(() => {
      this.abort(new NotTakenError('the client does not take what is sent to it'))
    }, this.#pace.stallTimeoutMs).unref()
    while (stream.status === 'open' && stream.writableNeedsDrain) {
      await nextOf(stream, ['drain', 'close'])
      late.refresh()
    }
    clearTimeout(late)
  }

  #readOnOrNot(waits = false) {
    const paused = waits || this.#held
    if (paused === this.#paused || this.stream.status !== 'open') return
    this.#paused = paused
    // what ended can neither be paused nor resumed
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
 * @typedef {object} Visitor - who is behind a connection
 * @property {string} group
 * @property {string} address
 * @property {string} peer - first the connection itself, then who proved to be there
 * @property {boolean} limited - whether the limits hold for it
 * @property {boolean} secured
 * @property {MultiaddrConnection} connection
 * @property {HeldStreams} [held] - of one that the limits hold for
 * @property {import('../rendezvous-server.js').CallerState} [caller] - once it has a stream with the protocol
 */

// the first lines of a connection are all answered before anybody else has a turn
const UNSECURED_PIECE_BYTES = 256
// of Noise: 64 kB can be 3,500 messages
const PIECE_BYTES = 2048
// with a key of RSA and its signature, it takes 2.3 kB
const HANDSHAKE_BYTES = 4096
const SECOND_MS = 1000

/**
 * Guard bounds what comes from strangers before it is a request: connections, handshakes, frames of Yamux, and streams that have no
 * protocol yet. What arrives is worked off in turn, a little for each address, so that nobody waits for what another sends.
 *
 * @implements {NonNullable<import('../../libp2p/layers/node-parts.js').Guard>}
 */
export class Guard {
  #limits
  #unlimited
  #turns = new Turns()
  /** what its groups have of the event loop; requests count in it as well */
  loopTime
  /** @type {AddressSlots<Visitor>} */
  #handshakes
  /** @type {AddressSlots<Visitor>} */
  #connections
  /** @type {AddressSlots<Stream>} */
  #negotiations
  /** @type {WeakMap<object, Visitor>} */
  #visitors = new WeakMap()
  /** @type {WeakMap<Stream, Visitor>} */
  #negotiating = new WeakMap()
  /** connections of each address in this second @type {Map<string, number>} */
  #lately = new Map()
  #second = Number.NEGATIVE_INFINITY

  /** @param {import('../limits.js').Limits} limits @param {readonly string[]} unlimitedFrom - networks as multiaddrs */
  constructor(limits, unlimitedFrom) {
    this.#limits = limits
    this.#unlimited = networks(unlimitedFrom)
    this.loopTime = new LoopTime(limits.maxGroupLoopMsPerSecond)
    const drop = (/** @type {Visitor} */ { connection }) => connection.abort(tooMany('connections'))
    this.#handshakes = new AddressSlots(
      { each: limits.maxAddressHandshakes, all: limits.maxHandshakes },
      drop
    )
    this.#connections = new AddressSlots(
      { each: limits.maxAddressConnections, all: limits.maxConnections },
      drop
    )
    this.#negotiations = new AddressSlots(
      { each: limits.maxAddressNegotiations, all: limits.maxNegotiations },
      stream => stream.abort(tooMany('streams without a protocol'))
    )
  }

  /**
   * shareOf is what an address has of the event loop, in whatever way it comes.
   *
   * @param {string} host
   * @param {import('./fair-share.js').Holder} connection
   * @returns {import('./fair-share.js').LoopShare}
   */
  shareOf = (host, connection) =>
    isOneOf(this.#unlimited, host)
      ? UNTIMED
      : this.loopTime.of('connections', groupOf(networkOf(host)), connection)

  /** counts are how many there are at this moment, of limited ones. */
  get counts() {
    return {
      handshakes: this.#handshakes.size,
      connections: this.#connections.size,
      negotiations: this.#negotiations.size
    }
  }

  get connectionManager() {
    return connectionLimits(this.#limits)
  }

  /**
   * enter is asked for each connection before its handshake.
   *
   * @param {MultiaddrConnection} connection
   * @returns {MultiaddrConnection} to be used instead
   * @throws {GuardError} it is refused
   */
  enter(connection) {
    const host = addressOf(connection.remoteAddr)
    const network = networkOf(host)
    const visitor = {
      group: groupOf(network),
      address: network,
      peer: String(connection.remoteAddr),
      limited: !isOneOf(this.#unlimited, host),
      secured: false,
      connection
    }
    if (visitor.limited) this.#admit(visitor)
    const paced = new PacedConnection(connection, this.#paceOfBytes(visitor))
    this.#visitors.set(paced, visitor)
    return paced
  }

  /** @param {Visitor} visitor */
  #admit(visitor) {
    const { address, connection } = visitor
    if (!this.#isSlowEnough(address) || !this.#handshakes.add(address, visitor)) throw tooMany('connections')
    connection.addEventListener('close', () => {
      this.#handshakes.remove(address, visitor)
      this.#connections.remove(address, visitor)
    })
  }

  /** @param {string} address */
  #isSlowEnough(address) {
    const now = performance.now()
    if (now - this.#second >= SECOND_MS) {
      this.#second = now
      this.#lately.clear()
    }
    const count = (this.#lately.get(address) ?? 0) + 1
    this.#lately.set(address, count)
    return count <= this.#limits.maxAddressConnectionsPerSecond
  }

  /**
   * secured is told of a connection that finished its handshake.
   *
   * @param {MessageStream} connection - of `enter`
   * @param {{ connection: MessageStream, remotePeer: import('@libp2p/interface').PeerId }} secured
   * @throws {GuardError} it is refused
   */
  secured(connection, { connection: stream, remotePeer }) {
    const visitor = this.#visitors.get(connection)
    if (visitor === undefined) return
    this.#visitors.set(stream, visitor)
    visitor.secured = true
    visitor.peer = String(remotePeer)
    if (!visitor.limited || visitor.connection.status !== 'open') return
    this.#handshakes.remove(visitor.address, visitor)
    if (!this.#connections.add(visitor.address, visitor)) throw tooMany('connections')
  }

  /**
   * muxed is asked for what a muxer reads and writes.
   *
   * @param {MessageStream} stream - that `secured` was told of
   * @param {() => StreamMuxer} muxer - that it is for, once there is one
   * @returns {MessageStream} to be used instead
   */
  muxed(stream, muxer) {
    const visitor = this.#visitors.get(stream)
    return visitor === undefined ? stream : new PacedStream(stream, this.#paceOfFrames(visitor, muxer))
  }

  /**
   * negotiated is told of a stream that has its protocol.
   *
   * @param {Stream} stream
   * @param {import('../rendezvous-server.js').CallerState} caller - who is behind its connection
   */
  negotiated = (stream, caller) => {
    const visitor = this.#negotiating.get(stream)
    if (visitor === undefined) return
    this.#negotiations.remove(visitor.address, stream)
    const held = /** @type {HeldStreams} */ (visitor.held)
    held.replies = caller.accounts.replies
    visitor.caller = caller
    stream.addEventListener('message', () => held.spoke(stream), { once: true })
  }

  /** @param {Visitor} visitor @returns {Pace} */
  #paceOfBytes(visitor) {
    let handshakeBytes = 0
    return {
      ...this.#turnsOf(visitor, bytes => visitor.secured && bytes.byteLength <= PIECE_BYTES),
      cut: bytes => {
        const most = visitor.secured ? PIECE_BYTES : UNSECURED_PIECE_BYTES
        const piece = bytes.sublist(0, Math.min(most, bytes.byteLength))
        bytes.consume(piece.byteLength)
        if (!visitor.secured) handshakeBytes += piece.byteLength
        if (handshakeBytes > HANDSHAKE_BYTES)
          throw new GuardError('ERR_HANDSHAKE_TOO_LARGE', 'a handshake too large')
        return piece
      }
    }
  }

  /** @param {Visitor} visitor @param {() => StreamMuxer} muxer @returns {Pace} */
  #paceOfFrames(visitor, muxer) {
    const isNegotiated = (/** @type {number} */ id) =>
      muxer().streams.some(stream => stream.id === String(id) && stream.protocol !== '')
    const cutter = new FrameCutter(STREAM_WINDOW.maxStreamWindowSize, isNegotiated)
    let watched = !visitor.limited
    return {
      ...this.#turnsOf(visitor, () => false),
      cut: bytes => {
        // not before libp2p listens: the muxer keeps streams for the first who does
        if (!watched && muxer().listenerCount('stream') > 0) {
          watched = true
          muxer().addEventListener('stream', ({ detail }) => this.#watch(visitor, detail))
        }
        return cutter.cut(bytes)
      }
    }
  }

  /** @param {Visitor} visitor @param {Stream} stream */
  #watch(visitor, stream) {
    if (stream.status !== 'open') return
    visitor.held ??= new HeldStreams(
      this.#shareOf(visitor),
      this.#limits.maxMessageBytes + UNSECURED_PIECE_BYTES
    )
    const { held, address } = visitor
    this.#negotiating.set(stream, visitor)
    stream.addEventListener('close', () => {
      this.#negotiations.remove(address, stream)
      held.ended(stream)
    })
    if (this.#negotiations.add(address, stream)) held.add(stream)
    else stream.abort(tooMany('streams without a protocol'))
  }

  /** @param {Visitor} visitor @returns {import('./fair-share.js').LoopShare} */
  #shareOf(visitor) {
    if (!visitor.limited) return UNTIMED
    const { begin, wait } = this.loopTime.of('connections', visitor.group, visitor.connection)
    return {
      begin,
      wait(who) {
        const late = wait(who)
        if (late !== undefined && visitor.caller !== undefined) visitor.caller.held = true
        return late
      }
    }
  }

  /** @param {Visitor} visitor @param {(bytes: Uint8ArrayList) => boolean} atOnce */
  #turnsOf(visitor, atOnce) {
    return pacedTurns({
      take: () => this.#turns.take(visitor),
      give: () => this.#turns.done(),
      share: this.#shareOf(visitor),
      atOnce,
      stallTimeoutMs: this.#limits.stallTimeoutMs
    })
  }
}

/** @param {string} what */
const tooMany = what => new GuardError('ERR_TOO_MANY', `too many ${what}`)

class PacedConnection extends PacedStream {
  /** @param {MultiaddrConnection} connection @param {Pace} pace */
  constructor(connection, pace) {
    super(connection, pace)
    this.remoteAddr = connection.remoteAddr
  }
}

// with a round trip of 150 ms, a connection can open 100 streams a second
const MOST_SILENT = 32
// some are opened ahead
const SILENT_MS = 1000

/**
 * HeldStreams are those of a connection that must not agree on a protocol yet: to agree is dear, and nothing would come of it. Either the
 * client does not take the replies it asked for, and what it asks on a further stream would only wait; or it has asked for nothing on those
 * it opened just now. They are let in one by one.
 */
export class HeldStreams {
  #share
  /** that wait on the connection, once a stream has the rendezvous protocol @type {import('./fair-share.js').Account | undefined} */
  replies
  #keptBytes
  /** with what each may keep when it is let in @type {Map<Stream, number>} */
  #held = new Map()
  /** on which nothing was asked yet @type {Map<Stream, NodeJS.Timeout>} */
  #silent = new Map()
  #spoke = () => {}
  #isLettingIn = false

  /**
   * @param {import('./fair-share.js').LoopShare} share - of the event loop
   * @param {number} keptBytes - what may come on each while it waits; beyond that it is reset
   */
  constructor(share, keptBytes) {
    this.#share = share
    this.#keptBytes = keptBytes
  }

  /** add is told of each stream that begins, before anything of it is read. @param {Stream} stream */
  add(stream) {
    if (!this.#isLettingIn && this.#wait() === undefined) this.#begin(stream)
    else if (stream.readStatus === 'readable') this.#hold(stream)
  }

  /** ended is told of a stream that has ended. @param {Stream} stream */
  ended(stream) {
    this.#held.delete(stream)
    this.spoke(stream)
  }

  /** spoke is told of a stream on which something was asked. @param {Stream} stream */
  spoke(stream) {
    clearTimeout(this.#silent.get(stream))
    if (this.#silent.delete(stream)) this.#spoke()
  }

  /** @param {Stream} stream */
  #begin(stream) {
    const late = setTimeout(() => this.spoke(stream), SILENT_MS).unref()
    this.#silent.set(stream, late)
  }

  /** @param {Stream} stream */
  #hold(stream) {
    stream.pause()
    this.#held.set(stream, stream.maxReadBufferLength)
    stream.maxReadBufferLength = this.#keptBytes
    if (!this.#isLettingIn) this.#letIn()
  }

  async #letIn() {
    this.#isLettingIn = true
    while (this.#held.size > 0) await (this.#wait() ?? this.#share.wait() ?? this.#letInNext())
    this.#isLettingIn = false
  }

  async #letInNext() {
    await turn()
    // all may have ended meanwhile
    const [next] = this.#held
    if (next === undefined) return
    const [stream, mayKeepBytes] = next
    this.#held.delete(stream)
    if (stream.readStatus !== 'paused') return
    stream.maxReadBufferLength = mayKeepBytes
    this.#begin(stream)
    this.#share.begin()
    stream.resume()
  }

  /** @returns {Promise<void> | undefined} after which it is to be asked again; undefined: one more may begin */
  #wait() {
    const room = this.replies?.room()
    if (room !== undefined || this.#silent.size < MOST_SILENT) return room
    return new Promise(resolve => {
      this.#spoke = resolve
    })
  }
}

/** Flags of the first part of a frame that is cut up, and of the last. */
const FIRST = SYN | ACK
const LAST = FIN | RST

// what a piece can make anybody do takes about half a millisecond: open 4 streams, each of which counts as 4 of 16 frames, or answer 64
// lines of streams that have no protocol yet
const WEIGHT = 16
const OPENING_WEIGHT = 4
const FIRST_LINES = 64
const PART_BYTES = 4096
/** 64 lines at most: each has its length before it and a newline at its end (https://github.com/multiformats/multistream-select). */
const FIRST_LINES_BYTES = 128
const NEWLINE = 0x0a

/** FrameError is thrown for a frame that no stream could take. */
class FrameError extends Error {
  name = 'FrameError'
  code = 'ERR_YAMUX_FRAME'
}

/**
 * FrameCutter cuts what arrives on a connection with Yamux into pieces of a few frames, so that others can come between. A long
 * frame of data is cut up into several, so that nobody can make the other side keep the beginning of one.
 */
export class FrameCutter {
  #maxFrameBytes
  #isNegotiated
  /** of the frame of data that is being cut up */
  #left = 0
  #header = Buffer.alloc(HEADER_BYTES)

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
   * @param {Uint8ArrayList} bytes - that arrived; those of the piece are removed
   * @returns {Uint8ArrayList | undefined} whole frames; undefined: there is none yet
   * @throws {FrameError}
   */
  cut(bytes) {
    const wholeBytes = this.#left === 0 ? this.#wholeBytes(bytes) : 0
    if (wholeBytes > 0) return taken(bytes, wholeBytes)
    return this.#left > 0 || this.#begin(bytes) ? this.#part(bytes) : undefined
  }

  /** How much of what arrived is a piece as it is. @param {Uint8ArrayList} bytes */
  #wholeBytes(bytes) {
    const view = first(bytes, PART_BYTES)
    let at = 0
    let lines = 0
    for (let weight = 0; weight < WEIGHT && view.length - at >= HEADER_BYTES; ) {
      const dataBytes = this.#dataBytes(view, at)
      const end = at + HEADER_BYTES + dataBytes
      if (end > view.length) break
      lines += newlines(view, end - dataBytes, end)
      if (lines > FIRST_LINES && !this.#isNegotiated(view.readUInt32BE(at + STREAM_AT))) break
      weight += weightOf(view, at)
      at = end
    }
    return at
  }

  /** @param {Buffer} view @param {number} at - of a frame */
  #dataBytes(view, at) {
    const length = view[at + TYPE_AT] === DATA ? view.readUInt32BE(at + LENGTH_AT) : 0
    if (length > this.#maxFrameBytes) throw new FrameError(`a frame of ${length} bytes`)
    return length
  }

  /**
   * Begins to cut up a frame that is too long to be kept until all of it is there, or of which all is there and too many lines.
   *
   * @param {Uint8ArrayList} bytes
   */
  #begin(bytes) {
    if (bytes.byteLength < HEADER_BYTES) return false
    const header = Buffer.from(first(bytes, HEADER_BYTES))
    const dataBytes = this.#dataBytes(header, 0)
    const frameBytes = HEADER_BYTES + dataBytes
    if (frameBytes <= PART_BYTES && frameBytes > bytes.byteLength) return false
    bytes.consume(HEADER_BYTES)
    this.#left = dataBytes
    this.#header = header
    return true
  }

  /** A part of the frame that is being cut up, with a header of its own. @param {Uint8ArrayList} bytes */
  #part(bytes) {
    const isNegotiated = this.#isNegotiated(this.#header.readUInt32BE(STREAM_AT))
    const partBytes = Math.min(this.#left, isNegotiated ? PART_BYTES : FIRST_LINES_BYTES)
    if (bytes.byteLength < partBytes) return undefined
    const header = Buffer.from(this.#header)
    const flags = header.readUInt16BE(FLAGS_AT)
    const isLast = partBytes === this.#left
    header.writeUInt16BE(isLast ? flags : flags & ~LAST, FLAGS_AT)
    header.writeUInt32BE(partBytes, LENGTH_AT)
    this.#left -= partBytes
    this.#header.writeUInt16BE(flags & ~FIRST, FLAGS_AT)
    return new Uint8ArrayList(header, taken(bytes, partBytes))
  }
}

/** A view of the first bytes. @param {Uint8ArrayList} bytes @param {number} most */
function first(bytes, most) {
  const { buffer, byteOffset, byteLength } = bytes.subarray(0, Math.min(most, bytes.byteLength))
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** @param {Uint8ArrayList} bytes - of which they are removed @param {number} count */
function taken(bytes, count) {
  const piece = bytes.sublist(0, count)
  bytes.consume(count)
  return piece
}

/** @param {Buffer} view @param {number} at - of a frame */
const weightOf = (view, at) =>
  view[at + TYPE_AT] !== PING && (view.readUInt16BE(at + FLAGS_AT) & SYN) !== 0 ? OPENING_WEIGHT : 1

/** @param {Uint8Array} bytes @param {number} from @param {number} to */
function newlines(bytes, from, to) {
  let count = 0
  for (let at = from; at < to; at++) if (bytes[at] === NEWLINE) count++
  return count
}
