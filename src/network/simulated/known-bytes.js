/** Bytes at the beginning, by which contents are looked up. */
const LOOKED_AT = 72

/**
 * KnownBytes remembers what was made of bytes for when the same ones come again. The oldest are forgotten when they are too many.
 *
 * @template T
 */
export class KnownBytes {
  #mostBytes
  #bytes = 0
  /** @type {Map<number, { bytes: Uint8Array, made: T }>} */
  #entries = new Map()

  /** @param {number} mostBytes - that are remembered */
  constructor(mostBytes) {
    this.#mostBytes = mostBytes
  }

  /**
   * of gives what was made of such bytes.
   *
   * @param {Uint8Array} bytes - nobody may change them later
   * @param {(bytes: Uint8Array) => T} make - called when they are not known
   * @returns {T}
   */
  of(bytes, make) {
    const key = keyOf(bytes)
    const known = this.#entries.get(key)
    if (known !== undefined && Buffer.compare(known.bytes, bytes) === 0) return known.made
    if (known !== undefined) this.#forget(key, known)
    const made = make(bytes)
    this.#entries.set(key, { bytes, made })
    this.#bytes += bytes.length
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#mostBytes) break
      this.#forget(oldest, entry)
    }
    return made
  }

  /** @param {number} key @param {{ bytes: Uint8Array }} entry */
  #forget(key, { bytes }) {
    this.#entries.delete(key)
    this.#bytes -= bytes.length
  }
}

/** FNV-1a of the first bytes, and of how many there are. @param {Uint8Array} bytes */
function keyOf(bytes) {
  const end = Math.min(bytes.length, LOOKED_AT)
  let key = 0x811c9dc5 ^ bytes.length
  for (let at = 0; at < end; at++) key = Math.imul(key ^ bytes[at], 0x01000193)
  return key
}
