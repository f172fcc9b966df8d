// Entry of the process of the null server, which answers every request with the same bytes (see null-server.js).
import '../../kit/runtime.js'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { findLoopbackHost, formatMultiaddrHost } from '../../kit/host-address.js'
import { DEFAULT_STACK, findStack } from '../../libp2p/stacks.js'
import {
  encodeDiscoverResponse,
  encodeFrame,
  encodeRegisterResponse,
  FrameDecoder,
  MessageType,
  PROTOCOL,
  Status
} from '../../protocol/rendezvous.js'
import { raiseHeapGrowth } from '../../server/server-process.js'

const MAX_STREAMS = 100_000
const TTL_SECONDS = 7200

/** By the type of the request. UNREGISTER has no reply. */
const REPLIES = new Map([
  [MessageType.REGISTER, encodeFrame(encodeRegisterResponse({ status: Status.OK, ttl: TTL_SECONDS }))],
  [MessageType.DISCOVER, encodeFrame(encodeDiscoverResponse({ status: Status.OK }))]
])

/** The first field of a message is its type: its tag is 8. @param {Uint8Array} message */
const typeOf = message => (message[0] === 8 ? message[1] : MessageType.REGISTER)

/** @param {import('@libp2p/interface').Stream} stream */
function serve(stream) {
  const decoder = new FrameDecoder()
  stream.addEventListener('message', ({ data }) => {
    for (const message of decoder.push(data)) {
      const reply = REPLIES.get(typeOf(message))
      if (reply !== undefined) stream.send(reply)
    }
  })
  stream.addEventListener('remoteCloseWrite', () => void stream.close().catch(() => {}))
}

// who started it is gone
process.on('disconnect', () => process.exit())
raiseHeapGrowth()
const node = await findStack(DEFAULT_STACK).createNode({
  lean: true,
  privateKey: await generateKeyPair('Ed25519'),
  addresses: { listen: [`${formatMultiaddrHost(findLoopbackHost())}/tcp/0`] },
  muxerOptions: { maxInboundStreams: MAX_STREAMS },
  connectionManager: {
    maxConnections: MAX_STREAMS,
    inboundConnectionThreshold: MAX_STREAMS,
    maxIncomingPendingConnections: MAX_STREAMS
  },
  connectionMonitor: { enabled: false }
})
await node.handle(PROTOCOL, serve, { maxInboundStreams: MAX_STREAMS })
await node.start()
process.send?.(String(node.getMultiaddrs()[0]))
