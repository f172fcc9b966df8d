import { KnownBytes } from './known-bytes.js'

/** @typedef {import('uint8arraylist').Uint8ArrayList} Uint8ArrayList */

/** Less is copied as cheaply as it is looked up. */
const LEAST_BYTES = 256
const MOST_BYTES = 16e6

/**
 * SharedWrites has all nodes of a process share the bytes of what is written again and again: a message comes to each node from several
 * others, and each of these encodes it anew. What nodes remember of it is there once, then, and not once for each of them.
 */
export class SharedWrites {
  /** @type {KnownBytes<Uint8Array>} by the RPC without its length */
  #known = new KnownBytes(MOST_BYTES)

  /**
   * of gives the bytes of a write, the same ones for the same contents.
   *
   * @param {Uint8ArrayList} write
   * @returns {Uint8Array | Uint8ArrayList}
   */
  of(write) {
    if (write.byteLength < LEAST_BYTES) return write
    const [length, rpc, ...more] = write
    // gossipsub writes the length of an RPC, then the RPC; what had to wait may be cut otherwise
    if (rpc === undefined || more.length > 0) return write
    const bytes = this.#known.of(rpc, () => new Uint8Array(write.subarray()))
    return isFramed(bytes, length, rpc) ? bytes : write
  }
}

/** @param {Uint8Array} bytes - that end with the RPC @param {Uint8Array} length @param {Uint8Array} rpc */
const isFramed = (bytes, length, rpc) =>
  bytes.length === length.length + rpc.length && length.every((byte, place) => byte === bytes[place])
