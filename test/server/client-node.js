import { noise } from '@chainsafe/libp2p-noise'
import { yamux } from '@chainsafe/libp2p-yamux'
import { tcp } from '@libp2p/tcp'
import { createLibp2p } from 'libp2p'

/** createClientNode is a plain libp2p node. @param {import('@libp2p/interface').PrivateKey} [privateKey] */
export const createClientNode = privateKey =>
  createLibp2p({
    privateKey,
    transports: [tcp()],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux()],
    connectionMonitor: { enabled: false }
  })
