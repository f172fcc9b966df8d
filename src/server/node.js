import '../node-shim.js'
import { noise } from '@chainsafe/libp2p-noise'
import { yamux } from '@chainsafe/libp2p-yamux'
import { tcp } from '@libp2p/tcp'
import { createLibp2p } from 'libp2p'
import { coalescingEncrypter, coalescingMuxer } from '../transport/coalescing.js'
import { noiseCrypto } from '../transport/noise-crypto.js'
import { silentLogger } from '../transport/silent-logger.js'
import { noPeerStore } from './no-peer-store.js'
import { rendezvousServer } from './rendezvous-server.js'

/**
 * @typedef {import('@libp2p/interface').PrivateKey} PrivateKey
 * @typedef {import('./options.js').ServerOptions} ServerOptions
 * @typedef {import('./rendezvous-server.js').RendezvousServer} RendezvousServer
 */

/**
 * createServerNode makes the libp2p node of a rendezvous server: TCP, Noise and Yamux. It is not started.
 *
 * @param {Pick<ServerOptions, 'listen' | 'announce' | 'unlimitedFrom'>} options
 * @param {object} parts
 * @param {PrivateKey} parts.privateKey
 * @param {import('./rendezvous-server.js').RendezvousServerInit} parts.rendezvous
 * @returns {Promise<import('@libp2p/interface').Libp2p<{ rendezvous: RendezvousServer }>>}
 */
export function createServerNode({ listen, announce, unlimitedFrom }, { privateKey, rendezvous }) {
  return createLibp2p({
    start: false,
    logger: silentLogger(),
    privateKey,
    addresses: { listen, announce },
    transports: [tcp()],
    connectionEncrypters: [coalescingEncrypter(noise({ crypto: noiseCrypto }))],
    streamMuxers: [coalescingMuxer(yamux())],
    connectionManager: { allow: unlimitedFrom },
    connectionMonitor: { enabled: false },
    services: { peerStore: noPeerStore(), rendezvous: rendezvousServer(rendezvous) }
  })
}
