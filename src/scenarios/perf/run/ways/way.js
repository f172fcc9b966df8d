/**
 * A way as both ends of it are handled. Only types live here.
 *
 * @typedef {import('../../perf-plan.js').PerfPlan} PerfPlan
 * @typedef {import('../../plan/ways.js').Way} Way
 * @typedef {{ latencyMs: number, bytesPerSecond: number | null, both?: boolean }} Line
 *
 * @typedef {object} Amounts - of one exchange
 * @property {number} uploadBytes
 * @property {number} downloadBytes
 * @property {AbortSignal} signal
 * @property {(bytes: number) => void} [onReceived] - is told of each piece that comes back
 *
 * @typedef {Pick<import('../../../../client/perf-request.js').PerfExchange, 'receivedBytes' | 'firstByteNs' | 'endedNs'>} Exchanged
 *
 * @typedef {object} Link - a connection of the client
 * @property {(signal: AbortSignal) => Promise<(amounts: Amounts) => Promise<Exchanged>>} open - gives what makes one exchange, when the
 *   stream for it is open
 * @property {() => unknown} close
 *
 * @typedef {object} Served - what a server has counted of its requests
 * @property {(bytes: number) => void} onReceived - each piece of uploads that arrives
 * @property {(sentBytes: number) => void} onSent - a reply that was handed over
 *
 * @typedef {object} WayServer
 * @property {unknown} address - for its clients; structured clone carries it
 * @property {() => unknown} stop
 *
 * @typedef {object} WayClient
 * @property {(signal: AbortSignal) => Promise<Link>} connect - opens a connection of its own
 * @property {() => unknown} stop
 *
 * @typedef {import('../../../../libp2p/node-settings.js').SettingsReader} SettingsReader
 *
 * @typedef {object} Ends - of one kind of way; `reader` is told of nodes of libp2p
 * @property {(options: { reader: SettingsReader, way: Way, plan: PerfPlan, line: Line | null, at: import('../../../listening-at.js').At, served: Served }) => Promise<WayServer>} serve
 * @property {(options: { reader: SettingsReader, way: Way, plan: PerfPlan, line: Line | null, address: any }) => Promise<WayClient>} client
 */

/** MANY is more than there ever are. */
export const MANY = 100_000

const STREAMS = { why: 'streams still closing count' }
const EARLY = { why: 'streams of a transfer are opened as soon as there is a connection' }
const LINE = { value: 'what is sent goes over a line', why: 'as --latency and --bandwidth' }

/**
 * NODE_REASONS say why nodes of ours have other than what libp2p takes by itself.
 *
 * @type {import('../../../../libp2p/node-settings.js').Reasons}
 */
export const NODE_REASONS = {
  'addresses.listen': { value: 'an address of the run', why: 'the client connects there' },
  connectionGater: { value: 'the client of the run alone', why: 'others could reach it' },
  'connectionMonitor.enabled': { why: 'no pings beside what is measured' },
  'connectionManager.dialTimeout': { why: '--timeout decides' },
  'connectionManager.addressDialTimeout': { why: '--timeout decides' },
  'connectionManager.*': { why: 'all connections come from one host' },
  'services.perf': { value: 'our perf service', why: 'what is measured' },
  'services.transports': {
    value: 'a connection each',
    why: 'libp2p gives those who dial one peer the same one'
  },
  'yamux.maxInboundStreams': STREAMS,
  'yamux.maxOutboundStreams': STREAMS,
  'yamux.maxEarlyStreams': EARLY,
  'yamux.*': { why: 'as --window' },
  'mplex.maxInboundStreams': STREAMS,
  'mplex.maxOutboundStreams': STREAMS,
  'mplex.maxEarlyStreams': EARLY,
  'mplex.disconnectThreshold': {
    why: 'it ends a connection on which more streams are opened in a second than this, 5 by default'
  },
  'tcp.lineTransport': LINE,
  'yamux.tellingMuxer': {
    value: 'tells when a stream has ended',
    why: 'its streams have no events of their own'
  },
  'mplex.tellingMuxer': {
    value: 'tells when a stream has ended',
    why: 'its streams have no events of their own'
  }
}
