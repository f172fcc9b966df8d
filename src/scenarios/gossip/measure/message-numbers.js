const PAGE_BITS = 15
const PAGE_SIZE = 2 ** PAGE_BITS

/**
 * MessageNumbers is a set of message numbers (32 bits) that grow without many holes: a bit each in pages, and a full page is but
 * its number, so that a run of any length keeps a few KB.
 */
export class MessageNumbers {
  /** @type {Map<number, { bits: Uint8Array, count: number }>} */
  #pages = new Map()
  /** @type {Set<number>} */
  #full = new Set()

  /** @param {number} number */
  has(number) {
    const page = number >>> PAGE_BITS
    if (this.#full.has(page)) return true
    const bit = number & (PAGE_SIZE - 1)
    const found = this.#pages.get(page)
    return found !== undefined && (found.bits[bit >> 3] & (1 << (bit & 7))) !== 0
  }

  /** @param {number} number */
  add(number) {
    if (this.has(number)) return
    const page = number >>> PAGE_BITS
    const bit = number & (PAGE_SIZE - 1)
    const found = this.#pages.get(page) ?? this.#begin(page)
    found.bits[bit >> 3] |= 1 << (bit & 7)
    if (++found.count < PAGE_SIZE) return
    this.#pages.delete(page)
    this.#full.add(page)
  }

  /** @param {number} page */
  #begin(page) {
    const begun = { bits: new Uint8Array(PAGE_SIZE / 8), count: 0 }
    this.#pages.set(page, begun)
    return begun
  }
}
