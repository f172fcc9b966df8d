import '../../../src/node-shim.js'
import { once } from 'node:events'
import net from 'node:net'
import { noise } from '@chainsafe/libp2p-noise'
import { yamux } from '@chainsafe/libp2p-yamux'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { tcp } from '@libp2p/tcp'
import { multiaddr } from '@multiformats/multiaddr'
import { createLibp2p } from 'libp2p'
import { PROTOCOL } from '../../../src/protocol/status.js'

const MAX_STREAMS = 300

/** @typedef {import('@libp2p/interface').Stream} Stream */

/** Peer is a plain libp2p node at an address of its own, that connects again whenever it is thrown out. */
export class Peer {
  #target
  #node
  /** @type {import('@libp2p/interface').Connection | undefined} */
  #connection

  /** @param {string} target - multiaddr @param {string} localAddress @param {import('@libp2p/interface').PrivateKey} privateKey */
  constructor(target, localAddress, privateKey) {
    this.#target = multiaddr(target)
    this.privateKey = privateKey
    this.#node = createLibp2p({
      privateKey,
      transports: [tcp({ dialOpts: /** @type {any} */ ({ localAddress }) })],
      connectionEncrypters: [noise()],
      // the smallest windows: larger ones take a whole reply before anybody reads
      streamMuxers: [
        yamux({ maxOutboundStreams: MAX_STREAMS, streamOptions: { maxStreamWindowSize: 262_144 } })
      ],
      connectionMonitor: { enabled: false }
    })
  }

  /** at connects one. @param {string} target @param {string} localAddress */
  static async at(target, localAddress) {
    const peer = new Peer(target, localAddress, await generateKeyPair('Ed25519'))
    await peer.#connect()
    return peer
  }

  /** stream opens one. @returns {Promise<Stream>} */
  async stream() {
    const connection = await this.#connect()
    return connection.newStream(PROTOCOL, { maxOutboundStreams: MAX_STREAMS })
  }

  async #connect() {
    if (this.#connection?.status !== 'open') this.#connection = await (await this.#node).dial(this.#target)
    return this.#connection
  }
}

/**
 * connectRaw opens a connection and sends some bytes; whatever becomes of it.
 *
 * @param {{ host: string, port: number }} target
 * @param {string} [localAddress]
 * @param {string | Uint8Array} [bytes]
 */
export function connectRaw(target, localAddress, bytes) {
  const socket = net.connect({ ...target, localAddress }).on('error', () => {})
  socket.resume()
  if (bytes !== undefined)
    once(socket, 'connect').then(
      () => socket.write(bytes),
      () => {}
    )
  return socket
}
