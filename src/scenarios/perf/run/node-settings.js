/** MANY is more than there ever are. */
export const MANY = 100_000

const STREAMS = { why: 'streams still closing count' }
const EARLY = { why: 'streams of a transfer are opened as soon as there is a connection' }
const LINE = { value: 'what is sent goes over a line', why: 'as --latency and --bandwidth' }

/**
 * NODE_REASONS say why nodes of ours have other than what libp2p takes by itself.
 *
 * @type {import('../../../libp2p/node-settings.js').Reasons}
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
