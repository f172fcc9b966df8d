import { setTimeout as sleep } from 'node:timers/promises'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { multiaddr } from '@multiformats/multiaddr'
import { clientAddressFor } from '../client/client-address.js'
import { dial } from '../client/dial.js'
import { ClientErrorCode } from '../client/errors.js'
import { createClientNode } from '../client/node.js'

/**
 * @typedef {import('@libp2p/interface').PrivateKey} PrivateKey
 * @typedef {import('@libp2p/interface').Connection} Connection
 *
 * @typedef {object} Peer
 * @property {PrivateKey} privateKey
 * @property {Buffer} id - multihash bytes
 * @property {Awaited<ReturnType<typeof createClientNode>>} node
 * @property {Connection | null} connection
 */

/** Names of peers that are types of keys; all others have Ed25519. js-libp2p has no peers with ECDSA. */
const KEY_TYPES = new Set(['RSA', 'secp256k1'])

/** libp2p servers drop what comes from one host faster than 5 connections a second. */
const RETRIES = 3
const RETRY_AFTER_MS = 1000

/** Peers are those that meet the target, each a libp2p node with a key of this run, made and connected when it is first needed. */
export class Peers {
  #target
  /** @type {Map<string, Promise<Peer>>} */
  #peers = new Map()

  /** @param {string} target - multiaddr */
  constructor(target) {
    this.#target = multiaddr(target)
  }

  /** of is the peer of a name. @param {string} name @returns {Promise<Peer>} */
  of(name) {
    const peer = this.#peers.get(name) ?? this.#start(name, this.#peers.size)
    this.#peers.set(name, peer)
    return peer
  }

  /** @param {string} name @param {number} index @returns {Promise<Peer>} */
  async #start(name, index) {
    const type = /** @type {'Ed25519'} */ (KEY_TYPES.has(name) ? name : 'Ed25519')
    const privateKey = await generateKeyPair(type)
    const localAddress = clientAddressFor(this.#target, index, process.platform)
    const node = await createClientNode({ privateKey, localAddress })
    await node.start()
    const id = Buffer.from(peerIdFromPrivateKey(privateKey).toMultihash().bytes)
    return { privateKey, id, node, connection: null }
  }

  /**
   * connection is a peer's, opened again where it was lost.
   *
   * @param {string} name
   * @param {AbortSignal} signal
   * @returns {Promise<Connection>}
   * @throws {import('../client/errors.js').ClientError}
   */
  async connection(name, signal) {
    const peer = await this.of(name)
    for (let tries = 1; peer.connection?.status !== 'open'; tries++) {
      try {
        peer.connection = await dial(peer.node, this.#target, { signal, force: true })
      } catch (error) {
        const dropped = /** @type {any} */ (error).code === ClientErrorCode.CONNECTION_DROPPED
        if (!dropped || tries > RETRIES) throw error
        await sleep(RETRY_AFTER_MS, undefined, { signal })
      }
    }
    return peer.connection
  }

  /** nameOf finds a peer by its id. @param {Uint8Array} id - multihash bytes @returns {Promise<string>} */
  async nameOf(id) {
    for (const [name, peer] of this.#peers) if ((await peer).id.equals(id)) return name
    return 'somebody else'
  }

  /** disconnect closes connections. @param {string} [name] - none: of all */
  async disconnect(name) {
    for (const [each, starting] of this.#peers) {
      if (name !== undefined && name !== each) continue
      const peer = await starting
      if (name === undefined) peer.connection?.abort(new Error('the target starts again'))
      else await peer.connection?.close()
      peer.connection = null
    }
  }

  async stop() {
    for (const starting of this.#peers.values()) {
      const peer = await starting.catch(() => null)
      await peer?.node.stop()
    }
  }
}
