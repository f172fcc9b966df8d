// Replacements for components of a libp2p node that cost less CPU (peer store, registrar, connection list, logger), and
// a connection gater.
import { NotFoundError } from '@libp2p/interface'
import { unmapAddress } from '../kit/host-address.js'

/**
 * @typedef {import('@libp2p/interface').PeerStore} PeerStore
 * @typedef {import('@libp2p/interface').PeerId} PeerId
 * @typedef {import('@libp2p/interface').Peer} Peer
 */

/** @param {PeerId} id @returns {Peer} */
const unknownPeer = id => ({ id, addresses: [], protocols: [], metadata: new Map(), tags: new Map() })

/** Asked for each peer that goes: a stack trace is dear, and nobody reads it. @param {PeerId} id @returns {Promise<never>} */
async function throwNotFound(id) {
  const usual = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  const error = new NotFoundError(`nothing is kept about ${id}`)
  Error.stackTraceLimit = usual
  throw error
}

/** EMPTY_PEER_STORE is a peer store that keeps nothing. @type {PeerStore} */
export const EMPTY_PEER_STORE = Object.freeze({
  forEach: async () => {},
  all: async () => [],
  delete: async () => {},
  has: async () => false,
  get: throwNotFound,
  getInfo: throwNotFound,
  save: async (/** @type {PeerId} */ id) => unknownPeer(id),
  patch: async (/** @type {PeerId} */ id) => unknownPeer(id),
  merge: async (/** @type {PeerId} */ id) => unknownPeer(id),
  consumePeerRecord: async () => false
})

/**
 * makeEmptyPeerStore is the service `peerStore` of a node whose peer store keeps nothing. A rendezvous server never dials and asks for no addresses,
 * and a client of a load test knows the address of its one server, while libp2p's own store keeps an entry for everyone who
 * ever connected, without end, and rewrites it at each new stream, a third of the stream's cost.
 */
export const makeEmptyPeerStore = () => EMPTY_PEER_STORE

/** @typedef {import('@libp2p/interface-internal').Registrar} Registrar */

/**
 * makeQuietRegistrar is libp2p's registrar, but says that nobody handles a protocol without a stack trace, and by the same error each time: libp2p
 * asks that at each stream which a client opens, catches the answer, and pays a twentieth of the stream for it.
 *
 * Given as the service `registrar` it is the one that connections ask.
 *
 * @param {{ registrar: Registrar }} components
 * @returns {Registrar}
 */
export const makeQuietRegistrar = ({ registrar }) => {
  /** why there is no handler, by protocol; null: there is one @type {Map<string, unknown>} */
  const known = new Map()
  const lacks = (/** @type {string} */ protocol) => {
    const usual = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    try {
      registrar.getHandler(protocol)
      return null
    } catch (error) {
      return error
    } finally {
      Error.stackTraceLimit = usual
    }
  }
  return {
    getHandler(protocol) {
      if (!known.has(protocol)) known.set(protocol, lacks(protocol))
      const lacking = known.get(protocol)
      if (lacking !== null) throw lacking
      return registrar.getHandler(protocol)
    },
    handle(...args) {
      known.clear()
      return registrar.handle(...args)
    },
    unhandle(...args) {
      known.clear()
      return registrar.unhandle(...args)
    },
    getProtocols: () => registrar.getProtocols(),
    getTopologies: protocol => registrar.getTopologies(protocol),
    register: (...args) => registrar.register(...args),
    unregister: id => registrar.unregister(id),
    use: (...args) => registrar.use(...args),
    unuse: protocol => registrar.unuse(protocol),
    getMiddleware: protocol => registrar.getMiddleware(protocol)
  }
}

/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('@libp2p/interface-internal').ConnectionManager} ConnectionManager
 *
 * @typedef {object} ListedComponents
 * @property {ConnectionManager} connectionManager
 * @property {import('@libp2p/interface').TypedEventTarget<import('@libp2p/interface').Libp2pEvents>} events
 */

/**
 * makeConnectionList keeps a list of a node's connections. Libp2p makes one whenever it counts them, peer by peer, three times for each connection that
 * opens: of 5,000 peers that takes longer than all else that they cost.
 *
 * Given as the service `connectionManager`.
 *
 * @returns {(components: ListedComponents) => ConnectionManager} libp2p's own one
 */
export const makeConnectionList =
  () =>
  ({ connectionManager, events }) => {
    /** @type {Connection[]} */
    const open = []
    events.addEventListener('connection:open', ({ detail }) => {
      // one that its peer has closed meanwhile is never told to be closed
      if (detail.status === 'open') open.push(detail)
    })
    events.addEventListener('connection:close', ({ detail }) => {
      const at = open.indexOf(detail)
      if (at >= 0) open.splice(at, 1)
    })
    const ofPeer = connectionManager.getConnections.bind(connectionManager)
    connectionManager.getConnections = peer => (peer === undefined ? open.slice() : ofPeer(peer))
    return connectionManager
  }

/**
 * @typedef {import('@libp2p/interface').Logger} Logger
 */

const nothing = () => {}

/** @type {Logger} */
const silent = Object.assign(() => {}, {
  error: nothing,
  trace: nothing,
  enabled: false,
  newScope: () => silent
})

/**
 * makeSilentLogger is a `logger` for createLibp2p that writes nothing. The default one writes nothing either unless DEBUG is
 * set, but it makes several functions for each stream and connection, which is 5 % of the cost of a new stream.
 *
 * @returns {import('@libp2p/interface').ComponentLogger}
 */
export const makeSilentLogger = () => ({ forComponent: () => silent })

/**
 * @typedef {object} AdmissionRules - who may connect
 * @property {(address: string) => boolean} [isAddress] - is asked before a handshake, default: from everywhere
 * @property {(peerId: string) => boolean} [isPeer] - is asked behind it, default: everybody
 */

/**
 * makeConnectionGater is a connection gater of libp2p that takes connections of some alone. It knows nothing of generations: it is asked by their texts.
 *
 * @param {AdmissionRules} admitted
 */
export const makeConnectionGater = ({ isAddress = () => true, isPeer = () => true }) => ({
  denyInboundConnection: (/** @type {{ remoteAddr: unknown }} */ { remoteAddr }) =>
    !isAddress(unmapAddress(String(remoteAddr).split('/')[2] ?? '')),
  denyInboundEncryptedConnection: (/** @type {unknown} */ peerId) => !isPeer(String(peerId))
})
