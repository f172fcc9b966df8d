import { Column } from './column.js'
import { HashIndex, hashBytes } from './hash-index.js'
import { IdPool } from './id-pool.js'
import { Slab } from './slab.js'

/** Holders gives a number to everyone who holds registrations, a peer or a group of addresses, and counts them. */
export class Holders {
  #slab = new Slab((holder, ref) => this.#refs.set(holder, ref))
  #seed
  #ids = new IdPool()
  #index = new HashIndex()
  /** holder → its id in the slab */
  #refs = new Column(Int32Array)
  #counts = new Column(Int32Array)
  #bytes = new Column(Float64Array)
  /** highest sequence numbers of signed records */
  #recordSeqs = new Column(BigUint64Array)

  /** @param {number} seed - random, so that nobody can choose ids that fall together */
  constructor(seed) {
    this.#seed = seed
  }

  /** size is how many hold registrations. */
  get size() {
    return this.#index.size
  }

  /** find is the number of a holder, or -1. @param {Uint8Array} id */
  find(id) {
    return this.#find(id, hashBytes(id, this.#seed))
  }

  /** count is how many registrations a holder has. @param {number} holder - a number, or -1 */
  count(holder) {
    return holder < 0 ? 0 : this.#counts.get(holder)
  }

  /** bytes that the registrations of a holder have. @param {number} holder - a number, or -1 */
  bytes(holder) {
    return holder < 0 ? 0 : this.#bytes.get(holder)
  }

  /** recordSeq is the highest sequence number among the signed records of a holder's registrations, also of those replaced. @param {number} holder - a number, or -1 */
  recordSeq(holder) {
    return holder < 0 ? 0n : this.#recordSeqs.get(holder)
  }

  /**
   * hold counts one more registration of a holder and returns its number.
   *
   * @param {Uint8Array} id
   * @param {number} bytes
   * @param {bigint} [recordSeq] - of its signed record
   */
  hold(id, bytes, recordSeq = 0n) {
    const hash = hashBytes(id, this.#seed)
    const known = this.#find(id, hash)
    const holder = known < 0 ? this.#insert(id, hash) : known
    this.#counts.set(holder, this.#counts.get(holder) + 1)
    this.#bytes.set(holder, this.#bytes.get(holder) + bytes)
    if (recordSeq > this.#recordSeqs.get(holder)) this.#recordSeqs.set(holder, recordSeq)
    return holder
  }

  /** release counts one less, and forgets a holder that has none left. @param {number} holder @param {number} bytes */
  release(holder, bytes) {
    const count = this.#counts.get(holder) - 1
    this.#counts.set(holder, count)
    this.#bytes.set(holder, this.#bytes.get(holder) - bytes)
    if (count > 0) return
    this.#index.remove(holder)
    this.#slab.free(this.#refs.get(holder))
    this.#ids.release(holder)
  }

  /** @param {Uint8Array} id @param {number} hash */
  #find(id, hash) {
    for (let holder = this.#index.first(hash); holder >= 0; holder = this.#index.next(holder)) {
      if (this.#slab.equals(this.#refs.get(holder), id)) return holder
    }
    return -1
  }

  /** @param {Uint8Array} id @param {number} hash */
  #insert(id, hash) {
    const holder = this.#ids.take()
    const ref = this.#slab.allocate(id.length, holder)
    this.#slab.write(ref, 0, id)
    this.#refs.set(holder, ref)
    this.#counts.set(holder, 0)
    this.#bytes.set(holder, 0)
    if (this.#recordSeqs.get(holder) > 0n) this.#recordSeqs.set(holder, 0n)
    this.#index.add(holder, hash)
    return holder
  }
}
