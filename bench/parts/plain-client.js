import '../../src/kit/runtime.js'
import { noise } from '@libp2p/noise'
import { tcp } from '@libp2p/tcp'
import { yamux } from '@libp2p/yamux'
import { createLibp2p } from 'libp2p'

/**
 * plainClientNode is a client as libp2p ships it. It writes a request in two to four pieces, each of which the server
 * reads and takes apart by itself, so that what an operation costs the server depends on its clients.
 *
 * @param {import('@libp2p/interface').PrivateKey} privateKey
 */
export const plainClientNode = privateKey =>
  createLibp2p({
    start: false,
    privateKey,
    transports: [tcp()],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux()],
    connectionMonitor: { enabled: false }
  })
