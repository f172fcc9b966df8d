/** @typedef {import('@multiformats/multiaddr').Multiaddr} Multiaddr */

const ADDRESSES_PER_BLOCK = 254
const BLOCKS = 256 * 255

/**
 * clientAddress spreads source addresses over 127.0.0.0/8, so that connections to one server port share the host's
 * local ports per address instead of all drawing on one set, and so that limits per remote host see many hosts.
 * 127.0.x.y stays free: servers listen there. Distinct up to 16.5 million.
 *
 * @param {number} index - whole number, >= 0
 * @returns {string} for example 127.1.0.1
 */
export function clientAddress(index) {
  const block = Math.floor(index / ADDRESSES_PER_BLOCK) % BLOCKS
  return `127.${1 + Math.floor(block / 256)}.${block % 256}.${1 + (index % ADDRESSES_PER_BLOCK)}`
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
