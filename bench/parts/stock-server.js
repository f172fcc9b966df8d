// A rendezvous server of libp2p as published, in a process of its own: tells its address, and then, as often as it is asked, its CPU time.
import '../../src/kit/runtime.js'
import { noise } from '@libp2p/noise'
import { tcp } from '@libp2p/tcp'
import { yamux } from '@libp2p/yamux'
import { createLibp2p } from 'libp2p'
import { rendezvousServer } from '../../src/server/rendezvous-server.js'

const MANY = 100_000

const node = await createLibp2p({
  addresses: { listen: ['/ip4/127.0.0.1/tcp/0'] },
  transports: [tcp()],
  connectionEncrypters: [noise()],
  streamMuxers: [yamux()],
  connectionManager: { inboundConnectionThreshold: MANY, maxConnections: MANY },
  connectionMonitor: { enabled: false },
  services: { rendezvous: rendezvousServer({ unlimitedFrom: ['/ip4/127.0.0.0/ipcidr/8'] }) }
})
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuMicros: user + system })
})
process.on('disconnect', () => process.exit(0))
process.send?.({ multiaddr: String(node.getMultiaddrs()[0]) })
