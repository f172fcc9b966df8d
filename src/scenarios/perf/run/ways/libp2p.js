import '../../../../node-shim.js'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { multiaddr } from '@multiformats/multiaddr'
import { dialApart, transports } from '../../../../client/dial.js'
import { perfRequest } from '../../../../client/perf-request.js'
import { openError } from '../../../../client/stream-errors.js'
import { atAddress } from '../../../../kit/ip-address.js'
import { stackNamed } from '../../../../libp2p/stacks.js'
import { PERF_PROTOCOL } from '../../../../protocol/perf.js'
import { perfServer } from '../../../../server/perf-server.js'
import { gaterOf } from '../../../listening-at.js'
import { MANY } from './way.js'

/**
 * @typedef {import('./way.js').Way} Way
 * @typedef {import('./way.js').PerfPlan} PerfPlan
 * @typedef {import('./way.js').Line} Line
 */

const DIAL_TIMEOUT_MS = 24 * 3_600_000

/** @param {string} muxer @param {number | null} windowBytes */
function muxerOptions(muxer, windowBytes) {
  const streams = { maxInboundStreams: MANY, maxOutboundStreams: MANY }
  // mplex of libp2p 3 counts every new stream against it, not only those above the limit: https://github.com/libp2p/js-libp2p-mplex/pull/213
  if (muxer === 'mplex') return { ...streams, disconnectThreshold: MANY }
  if (windowBytes === null) return streams
  // each generation names it as its Yamux does
  const fixed = { initialStreamWindowSize: windowBytes, maxStreamWindowSize: windowBytes }
  return { ...streams, ...fixed, streamOptions: fixed }
}

/** @param {{ way: Way, plan: PerfPlan, line: Line | null, reader: import('../../../../libp2p/node-settings.js').SettingsReader }} of @param {Record<string, any>} more */
async function startNode({ way, plan, line, reader }, more) {
  const { stack, security, muxer } = /** @type {Required<Way>} */ (way)
  const node = await stackNamed(stack).createNode({
    privateKey: await generateKeyPair('Ed25519'),
    security: /** @type {any} */ (security),
    muxer: /** @type {any} */ (muxer),
    muxerOptions: muxerOptions(muxer, plan.windowBytes),
    line,
    connectionMonitor: { enabled: false },
    connectionManager: {
      dialTimeout: DIAL_TIMEOUT_MS,
      addressDialTimeout: DIAL_TIMEOUT_MS,
      inboundConnectionThreshold: MANY,
      maxIncomingPendingConnections: MANY,
      maxConnections: MANY
    },
    ...more,
    addresses: { listen: [], ...more.addresses }
  })
  const made = { stack, security: /** @type {any} */ (security), muxer: /** @type {any} */ (muxer) }
  await reader.read(node, made, way.name)
  await node.start()
  return node
}

/** LIBP2P are both ends of a way over libp2p. @type {import('./way.js').Ends} */
export const LIBP2P = {
  async serve({ served, at, ...of }) {
    const perf = perfServer({
      maxStreams: MANY,
      maxPerfStreams: MANY,
      perfTimeoutMs: DIAL_TIMEOUT_MS,
      perfStallMs: of.plan.timeoutMs,
      onReceived: served.onReceived,
      onServed: ({ sentBytes }) => served.onSent(sentBytes)
    })
    const listen = [`${atAddress(at.host)}/tcp/0`]
    const connectionGater = gaterOf(at)
    const node = await startNode(of, { addresses: { listen }, connectionGater, services: { perf } })
    return { address: String(node.getMultiaddrs()[0]), stop: () => node.stop() }
  },

  async client({ address, ...of }) {
    const node = await startNode(of, { services: { transports } })
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
