// Groups of addresses that are likely of one owner, with a bound of places for each.
import { BlockList, isIPv6 } from 'node:net'
import { multiaddr } from '@multiformats/multiaddr'
import { plainAddress } from '../../kit/host-address.js'

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

/**
 * @template M
 * @typedef {object} Group - of addresses that are likely one owner's
 * @property {number} size - members of all of them
 * @property {Map<string, Set<M>>} addresses
 */

/**
 * AddressSlots holds so many members at most: of each address, and in all. When it is full, whoever comes from a group of addresses that has fewer
 * than another takes the place of the other's last, and within a group whoever comes from an address that has fewer; so nobody can take all of
 * it, nor push others out, however many addresses he has beside one another.
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
   * @param {(member: M) => void} drop - sends away a member, which is removed then
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
   * add lets a member in.
   *
   * @param {string} address - of `networkOf`
   * @param {M} member
   * @param {number} [each] - that this address may have
   * @returns {boolean} false: there is no room for it
   */
  add(address, member, each = this.#each) {
    const name = groupOf(address)
    const held = this.#groups.get(name)?.addresses.get(address)?.size ?? 0
    if (held >= each) return false
    if (this.#size >= this.#all && !this.#makeRoom(name, held)) return false
    // it may have gone meanwhile
    const group = this.#groups.get(name) ?? { size: 0, addresses: new Map() }
    const here = group.addresses.get(address) ?? new Set()
    this.#groups.set(name, group)
    group.addresses.set(address, here.add(member))
    group.size++
    this.#size++
    return true
  }

  /** remove lets a member go, if it is there. @param {string} address @param {M} member */
  remove(address, member) {
    const name = groupOf(address)
    const group = this.#groups.get(name)
    const here = group?.addresses.get(address)
    if (group === undefined || !here?.delete(member)) return
    this.#size--
    group.size--
    if (here.size === 0) group.addresses.delete(address)
    if (group.size === 0) this.#groups.delete(name)
  }

  /** @param {string} name - of the group that asks @param {number} held - by its address */
  #makeRoom(name, held) {
    const own = this.#groups.get(name)
    const [, most] = largest(this.#groups)
    const isOwn = own !== undefined && own.size >= most.size
    const [address, here] = largest((isOwn ? own : most).addresses)
    if (isOwn && here.size <= held) return false
    const last = /** @type {M} */ ([...here].at(-1))
    this.remove(address, last)
    this.#drop(last)
    return true
  }
}

/** The first of the largest. @template {{ size: number }} V @param {Map<string, V>} map - not empty @returns {[string, V]} */
const largest = map => [...map].reduce((most, each) => (each[1].size > most[1].size ? each : most))
