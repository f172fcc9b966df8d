/**
 * Room holds so many members at most: of each address, and in all. When it is full, whoever comes from an address that has fewer
 * than another takes the place of the other's last, so that nobody can take all of it.
 *
 * @template M
 */
export class Room {
  #each
  #all
  #drop
  #size = 0
  /** @type {Map<string, Set<M>>} */
  #addresses = new Map()

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

  /** add lets a member in. @param {string} address @param {M} member @returns {boolean} false: there is no room for it */
  add(address, member) {
    const here = this.#addresses.get(address) ?? new Set()
    if (here.size >= this.#each) return false
    if (this.#size >= this.#all && !this.#makeRoom(here.size)) return false
    here.add(member)
    this.#addresses.set(address, here)
    this.#size++
    return true
  }

  /** remove lets a member go, if it is there. @param {string} address @param {M} member */
  remove(address, member) {
    const here = this.#addresses.get(address)
    if (!here?.delete(member)) return
    this.#size--
    if (here.size === 0) this.#addresses.delete(address)
  }

  /** @param {number} held - by the address that asks */
  #makeRoom(held) {
    let [largest, most] = ['', held]
    for (const [address, { size }] of this.#addresses) if (size > most) [largest, most] = [address, size]
    if (most === held) return false
    const last = /** @type {M} */ ([...(this.#addresses.get(largest) ?? [])].at(-1))
    this.remove(largest, last)
    this.#drop(last)
    return true
  }
}
