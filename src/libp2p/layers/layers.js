// The layers of a stack that nodes are made of, with what changes their connections.
import { serviceCapabilities, transportSymbol } from '@libp2p/interface'

// What a stack is asked to make a node from.
/**
 * @typedef {import('@libp2p/interface').MessageStream} MessageStream
 * @typedef {import('@libp2p/interface').PrivateKey} PrivateKey
 * @typedef {import('@libp2p/interface').ServiceMap} ServiceMap
 *
 * @typedef {object} NodeParts - what a node is made of, whatever generation of libp2p it is. Options have the names of libp2p and
 *   its packages, and services are factories of the present generation: what they are given, and what they give, has its shapes
 * @property {PrivateKey} privateKey
 * @property {{ listen: string[], announce?: string[] }} addresses - multiaddrs
 * @property {Record<string, unknown>} [tcp] - options of the transport
 * @property {number} [linkLatencyMs] - one way, added to every byte that arrives; default none. Not beside `line`
 * @property {import('../line.js').LineSpec | null} [line] - what connections are sent over; default none
 * @property {Traffic} [traffic] - is counted up by every connection
 * @property {WireListener} [wire] - is told of what connections write and read, by nodes of generation 3: a lean one tells of those that it
 *   opens, with Noise alone; another one of all
 * @property {(remote: import('@multiformats/multiaddr').Multiaddr) => WireListener} [wireOf] - instead of `wire`, of a node that is not lean: who is
 *   told depends on who is at the other end
 * @property {'tcp' | 'websocket' | 'quic'} [transport] - default tcp; generation 3 alone has the others. quic has a native socket: no line
 *   and no guard, security and muxer of its own, and its bytes are not counted
 * @property {'noise' | 'plaintext' | 'tls'} [security] - default noise; generation 3 alone has tls
 * @property {Muxer | Muxer[]} [muxer] - default yamux; several are offered in this order
 * @property {Record<string, unknown>} [muxerOptions]
 * @property {number} [maxFrameBytes] - of data in a frame of Yamux; default: generation 3 puts all that waits into one, up to the
 *   window, see `bounded-frames.js`; generation 2 has a limit of its own
 * @property {boolean} [lean] - for a load generator and the server it loads: without a logger and without what a peer store keeps,
 *   with as little work for each message as the stack allows. Default false: libp2p as published, but for what the other parts say
 * @property {ConnectionGuard} [guard] - of who connects; generation 3 alone has a place for it
 * @property {ReturnType<typeof import('../node-components.js').makeConnectionGater>} [connectionGater] - who may connect; default: everybody
 * @property {Record<string, unknown>} [connectionManager] - options
 * @property {{ enabled?: boolean }} [connectionMonitor] - options
 * @property {Record<string, unknown>} [identify] - options; absent: there is no such service
 * @property {Record<string, unknown>} [gossipsub] - options; absent: there is no such service
 * @property {Record<string, (components: any) => any>} [services] - further ones, by name
 *
 * @typedef {Pick<NodeParts, 'transport' | 'security' | 'muxer'> & { identify?: boolean, gossipsub?: boolean }} Kinds - which packages a
 *   node is made of
 *
 * @typedef {'yamux' | 'mplex'} Muxer
 *
 * @typedef {object} ConnectionGuard - bounds what comes in over connections that others opened
 * @property {Record<string, unknown>} connectionManager - options that go before those of the node
 * @property {(connection: import('@libp2p/interface').MultiaddrConnection) => import('@libp2p/interface').MultiaddrConnection} enter -
 *   gives what is to be used instead of a connection; throws when it is refused
 * @property {(connection: MessageStream, secured: { connection: MessageStream, remotePeer: import('@libp2p/interface').PeerId }) => void} secured -
 *   is told of a connection of `enter` that finished its handshake; throws when it is refused
 * @property {(stream: MessageStream, muxer: () => import('@libp2p/interface').StreamMuxer) => MessageStream} muxed - gives what is to be
 *   used instead of such a connection by the muxer on it
 *
 * @typedef {object} WireListener
 * @property {(tookNs: number) => void} wrote - bytes were handed to the system, which took so long
 * @property {() => void} read - bytes have come
 *
 * @typedef {Readonly<{ value: unknown, why: string }>} Setting - something set other than the default of a library
 *
 * @typedef {object} Stack - one generation of libp2p with its packages
 * @property {readonly string[]} packages - of every node, as they are named in package.json, the main one first. Their versions go
 *   into results
 * @property {readonly string[]} gossipPackages - of nodes of a gossip network beside them
 * @property {(kinds: Kinds) => Promise<any>} published - gives a node of the same packages as libp2p makes it by itself, not started and in
 *   the shapes of its generation: what others are compared with
 * @property {(parts: NodeParts) => Promise<import('@libp2p/interface').Libp2p<any>>} createNode - gives a node that is not started.
 *   It has the shapes of the present generation: its connections, streams, events and services
 *
 * @typedef {Readonly<Stack & { name: string }>} NamedStack
 */

/** @typedef {{ by: readonly string[], inner: object | null }} Layers - `inner`: null: the component itself was changed */

/** @type {WeakMap<object, Layers>} by what stands around */
const LAYERS = new WeakMap()

/**
 * wrapComponent puts a component of ours around one of libp2p, so that it can be told afterwards what stands there: see node-settings.js.
 *
 *     streamMuxers: [around(coalescingMuxer, yamux(), guard)]
 *
 * @template {any[]} M
 * @param {(make: any, ...more: M) => (components: any) => any} wrap - gives the factory of the outer component for that of the inner one
 * @param {(components: any) => any} make
 * @param {M} more
 * @returns {(components: any) => any}
 */
export function wrapComponent(wrap, make, ...more) {
  return components => {
    /** @type {any} */
    let inner
    const keeping = (/** @type {any} */ given) => {
      inner = make(given)
      return inner
    }
    const outer = wrap(keeping, ...more)(components)
    const within = findLayers(inner)
    LAYERS.set(outer, {
      by: [wrap.name, ...within.by],
      inner: within.inner === outer ? null : within.inner
    })
    return outer
  }
}

/**
 * findLayers says what stands around a component.
 *
 * @param {any} component
 * @returns {{ by: readonly string[], inner: any }} `by`: names of the functions that put it there, the outermost first; `inner`: the
 *   component itself
 */
export function findLayers(component) {
  const { by, inner } = LAYERS.get(component) ?? { by: [], inner: null }
  return { by, inner: inner ?? component }
}

/**
 * lineEndsOf says which of its ways a node puts a line on.
 *
 * @param {Pick<NodeParts, 'line' | 'linkLatencyMs' | 'traffic'>} parts
 * @returns {LineEnds | null} null: nothing is between
 */
export function lineEndsOf({ line = null, linkLatencyMs = 0, traffic }) {
  if (line !== null) return { sent: line, received: line.both ? line : null, traffic }
  if (linkLatencyMs > 0) {
    return { sent: null, received: { latencyMs: linkLatencyMs, bytesPerSecond: null }, traffic }
  }
  return traffic === undefined ? null : { sent: null, received: null, traffic }
}

/** listMuxers gives the muxers that a node offers, the preferred one first. @param {Pick<NodeParts, 'muxer'>} parts */
export const listMuxers = ({ muxer = 'yamux' }) => [muxer].flat()

// Transports whose connections are changed before libp2p has them.

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
 * @param {ConnectionGuard} guard
 */
export const guardedTransport = (transport, guard) =>
  changedTransport(transport, { inbound: connection => guard.enter(connection) })
