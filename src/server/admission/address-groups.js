// Limits members (connections, streams) for each address and in all: when full, the largest group of addresses with
// likely one owner loses one.
import { BlockList, isIPv6 } from 'node:net'
import { multiaddr } from '@multiformats/multiaddr'
import { unmapAddress } from '../../kit/host-address.js'

/**
 * @typedef {import('@multiformats/multiaddr').Multiaddr} Multiaddr
 */

/** @param {Multiaddr} address */
const ipOf = address => address.getComponents().find(({ name }) => name === 'ip4' || name === 'ip6')

/** readIpAddress reads the IP address in a multiaddr. @param {Multiaddr} remote @returns {string} empty: it has none */
export const readIpAddress = remote => unmapAddress(ipOf(remote)?.value ?? '')

/**
 * getHostNetwork gives the addresses that one host has at least: an IPv4 address, or the 64-bit prefix of an IPv6 address.
 *
 * @param {string} address
 */
export function getHostNetwork(address) {
  if (!isIPv6(address)) return address
  const [head, tail = ''] = address.split('::')
  const groups = head.split(':').filter(group => group !== '')
  const rest = tail.split(':').filter(group => group !== '')
  const zeros = address.includes('::') ? 8 - groups.length - rest.length : 0
  return [...groups, ...Array(zeros).fill('0'), ...rest].slice(0, 4).join(':')
}

/**
 * getAddressGroup gives the prefix that an address likely shares with others of the same owner: 24 bits of IPv4, 48 bits of IPv6, the size of
 * network that one site gets (RFC 6177).
 *
 * @param {string} network - of `getHostNetwork`
 */
export const getAddressGroup = network =>
  network.includes(':') ? network.split(':', 3).join(':') : network.slice(0, network.lastIndexOf('.'))

/** makeNetworkList makes a list to look addresses up in. @param {readonly string[]} addresses - multiaddrs */
export function makeNetworkList(addresses) {
  const list = new BlockList()
  for (const address of addresses.map(text => multiaddr(text))) {
    const ip = ipOf(address)
    if (ip?.value === undefined) continue
    const family = ip.name === 'ip6' ? 'ipv6' : 'ipv4'
    const bits = address.getComponents().find(({ name }) => name === 'ipcidr')?.value
    if (bits === undefined) list.addAddress(ip.value, family)
    else list.addSubnet(ip.value, Number(bits), family)
  }
  return list
}

/** isInNetworks says whether an address is in a list of networks. @param {BlockList} list @param {string} address */
export const isInNetworks = (list, address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

/**
 * @template M
 * @typedef {object} Group - of addresses that likely have one owner
 * @property {number} size - members of all its addresses
 * @property {Map<string, Set<M>>} addresses
 */

/**
 * AddressSlots bounds the number of members: of each address, and in all. When all slots are taken, a new member of a small group of
 * addresses replaces the last member of the largest group; within one group, a new member of an address with few members replaces the last
 * one of the address with most. So no owner can take all slots, nor push others out, however many neighbouring addresses he has.
 *
 * @template M
 */
export class AddressSlots {
  #each
  #all
  #drop
  #size = 0
  /** @type {Map<string, Group<M>>} */
  #groups = new Map()

  /**
   * @param {object} limits
   * @param {number} limits.each - members of an address
   * @param {number} limits.all
   * @param {(member: M) => void} drop - ends a member that was removed
   */
  constructor({ each, all }, drop) {
    this.#each = each
    this.#all = all
    this.#drop = drop
  }

  get size() {
    return this.#size
  }

  /**
   * add gives a member a slot.
   *
   * @param {string} address - of `getHostNetwork`
   * @param {M} member
   * @param {number} [each] - slots of this address
   * @returns {boolean} false: there is no slot for it
   */
  add(address, member, each = this.#each) {
    const name = getAddressGroup(address)
    const count = this.#groups.get(name)?.addresses.get(address)?.size ?? 0
    if (count >= each) return false
    if (this.#size >= this.#all && !this.#freeSlot(name, count)) return false
    // freeSlot may have removed the group
    const group = this.#groups.get(name) ?? { size: 0, addresses: new Map() }
    const members = group.addresses.get(address) ?? new Set()
    this.#groups.set(name, group)
    group.addresses.set(address, members.add(member))
    group.size++
    this.#size++
    return true
  }

  /** remove frees the slot of a member, if it has one. @param {string} address @param {M} member */
  remove(address, member) {
    const name = getAddressGroup(address)
    const group = this.#groups.get(name)
    const members = group?.addresses.get(address)
    if (group === undefined || !members?.delete(member)) return
    this.#size--
    group.size--
    if (members.size === 0) group.addresses.delete(address)
    if (group.size === 0) this.#groups.delete(name)
  }

  /** @param {string} name - group of the new member @param {number} count - members of its address */
  #freeSlot(name, count) {
    const own = this.#groups.get(name)
    const [, largestGroup] = largest(this.#groups)
    const isOwn = own !== undefined && own.size >= largestGroup.size
    const [address, members] = largest((isOwn ? own : largestGroup).addresses)
    if (isOwn && members.size <= count) return false
    const last = /** @type {M} */ ([...members].at(-1))
    this.remove(address, last)
    this.#drop(last)
    return true
  }
}

/** The first of the largest. @template {{ size: number }} V @param {Map<string, V>} map - not empty @returns {[string, V]} */
const largest = map => [...map].reduce((max, each) => (each[1].size > max[1].size ? each : max))
