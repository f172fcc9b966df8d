import { isMultiaddr } from '@multiformats/multiaddr'

/**
 * toPeer2 makes multiaddrs those of generation 2. Ids of peers are the same in both.
 *
 * @param {(address: string) => unknown} multiaddr - of generation 2
 * @returns {import('./components.js').ToPeer2}
 */
export const toPeer2 = multiaddr => {
  /** @param {unknown} peer */
  const made = peer => (isMultiaddr(peer) ? multiaddr(peer.toString()) : peer)
  return peer => (Array.isArray(peer) ? peer.map(made) : made(peer))
}
