import { multiaddr } from '@multiformats/multiaddr'
import { requireExpected } from './expected-peer.js'

/**
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {import('./connection-view.js').ConnectionView} ConnectionView
 * @typedef {import('./connection-views.js').ConnectionViews} ConnectionViews
 * @typedef {import('./types.js').Components2} Components2
 *
 * @typedef {(peer: any) => any} ToPeer2 - makes what a peer is named by, a multiaddr above all, one of generation 2
 */

/**
 * presentComponents are what a service of the present generation is given in a node of generation 2.
 *
 * @param {Components2} components
 * @param {ConnectionViews} views
 * @param {ToPeer2} toPeer2
 */
export const presentComponents = (components, views, toPeer2) => ({
  .../** @type {Record<string, unknown>} */ (plain(components)),

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

/** What is the same in both generations. @param {any} components */
const plain = ({ peerId, privateKey, logger, events }) => ({ peerId, privateKey, logger, events })

/**
 * observedComponents are what gossipsub of generation 2 is given, so that the streams it opens can be looked at. They are libp2p's
 * own, but for the connections it is told of.
 *
 * @param {Components2} components
 * @param {ConnectionViews} views
 * @returns {Components2}
 */
export const observedComponents = (components, views) =>
  replacing(components, { registrar: observedRegistrar(components.registrar, views) })

/** @param {Components2['registrar']} registrar @param {ConnectionViews} views @returns {Components2['registrar']} */
const observedRegistrar = (registrar, views) =>
  replacing(registrar, {
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
  })

/**
 * replacing gives an object with some properties of its own and all others, and their changes, of another one.
 *
 * @template {object} T
 * @param {T} whole
 * @param {Partial<T>} parts
 * @returns {T}
 */
const replacing = (whole, parts) =>
  new Proxy(whole, {
    get(target, name) {
      const value = Reflect.get(Object.hasOwn(parts, name) ? parts : target, name)
      return typeof value === 'function' ? value.bind(target) : value
    }
  })
