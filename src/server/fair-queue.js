/**
 * @typedef {object} Caller - who is behind a connection
 * @property {string} address - host it comes from
 * @property {string} peer
 */

/**
 * FairQueue hands out what waits in turn: one of each address, and within an address one of each peer, so that neither many
 * requests, nor many connections, nor many identities from one place keep the others waiting.
 *
 * @template T
 */
export class FairQueue {
  /** first in, first served; who was served goes to the end @type {Map<string, Map<string, T[]>>} */
  #addresses = new Map()
  #size = 0

  get size() {
    return this.#size
  }

  /** @param {Caller} caller @param {T} item */
  push({ address, peer }, item) {
    this.#size++
    const peers = this.#addresses.get(address)
    if (peers === undefined) {
      this.#addresses.set(address, new Map([[peer, [item]]]))
      return
    }
    const items = peers.get(peer)
    if (items === undefined) peers.set(peer, [item])
    else items.push(item)
  }

  /** shift takes out what is next; there must be something. @returns {T} */
  shift() {
    this.#size--
    const peers = takeFirst(this.#addresses)
    const items = takeFirst(peers.value)
    const item = /** @type {T} */ (items.value.shift())
    if (items.value.length > 0) peers.value.set(items.key, items.value)
    if (peers.value.size > 0) this.#addresses.set(peers.key, peers.value)
    return item
  }
}

/** @template V @param {Map<string, V>} map - not empty */
function takeFirst(map) {
  const [key, value] = /** @type {[string, V]} */ (map.entries().next().value)
  map.delete(key)
  return { key, value }
}
