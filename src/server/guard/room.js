import { groupOf } from '../addresses.js'

/**
 * @template M
 * @typedef {object} Group - of addresses that are likely one owner's
 * @property {number} size - members of all of them
 * @property {Map<string, Set<M>>} addresses
 */

/**
 * Room holds so many members at most: of each address, and in all. When it is full, whoever comes from a group of addresses that has fewer
 * than another takes the place of the other's last, and within a group whoever comes from an address that has fewer; so nobody can take all of
 * it, nor push others out, however many addresses he has beside one another.
 *
 * @template M
 */
export class Room {
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
