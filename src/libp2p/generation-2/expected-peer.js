import { isMultiaddr } from '@multiformats/multiaddr'

const P2P = 'p2p'

/** @param {unknown} peer - a multiaddr, some of one peer, or its id @returns {string | undefined} undefined: anybody will do */
function idIn(peer) {
  if (Array.isArray(peer)) return idIn(peer[0])
  if (!isMultiaddr(peer)) return String(peer)
  return peer.getComponents().findLast(({ name }) => name === P2P)?.value
}

/**
 * requireExpected throws when another peer answers than the one that was asked for, which libp2p 2.10 lets pass.
 *
 * @template {import('./types.js').Connection2} T
 * @param {unknown} peer - that was asked for
 * @param {T} connection
 * @returns {T}
 */
export function requireExpected(peer, connection) {
  const expected = idIn(peer)
  const answers = connection.remotePeer.toString()
  if (expected === undefined || expected === answers) return connection
  const error = new Error(`the key of ${answers} does not match expected remote identity key of ${expected}`)
  connection.abort(error)
  throw error
}
