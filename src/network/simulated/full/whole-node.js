import { noise } from '@chainsafe/libp2p-noise'
import { yamux } from '@chainsafe/libp2p-yamux'
import { gossipsub } from '@libp2p/gossipsub'
import { identify } from '@libp2p/identify'
import { mplex } from '@libp2p/mplex'
import { plaintext } from '@libp2p/plaintext'
import { multiaddr } from '@multiformats/multiaddr'
import { createLibp2p } from 'libp2p'
import { noiseCrypto } from '../../../libp2p/noise-crypto.js'
import { silentLogger } from '../../../libp2p/silent-logger.js'
import { Processing } from '../processing.js'
import { processingRegistrar } from './processing-registrar.js'
import { listenAddressOf } from './switchboard.js'
import { wholeNodeSettings } from './whole-node-settings.js'
import { wireTransport } from './wire-transport.js'

/**
 * @typedef {import('../../gossip/mesh-watch.js').GossipSub} GossipSub
 * @typedef {import('@libp2p/interface').Libp2p<{ gossipsub: GossipSub, identify: unknown }>} Libp2p
 * @typedef {Parameters<ReturnType<typeof gossipsub>>[0]} GossipSubComponents
 *
 * @typedef {object} WholeNodeInit
 * @property {number} number
 * @property {import('@libp2p/interface').PrivateKey} privateKey
 * @property {Partial<import('@libp2p/gossipsub').GossipsubOpts>} gossipsub
 * @property {Readonly<import('../processing.js').ProcessingCosts>} processing
 *
 * @typedef {object} WholeNodeParts
 * @property {import('../virtual-time.js').VirtualTime} time
 * @property {import('./switchboard.js').Switchboard} switchboard
 * @property {'noise' | 'plaintext'} security
 * @property {'yamux' | 'mplex'} muxer
 */

/** WholeNode is a libp2p node with all that belongs to it, whose transport alone is simulated. */
export class WholeNode {
  #libp2p
  number
  peerId
  multiaddr

  /** @param {number} number @param {Libp2p} libp2p */
  constructor(number, libp2p) {
    this.#libp2p = libp2p
    this.number = number
    this.peerId = libp2p.peerId
    this.multiaddr = multiaddr(`${listenAddressOf(number)}/p2p/${libp2p.peerId}`)
  }

  get gossipsub() {
    return this.#libp2p.services.gossipsub
  }

  /** What tells the connections of the node. @returns {Pick<Libp2p, 'getConnections'>} */
  get connectionManager() {
    return this.#libp2p
  }

  /** @returns {Pick<Libp2p, 'addEventListener'>} */
  get peers() {
    return this.#libp2p
  }

  /** @param {import('@multiformats/multiaddr').Multiaddr} address @param {import('@libp2p/interface').AbortOptions} [options] */
  dial(address, options) {
    return this.#libp2p.dial(address, options)
  }

  async start() {
    await this.#libp2p.start()
  }

  async stop() {
    await this.#libp2p.stop()
  }
}

/**
 * makeWholeNode makes a node. It is not started.
 *
 * @param {WholeNodeInit} init
 * @param {WholeNodeParts} parts
 * @returns {Promise<WholeNode>}
 */
export async function makeWholeNode(init, { time, switchboard, security, muxer }) {
  const { number, privateKey } = init
  const processing = new Processing(time, number, init.processing)
  const libp2p = await createLibp2p({
    start: false,
    privateKey,
    logger: silentLogger(),
    addresses: { listen: [listenAddressOf(number)] },
    transports: [wireTransport(switchboard, number)],
    connectionEncrypters: [security === 'noise' ? seededNoise() : plaintext()],
    streamMuxers: [muxer === 'yamux' ? yamux(wholeNodeSettings('yamux')) : mplex()],
    connectionManager: wholeNodeSettings('connectionManager'),
    connectionMonitor: wholeNodeSettings('connectionMonitor'),
    services: {
      identify: identify(wholeNodeSettings('identify')),
      gossipsub: components => gossipsub(init.gossipsub)(taking(components, processing))
    }
  })
  return new WholeNode(number, /** @type {Libp2p} */ (/** @type {unknown} */ (libp2p)))
}

/** @param {GossipSubComponents} components @param {Processing} processing @returns {GossipSubComponents} */
const taking = ({ privateKey, peerId, peerStore, registrar, connectionManager, logger }, processing) => ({
  privateKey,
  peerId,
  peerStore,
  registrar: processingRegistrar(registrar, processing),
  connectionManager,
  logger
})

const SEED_BYTES = 32

/**
 * seededNoise is Noise whose keys come from the random numbers of the node: Node's own generator cannot be given others, and the
 * cryptography that Noise brings for Node has functions of threads, for which virtual time cannot wait.
 */
const seededNoise = () =>
  noise({
    crypto: {
      ...noiseCrypto,
      generateX25519KeyPair: () =>
        noiseCrypto.generateX25519KeyPairFromSeed(crypto.getRandomValues(new Uint8Array(SEED_BYTES)))
    }
  })
