import { setMaxListeners } from 'node:events'
import { serviceCapabilities, TypedEventEmitter, transportSymbol } from '@libp2p/interface'

/**
 * @typedef {import('@libp2p/interface').ComponentLogger} ComponentLogger
 * @typedef {import('@libp2p/interface').Transport} Transport
 * @typedef {import('@libp2p/interface').Listener} Listener
 * @typedef {import('@multiformats/multiaddr').Multiaddr} Multiaddr
 * @typedef {import('./switchboard.js').WireConnection} WireConnection
 * @typedef {import('./switchboard.js').Switchboard} Switchboard
 */

/** @param {Multiaddr} address */
const isTcp = address => /^\/ip4\/[\d.]+\/tcp\/\d+(\/p2p\/\w+)?$/.test(address.toString())

/**
 * wireTransport makes a transport of libp2p over simulated wires: what TCP is in a real network.
 *
 *     transports: [wireTransport(switchboard, 7)]
 *
 * @param {Switchboard} switchboard
 * @param {number} node - whose transport it is
 * @returns {(components: { logger: ComponentLogger }) => Transport}
 */
export const wireTransport =
  (switchboard, node) =>
  ({ logger }) => {
    const log = logger.forComponent('simulated:transport')
    return Object.assign(
      {
        [Symbol.toStringTag]: 'simulated',
        /** @readonly */
        [transportSymbol]: /** @type {const} */ (true),
        [serviceCapabilities]: ['@libp2p/transport']
      },
      /** @type {Omit<Transport, typeof Symbol.toStringTag | typeof transportSymbol>} */ ({
        dial: async (address, options) => {
          const { signal, upgrader } = options
          const connection = await switchboard.connect({ from: node, address, log, signal })
          return upgradeOr(connection, () => upgrader.upgradeOutbound(connection, options))
        },
        createListener: ({ upgrader }) => new WireListener({ switchboard, node, log, upgrader }),
        listenFilter: addresses => addresses.filter(isTcp),
        dialFilter: addresses => addresses.filter(isTcp)
      })
    )
  }

/**
 * What could not be upgraded is of no use.
 *
 * @template T
 * @param {WireConnection} connection
 * @param {() => Promise<T>} upgrade
 * @returns {Promise<T>}
 */
async function upgradeOr(connection, upgrade) {
  try {
    return await upgrade()
  } catch (error) {
    connection.abort(/** @type {Error} */ (error))
    throw error
  }
}

/**
 * WireListener takes connections that come over simulated wires.
 *
 * @implements {Listener}
 * @extends {TypedEventEmitter<import('@libp2p/interface').ListenerEvents>}
 */
class WireListener extends TypedEventEmitter {
  #parts
  /** @type {Multiaddr[]} */
  #addresses = []
  #stop = () => {}
  #closing = new AbortController()

  /**
   * @param {object} parts
   * @param {Switchboard} parts.switchboard
   * @param {number} parts.node
   * @param {import('@libp2p/interface').Logger} parts.log
   * @param {import('@libp2p/interface').Upgrader} parts.upgrader
   */
  constructor(parts) {
    super()
    this.#parts = parts
    // each connection that is being upgraded listens
    setMaxListeners(Infinity, this.#closing.signal)
  }

  /** @param {Multiaddr} address */
  async listen(address) {
    const { switchboard, node, log } = this.#parts
    this.#stop = switchboard.listen(address, { node, log, accept: connection => this.#accept(connection) })
    this.#addresses = [address]
    this.safeDispatchEvent('listening')
  }

  getAddrs() {
    return this.#addresses
  }

  updateAnnounceAddrs() {}

  async close() {
    this.#stop()
    this.#addresses = []
    this.#closing.abort()
    this.safeDispatchEvent('close')
  }

  /** @param {WireConnection} connection */
  #accept(connection) {
    const { upgrader, log } = this.#parts
    const { signal } = this.#closing
    upgradeOr(connection, () => upgrader.upgradeInbound(connection, { signal })).catch(error =>
      log.error('a connection could not be upgraded - %e', error)
    )
  }
}
