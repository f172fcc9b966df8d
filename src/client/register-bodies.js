import { prefixBytes, writePrefix } from '../protocol/framing.js'
import { encodeRegisterBody } from '../protocol/messages.js'

/** @typedef {import('./registrants.js').Registrants} Registrants */

const CHUNK_BYTES = 1 << 16

/**
 * registerBodies gives the registrations of all registrants as our server's bulk preload takes them: Register bodies,
 * each behind its length as a varint, cut into chunks of about 64 kB at the border of a body.
 *
 * @param {Registrants} registrants
 * @param {(index: number) => string} namespaceOf
 * @param {number} ttlSeconds
 * @returns {Generator<Buffer>}
 */
export function* registerBodies(registrants, namespaceOf, ttlSeconds) {
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  let filled = 0
  for (let index = 0; index < registrants.count; index++) {
    const body = encodeRegisterBody({
      ns: namespaceOf(index),
      signedPeerRecord: registrants.record(index),
      ttl: ttlSeconds
    })
    if (filled + prefixBytes(body.length) + body.length > chunk.length) {
      yield chunk.subarray(0, filled)
      // the reader may still hold the last chunk
      chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      filled = 0
    }
    filled = writePrefix(chunk, filled, body.length)
    chunk.set(body, filled)
    filled += body.length
  }
  if (filled > 0) yield chunk.subarray(0, filled)
}
