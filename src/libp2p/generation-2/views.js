// Adapters that give nodes, connections and streams of libp2p 2 the interface of libp2p 3. Also observes the streams of
// gossipsub.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { TypedEventEmitter } from '@libp2p/interface'
import { isMultiaddr, multiaddr } from '@multiformats/multiaddr'
import { DuplexStream } from './duplex-stream.js'

/**
 * @typedef {import('@libp2p/interface').PeerId} PeerId
 * @typedef {import('@multiformats/multiaddr').Multiaddr} Multiaddr
 */

/** NodeView is a node of generation 2 in the shape of the present one, as far as nodes are used here. */
export class NodeView {
  #node
  #views
  #toPeer2

  /**
   * @param {Node2} node
   * @param {ConnectionViews} views
   * @param {ToPeer2} toPeer2
   */
  constructor(node, views, toPeer2) {
    this.#node = node
    this.#views = views
    this.#toPeer2 = toPeer2
    this.peerId = node.peerId
    this.services = node.services
    node.addEventListener('connection:close', (/** @type {CustomEvent} */ { detail }) => views.closed(detail))
  }

  /** components are what the node is made of, in the shapes of its generation. */
  get components() {
    return /** @type {any} */ (this.#node).components
  }

  get status() {
    return this.#node.status
  }

  /** peerStore is the one that connections use: a service of that name takes the place of libp2p's own. */
  get peerStore() {
    return this.#node.services.peerStore ?? this.#node.peerStore
  }

  async start() {
    await this.#node.start()
  }

  async stop() {
    await this.#node.stop()
  }

  /** @param {PeerId} [peerId] @returns {ConnectionView[]} */
  getConnections(peerId) {
    return this.#node.getConnections(peerId).map(connection => this.#views.of(connection))
  }

  getPeers() {
    return this.#node.getPeers()
  }

  getMultiaddrs() {
    return this.#node.getMultiaddrs().map(address => multiaddr(address.toString()))
  }

  getProtocols() {
    return this.#node.getProtocols()
  }

  /**
   * @param {PeerId | Multiaddr | Multiaddr[]} peer
   * @param {object} [options]
   */
  async dial(peer, options) {
    return this.#views.of(requireExpected(peer, await this.#node.dial(this.#toPeer2(peer), options)))
  }

  /** @param {PeerId | Multiaddr} peer @param {object} [options] */
  async hangUp(peer, options) {
    await this.#node.hangUp(this.#toPeer2(peer), options)
  }

  /** Events of peers tell the same in both generations. @param {Parameters<Node2['addEventListener']>} args */
  addEventListener(...args) {
    this.#node.addEventListener(...args)
  }

  /** @param {Parameters<Node2['removeEventListener']>} args */
  removeEventListener(...args) {
    this.#node.removeEventListener(...args)
  }
}

/**
 * What generation 2 of libp2p calls things, as far as it is used here. Multiaddrs are given to it and taken from it as strings.
 *
 * @typedef {import('uint8arraylist').Uint8ArrayList} Uint8ArrayList
 * @typedef {import('@libp2p/interface').AbortOptions} AbortOptions
 * @typedef {object} Stream2 - a duplex: it is read from its source, and what its sink is given is sent
 * @property {string} id
 * @property {'inbound' | 'outbound'} direction
 * @property {string} [protocol]
 * @property {'open' | 'closing' | 'closed' | 'aborted' | 'reset'} status
 * @property {import('@libp2p/interface').Logger} log
 * @property {AsyncIterable<Uint8Array | Uint8ArrayList>} source
 * @property {(source: AsyncIterable<Uint8Array | Uint8ArrayList>) => Promise<void>} sink
 * @property {(options?: AbortOptions) => Promise<void>} closeRead
 * @property {(error: Error) => void} abort
 *
 * @typedef {object} Connection2
 * @property {string} id
 * @property {{ toString: () => string }} remoteAddr
 * @property {PeerId} remotePeer
 * @property {Stream2[]} streams
 * @property {'inbound' | 'outbound'} direction
 * @property {{ open: number, upgraded?: number, close?: number }} timeline
 * @property {string} [multiplexer]
 * @property {string} [encryption]
 * @property {'open' | 'closing' | 'closed'} status
 * @property {import('@libp2p/interface').ConnectionLimits} [limits]
 * @property {number} [rtt]
 * @property {import('@libp2p/interface').Logger} log
 * @property {(protocols: string | string[], options?: object) => Promise<Stream2>} newStream
 * @property {(options?: AbortOptions) => Promise<void>} close
 * @property {(error: Error) => void} abort
 *
 * @typedef {(data: { stream: Stream2, connection: Connection2 }) => void} StreamHandler2
 *
 * @typedef {object} Components2
 * @property {unknown} [peerId]
 * @property {unknown} [privateKey]
 * @property {unknown} [logger]
 * @property {unknown} [events]
 * @property {{ handle: (protocol: string, handler: StreamHandler2, options?: object) => Promise<void>,
 *   unhandle: (protocol: string) => Promise<void>,
 *   register: (protocol: string, topology: Topology2) => Promise<string> }} registrar
 * @property {{ openConnection: (peer: any, options?: object) => Promise<Connection2> }} connectionManager
 * @property {{ dial: (address: any, options?: object) => Promise<Connection2> }} transportManager
 * @property {{ getAddresses: () => { toString: () => string }[] }} addressManager
 *
 * @typedef {object} Topology2
 * @property {(peerId: PeerId, connection: Connection2) => void} [onConnect]
 *
 * @typedef {object} Node2
 * @property {PeerId} peerId
 * @property {Record<string, unknown>} services
 * @property {unknown} peerStore
 * @property {string} status
 * @property {() => void | Promise<void>} start
 * @property {() => void | Promise<void>} stop
 * @property {(peerId?: PeerId) => Connection2[]} getConnections
 * @property {() => PeerId[]} getPeers
 * @property {() => { toString: () => string }[]} getMultiaddrs
 * @property {() => string[]} getProtocols
 * @property {(peer: any, options?: object) => Promise<Connection2>} dial
 * @property {(peer: any, options?: object) => Promise<void>} hangUp
 * @property {(type: any, listener: any, options?: any) => void} addEventListener
 * @property {(type: any, listener: any, options?: any) => void} removeEventListener
 */

/**
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {(peer: any) => any} ToPeer2 - makes what a peer is named by, a multiaddr above all, one of generation 2
 */

/**
 * makePresentComponents are what a service of the present generation is given in a node of generation 2.
 *
 * @param {Components2} components
 * @param {ConnectionViews} views
 * @param {ToPeer2} toPeer2
 */
export const makePresentComponents = (components, views, toPeer2) => ({
  // these are the same in both generations; other properties would be refused while the node is made
  peerId: components.peerId,
  privateKey: components.privateKey,
  logger: components.logger,
  events: components.events,

  registrar: {
    /**
     * @param {string} protocol
     * @param {(stream: Stream, connection: ConnectionView) => void} handler
     * @param {object} [options]
     */
    handle: (protocol, handler, options) =>
      components.registrar.handle(
        protocol,
        ({ stream, connection }) => {
          const view = views.of(connection)
          handler(view.taken(stream), view)
        },
        options
      ),
    unhandle: (/** @type {string} */ protocol) => components.registrar.unhandle(protocol)
  },

  connectionManager: {
    openConnection: async (/** @type {any} */ peer, /** @type {object} */ options) =>
      views.of(
        requireExpected(peer, await components.connectionManager.openConnection(toPeer2(peer), options))
      )
  },

  transportManager: {
    dial: async (/** @type {any} */ address, /** @type {object} */ options) =>
      views.of(requireExpected(address, await components.transportManager.dial(toPeer2(address), options)))
  },

  addressManager: {
    getAddresses: () => components.addressManager.getAddresses().map(address => multiaddr(address.toString()))
  }
})

/**
 * makeObservedComponents are what gossipsub of generation 2 is given, so that the streams it opens can be looked at. They are libp2p's
 * own, but for the connections it is told of.
 *
 * @param {Components2} components
 * @param {ConnectionViews} views
 * @returns {Components2}
 */
export function makeObservedComponents(components, views) {
  const { registrar } = components
  /** @type {Partial<Components2['registrar']>} */
  const observed = {
    register: (protocol, topology) =>
      registrar.register(protocol, {
        ...topology,
        onConnect: (peerId, connection) => topology.onConnect?.(peerId, views.of(connection).observed())
      }),
    handle: (protocol, handler, options) =>
      registrar.handle(
        protocol,
        ({ stream, connection }) => handler({ stream, connection: views.of(connection).observed() }),
        options
      )
  }
  return overrideProperties(components, { registrar: overrideProperties(registrar, observed) })
}

/**
 * overrideProperties gives an object with some properties of its own and all others, and their changes, of another one.
 *
 * @template {object} T
 * @param {T} whole
 * @param {Partial<T>} parts
 * @returns {T}
 */
const overrideProperties = (whole, parts) =>
  new Proxy(whole, {
    get(target, name) {
      const value = Reflect.get(Object.hasOwn(parts, name) ? parts : target, name)
      return typeof value === 'function' ? value.bind(target) : value
    }
  })

/** @param {unknown} peer - a multiaddr, some of one peer, or its id @returns {string | undefined} undefined: anybody will do */
function peerIdIn(peer) {
  if (Array.isArray(peer)) return peerIdIn(peer[0])
  if (!isMultiaddr(peer)) return String(peer)
  return peer.getComponents().findLast(({ name }) => name === 'p2p')?.value
}

/**
 * requireExpected throws when another peer answers than the one that was asked for, which libp2p 2.10 lets pass.
 *
 * @template {Connection2} T
 * @param {unknown} peer - that was asked for
 * @param {T} connection
 * @returns {T}
 */
function requireExpected(peer, connection) {
  const expected = peerIdIn(peer)
  const answers = connection.remotePeer.toString()
  if (expected === undefined || expected === answers) return connection
  const error = new Error(`the key of ${answers} does not match expected remote identity key of ${expected}`)
  connection.abort(error)
  throw error
}

/**
 * makeToPeer2 makes multiaddrs those of generation 2. Ids of peers are the same in both.
 *
 * @param {(address: string) => unknown} multiaddr - of generation 2
 * @returns {ToPeer2}
 */
export const makeToPeer2 = multiaddr => {
  /** @param {unknown} peer */
  const made = peer => (isMultiaddr(peer) ? multiaddr(peer.toString()) : peer)
  return peer => (Array.isArray(peer) ? peer.map(made) : made(peer))
}

/** ConnectionViews are those of a node's connections, one of each. */
export class ConnectionViews {
  /** @type {WeakMap<object, ConnectionView>} */
  #views = new WeakMap()
  /** streams of all of them. */
  streams = new StreamViews()

  /** of gives the view of a connection. @param {Connection2} connection @returns {ConnectionView} */
  of(connection) {
    const known = this.#views.get(connection)
    if (known !== undefined) return known
    const view = new ConnectionView(connection, this.streams)
    this.#views.set(connection, view)
    return view
  }

  /** closed tells those who look at a connection that it has ended. @param {Connection2} connection */
  closed(connection) {
    this.#views.get(connection)?.dispatchEvent(new Event('close'))
  }
}

/** StreamViews are those of a node's streams, one of each. */
export class StreamViews {
  /** @type {WeakMap<object, DuplexStream | ObservedStream>} */
  #views = new WeakMap()

  /** of gives the view of a stream. @param {Stream2} stream */
  of(stream) {
    return this.#views.get(stream) ?? this.#observed(stream)
  }

  /** taken makes a stream that somebody of the present generation reads and writes. @param {Stream2} stream */
  taken(stream) {
    const view = new DuplexStream(stream)
    this.#views.set(stream, view)
    return view
  }

  /** observe begins to look at a stream that a service of generation 2 has opened. @param {Stream2} stream */
  observe(stream) {
    const view = this.#views.get(stream)
    const observed = view instanceof ObservedStream ? view : this.#observed(stream)
    observed.observe()
  }

  /** ended tells those who look at a stream that it has ended. @param {object} stream - as its multiplexer has it */
  ended(stream) {
    const view = this.#views.get(stream)
    // others see the end of what they read
    if (view instanceof ObservedStream) view.ended()
  }

  /** @param {Stream2} stream */
  #observed(stream) {
    const view = new ObservedStream(stream)
    this.#views.set(stream, view)
    return view
  }
}

/**
 * ObservedStream shows a stream of generation 2 that a service of that generation reads and writes, gossipsub, without touching its
 * data: what waits in it, and when it ends.
 */
class ObservedStream extends EventTarget {
  #duplex
  /** @type {{ readableLength?: number } | null} what the service sends from */
  #source = null

  /** @param {Stream2} duplex */
  constructor(duplex) {
    super()
    this.#duplex = duplex
  }

  get id() {
    return this.#duplex.id
  }

  get direction() {
    return this.#duplex.direction
  }

  get status() {
    return this.#duplex.status
  }

  /** protocol is empty until one is negotiated. */
  get protocol() {
    return this.#duplex.protocol ?? ''
  }

  /**
   * writeBufferLength is what the service has put into the stream's queue and the stream has not taken, in bytes: gossipsub's queue
   * (it-pushable) tells. The message that is being sent is not counted any more.
   */
  get writeBufferLength() {
    return this.#source?.readableLength ?? 0
  }

  /** observe begins before the service has the stream. */
  observe() {
    const sink = this.#duplex.sink.bind(this.#duplex)
    this.#duplex.sink = source => {
      this.#source = /** @type {{ readableLength?: number }} */ (source)
      return sink(source)
    }
  }

  /** ended tells that the stream has ended. */
  ended() {
    this.#source = null
    this.dispatchEvent(new Event('close'))
  }
}

/** How many turns of the event loop a lost connection takes to say so, and some more. */
const TURNS_TO_CLOSE = 20

/**
 * ConnectionView is a connection of generation 2 in the shape of the present one.
 *
 * @extends {TypedEventEmitter<{ close: Event }>}
 */
class ConnectionView extends TypedEventEmitter {
  #inner
  #streams

  /** @param {Connection2} inner @param {StreamViews} streams */
  constructor(inner, streams) {
    super()
    this.#inner = inner
    this.#streams = streams
    this.id = inner.id
    this.remotePeer = inner.remotePeer
    this.direction = inner.direction
    this.timeline = inner.timeline
    this.multiplexer = inner.multiplexer
    this.encryption = inner.encryption
    this.log = inner.log
    this.direct = true
  }

  get remoteAddr() {
    return multiaddr(this.#inner.remoteAddr.toString())
  }

  /** status is that of the connection below where it has closed: libp2p takes a while to follow. */
  get status() {
    return this.#inner.timeline.close === undefined ? this.#inner.status : 'closed'
  }

  get limits() {
    return this.#inner.limits
  }

  get rtt() {
    return this.#inner.rtt
  }

  /** streams of whomever: those of services of generation 2 can only be looked at. @returns {Stream[]} */
  get streams() {
    return this.#inner.streams.map(
      stream => /** @type {Stream} */ (/** @type {unknown} */ (this.#streams.of(stream)))
    )
  }

  /** @param {string | string[]} protocols @param {object} [options] @returns {Promise<Stream>} */
  async newStream(protocols, options) {
    try {
      return this.taken(await this.#inner.newStream(protocols, options))
    } catch (error) {
      // streams of a connection that is lost end some turns before it does
      for (let turn = 0; turn < TURNS_TO_CLOSE && this.status === 'open'; turn++) await nextTurn()
      throw error
    }
  }

  /** taken makes a stream that somebody of the present generation will read and write. @param {Stream2} stream @returns {Stream} */
  taken(stream) {
    return this.#streams.taken(stream)
  }

  /** observed gives a connection that opens streams for a service of generation 2, which are observed. @returns {Connection2} */
  observed() {
    const newStream = async (/** @type {string | string[]} */ protocols, /** @type {object} */ options) => {
      const stream = await this.#inner.newStream(protocols, options)
      this.#streams.observe(stream)
      return stream
    }
    return Object.create(this.#inner, { newStream: { value: newStream } })
  }

  /** @param {import('@libp2p/interface').AbortOptions} [options] */
  close(options) {
    return this.#inner.close(options)
  }

  /** @param {Error} error */
  abort(error) {
    this.#inner.abort(error)
  }
}

/**
 * @typedef {object} MuxerInit
 * @property {(stream: any) => void} [onStreamEnd]
 *
 * @typedef {{ protocol: string, createStreamMuxer: (init?: MuxerInit) => unknown }} MuxerFactory
 */

/**
 * tellingMuxer makes a multiplexer of generation 2 tell of each stream that has ended: such streams have no events.
 *
 * @param {(components: any) => any} muxer
 * @param {(stream: object) => void} onStreamEnd
 * @returns {(components: any) => any}
 */
export const tellingMuxer = (muxer, onStreamEnd) => components => {
  /** @type {MuxerFactory} */
  const factory = muxer(components)
  return new Proxy(factory, {
    get(target, name) {
      if (name !== 'createStreamMuxer') return Reflect.get(target, name)
      return (/** @type {MuxerInit} */ init) =>
        target.createStreamMuxer({
          ...init,
          onStreamEnd: stream => {
            init?.onStreamEnd?.(stream)
            onStreamEnd(stream)
          }
        })
    }
  })
}
