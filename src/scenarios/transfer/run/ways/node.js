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

/**
 * NODE_REASONS say why nodes of both sides have other than what libp2p takes by itself.
 *
 * @type {import('../../../../libp2p/node-settings.js').Reasons}
 */
export const NODE_REASONS = {
  'addresses.listen': { value: 'an address of the run', why: 'requestors connect there' },
  connectionGater: { value: 'the requestors of the run alone', why: 'others could reach it' },
  'connectionMonitor.enabled': { why: 'no pings beside the transfers' },
  'connectionManager.inboundConnectionThreshold': {
    why: 'all requestors are on one host; the default admits 5 connections a second from it'
  },
  'services.http': { value: 'HTTP on streams of libp2p', why: 'what is measured' },
  ...Object.fromEntries(
    ['tcp', 'webSockets'].map(transport => [
      `${transport}.lineTransport`,
      {
        value: 'what is sent goes over a line, and is counted',
        why: 'as --latency and --bandwidth; bytes on the wire'
      }
    ])
  )
}

/**
 * startNode starts the node of a side.
 *
 * @param {NodeSettings} settings
 * @param {object} how
 * @param {boolean} how.listens
 * @param {Traffic} [how.traffic] - counted up
 * @param {Record<string, (components: any) => any>} [how.services]
 * @returns {Promise<Node>}
 */
export async function startNode(settings, { listens, traffic, services }) {
  const { line, host, peers = null, security, transport, reader } = settings
  const node = await stackNamed(DEFAULT_STACK).createNode({
    privateKey: await generateKeyPair('Ed25519'),
    addresses: { listen: listens ? [`${atAddress(host)}/${LISTEN[transport]}`] : [] },
    ...(listens && { connectionGater: gaterOf({ host, peers }) }),
    security,
    transport,
    line,
    traffic,
    connectionMonitor: { enabled: false },
    connectionManager: { inboundConnectionThreshold: MANY },
    services
  })
  await reader?.read(node, { security, transport })
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
 * connectedNode starts a requestor's node and connects it.
 *
 * @param {string} address - of the provider
 * @param {{ settings: NodeSettings, signal: AbortSignal, services?: Record<string, (components: any) => any> }} how
 */
export async function connectedNode(address, { settings, signal, services }) {
  const traffic = { sentBytes: 0, receivedBytes: 0 }
  const node = await startNode(settings, { listens: false, traffic, services })
  const close = async () => void (await node.stop())
  try {
    const connection = await node.dial(multiaddr(address), { signal })
    const roundTrip = await roundTripOn(connection, signal)
    return {
      node,
      connection,
      roundTrip,
      // a native socket does not tell
      wireBytes: () => (settings.transport === 'quic' ? null : traffic.sentBytes + traffic.receivedBytes),
      close
    }
  } catch (error) {
    await close()
    throw error
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
