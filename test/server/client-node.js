import { noise } from '@libp2p/noise'
import { tcp } from '@libp2p/tcp'
import { yamux } from '@libp2p/yamux'
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
