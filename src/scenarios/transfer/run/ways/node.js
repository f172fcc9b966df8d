import '../../../../node-shim.js'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { echo } from '@libp2p/utils'
import { multiaddr } from '@multiformats/multiaddr'
import { atAddress } from '../../../../kit/ip-address.js'
import { nextOf } from '../../../../kit/next-of.js'
import { DEFAULT_STACK, stackNamed } from '../../../../libp2p/stacks.js'
import { gaterOf } from '../../../listening-at.js'

/**
 * @typedef {import('./way.js').NodeSettings} NodeSettings
 * @typedef {import('@libp2p/interface').Libp2p<any>} Node
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {{ sentBytes: number, receivedBytes: number }} Traffic
 */

const LISTEN = { tcp: 'tcp/0', websocket: 'tcp/0/ws', quic: 'udp/0/quic-v1' }
const ECHO = '/libp2p-loadtest/transfer/echo/1.0.0'
const MANY = 10_000

/** STREAMS: as many as there are transfers at once. */
export const STREAMS = { maxInboundStreams: MANY, maxOutboundStreams: MANY }

const STREAMS_CLOSING = { why: 'streams still closing count' }
const EARLY = { why: 'streams of a transfer are opened as soon as there is a connection' }
const LINE = {
  value: 'what is sent goes over a line, and is counted',
  why: 'as --latencies and --bandwidths; bytes on the wire'
}
const TELLS = { value: 'tells when a stream has ended', why: 'its streams have no events of their own' }

/**
 * NODE_REASONS say why nodes of both sides have other than what libp2p takes by itself.
 *
 * @type {import('../../../../libp2p/node-settings.js').Reasons}
 */
export const NODE_REASONS = {
  'addresses.listen': { value: 'an address of the run', why: 'requestors connect there' },
  connectionGater: { value: 'the requestors of the run alone', why: 'others could reach it' },
  'connectionMonitor.enabled': { why: 'no pings beside the transfers' },
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
  'yamux.maxInboundStreams': STREAMS_CLOSING,
  'yamux.maxOutboundStreams': STREAMS_CLOSING,
  'yamux.maxEarlyStreams': EARLY,
  'yamux.tellingMuxer': TELLS,
  'yamux.*': { why: 'as --window' },
  'mplex.maxInboundStreams': STREAMS_CLOSING,
  'mplex.maxOutboundStreams': STREAMS_CLOSING,
  'mplex.maxEarlyStreams': EARLY,
  'mplex.tellingMuxer': TELLS,
  'mplex.disconnectThreshold': {
    why: 'it ends a connection on which more streams are opened in a second than this, 5 by default'
  },
  'tcp.lineTransport': LINE,
  'webSockets.lineTransport': LINE
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
export async function startNode(settings, { listens = false, traffic, ...how } = {}) {
  const { way, line, host, peers = null, transport, reader } = settings
  const { name, protocol, stack = DEFAULT_STACK, security, muxer } = way
  const node = await stackNamed(stack).createNode({
    privateKey: await generateKeyPair('Ed25519'),
    addresses: { listen: listens ? [`${atAddress(host)}/${LISTEN[transport]}`] : [] },
    ...(listens && { connectionGater: gaterOf({ host, peers }) }),
    ...{ security, muxer, transport, line, traffic },
    connectionMonitor: { enabled: false },
    connectionManager: { inboundConnectionThreshold: MANY },
    ...how
  })
  // files go over nodes of one kind
  await reader?.read(node, { stack, security, muxer, transport }, protocol === 'perf' ? name : stack)
  await node.start()
  return node
}

/**
 * listeningNode starts the provider's node, which answers round trips.
 *
 * @param {NodeSettings} settings
 * @param {Record<string, (components: any) => any>} [services]
 */
export async function listeningNode(settings, services) {
  const node = await startNode(settings, { listens: true, services })
  await node.handle(ECHO, stream => void echo(stream).catch(() => {}), STREAMS)
  return { node, address: String(node.getMultiaddrs()[0]), close: async () => void (await node.stop()) }
}

/**
 * fileClient starts a requestor's node, whose connection fetches files.
 *
 * @param {(of: { node: Node, connection: Connection }) => import('./way.js').FileLink['fetch']} fetchOn
 * @param {Record<string, (components: any) => any>} [services]
 * @returns {(address: string, settings: NodeSettings) => Promise<import('./way.js').WayClient>}
 */
export const fileClient = (fetchOn, services) => async (address, settings) => {
  const traffic = { sentBytes: 0, receivedBytes: 0 }
  const node = await startNode(settings, { traffic, services })
  return {
    async connect(signal) {
      const connection = await node.dial(multiaddr(address), { signal })
      return {
        roundTrip: await roundTripOn(connection, signal),
        fetch: fetchOn({ node, connection }),
        // a native socket does not tell
        wireBytes: () => (settings.transport === 'quic' ? null : traffic.sentBytes + traffic.receivedBytes),
        close: () => {}
      }
    },
    stop: () => node.stop()
  }
}

/**
 * roundTripOn opens a stream on which a byte comes back.
 *
 * @param {Connection} connection
 * @param {AbortSignal} signal
 * @returns {Promise<() => Promise<void>>}
 */
async function roundTripOn(connection, signal) {
  const stream = await connection.newStream(ECHO, { signal, ...STREAMS })
  const replies = stream[Symbol.asyncIterator]()
  const roundTrip = async () => {
    stream.send(new Uint8Array(1))
    await replies.next()
  }
  // protocols are negotiated with the first byte
  await roundTrip()
  return roundTrip
}

/** sent sends bytes that belong together, and waits until there is room for more. @param {Stream} stream @param {import('uint8arraylist').Uint8ArrayList} bytes */
export async function sent(stream, bytes) {
  if (!stream.send(bytes)) await drained(stream)
}

/** drained waits until a stream has room. @param {Stream} stream */
export async function drained(stream) {
  while (stream.status === 'open' && stream.writableNeedsDrain) await nextOf(stream, ['drain', 'close'])
}

/** @param {Stream} stream @param {AbortSignal} signal @param {() => Promise<void>} work - is broken off with the signal */
export async function abortedBy(stream, signal, work) {
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
