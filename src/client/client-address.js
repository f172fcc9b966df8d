/** @typedef {import('@multiformats/multiaddr').Multiaddr} Multiaddr */

const ADDRESSES_PER_NETWORK = 254
const NETWORKS = 256 * 255

/**
 * clientAddress spreads source addresses over 127.0.0.0/8, so that connections to one server port share the host's
 * local ports per address instead of all drawing on one set, and so that limits per remote host, or per network of neighbours, see many:
 * up to 65,280 clients have a /24 each. 127.0.x.y stays free: servers and hostile peers are there. Distinct up to 16.5 million.
 *
 * @param {number} index - whole number, >= 0
 * @returns {string} for example 127.1.0.1
 */
export function clientAddress(index) {
  const network = index % NETWORKS
  const host = Math.floor(index / NETWORKS) % ADDRESSES_PER_NETWORK
  return `127.${1 + Math.floor(network / 256)}.${network % 256}.${1 + host}`
}

/**
 * clientAddressFor gives the source address for a client of `target`: one of 127.0.0.0/8 where the target is on the
 * loopback network and the system answers for all of it, otherwise undefined (the system chooses).
 *
 * @param {Multiaddr} target
 * @param {number} index - of the client
 * @param {NodeJS.Platform} platform - macOS and the BSDs have 127.0.0.1 only
 * @returns {string | undefined}
 */
export function clientAddressFor(target, index, platform) {
  const host = target.getComponents().find(({ name }) => name === 'ip4')?.value
  const spreads = platform === 'linux' || platform === 'win32'
  return spreads && host?.startsWith('127.') ? clientAddress(index) : undefined
}
