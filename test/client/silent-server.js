// Child process of loopback.test.js: takes rendezvous streams, and never answers.
import '../../src/kit/runtime.js'
import { noise } from '@libp2p/noise'
import { tcp } from '@libp2p/tcp'
import { yamux } from '@libp2p/yamux'
import { createLibp2p } from 'libp2p'

const node = await createLibp2p({
  addresses: { listen: ['/ip4/127.0.0.1/tcp/0'] },
  transports: [tcp()],
  connectionEncrypters: [noise()],
  streamMuxers: [yamux()]
})
await node.handle('/rendezvous/1.0.0', stream => {
  stream.addEventListener('message', () => process.send?.('request'))
})
process.send?.(`${node.getMultiaddrs()[0]}`)
