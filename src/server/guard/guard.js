import { Uint8ArrayList } from 'uint8arraylist'
import { addressOf, groupOf, isOneOf, networkOf, networks } from '../addresses.js'
import { LoopTime, UNTIMED } from '../loop-time.js'
import { connectionLimits, STREAM_WINDOW } from '../node-settings.js'
import { Turns } from '../turns.js'
import { FrameCutter } from './frame-cutter.js'
import { GuardError } from './guard-error.js'
import { HeldStreams } from './held-streams.js'
import { PacedStream } from './paced-stream.js'
import { pacedTurns } from './paced-turns.js'
import { Room } from './room.js'

/**
 * @typedef {import('@libp2p/interface').MessageStream} MessageStream
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
const FIRST_LINES_BYTES = 256
// of Noise: 64 kB can be 3,500 messages
const PART_BYTES = 2048
// with a key of RSA and its signature, it takes 2.3 kB
const HANDSHAKE_BYTES = 4096
const SECOND_MS = 1000

/**
 * Guard bounds what comes from strangers before it is a request: connections, handshakes, frames of Yamux, and streams that have no
 * protocol yet. What arrives is worked off in turn, a little for each address, so that nobody waits for what another sends.
 *
 * @implements {NonNullable<import('../../libp2p/types.js').Guard>}
 */
export class Guard {
  #limits
  #unlimited
  #turns = new Turns()
  /** what its groups have of the event loop; requests count in it as well */
  loopTime
  /** @type {Room<Visitor>} */
  #handshakes
  /** @type {Room<Visitor>} */
  #connections
  /** @type {Room<Stream>} */
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
    this.#handshakes = new Room({ each: limits.maxAddressHandshakes, all: limits.maxHandshakes }, drop)
    this.#connections = new Room({ each: limits.maxAddressConnections, all: limits.maxConnections }, drop)
    this.#negotiations = new Room(
      { each: limits.maxAddressNegotiations, all: limits.maxNegotiations },
      stream => stream.abort(tooMany('streams without a protocol'))
    )
  }

  /**
   * shareOf is what an address has of the event loop, in whatever way it comes.
   *
   * @param {string} host
   * @param {import('../rate.js').Holder} connection
   * @returns {import('../loop-time.js').LoopShare}
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

  /** @param {Visitor} visitor @returns {import('./paced-stream.js').Pace} */
  #paceOfBytes(visitor) {
    let handshakeBytes = 0
    return {
      ...this.#turnsOf(visitor, bytes => visitor.secured && bytes.byteLength <= PART_BYTES),
      cut: bytes => {
        const most = visitor.secured ? PART_BYTES : FIRST_LINES_BYTES
        const piece = bytes.sublist(0, Math.min(most, bytes.byteLength))
        bytes.consume(piece.byteLength)
        if (!visitor.secured) handshakeBytes += piece.byteLength
        if (handshakeBytes > HANDSHAKE_BYTES)
          throw new GuardError('ERR_HANDSHAKE_TOO_LARGE', 'a handshake too large')
        return piece
      }
    }
  }

  /** @param {Visitor} visitor @param {() => StreamMuxer} muxer @returns {import('./paced-stream.js').Pace} */
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
    visitor.held ??= new HeldStreams(this.#shareOf(visitor), this.#limits.maxMessageBytes + FIRST_LINES_BYTES)
    const { held, address } = visitor
    this.#negotiating.set(stream, visitor)
    stream.addEventListener('close', () => {
      this.#negotiations.remove(address, stream)
      held.ended(stream)
    })
    if (this.#negotiations.add(address, stream)) held.add(stream)
    else stream.abort(tooMany('streams without a protocol'))
  }

  /** @param {Visitor} visitor @returns {import('../loop-time.js').LoopShare} */
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
  /** @param {MultiaddrConnection} connection @param {import('./paced-stream.js').Pace} pace */
  constructor(connection, pace) {
    super(connection, pace)
    this.remoteAddr = connection.remoteAddr
  }
}
