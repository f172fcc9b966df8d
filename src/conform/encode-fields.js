import { writer } from 'protons-runtime'

/**
 * @typedef {number | bigint | string | Uint8Array | Fields | undefined} Value - a varint, text, bytes, or a message; undefined: left out
 * @typedef {readonly (readonly [field: number, value: Value])[]} Fields
 */

/**
 * encodeFields encodes a protobuf message of any fields, known to the protocol or not.
 *
 * @param {Fields} fields
 * @returns {Uint8Array}
 */
export function encodeFields(fields) {
  const w = writer()
  for (const [field, value] of fields) {
    if (value === undefined) continue
    if (typeof value === 'number' || typeof value === 'bigint') w.uint32(field << 3).uint64(BigInt(value))
    else w.uint32((field << 3) | 2).bytes(asBytes(value))
  }
  return w.finish()
}

/** @param {string | Uint8Array | Fields} value */
function asBytes(value) {
  if (value instanceof Uint8Array) return value
  return typeof value === 'string' ? new TextEncoder().encode(value) : encodeFields(value)
}
