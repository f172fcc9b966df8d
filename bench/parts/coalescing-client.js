import '../../src/node-shim.js'
import { noise } from '@chainsafe/libp2p-noise'
import { yamux } from '@chainsafe/libp2p-yamux'
import { tcp } from '@libp2p/tcp'
import { createLibp2p } from 'libp2p'
import { coalescingEncrypter, coalescingMuxer } from '../../src/transport/coalescing.js'

/**
 * coalescingClientNode is a client that writes a request in one piece. libp2p writes one in two to four, each of which
 * the server reads and takes apart by itself, so that what an operation costs the server depends on its clients.
 *
 * @param {import('@libp2p/interface').PrivateKey} privateKey
 */
export const coalescingClientNode = privateKey =>
  createLibp2p({
    start: false,
    privateKey,
    transports: [tcp()],
    connectionEncrypters: [coalescingEncrypter(noise())],
    streamMuxers: [coalescingMuxer(yamux())],
    connectionMonitor: { enabled: false }
  })
