import '../../../node-shim.js'
import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { noise } from '@libp2p/noise'
import { tcp } from '@libp2p/tcp'
import { yamux } from '@libp2p/yamux'
import { multiaddr } from '@multiformats/multiaddr'
import { createLibp2p } from 'libp2p'
import { PROTOCOL } from '../../../protocol/status.js'

const MAX_STREAMS = 300

/**
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {import('@libp2p/interface').Connection} Connection
 *
 * @typedef {object} Target - of hostile peers
 * @property {string} multiaddr
 * @property {string | null} http - URL of the second port of our own server; null: it is a server of others
 * @property {boolean} spreads - there are addresses of 127.0.0.0/8 to connect from
 * @property {number} seed - of what they send that is random
 * @property {Set<Peer>} peers - of those that have a node: who is made is added
 */

/** Peer is a plain libp2p node at an address of its own, that connects again whenever it is thrown out. */
export class Peer {
  #target
  #node
  /** @type {Connection | undefined} */
  #connection

  /** @param {Target} target @param {string} localAddress @param {import('@libp2p/interface').PrivateKey} privateKey */
  constructor({ multiaddr: address, spreads, peers }, localAddress, privateKey) {
    const dialOpts = /** @type {any} */ (spreads ? { localAddress } : {})
    this.#target = multiaddr(address)
    this.privateKey = privateKey
    peers.add(this)
    this.#node = createLibp2p({
      privateKey,
      transports: [tcp({ dialOpts })],
      connectionEncrypters: [noise()],
      // the smallest windows: larger ones take a whole reply before anybody reads
      streamMuxers: [
        yamux({ maxOutboundStreams: MAX_STREAMS, streamOptions: { maxStreamWindowSize: 262_144 } })
      ],
      connectionMonitor: { enabled: false }
    })
  }

  /** apart is one that has not connected yet. @param {Target} target @param {string} localAddress */
  static apart = async (target, localAddress) =>
    new Peer(target, localAddress, await generateKeyPair('Ed25519'))

  /** at connects one. @param {Target} target @param {string} localAddress */
  static async at(target, localAddress) {
    const peer = await Peer.apart(target, localAddress)
    await letIn(() => peer.#connect())
    return peer
  }

  /** stream opens one. @param {AbortSignal} [signal] @returns {Promise<Stream>} */
  async stream(signal) {
    const connection = await this.#connect()
    return connection.newStream(PROTOCOL, { maxOutboundStreams: MAX_STREAMS, signal })
  }

  /** further opens one more connection. @returns {Promise<Connection>} */
  async further() {
    return (await this.#node).dial(this.#target, { force: true })
  }

  /** stop ends it with all its connections. */
  async stop() {
    await (await this.#node).stop()
  }

  async #connect() {
    if (this.#connection?.status !== 'open') this.#connection = await (await this.#node).dial(this.#target)
    return this.#connection
  }
}

/**
 * peersAt connects some that are neighbours: their addresses differ in the last number. Where all have one address, a server lets in few at
 * once.
 *
 * @param {Target} target
 * @param {number} count
 * @param {number} network - third number of their addresses
 */
export async function peersAt(target, count, network) {
  const addresses = Array.from({ length: count }, (_, i) => `127.0.${network}.${i + 1}`)
  if (target.spreads) return Promise.all(addresses.map(address => Peer.at(target, address)))
  const peers = []
  for (const address of addresses) peers.push(await Peer.at(target, address))
  return peers
}

/** hostAndPort are where a target listens. @param {string} address - multiaddr */
export function hostAndPort(address) {
  const [, host, port] = /** @type {RegExpExecArray} */ (
    /^\/(?:ip4|ip6|dns|dns4|dns6)\/([^/]+)\/tcp\/(\d+)/.exec(address)
  )
  return { host, port: Number(port) }
}

/**
 * connectRaw opens a connection and sends some bytes; whatever becomes of it.
 *
 * @param {{ host: string, port: number }} where
 * @param {string} [localAddress]
 * @param {string | Uint8Array} [bytes]
 */
export function connectRaw(where, localAddress, bytes) {
  const socket = net.connect({ ...where, localAddress }).on('error', () => {})
  socket.resume()
  if (bytes !== undefined)
    once(socket, 'connect').then(
      () => socket.write(bytes),
      () => {}
    )
  return socket
}

/** Of an address that many connect from a server takes few connections a second. */
const TRIES = 20
const TRY_AGAIN_AFTER_MS = 250

/**
 * letIn does what needs a connection, again and again for a while: what a server refuses an address now it takes later.
 *
 * @template T
 * @param {() => Promise<T>} act
 * @returns {Promise<T>}
 */
export async function letIn(act) {
  for (let tries = 1; ; tries++) {
    try {
      return await act()
    } catch (error) {
      if (tries === TRIES) throw error
      await sleep(TRY_AGAIN_AFTER_MS)
    }
  }
}

/**
 * dialAfterNoise connects to a server and finishes the handshake; what is sent then is up to the caller, who plays Yamux.
 *
 * @param {string} address
 * @param {string} [localAddress] - to connect from; default: the system chooses
 */
export async function dialAfterNoise(address, localAddress) {
  /** @type {any} */
  let inside
  const muxer = () => ({
    protocol: '/yamux/1.0.0',
    createStreamMuxer: (/** @type {any} */ stream) => {
      inside = stream
      return Object.assign(new EventTarget(), {
        ...{ protocol: '/yamux/1.0.0', status: 'open', streams: [] },
        ...{ close: async () => {}, abort: () => {} }
      })
    }
  })
  const node = await createLibp2p({
    transports: [tcp({ dialOpts: /** @type {any} */ ({ localAddress }) })],
    connectionEncrypters: [noise()],
    streamMuxers: [/** @type {any} */ (muxer)],
    connectionMonitor: { enabled: false }
  })
  await node.dial(multiaddr(address))
  return {
    /** of which the caller plays the muxer @type {import('@libp2p/interface').MessageStream} */
    stream: inside,
    stop: () => node.stop()
  }
}
