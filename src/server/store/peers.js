import { Column } from './column.js'
import { HashIndex, hashBytes } from './hash-index.js'
import { IdPool } from './id-pool.js'
import { Slab } from './slab.js'

/** Peers gives a number to every peer that holds registrations, and counts them. */
export class Peers {
  #slab = new Slab((peer, ref) => this.#refs.set(peer, ref))
  #seed
  #ids = new IdPool()
  #index = new HashIndex()
  /** peer → its id in the slab */
  #refs = new Column(Int32Array)
  #counts = new Column(Int32Array)
  #bytes = new Column(Float64Array)

  /** @param {number} seed - random, so that nobody can choose peer ids that fall together */
  constructor(seed) {
    this.#seed = seed
  }

  /** size is how many peers hold registrations. */
  get size() {
    return this.#index.size
  }

  /** find is the number of a peer, or -1. @param {Uint8Array} id - multihash bytes */
  find(id) {
    return this.#find(id, hashBytes(id, this.#seed))
  }

  /** count is how many registrations a peer holds. @param {number} peer - a number, or -1 */
  count(peer) {
    return peer < 0 ? 0 : this.#counts.get(peer)
  }

  /** bytes that the registrations of a peer have. @param {number} peer - a number, or -1 */
  bytes(peer) {
    return peer < 0 ? 0 : this.#bytes.get(peer)
  }

  /** hold counts one more registration of a peer and returns its number. @param {Uint8Array} id @param {number} bytes */
  hold(id, bytes) {
    const hash = hashBytes(id, this.#seed)
    const known = this.#find(id, hash)
    const peer = known < 0 ? this.#insert(id, hash) : known
    this.#counts.set(peer, this.#counts.get(peer) + 1)
    this.#bytes.set(peer, this.#bytes.get(peer) + bytes)
    return peer
  }

  /** release counts one less, and forgets a peer that has none left. @param {number} peer @param {number} bytes */
  release(peer, bytes) {
    const count = this.#counts.get(peer) - 1
    this.#counts.set(peer, count)
    this.#bytes.set(peer, this.#bytes.get(peer) - bytes)
    if (count > 0) return
    this.#index.remove(peer)
    this.#slab.free(this.#refs.get(peer))
    this.#ids.release(peer)
  }

  /** @param {Uint8Array} id @param {number} hash */
  #find(id, hash) {
    for (let peer = this.#index.first(hash); peer >= 0; peer = this.#index.next(peer)) {
      if (this.#slab.equals(this.#refs.get(peer), id)) return peer
    }
    return -1
  }

  /** @param {Uint8Array} id @param {number} hash */
  #insert(id, hash) {
    const peer = this.#ids.take()
    const ref = this.#slab.allocate(id.length, peer)
    this.#slab.write(ref, 0, id)
    this.#refs.set(peer, ref)
    this.#counts.set(peer, 0)
    this.#bytes.set(peer, 0)
    this.#index.add(peer, hash)
    return peer
  }
}
