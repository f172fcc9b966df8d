import { multiaddr } from '@multiformats/multiaddr'
import { dialApart, transports } from '../../../../client/dial.js'
import { perfRequest } from '../../../../client/perf-request.js'
import { openError } from '../../../../client/stream-errors.js'
import { PERF_PROTOCOL } from '../../../../protocol/perf.js'
import { perfServer } from '../../../../server/perf-server.js'
import { startNode } from './node.js'

/** MANY is more than there ever are. */
const MANY = 100_000
const DIAL_TIMEOUT_MS = 24 * 3_600_000

/** @param {import('./way.js').NodeSettings} settings */
function muxerOptions({ way: { muxer }, windowBytes = null }) {
  const streams = { maxInboundStreams: MANY, maxOutboundStreams: MANY }
  // mplex of libp2p 3 counts every new stream against it, not only those above the limit: https://github.com/libp2p/js-libp2p-mplex/pull/213
  if (muxer === 'mplex') return { ...streams, disconnectThreshold: MANY }
  if (windowBytes === null) return streams
  // each generation names it as its Yamux does
  const fixed = { initialStreamWindowSize: windowBytes, maxStreamWindowSize: windowBytes }
  return { ...streams, ...fixed, streamOptions: fixed }
}

/** Connections and streams without number. @param {import('./way.js').NodeSettings} settings */
const without = settings => ({
  muxerOptions: muxerOptions(settings),
  connectionManager: {
    dialTimeout: DIAL_TIMEOUT_MS,
    addressDialTimeout: DIAL_TIMEOUT_MS,
    inboundConnectionThreshold: MANY,
    maxIncomingPendingConnections: MANY,
    maxConnections: MANY
  }
})

/** PERF are both ends of the perf protocol (libp2p/specs perf/perf.md). @type {import('./way.js').WayModule} */
export const PERF = {
  async provide({ onReceived, onSent }, settings) {
    const perf = perfServer({
      maxStreams: MANY,
      maxPerfStreams: MANY,
      perfTimeoutMs: DIAL_TIMEOUT_MS,
      perfStallMs: settings.timeoutMs,
      onReceived,
      onServed: ({ sentBytes }) => onSent(sentBytes)
    })
    const node = await startNode(settings, { listens: true, services: { perf }, ...without(settings) })
    return { address: String(node.getMultiaddrs()[0]), close: async () => node.stop() }
  },

  async client(address, settings) {
    const node = await startNode(settings, { services: { transports }, ...without(settings) })
    const server = multiaddr(address)
    return {
      async connect(signal) {
        const connection = await dialApart(node, server, { signal })
        return {
          async open(signal) {
            const stream = await connection
              .newStream(PERF_PROTOCOL, { signal, maxOutboundStreams: MANY })
              .catch(error => {
                throw openError(error, connection, signal)
              })
            return amounts => perfRequest(stream, amounts)
          },
          close: () => connection.close()
        }
      },
      stop: () => node.stop()
    }
  }
}
