import { peerIdFromString } from '@libp2p/peer-id'
import { multiaddr } from '@multiformats/multiaddr'
import { isLoopbackHost } from '../kit/ip-address.js'

const HOSTS = new Set(['ip4', 'ip6', 'dns', 'dns4', 'dns6'])

/** @param {string} address */
function components(address) {
  try {
    return multiaddr(address).getComponents()
  } catch {
    return []
  }
}

/** @param {string | undefined} id */
function isPeerId(id) {
  try {
    return id !== undefined && peerIdFromString(id) !== undefined
  } catch {
    return false
  }
}

/**
 * isTcpPeerAddress says whether a text is the address of one libp2p peer over plain TCP.
 *
 * @param {string} address
 * @returns {boolean}
 */
export function isTcpPeerAddress(address) {
  const [host, tcp, p2p, ...more] = components(address)
  const shape = HOSTS.has(host?.name) && tcp?.name === 'tcp' && p2p?.name === 'p2p' && more.length === 0
  return shape && tcp.value !== '0' && isPeerId(p2p.value)
}

/**
 * isMultiaddr says whether a text is an address.
 *
 * @param {string} text
 * @returns {boolean}
 */
export const isMultiaddr = text => components(text).length > 0

/**
 * isLoopback says whether an address cannot leave this host.
 *
 * @param {string} address - one that isTcpPeerAddress
 * @returns {boolean}
 */
export const isLoopback = address => isLoopbackHost(address.split('/')[2] ?? '')
