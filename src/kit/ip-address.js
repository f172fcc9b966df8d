const IPV4_IN_IPV6 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** plainAddress is an IPv4 address as such where it is written as one of IPv6. @param {string} host */
export const plainAddress = host => IPV4_IN_IPV6.exec(host)?.[1] ?? host

/** isLoopbackHost says whether a name or an address is this machine's. @param {string} host - an IPv6 address with or without brackets */
export function isLoopbackHost(host) {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase()
  return bare === 'localhost' || bare === '::1' || /^127(\.\d+){3}$/.test(bare)
}

/** atAddress is how a multiaddr begins. @param {string} address - of IPv4 or IPv6 */
export const atAddress = address => `/${address.includes(':') ? 'ip6' : 'ip4'}/${address}`

/** networkOfOne is a network with one address, as a multiaddr. @param {string} address */
export const networkOfOne = address => `${atAddress(address)}/ipcidr/${address.includes(':') ? 128 : 32}`
