// Checks the multiaddr of a server. Rules that refuse load on public servers or other hosts unless the user asks for it.
import { isIP } from 'node:net'
import { peerIdFromString } from '@libp2p/peer-id'
import { multiaddr } from '@multiformats/multiaddr'
import { isLoopbackHost, makeNetworkTest } from '../kit/host-address.js'

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
 * isLoopbackMultiaddr says whether an address cannot leave this host.
 *
 * @param {string} address - one that isTcpPeerAddress
 * @returns {boolean}
 */
export const isLoopbackMultiaddr = address => isLoopbackHost(address.split('/')[2] ?? '')

/**
 * Addresses a load test can reach without leaving this host or its own network: loopback and "this host", RFC 1918,
 * link-local (RFC 3927, RFC 4291), unique local (RFC 4193), and carrier-grade NAT (RFC 6598), which container and
 * overlay networks use.
 */
const isInOwnNetwork = makeNetworkTest([
  ...['0.0.0.0/32', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8'],
  ...['169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
  ...['::/128', '::1/128', 'fc00::/7', 'fe80::/10']
])

/**
 * isPublicAddress says whether an address may belong to somebody else. A name counts as public, since nobody knows
 * where it will lead; only `localhost` does not.
 *
 * @param {string} address - one that isTcpPeerAddress
 * @returns {boolean}
 */
function isPublicAddress(address) {
  const [, , host = ''] = address.split('/')
  return isIP(host) === 0 ? host.toLowerCase() !== 'localhost' : !isInOwnNetwork(host)
}

/**
 * A scenario with --target and --iOwnTheTarget has this rule: load goes to nobody who did not ask for it.
 *
 * @type {Readonly<import('./options.js').Rule>}
 */
export const PUBLIC_TARGET = Object.freeze({
  flag: 'target',
  needs: ['iOwnTheTarget'],
  refuse: ({ target, iOwnTheTarget }) =>
    target !== undefined &&
    !iOwnTheTarget &&
    isPublicAddress(target) &&
    'is a public address: load-test it only if it is yours, and confirm that with --iOwnTheTarget'
})

/** Load that several servers share is that of a network: outside this host it is asked for. @type {Readonly<import('./options.js').Rule>} */
export const REMOTE_TARGETS = Object.freeze({
  flag: 'targets',
  needs: ['iOwnTheTarget'],
  refuse: ({ targets = [], iOwnTheTarget }) =>
    !iOwnTheTarget &&
    targets.some((/** @type {string} */ address) => !isLoopbackMultiaddr(address)) &&
    'leads to another host: load-test servers there only if they are yours, and confirm that with --iOwnTheTarget'
})

/** What hurts a server is done to nobody on another host who did not ask for it. @type {Readonly<import('./options.js').Rule>} */
export const REMOTE_HOSTILE_TARGET = Object.freeze({
  flag: 'target',
  needs: ['iOwnTheTarget', 'hostile'],
  refuse: ({ target, iOwnTheTarget, hostile }) =>
    hostile !== undefined &&
    target !== undefined &&
    !iOwnTheTarget &&
    !isLoopbackMultiaddr(target) &&
    'leads to another host: hostile peers are sent there only if it is yours and you confirm that with --iOwnTheTarget'
})
