import {
  connectionSymbol,
  StreamCloseEvent,
  TypedEventEmitter,
  UnsupportedProtocolError
} from '@libp2p/interface'
import { SimulatedStream } from './simulated-stream.js'

/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {import('./link.js').Link} Link
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
  #time
  #local
  #remote
  #link
  #streams = 0;
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
   * @param {import('./virtual-time.js').VirtualTime} init.time
   * @param {SimulatedNode} init.local
   * @param {SimulatedNode} init.remote
   * @param {Link} init.link - from here to the other end
   * @param {import('@libp2p/interface').MessageStreamDirection} init.direction
   */
  constructor({ id, time, local, remote, link, direction }) {
    super()
    this.#time = time
    this.#local = local
    this.#remote = remote
    this.#link = link
    this.id = id
    this.remotePeer = remote.peerId
    this.remoteAddr = remote.multiaddr
    this.direction = direction
    this.timeline = { open: Date.now(), upgraded: Date.now() }
    this.log = local.log
  }

  /**
   * carry brings something to the other end, where it happens as the other node comes to it.
   *
   * @param {number} bytes - on the line
   * @param {() => void} happen
   * @param {() => void} [onRoom] - called when the link takes more, if it takes no more now
   * @param {import('uint8arraylist').Uint8ArrayList} [data] - what a stream carries
   * @returns {boolean} whether the link takes more
   */
  carry(bytes, happen, onRoom, data) {
    const { nowNs } = this.#time
    const arrivalNs = this.#link.send(bytes, nowNs)
    const remote = this.#remote
    if (arrivalNs < Number.POSITIVE_INFINITY)
      this.#time.at(arrivalNs, remote.number, () => remote.processing.take(data, happen))
    const roomNs = this.#link.roomAtNs(nowNs)
    if (roomNs <= nowNs) return true
    if (onRoom !== undefined) this.#time.at(roomNs, this.#local.number, onRoom)
    return false
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
    const stream = new SimulatedStream(this, { id: `${this.#streams++}`, direction: 'outbound' })
    this.#keep(stream)
    return new Promise((resolve, reject) => {
      const refused = () => {
        const error = new UnsupportedProtocolError(`the peer has none of ${asked.join(', ')}`)
        stream.abort(error)
        reject(error)
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

  #otherEnds() {
    if (this.other !== null) this.other.#end()
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
