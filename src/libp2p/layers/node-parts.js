// Types of the components that a libp2p node is made from. Records which of our wrappers surround each component.
/**
 * @typedef {import('@libp2p/interface').MessageStream} MessageStream
 * @typedef {import('@libp2p/interface').PrivateKey} PrivateKey
 *
 * @typedef {object} NodeParts - what a node is made of, whatever generation of libp2p it is. Options have the names of libp2p and
 *   its packages, and services are factories of the present generation: what they are given, and what they give, has its shapes
 * @property {PrivateKey} privateKey
 * @property {{ listen: string[], announce?: string[] }} addresses - multiaddrs
 * @property {Record<string, unknown>} [tcp] - options of the transport
 * @property {number} [linkLatencyMs] - one way, added to every byte that arrives; default none. Not beside `line`
 * @property {import('../line.js').LineSpec | null} [line] - what connections are sent over; default none
 * @property {import('./transports.js').Traffic} [traffic] - is counted up by every connection
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
    const keeping = (/** @type {any} */ components) => {
      inner = make(components)
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
 * @returns {import('./transports.js').LineEnds | null} null: nothing is between
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
