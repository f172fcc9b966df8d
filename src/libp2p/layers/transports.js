// Transports that wrap or refuse connections before libp2p gets them: with an emulated latency and bandwidth, or by an
// admission check.
import { serviceCapabilities, transportSymbol } from '@libp2p/interface'

/**
 * @typedef {import('@libp2p/interface').Transport} Transport
 * @typedef {import('@libp2p/interface').Upgrader} Upgrader
 * @typedef {(connection: any) => any} ConnectionChange - gives what is to be used in place of a connection, or throws
 */

const unchanged = (/** @type {any} */ connection) => connection

/**
 * changedTransport makes a transport that hands other connections to libp2p than it opened.
 *
 * @template C
 * @param {(components: C) => Transport} transport
 * @param {{ inbound?: ConnectionChange, outbound?: ConnectionChange }} changes - default: as they are
 * @returns {(components: C) => Transport}
 */
export const changedTransport = (transport, changes) => components => {
  const inner = transport(components)
  /** @template {{ upgrader: Upgrader }} T @param {T} options @returns {T} */
  const changed = options => ({ ...options, upgrader: changedUpgrader(options.upgrader, changes) })
  return {
    [Symbol.toStringTag]: inner[Symbol.toStringTag],
    [transportSymbol]: true,
    [serviceCapabilities]: ['@libp2p/transport'],
    dial: (address, options) => inner.dial(address, changed(options)),
    createListener: options => inner.createListener(changed(options)),
    listenFilter: addresses => inner.listenFilter(addresses),
    dialFilter: addresses => inner.dialFilter(addresses)
  }
}

/** @param {Upgrader} upgrader @param {{ inbound?: ConnectionChange, outbound?: ConnectionChange }} changes @returns {Upgrader} */
const changedUpgrader = (upgrader, { inbound = unchanged, outbound = unchanged }) => ({
  upgradeInbound: async (connection, options) =>
    upgrader.upgradeInbound(inbound(connection), /** @type {any} */ (options)),
  upgradeOutbound: async (connection, options) =>
    upgrader.upgradeOutbound(outbound(connection), /** @type {any} */ (options)),
  createInboundAbortSignal: signal => upgrader.createInboundAbortSignal(signal),
  getStreamMuxers: () => upgrader.getStreamMuxers(),
  getConnectionEncrypters: () => upgrader.getConnectionEncrypters()
})

/**
 * @typedef {import('../line.js').LineSpec} LineSpec
 *
 * @typedef {object} LineEnds - what is between a connection and whoever uses it
 * @property {LineSpec | null} sent - for what is sent
 * @property {LineSpec | null} received - for what arrives
 * @property {Traffic} [traffic] - is counted up
 *
 * @typedef {object} Traffic - bytes that connections of a transport carried, below security and multiplexer
 * @property {number} sentBytes
 * @property {number} receivedBytes
 */

/**
 * lineTransport makes a transport with a line behind its connections. TCP and WebSockets of libp2p open sockets themselves and let
 * nobody have another in their place, so the line is where they hand their connections to libp2p: of TCP that is byte for byte what
 * its socket sends; of WebSockets, 2 to 14 bytes of each message are not counted, nor is the round trip of the upgrade.
 *
 * With the line of what is sent at both ends, and with the line of what arrives at both ends, either direction has one. Nothing
 * comes early, and while the event loop has time it comes 0.1 to 0.7 ms late on average, 1.3 ms at most in 99 of 100 cases (measured
 * for 1 to 50 ms): timers count whole milliseconds. A busy event loop adds its turns. A connection opens by a round trip less than
 * over a real line, for the handshake of TCP is the system's.
 *
 *     transports: [lineTransport(tcp(), connection => new LinedConnection(connection, ends))]
 *
 * @template C
 * @param {(components: C) => Transport} transport
 * @param {(connection: any) => any} lined - gives what is to be used in place of a connection
 * @returns {(components: C) => Transport}
 */
export const lineTransport = (transport, lined) =>
  changedTransport(transport, { inbound: lined, outbound: lined })

/**
 * guardedTransport makes a transport whose guard is asked about each connection that comes in, before anything is done for it. Who is
 * refused is closed by the listener, as after any other failure.
 *
 *     transports: [guardedTransport(tcp(), guard)]
 *
 * @template C
 * @param {(components: C) => import('@libp2p/interface').Transport} transport
 * @param {import('./node-parts.js').ConnectionGuard} guard
 */
export const guardedTransport = (transport, guard) =>
  changedTransport(transport, { inbound: connection => guard.enter(connection) })
