// Transfer protocols over libp2p streams: `perf`, files as CAR archives, files block by block. Also starts the nodes of
// both sides.
import '../../../kit/runtime.js'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { echo } from '@libp2p/utils'
import { multiaddr } from '@multiformats/multiaddr'
import { decode, encode } from 'it-length-prefixed'
import { CID } from 'multiformats/cid'
import { Uint8ArrayList } from 'uint8arraylist'
import { dialSeparately, transportService } from '../../../client/dial.js'
import { makeOpenError } from '../../../client/errors.js'
import { sendPerfRequest } from '../../../client/perf-request.js'
import { formatMultiaddrHost } from '../../../kit/host-address.js'
import { waitForEvent } from '../../../kit/time.js'
import { DEFAULT_STACK, findStack } from '../../../libp2p/stacks.js'
import { PERF_PROTOCOL } from '../../../protocol/perf.js'
import { makePeerGater } from '../../../run/fleet.js'
import { perfServer } from '../../../server/perf-server.js'
import { receiveCar, writeCar, writeCarSections } from './blocks.js'

/**
 * @typedef {import('./protocol.js').NodeSettings} NodeSettings
 * @typedef {import('@libp2p/interface').Libp2p<any>} Node
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {import('../../../libp2p/layers/transports.js').Traffic} Traffic
 */

const LISTEN = { tcp: 'tcp/0', websocket: 'tcp/0/ws', quic: 'udp/0/quic-v1' }
const ECHO = '/libp2p-loadtest/transfer/echo/1.0.0'
const MAX_STREAMS = 10_000

/** STREAM_LIMITS allows enough streams for all simultaneous transfers. */
export const STREAM_LIMITS = { maxInboundStreams: MAX_STREAMS, maxOutboundStreams: MAX_STREAMS }

const STREAM_LIMIT_REASON = { why: 'streams still closing count' }
const EARLY_STREAMS_REASON = { why: 'streams of a transfer are opened as soon as there is a connection' }
const LINE_REASON = {
  value: 'what is sent goes over a line, and is counted',
  why: 'as --latencies and --bandwidths; bytes on the wire'
}
const TELLING_MUXER_REASON = {
  value: 'tells when a stream has ended',
  why: 'its streams have no events of their own'
}

/**
 * NODE_REASONS say why settings of the nodes of both sides differ from the defaults of libp2p.
 *
 * @type {import('../../../libp2p/node-settings.js').Reasons}
 */
export const NODE_REASONS = {
  'addresses.listen': { value: 'an address of the run', why: 'requestors connect there' },
  connectionGater: { value: 'the requestors of the run alone', why: 'others could reach it' },
  'connectionMonitor.enabled': { why: 'no pings during the transfers' },
  'connectionManager.dialTimeout': { why: '--timeout decides' },
  'connectionManager.addressDialTimeout': { why: '--timeout decides' },
  'connectionManager.inboundConnectionThreshold': {
    why: 'all requestors are on one host; the default admits 5 connections a second from it'
  },
  'connectionManager.*': { why: 'all connections come from one host' },
  'services.http': { value: 'HTTP on streams of libp2p', why: 'what is measured' },
  'services.perf': { value: 'our perf service', why: 'what is measured' },
  'services.transports': {
    value: 'a connection each',
    why: 'libp2p gives those who dial one peer the same one'
  },
  'yamux.maxInboundStreams': STREAM_LIMIT_REASON,
  'yamux.maxOutboundStreams': STREAM_LIMIT_REASON,
  'yamux.maxEarlyStreams': EARLY_STREAMS_REASON,
  'yamux.tellingMuxer': TELLING_MUXER_REASON,
  'yamux.*': { why: 'as --window' },
  'mplex.maxInboundStreams': STREAM_LIMIT_REASON,
  'mplex.maxOutboundStreams': STREAM_LIMIT_REASON,
  'mplex.maxEarlyStreams': EARLY_STREAMS_REASON,
  'mplex.tellingMuxer': TELLING_MUXER_REASON,
  'mplex.disconnectThreshold': {
    why: 'it ends a connection on which more streams are opened in a second than this, 5 by default'
  },
  'tcp.lineTransport': LINE_REASON,
  'webSockets.lineTransport': LINE_REASON
}

/**
 * startNode starts the node of a side.
 *
 * @param {NodeSettings} settings
 * @param {object} [how]
 * @param {boolean} [how.listens]
 * @param {Traffic} [how.traffic] - counted up
 * @param {Record<string, (components: any) => any>} [how.services]
 * @param {Record<string, unknown>} [how.muxerOptions]
 * @param {Record<string, unknown>} [how.connectionManager] - options
 * @returns {Promise<Node>}
 */
async function startNode(settings, { listens = false, traffic, ...how } = {}) {
  const { way, line, host, peers = null, transport, reader } = settings
  const { name, protocol, stack = DEFAULT_STACK, security, muxer } = way
  const node = await findStack(stack).createNode({
    privateKey: await generateKeyPair('Ed25519'),
    addresses: { listen: listens ? [`${formatMultiaddrHost(host)}/${LISTEN[transport]}`] : [] },
    ...(listens && { connectionGater: makePeerGater({ host, peers }) }),
    ...{ security, muxer, transport, line, traffic },
    connectionMonitor: { enabled: false },
    connectionManager: { inboundConnectionThreshold: MAX_STREAMS },
    ...how
  })
  // all nodes that move files are of one kind
  await reader?.read(node, { stack, security, muxer, transport }, protocol === 'perf' ? name : stack)
  await node.start()
  return node
}

/**
 * startListeningNode starts the provider's node, which answers round trips.
 *
 * @param {NodeSettings} settings
 * @param {Record<string, (components: any) => any>} [services]
 */
export async function startListeningNode(settings, services) {
  const node = await startNode(settings, { listens: true, services })
  await node.handle(ECHO, stream => void echo(stream).catch(() => {}), STREAM_LIMITS)
  return { node, address: String(node.getMultiaddrs()[0]), close: async () => void (await node.stop()) }
}

/**
 * makeFileClient starts a requestor's node, whose connection fetches files.
 *
 * @param {(of: { node: Node, connection: Connection }) => import('./protocol.js').FileLink['fetch']} fetchOn
 * @param {Record<string, (components: any) => any>} [services]
 * @returns {(address: string, settings: NodeSettings) => Promise<import('./protocol.js').ProtocolClient>}
 */
export const makeFileClient = (fetchOn, services) => async (address, settings) => {
  const traffic = { sentBytes: 0, receivedBytes: 0 }
  const node = await startNode(settings, { traffic, services })
  return {
    async connect(signal) {
      const connection = await node.dial(multiaddr(address), { signal })
      return {
        roundTrip: await openRoundTrip(connection, signal),
        fetch: fetchOn({ node, connection }),
        // a native socket has no counts
        wireBytes: () => (settings.transport === 'quic' ? null : traffic.sentBytes + traffic.receivedBytes),
        close: () => {}
      }
    },
    stop: () => node.stop()
  }
}

/**
 * openRoundTrip opens a stream on which each byte is echoed.
 *
 * @param {Connection} connection
 * @param {AbortSignal} signal
 * @returns {Promise<() => Promise<void>>}
 */
async function openRoundTrip(connection, signal) {
  const stream = await connection.newStream(ECHO, { signal, ...STREAM_LIMITS })
  const replies = stream[Symbol.asyncIterator]()
  const roundTrip = async () => {
    stream.send(new Uint8Array(1))
    await replies.next()
  }
  // protocols are negotiated with the first byte
  await roundTrip()
  return roundTrip
}

/** sendBytes sends bytes, then waits until the stream has room for more. @param {Stream} stream @param {import('uint8arraylist').Uint8ArrayList} bytes */
async function sendBytes(stream, bytes) {
  if (!stream.send(bytes)) await waitForDrain(stream)
}

/** waitForDrain waits until a stream has room. @param {Stream} stream */
export async function waitForDrain(stream) {
  while (stream.status === 'open' && stream.writableNeedsDrain) await waitForEvent(stream, ['drain', 'close'])
}

/** @param {Stream} stream @param {AbortSignal} signal @param {() => Promise<void>} work - is broken off with the signal */
async function runUntilAborted(stream, signal, work) {
  const abort = () => stream.abort(/** @type {Error} */ (signal.reason))
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    await work()
  } catch (error) {
    if (signal.aborted) throw signal.reason
    stream.abort(/** @type {Error} */ (error))
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** @typedef {import('./protocol.js').Request} Request */

const MAX_REQUEST_BYTES = 1024

/** readRequest reads a request from a stream. @param {AsyncIterable<Uint8Array | import('uint8arraylist').Uint8ArrayList>} stream @returns {Promise<Request>} */
async function readRequest(stream) {
  for await (const frame of decode(stream, { maxDataLength: MAX_REQUEST_BYTES }))
    return JSON.parse(new TextDecoder().decode(frame.subarray()))
  throw new Error('a stream was closed before its request')
}

/**
 * @typedef {import('./blocks.js').Block} Block
 *
 * @typedef {object} StreamContent - the content of a stream after the request
 * @property {string} protocol
 * @property {(request: Request, blocks: AsyncGenerator<Block>) => AsyncIterable<readonly Uint8Array[]>} written - parts that are sent
 *   together; the next ones are requested when these have left
 * @property {(stream: Stream, receiving: import('./blocks.js').FileReceiver) => Promise<void>} taken - ends when the provider has no more
 */

/**
 * makeStreamProtocol makes a protocol that moves each file on a libp2p stream of its own.
 *
 * @param {StreamContent} onStream
 * @returns {import('./protocol.js').ProtocolModule}
 */
const makeStreamProtocol = ({ protocol, written, taken }) => ({
  async provide({ blocks }, settings) {
    const { node, ...provided } = await startListeningNode(settings)
    const answer = async (/** @type {Stream} */ stream, /** @type {string} */ peer) => {
      try {
        const request = await readRequest(stream)
        for await (const parts of written(request, blocks(request, peer)))
          await sendBytes(stream, new Uint8ArrayList(...parts))
        await stream.close()
      } catch (error) {
        stream.abort(/** @type {Error} */ (error))
      }
    }
    await node.handle(
      protocol,
      (stream, { remotePeer }) => void answer(stream, String(remotePeer)),
      STREAM_LIMITS
    )
    return provided
  },

  client: makeFileClient(({ connection }) => async ({ root }, transfer, receiving, signal) => {
    receiving.asked()
    const stream = await connection.newStream(protocol, { signal, ...STREAM_LIMITS })
    await runUntilAborted(stream, signal, async () => {
      await sendBytes(stream, encode.single(new TextEncoder().encode(JSON.stringify({ root, transfer }))))
      await taken(stream, receiving)
      await stream.close({ signal })
    })
  })
})

/** STREAM moves a file as a CAR on one raw stream. */
export const STREAM = makeStreamProtocol({
  protocol: '/libp2p-loadtest/transfer/stream/1.0.0',
  written: ({ root }, blocks) => writeCar(CID.parse(root), blocks),
  taken: receiveCar
})

/** CID and bytes of the largest block there can be. */
const MAX_BLOCK_BYTES = 17 << 20

/** BLOCKS requests a root. The blocks arrive in the order of a walk that both sides make. */
export const BLOCKS = makeStreamProtocol({
  protocol: '/libp2p-loadtest/transfer/blocks/1.0.0',
  written: (_, blocks) => writeCarSections(blocks),
  async taken(stream, receiving) {
    for await (const frame of decode(receiving.pieces(stream), { maxDataLength: MAX_BLOCK_BYTES })) {
      const [cid, bytes] = CID.decodeFirst(frame.subarray())
      await receiving.take(cid, bytes)
    }
    receiving.end()
  }
})

/** More connections or streams than there ever are. */
const UNLIMITED = 100_000
const DIAL_TIMEOUT_MS = 24 * 3_600_000

/** @param {import('./protocol.js').NodeSettings} settings */
function makeMuxerOptions({ way: { muxer }, windowBytes = null }) {
  const streams = { maxInboundStreams: UNLIMITED, maxOutboundStreams: UNLIMITED }
  // mplex of libp2p 3 counts every new stream against this threshold, not only streams above the limit: https://github.com/libp2p/js-libp2p-mplex/pull/213
  if (muxer === 'mplex') return { ...streams, disconnectThreshold: UNLIMITED }
  if (windowBytes === null) return streams
  // the generations of Yamux have different names for the window
  const fixed = { initialStreamWindowSize: windowBytes, maxStreamWindowSize: windowBytes }
  return { ...streams, ...fixed, streamOptions: fixed }
}

/** Options without limits of connections and streams. @param {import('./protocol.js').NodeSettings} settings */
const makeUnlimitedOptions = settings => ({
  muxerOptions: makeMuxerOptions(settings),
  connectionManager: {
    dialTimeout: DIAL_TIMEOUT_MS,
    addressDialTimeout: DIAL_TIMEOUT_MS,
    inboundConnectionThreshold: UNLIMITED,
    maxIncomingPendingConnections: UNLIMITED,
    maxConnections: UNLIMITED
  }
})

/** PERF is the perf protocol (libp2p/specs perf/perf.md). @type {import('./protocol.js').ProtocolModule} */
export const PERF = {
  async provide({ onReceived, onSent }, settings) {
    const perf = perfServer({
      maxStreams: UNLIMITED,
      maxPerfStreams: UNLIMITED,
      perfTimeoutMs: DIAL_TIMEOUT_MS,
      perfStallMs: settings.timeoutMs,
      onReceived,
      onServed: ({ sentBytes }) => onSent(sentBytes)
    })
    const node = await startNode(settings, {
      listens: true,
      services: { perf },
      ...makeUnlimitedOptions(settings)
    })
    return { address: String(node.getMultiaddrs()[0]), close: async () => node.stop() }
  },

  async client(address, settings) {
    const node = await startNode(settings, {
      services: { transports: transportService },
      ...makeUnlimitedOptions(settings)
    })
    const server = multiaddr(address)
    return {
      async connect(signal) {
        const connection = await dialSeparately(node, server, { signal })
        return {
          async open(signal) {
            const stream = await connection
              .newStream(PERF_PROTOCOL, { signal, maxOutboundStreams: UNLIMITED })
              .catch(error => {
                throw makeOpenError(error, connection, signal)
              })
            return amounts => sendPerfRequest(stream, amounts)
          },
          close: () => connection.close()
        }
      },
      stop: () => node.stop()
    }
  }
}
