import { prefixBytes, writePrefix } from '../../protocol/framing.js'

// protobuf tags: `registrations` of a DISCOVER reply; ns, signedPeerRecord and ttl of a Register
const REGISTRATION = 0x0a
const NS = 0x0a
const SIGNED_PEER_RECORD = 0x12
const TTL = 0x18

/** bodyBytes is the size of a Register without its ttl. @param {number} nsBytes @param {number} recordBytes */
export const bodyBytes = (nsBytes, recordBytes) =>
  2 + prefixBytes(nsBytes) + nsBytes + prefixBytes(recordBytes) + recordBytes

/**
 * encodeBody encodes a Register without its ttl, which changes as time passes and is written behind it when it is read.
 *
 * @param {string} ns
 * @param {Uint8Array} signedPeerRecord
 */
export function encodeBody(ns, signedPeerRecord) {
  const nsBytes = Buffer.byteLength(ns)
  const body = Buffer.allocUnsafe(bodyBytes(nsBytes, signedPeerRecord.length))
  body[0] = NS
  let at = writePrefix(body, 1, nsBytes)
  at += body.write(ns, at)
  body[at] = SIGNED_PEER_RECORD
  at = writePrefix(body, at + 1, signedPeerRecord.length)
  body.set(signedPeerRecord, at)
  return body
}

/** entryBytes is the size of a `registrations` field. @param {number} bodyLength @param {number} ttlSeconds */
export function entryBytes(bodyLength, ttlSeconds) {
  const length = bodyLength + 1 + prefixBytes(ttlSeconds)
  return 1 + prefixBytes(length) + length
}

/**
 * writeEntry writes a `registrations` field and returns the position after it.
 *
 * @param {Uint8Array} target
 * @param {number} at
 * @param {{ bodyLength: number, ttlSeconds: number, copyBody: (target: Uint8Array, at: number) => number }} registration
 */
export function writeEntry(target, at, { bodyLength, ttlSeconds, copyBody }) {
  target[at] = REGISTRATION
  at = writePrefix(target, at + 1, bodyLength + 1 + prefixBytes(ttlSeconds))
  at = copyBody(target, at)
  target[at] = TTL
  return writePrefix(target, at + 1, ttlSeconds)
}
