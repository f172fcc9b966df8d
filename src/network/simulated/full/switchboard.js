import { ConnectionFailedError } from '@libp2p/interface'
import { AbstractMultiaddrConnection } from '@libp2p/utils'
import { multiaddr } from '@multiformats/multiaddr'
import { FREE, Processing } from '../processing.js'
import { WireIn, WireOut } from '../wire.js'

/**
 * @typedef {import('@multiformats/multiaddr').Multiaddr} Multiaddr
 * @typedef {import('@libp2p/interface').Logger} Logger
 *
 * @typedef {import('../wire.js').WireOut<() => void>} HappeningWire - what goes in happens at the other end
 *
 * @typedef {object} Listening
 * @property {number} node
 * @property {Logger} log
 * @property {(connection: WireConnection) => void} accept
 */

const LISTEN_PORT = 4001
const FIRST_PORT = 49_152
const PORTS = 16_384

/** @param {number} node */
const hostOf = node => `/ip4/10.${(node >> 16) & 255}.${(node >> 8) & 255}.${node & 255}`

/**
 * listenAddressOf is where a node listens: each has a host of its own.
 *
 * @param {number} node
 * @returns {string}
 */
export const listenAddressOf = node => `${hostOf(node)}/tcp/${LISTEN_PORT}`

/** Who is there is found out afterwards. @param {Multiaddr} address */
const withoutPeer = address => address.toString().split('/p2p/')[0]

/** Switchboard knows who listens at which address, and joins nodes by wires. */
export class Switchboard {
  #time
  #model
  /** @type {Map<string, Listening>} by address */
  #listening = new Map()
  /** @type {Map<string, number>} connections so far, by pair of nodes */
  #made = new Map()
  #ports = 0

  /**
   * @param {import('../virtual-time.js').VirtualTime} time
   * @param {Pick<import('../../links/link-model.js').LinkModel, 'sending' | 'receiving'>} model
   */
  constructor(time, model) {
    this.#time = time
    this.#model = model
  }

  /**
   * listen takes connections to an address from now on.
   *
   * @param {Multiaddr} address
   * @param {Listening} listening
   * @returns {() => void} takes no more
   */
  listen(address, listening) {
    const key = withoutPeer(address)
    this.#listening.set(key, listening)
    return () => void this.#listening.delete(key)
  }

  /**
   * connect opens a connection to an address: SYN there, SYN and ACK back, and bytes can follow.
   *
   * @param {{ from: number, address: Multiaddr, log: Logger, signal: AbortSignal }} options
   * @returns {Promise<WireConnection>} the dialler's end
   * @throws {ConnectionFailedError} when nobody listens there
   */
  connect({ from, address, log, signal }) {
    signal.throwIfAborted()
    const listening = this.#listening.get(withoutPeer(address))
    if (listening === undefined)
      return Promise.reject(new ConnectionFailedError(`nobody listens at ${address}`))
    const { there, back } = this.#wires(from, listening.node)
    const dialling = new WireConnection({ wire: there, remoteAddr: address, direction: 'outbound', log })
    const remoteAddr = multiaddr(`${hostOf(from)}/tcp/${FIRST_PORT + (this.#ports++ % PORTS)}`)
    return new Promise((resolve, reject) => {
      const aborted = () => {
        dialling.abort(signal.reason)
        reject(signal.reason)
      }
      signal.addEventListener('abort', aborted, { once: true })
      const connected = () => {
        signal.removeEventListener('abort', aborted)
        resolve(dialling)
      }
      there.send(SIGNAL_BYTES, () => {
        const accepted = new WireConnection({
          wire: back,
          remoteAddr,
          direction: 'inbound',
          log: listening.log
        })
        accepted.other = dialling
        dialling.other = accepted
        back.send(SIGNAL_BYTES, connected)
        listening.accept(accepted)
      })
    })
  }

  /** @param {number} from @param {number} to */
  #wires(from, to) {
    const pair = `${Math.min(from, to)}-${Math.max(from, to)}`
    const before = this.#made.get(pair) ?? 0
    this.#made.set(pair, before + 1)
    return { there: this.#wire(from, to, before), back: this.#wire(to, from, before) }
  }

  /** @param {number} from @param {number} to @param {number} connection @returns {HappeningWire} */
  #wire(from, to, connection) {
    const way = { from, to, connection, time: this.#time }
    // what RPCs cost is known only when they have been decrypted
    const processing = new Processing(this.#time, to, FREE)
    const other = new WireIn({
      ...way,
      receiving: this.#model.receiving(from, to, answer => out.answered(answer)),
      deliver: (/** @type {() => void} */ happen) => processing.take(undefined, happen)
    })
    const out = new WireOut({
      ...way,
      sending: far => this.#model.sending(from, to, connection, far),
      other
    })
    return out
  }
}

/** SIGNAL_BYTES stand for a segment that carries none: SYN, FIN and RST of TCP. */
const SIGNAL_BYTES = 1

/**
 * WireConnection is one end of a connection over a pair of simulated wires, as a transport gives it to libp2p to be encrypted and multiplexed.
 * What it does is the library's own; only that the other end hears of it is simulated.
 */
export class WireConnection extends AbstractMultiaddrConnection {
  #wire
  /** @type {WireConnection | null} the other end; null: it does not know yet */
  other = null

  /**
   * @param {object} init
   * @param {HappeningWire} init.wire - to the other end
   * @param {import('@multiformats/multiaddr').Multiaddr} init.remoteAddr
   * @param {import('@libp2p/interface').MessageStreamDirection} init.direction
   * @param {import('@libp2p/interface').Logger} init.log
   */
  constructor({ wire, remoteAddr, direction, log }) {
    super({ remoteAddr, direction, log })
    this.#wire = wire
    wire.onRoom = () => this.safeDispatchEvent('drain')
  }

  /** Piece by piece, as `@libp2p/tcp` hands them to a socket. @param {import('uint8arraylist').Uint8ArrayList} data */
  sendData(data) {
    let sentBytes = 0
    let canSendMore = true
    for (const piece of data) {
      // the other end has bytes of its own, as behind a real socket: what decrypts in place must not change what was sent
      const bytes = piece.slice()
      sentBytes += bytes.length
      canSendMore = this.#wire.send(bytes.length, () => this.other?.onData(bytes))
      if (!canSendMore) break
    }
    return { sentBytes, canSendMore }
  }

  async sendClose() {
    this.#wire.send(SIGNAL_BYTES, () => this.other?.onTransportClosed())
  }

  sendReset() {
    this.#wire.send(SIGNAL_BYTES, () => this.other?.onRemoteReset())
  }

  // a reader that pauses is not told to the other end: what comes is kept here, as the library does
  sendPause() {}

  sendResume() {}
}
