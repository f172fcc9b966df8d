// Caches keyed by contents of bytes, so that simulated nodes of one process share equal encoded RPCs and results
// computed from bytes, such as signature checks.
/** Bytes at the beginning, by which contents are looked up. */
const HASHED_BYTES = 72

/**
 * ByteCache remembers what was made of bytes for when the same ones come again. The oldest are forgotten when they are too many.
 *
 * @template T
 */
export class ByteCache {
  #maxBytes
  #bytes = 0
  /** @type {Map<number, { bytes: Uint8Array, made: T }>} */
  #entries = new Map()
  /** @type {{ bytes: Uint8Array, made: T } | null} that was asked for last */
  #last = null

  /** @param {number} maxBytes - that are remembered */
  constructor(maxBytes) {
    this.#maxBytes = maxBytes
  }

  /**
   * of gives what was made of such bytes.
   *
   * @param {Uint8Array} bytes - nobody may change them later
   * @param {(bytes: Uint8Array) => T} make - called when they are not known
   * @returns {T}
   */
  of(bytes, make) {
    // a node writes the same to one neighbour after the other
    if (this.#last !== null && hasSameBytes(this.#last.bytes, bytes)) return this.#last.made
    const key = hashOfBytes(bytes)
    const known = this.#entries.get(key)
    if (known !== undefined && hasSameBytes(known.bytes, bytes)) {
      this.#last = known
      return known.made
    }
    if (known !== undefined) this.#forget(key, known)
    const entry = { bytes, made: make(bytes) }
    this.#entries.set(key, entry)
    this.#bytes += bytes.length
    for (const [oldestKey, oldest] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break
      this.#forget(oldestKey, oldest)
    }
    this.#last = this.#entries.has(key) ? entry : null
    return entry.made
  }

  /** @param {number} key @param {{ bytes: Uint8Array }} entry */
  #forget(key, { bytes }) {
    this.#entries.delete(key)
    this.#bytes -= bytes.length
  }
}

/** @param {Uint8Array} a @param {Uint8Array} b */
const hasSameBytes = (a, b) => a.length === b.length && Buffer.compare(a, b) === 0

/** FNV-1a of the first bytes, four at a time, and of how many there are. @param {Uint8Array} bytes */
function hashOfBytes(bytes) {
  const end = Math.min(bytes.length, HASHED_BYTES)
  let key = 0x811c9dc5 ^ bytes.length
  for (let at = 0; at < end; at += 4) {
    const four = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)
    key = Math.imul(key ^ four, 0x01000193)
  }
  return key
}

/** @typedef {import('uint8arraylist').Uint8ArrayList} Uint8ArrayList */

/** Less is copied as cheaply as it is looked up. */
const MIN_BYTES = 256
const MAX_BYTES = 16e6

/**
 * SharedWrites has all nodes of a process share the bytes of what is written again and again: a message comes to each node from several
 * others, and each of these encodes it anew. What nodes remember of it is there once, then, and not once for each of them.
 */
export class SharedWrites {
  /** @type {ByteCache<Uint8Array>} by the RPC without its length */
  #known = new ByteCache(MAX_BYTES)

  /**
   * of gives the bytes of a write, the same ones for the same contents.
   *
   * @param {Uint8ArrayList} write
   * @returns {Uint8Array | Uint8ArrayList}
   */
  of(write) {
    if (write.byteLength < MIN_BYTES) return write
    const [length, rpc, ...more] = write
    // gossipsub writes the length of an RPC, then the RPC; what had to wait may be cut otherwise
    if (rpc === undefined || more.length > 0) return write
    const bytes = this.#known.of(rpc, () => new Uint8Array(write.subarray()))
    const isSameLength =
      bytes.length === length.length + rpc.length && length.every((byte, place) => byte === bytes[place])
    return isSameLength ? bytes : write
  }
}
