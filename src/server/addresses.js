import { BlockList, isIPv6 } from 'node:net'
import { multiaddr } from '@multiformats/multiaddr'
import { plainAddress } from '../kit/ip-address.js'

/** @typedef {import('@multiformats/multiaddr').Multiaddr} Multiaddr */

/** addressOf is the IP address in a multiaddr. @param {Multiaddr} remote @returns {string} empty: it has none */
export function addressOf(remote) {
  const host = remote.getComponents().find(({ name }) => name === 'ip4' || name === 'ip6')?.value ?? ''
  return plainAddress(host)
}

/**
 * networkOf is what somebody has who has an address: of IPv6 at least the 2^64 addresses that begin alike.
 *
 * @param {string} address
 */
export function networkOf(address) {
  if (!isIPv6(address)) return address
  const [head, tail = ''] = address.split('::')
  const groups = head.split(':').filter(group => group !== '')
  const rest = tail.split(':').filter(group => group !== '')
  const zeros = address.includes('::') ? 8 - groups.length - rest.length : 0
  return [...groups, ...Array(zeros).fill('0'), ...rest].slice(0, 4).join(':')
}

/**
 * groupOf is what an address is likely to share with others of the same owner: the first 24 bits of IPv4, the first 48 of IPv6, as
 * networks are given out to one site (RFC 6177).
 *
 * @param {string} network - of `networkOf`
 */
export const groupOf = network =>
  network.includes(':') ? network.split(':', 3).join(':') : network.slice(0, network.lastIndexOf('.'))

/** networks makes a list to look addresses up in. @param {readonly string[]} addresses - multiaddrs */
export function networks(addresses) {
  const list = new BlockList()
  for (const address of addresses) {
    const components = multiaddr(address).getComponents()
    const ip = components.find(({ name }) => name === 'ip4' || name === 'ip6')
    if (ip?.value === undefined) continue
    const family = ip.name === 'ip6' ? 'ipv6' : 'ipv4'
    const bits = components.find(({ name }) => name === 'ipcidr')?.value
    if (bits === undefined) list.addAddress(ip.value, family)
    else list.addSubnet(ip.value, Number(bits), family)
  }
  return list
}

/** isOneOf looks an address up. @param {BlockList} list @param {string} address */
export const isOneOf = (list, address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
