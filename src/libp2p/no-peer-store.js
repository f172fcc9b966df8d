import { NotFoundError } from '@libp2p/interface'

/**
 * @typedef {import('@libp2p/interface').PeerStore} PeerStore
 * @typedef {import('@libp2p/interface').PeerId} PeerId
 * @typedef {import('@libp2p/interface').Peer} Peer
 */

/** @param {PeerId} id @returns {Peer} */
const stranger = id => ({ id, addresses: [], protocols: [], metadata: new Map(), tags: new Map() })

/** @param {PeerId} id @returns {Promise<never>} */
async function missing(id) {
  throw new NotFoundError(`nothing is kept about ${id}`)
}

/**
 * noPeerStore makes a peer store that keeps nothing. A rendezvous server never dials and asks for no addresses, and a
 * client of a load test knows the address of its one server, while libp2p's own store keeps an entry for everyone who
 * ever connected, without end, and rewrites it at each new stream, a third of the stream's cost.
 *
 * Given as the service `peerStore` it takes the place of libp2p's own for all that happens on connections.
 *
 * @returns {() => PeerStore}
 */
export const noPeerStore = () => () => ({
  forEach: async () => {},
  all: async () => [],
  delete: async () => {},
  has: async () => false,
  get: missing,
  getInfo: missing,
  save: async id => stranger(id),
  patch: async id => stranger(id),
  merge: async id => stranger(id),
  consumePeerRecord: async () => false
})
