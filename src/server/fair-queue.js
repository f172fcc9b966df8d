/**
 * @typedef {object} Caller - who is behind a connection
 * @property {string} group - hosts that are likely one another's: see `groupOf`
 * @property {string} address - host it comes from
 * @property {string} peer
 */

/**
 * FairQueue hands out what waits in turn: one of each group of addresses, within it one of each address, and within an address one of each
 * peer, so that neither many requests, nor many connections, identities or neighbouring hosts keep the others waiting.
 *
 * @template T
 */
export class FairQueue {
  /** first in, first served; who was served goes to the end @type {Map<string, Map<string, Map<string, T[]>>>} */
  #groups = new Map()
  #size = 0

  get size() {
    return this.#size
  }

  /** @param {Caller} caller @param {T} item */
  push({ group, address, peer }, item) {
    this.#size++
    const addresses = getOrSet(this.#groups, group, () => new Map())
    const peers = getOrSet(addresses, address, () => new Map())
    getOrSet(peers, peer, () => /** @type {T[]} */ ([])).push(item)
  }

  /** shift takes out what is next; there must be something. @returns {T} */
  shift() {
    this.#size--
    const addresses = takeFirst(this.#groups)
    const peers = takeFirst(addresses.value)
    const items = takeFirst(peers.value)
    const item = /** @type {T} */ (items.value.shift())
    if (items.value.length > 0) peers.value.set(items.key, items.value)
    if (peers.value.size > 0) addresses.value.set(peers.key, peers.value)
    if (addresses.value.size > 0) this.#groups.set(addresses.key, addresses.value)
    return item
  }
}

/** @template V @param {Map<string, V>} map @param {string} key @param {() => V} make */
function getOrSet(map, key, make) {
  const value = map.get(key)
  if (value !== undefined) return value
  const made = make()
  map.set(key, made)
  return made
}

/** @template V @param {Map<string, V>} map - not empty */
function takeFirst(map) {
  const [key, value] = /** @type {[string, V]} */ (map.entries().next().value)
  map.delete(key)
  return { key, value }
}
