import { NotFoundError } from '@libp2p/interface'

/**
 * @typedef {import('@libp2p/interface').PeerStore} PeerStore
 * @typedef {import('@libp2p/interface').PeerId} PeerId
 * @typedef {import('@libp2p/interface').Peer} Peer
 */

/** @param {PeerId} id @returns {Peer} */
const stranger = id => ({ id, addresses: [], protocols: [], metadata: new Map(), tags: new Map() })

/** Asked for each peer that goes: a stack trace is dear, and nobody reads it. @param {PeerId} id @returns {Promise<never>} */
async function missing(id) {
  const usual = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  const error = new NotFoundError(`nothing is kept about ${id}`)
  Error.stackTraceLimit = usual
  throw error
}

/** NOTHING_KEPT is a peer store that keeps nothing. @type {PeerStore} */
export const NOTHING_KEPT = Object.freeze({
  forEach: async () => {},
  all: async () => [],
  delete: async () => {},
  has: async () => false,
  get: missing,
  getInfo: missing,
  save: async (/** @type {PeerId} */ id) => stranger(id),
  patch: async (/** @type {PeerId} */ id) => stranger(id),
  merge: async (/** @type {PeerId} */ id) => stranger(id),
  consumePeerRecord: async () => false
})

/**
 * noPeerStore is the service `peerStore` of a node whose peer store keeps nothing. A rendezvous server never dials and asks for no addresses,
 * and a client of a load test knows the address of its one server, while libp2p's own store keeps an entry for everyone who
 * ever connected, without end, and rewrites it at each new stream, a third of the stream's cost.
 */
export const noPeerStore = () => NOTHING_KEPT
