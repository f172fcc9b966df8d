import { DONE, HEARD, HELLO, KNOWN, ROUND_TRIPS } from './connecting.js'
import { aboutConnection, KIND, NO_BYTES, protocolsOf } from './load.js'
import { SimulatedConnection } from './simulated-connection.js'

/**
 * @typedef {import('./load.js').Load} Load
 * @typedef {import('./simulated-node.js').SimulatedNode} SimulatedNode
 * @typedef {import('./wire.js').WireOut<Load>} WireOut
 * @typedef {import('./wire.js').WireIn<Load>} WireIn
 *
 * @typedef {object} Surroundings - what an endpoint is told and asks for
 * @property {(number: number) => SimulatedNode | undefined} nodeAt - undefined: it is not there
 * @property {(number: number) => import('./simulated-connection.js').RemotePeer} peerOf
 * @property {(endpoint: Endpoint) => Endpoint | undefined} rival - another one of the same two nodes, at the same one, whose connection stands
 * @property {import('./shared-writes.js').SharedWrites} writes
 * @property {number | null} sendQueue
 * @property {boolean} windowUpdates
 */

/**
 * Endpoint is what a node has of a connection, from the first message of its handshake to its end.
 *
 *     state      | leaves it by
 *     dialling   | the third answer: the dialler's end stands; the end of the other one: nobody was there
 *     listening  | HELLO: the listener's end stands
 *     standing   | KNOWN at the dialler, DONE at the listener: each knows the other's protocols, and its node hears of the connection
 *     closed     | nothing: what still comes is not heard
 *
 * Nodes that dial each other at once keep what the one with the lower number has dialled.
 */
export class Endpoint {
  #parts
  #around
  /** @type {SimulatedNode | null} null: nothing has come yet */
  #node
  /** Round trips of the handshake that are behind it. */
  #trips = 0
  /** @type {SimulatedConnection | null} */
  #connection = null
  #isKnown = false
  #isClosed = false
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
   * @param {Surroundings} around
   */
  constructor({ incoming, dialler, ...parts }, around) {
    this.#parts = parts
    this.#around = around
    this.#node = dialler
    this.dials = dialler !== null
    this.incoming = incoming(this)
  }

  get local() {
    return this.#parts.local
  }

  get remote() {
    return this.#parts.remote
  }

  get number() {
    return this.#parts.connection
  }

  /** out is the sender's end of the way to the other node. */
  get out() {
    return this.#parts.out
  }

  /** The node that has it; null: nothing has come to it yet, or it is closed. */
  get node() {
    return this.#node
  }

  /** Its end of the connection, once that stands, until it has ended. */
  get connection() {
    return this.#connection
  }

  get isClosed() {
    return this.#isClosed
  }

  /** isKnown: its node has heard of the connection. */
  get isKnown() {
    return this.#isKnown
  }

  /** dial begins the handshake. @returns {Promise<SimulatedConnection>} when the connection stands at this end */
  dial() {
    return new Promise((resolve, reject) => {
      this.#dialling = { resolve, reject }
      this.#ask()
    })
  }

  /** heard takes what the other end has told, when its node has come to it. @param {Load} load */
  heard(load) {
    if (this.#isClosed) return
    if (load.kind > KIND.END) return this.#connection?.heard(load)
    if (load.kind === KIND.END) return this.#end()
    if (load.kind === KIND.TRIP) return this.dials ? this.#answered() : this.#asked()
    if (load.kind === KIND.HELLO) return this.#accept()
    this.#met(protocolsOf(load), load.kind)
  }

  /** The dialler's message of a round trip. */
  #ask() {
    this.#send(KIND.TRIP, ROUND_TRIPS[this.#trips].asked)
  }

  /** The listener's. */
  #answer() {
    this.#send(KIND.TRIP, ROUND_TRIPS[this.#trips].answered)
    this.#trips += 1
  }

  /** leave ends it as the end of its node's process does: the other end hears of it. @param {Error} error */
  leave(error) {
    if (this.#connection !== null) return this.#connection.abort(error)
    this.#send(KIND.END)
    this.#close(error)
  }

  /** cut ends this end alone: nothing gets through to the other one. @param {Error} error */
  cut(error) {
    this.#parts.out.close()
    this.#connection?.end(error)
    this.#close(error)
  }

  /** A message of the handshake has come to the listener. */
  #asked() {
    this.#node ??= this.#around.nodeAt(this.local) ?? null
    if (this.#node !== null) return this.#answer()
    this.#send(KIND.END)
    this.#close()
  }

  /** An answer has come to the dialler. */
  #answered() {
    this.#trips += 1
    if (this.#trips < ROUND_TRIPS.length) return this.#ask()
    const rival = this.#around.rival(this)?.connection
    // the other one dialled, too, and was faster
    if (rival != null) {
      this.#dialling?.resolve(rival)
      this.#send(KIND.END)
      return this.#close()
    }
    const connection = this.#stand('outbound')
    this.#send(KIND.HELLO, HELLO)
    this.#dialling?.resolve(connection)
    this.#dialling = null
  }

  /** The connection stands at the other end, and does at this one now. */
  #accept() {
    const node = this.#node
    if (node === null) return
    const own = this.#around.rival(this)
    // what it has dialled itself just now
    if (own?.dials && !own.isKnown) {
      if (this.local < this.remote) {
        this.#send(KIND.END)
        return this.#close()
      }
      own.leave(new Error('the other one dialled, too'))
    }
    this.#stand('inbound')
    this.#send(KIND.KNOWN, KNOWN, node.registrar.getProtocols())
  }

  /** @param {string[]} protocols - of the other node @param {number} kind */
  #met(protocols, kind) {
    if (this.#node === null || this.#connection?.status !== 'open') return
    this.#isKnown = true
    this.#node.connected(this.#connection, protocols)
    if (kind === KIND.KNOWN) this.#send(KIND.DONE, DONE, this.#node.registrar.getProtocols())
    else this.#send(KIND.WINDOW_UPDATE, HEARD)
  }

  /** The other end has ended. */
  #end() {
    this.#parts.out.close()
    this.#connection?.end()
    this.#close(new Error(`node ${this.remote} was not there when node ${this.local} dialled it`))
  }

  /** @param {'outbound' | 'inbound'} direction */
  #stand(direction) {
    const { local, remote, connection: number, out } = this.#parts
    const { writes, sendQueue, windowUpdates, peerOf } = this.#around
    this.#connection = new SimulatedConnection({
      id: `${local}-${remote}-${number}`,
      local: /** @type {SimulatedNode} */ (this.#node),
      remote: peerOf(remote),
      wire: out,
      ended: () => this.#close(),
      writes,
      sendQueue,
      windowUpdates,
      direction
    })
    return this.#connection
  }

  /** @param {number} kind @param {import('../links/wire-bytes.js').Written} [written] @param {readonly string[]} [protocols] */
  #send(kind, written = NO_BYTES, protocols) {
    this.#parts.out.send(written, aboutConnection(kind, protocols))
  }

  /** Nothing is heard any more. @param {Error} [error] - of a dial that is under way */
  #close(error = new Error('the connection was closed')) {
    if (this.#isClosed) return
    this.#isClosed = true
    this.incoming.close()
    this.#dialling?.reject(error)
    // what is still under way from here may need its wire
    this.#dialling = null
    this.#connection = null
    this.#node = null
  }
}
