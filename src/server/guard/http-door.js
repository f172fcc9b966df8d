import { plainAddress } from '../../kit/ip-address.js'
import { groupOf, networkOf } from '../addresses.js'
import { UNTIMED } from '../loop-time.js'
import { Turns } from '../turns.js'
import { PacedSocket } from './paced-socket.js'
import { pacedTurns } from './paced-turns.js'
import { Room } from './room.js'

const STALL_TIMEOUT_MS = 10_000

/**
 * HttpDoor bounds what comes to a port of HTTP before it is a request: connections, and what is sent over them without end.
 */
export class HttpDoor {
  #turns = new Turns()
  /** @type {Room<import('node:net').Socket>} */
  #room
  #shareOf

  /**
   * @param {number} maxConnections
   * @param {import('./guard.js').Guard['shareOf']} [shareOf] - what an address has of the event loop; default: nobody is limited
   */
  constructor(maxConnections, shareOf = () => UNTIMED) {
    this.#room = new Room({ each: maxConnections, all: maxConnections }, socket => socket.destroy())
    this.#shareOf = shareOf
  }

  /**
   * enter is asked for each connection.
   *
   * @param {import('node:net').Socket} socket
   * @returns {import('node:stream').Duplex | undefined} to be used instead; undefined: it is refused
   */
  enter(socket) {
    const host = plainAddress(socket.remoteAddress ?? '')
    const address = networkOf(host)
    if (!this.#room.add(address, socket)) {
      socket.destroy()
      return
    }
    socket.once('close', () => this.#room.remove(address, socket))
    const share = this.#shareOf(host, { addEventListener: (type, listener) => socket.once(type, listener) })
    if (share === UNTIMED) return socket
    const caller = { group: groupOf(address), address, peer: String(socket.remotePort) }
    const pace = pacedTurns({
      take: () => this.#turns.take(caller),
      give: () => this.#turns.done(),
      share,
      atOnce: () => false,
      stallTimeoutMs: STALL_TIMEOUT_MS
    })
    return new PacedSocket(socket, pace)
  }
}
