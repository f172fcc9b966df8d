// Reasons why settings of the rendezvous server's libp2p node differ from the defaults, as results list them. Also makes
// its connection limits and Yamux windows.

/** STREAM_WINDOW is the smallest window of Yamux; more bytes than a window and a half violate the protocol. */
export const STREAM_WINDOW = { maxStreamWindowSize: 262_144, maxReadBufferLength: 393_216 }

const ANY_NUMBER = Number.MAX_SAFE_INTEGER

/**
 * makeConnectionLimits makes the limits of libp2p, which bound only the total, so that one address could use up all connections. So the guard
 * bounds all connections, and those of each address, before libp2p sees them. Above its own bound, which counts clients without limits too,
 * libp2p would search all connections for each new one.
 *
 * @param {import('../limits.js').Limits} limits
 */
export const makeConnectionLimits = ({ maxHandshakes, maxAddressConnectionsPerSecond }) => ({
  inboundConnectionThreshold: maxAddressConnectionsPerSecond,
  maxConnections: ANY_NUMBER,
  maxIncomingPendingConnections: 2 * maxHandshakes
})

/**
 * SERVER_REASONS are the reasons for settings of our server that differ from libp2p's defaults.
 *
 * @type {import('../../libp2p/node-settings.js').Reasons}
 */
export const SERVER_REASONS = {
  'addresses.listen': { value: 'as --listen', why: 'where it is to be reached' },
  'addresses.announce': { value: 'as --announce', why: 'where it is to be reached' },
  'services.rendezvous': { value: 'our rendezvous service', why: 'what it is for' },
  'connectionManager.allow': {
    value: 'as --unlimitedFrom',
    why: 'libp2p admits 5 connections a second from one host, and 300 in all'
  },
  'connectionManager.*': {
    why: 'connections are bounded by address as well, before libp2p is asked (docs/server.md)'
  },
  connectionManager: {
    value: 'keeps a list of connections',
    why: 'with each that opens it made one three times, peer by peer'
  },
  'connectionGater.*': { value: 'as --onlyFrom', why: 'others are closed unheard' },
  connectionGater: { value: 'as --onlyFrom', why: 'others are closed unheard' },
  'connectionMonitor.enabled': { why: 'no pings during the work; Yamux keeps connections alive' },
  'tcp.guardedTransport': {
    value: 'what arrives is worked off in turn, a little for each address',
    why: 'nobody waits for what another sends'
  },
  'noise.coalescingEncrypter': {
    value: 'a message in one write',
    why: 'the system is called once for each message'
  },
  'noise.signedOnce': { value: 'its static key is signed once', why: 'not anew for each handshake' },
  'noise.crypto': {
    value: 'keys kept as objects',
    why: 'private keys are not imported anew for each key agreement'
  },
  'yamux.coalescingMuxer': {
    value:
      'what is sent in one turn in one message, updates of windows from 64 KiB on, the two lines of a protocol compared as a whole, a stream handed over without a timer for what is agreed already',
    why: 'what a turn produces is encrypted and written once; a small update is work for both sides, and lets nobody send more; lines are not read byte by byte'
  },
  'yamux.tellingMuxer': {
    value: 'tells when a stream has ended',
    why: 'its streams have no events of their own'
  },
  'yamux.streamOptions': { why: 'requests are small: a client need not be able to send 16 MB ahead of them' },
  'yamux.maxInboundStreams': { why: 'as --limits maxStreams: no more are of any use' },
  'yamux.maxEarlyStreams': { why: 'a client may open all its streams as soon as it is connected' },
  peerStore: { value: 'keeps nothing', why: 'it would keep an entry for every peer that ever connected' },
  registrar: {
    value: 'the same error each time for what nobody handles, without a stack trace',
    why: 'libp2p asks it, and catches what it throws, with each stream'
  },
  logger: { value: 'silent', why: 'made for each stream, though nothing reads it' }
}
