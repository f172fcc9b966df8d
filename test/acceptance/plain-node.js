// A libp2p node that does not speak the rendezvous protocol: `ready <multiaddr>`, until it is killed.
import '../../src/node-shim.js'
import { noise } from '@chainsafe/libp2p-noise'
import { yamux } from '@chainsafe/libp2p-yamux'
import { tcp } from '@libp2p/tcp'
import { createLibp2p } from 'libp2p'

const node = await createLibp2p({
  addresses: { listen: ['/ip4/127.0.0.1/tcp/0'] },
  transports: [tcp()],
  connectionEncrypters: [noise()],
  streamMuxers: [yamux()]
})
console.log(`ready ${node.getMultiaddrs()[0]}`)
