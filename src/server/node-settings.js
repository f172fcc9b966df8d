import { HEAP_GROWTH_PERCENT, SEMI_SPACE_MB } from './heap.js'
import { LIMITS } from './limits.js'

/** STREAM_WINDOW is the smallest that Yamux knows; what comes beyond a window and a half is against the protocol. */
export const STREAM_WINDOW = { maxStreamWindowSize: 262_144, maxReadBufferLength: 393_216 }

const ANY_NUMBER = Number.MAX_SAFE_INTEGER

/**
 * connectionLimits are libp2p's own, by number alone, so that one address could take all of it; the guard bounds connections, and those of
 * each address, before libp2p is asked. From libp2p's own bound on, which counts those without limits too, each further connection would
 * have it look at all that there are.
 *
 * @param {import('./limits.js').Limits} limits
 */
export const connectionLimits = ({ maxHandshakes, maxAddressConnectionsPerSecond }) => ({
  inboundConnectionThreshold: maxAddressConnectionsPerSecond,
  maxConnections: ANY_NUMBER,
  maxIncomingPendingConnections: 2 * maxHandshakes
})

/**
 * SERVER_SETTINGS lists what our server changes on the defaults of libp2p and V8, with the reason, for the result. They are written for all
 * generations of libp2p; where one does otherwise, it says so itself (see docs/stacks.md).
 *
 * @type {Readonly<Record<string, { value: unknown, why: string }>>}
 */
export const SERVER_SETTINGS = {
  'connectionMonitor.enabled': {
    value: false,
    why: 'no pings beside the work; Yamux keeps connections alive'
  },
  connectionManager: {
    value: connectionLimits(LIMITS),
    why: 'connections are bounded by address as well, before libp2p is asked (docs/security.md)'
  },
  transports: {
    value: 'TCP, what arrives is worked off in turn, a little for each address',
    why: 'nobody waits for what another sends'
  },
  connectionEncrypters: {
    value:
      'Noise with keys kept as objects, its static key signed once, a message in one write, no exception where no further one has begun',
    why: 'private keys are not imported anew for each key agreement, and the system is called once for each message; to throw and catch is dear'
  },
  streamMuxers: {
    value:
      'Yamux, what is sent in one turn in one message, updates of windows from 64 KiB on, the two lines of a protocol compared as a whole, a stream handed over without a timer for what is agreed already',
    why: 'what a turn produces is encrypted and written once; a small update is work for both sides, and lets nobody send more; lines are not read byte by byte'
  },
  'yamux.streamOptions': {
    value: STREAM_WINDOW,
    why: 'requests are small: a client need not be able to send 16 MB ahead of them'
  },
  'yamux.maxInboundStreams': { value: 'as --maxStreams', why: 'no more are of any use' },
  'yamux.maxEarlyStreams': {
    value: 'as --maxStreams',
    why: 'a client may open all its streams as soon as it is connected'
  },
  'services.peerStore': {
    value: 'keeps nothing',
    why: 'it would keep an entry for every peer that ever connected'
  },
  'services.registrar': {
    value: 'as it is, the same error each time for what nobody handles, without a stack trace',
    why: 'libp2p asks it, and catches what it throws, with each stream'
  },
  'services.connectionManager': {
    value: 'keeps a list of connections',
    why: 'with each that opens it made one three times, peer by peer'
  },
  'v8.heapGrowingPercent': {
    value: HEAP_GROWTH_PERCENT,
    why: 'memory is searched for garbage when there is some 45 MB of it, not for each 8 MB: a stop of several ms each time'
  },
  'v8.maxSemiSpaceMB': {
    value: SEMI_SPACE_MB,
    why: 'new objects take 20 MB less than with the 16 of V8'
  },
  logger: { value: 'silent', why: 'made for each stream, though nothing reads it' },
  'services.identify': { value: null, why: 'rendezvous needs none; it costs half a connection more' }
}
