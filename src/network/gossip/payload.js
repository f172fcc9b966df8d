/** PAYLOAD_HEADER_BYTES are the run's nonce and the number of the message, 4 bytes each, big endian. */
export const PAYLOAD_HEADER_BYTES = 8

const FILLER = 0x5a

/**
 * payloadOf makes the payload of a message: header, then filler.
 *
 * @param {number} runNonce - 32 bits
 * @param {number} message - 32 bits
 * @param {number} bytes - of the payload, at least PAYLOAD_HEADER_BYTES
 * @returns {Uint8Array}
 * @throws {RangeError} when the header does not fit
 */
export function payloadOf(runNonce, message, bytes) {
  if (bytes < PAYLOAD_HEADER_BYTES) {
    throw new RangeError(
      `message ${message} cannot have ${bytes} bytes: its header takes ${PAYLOAD_HEADER_BYTES}`
    )
  }
  const payload = Buffer.alloc(bytes, FILLER)
  payload.writeUInt32BE(runNonce >>> 0, 0)
  payload.writeUInt32BE(message >>> 0, 4)
  return payload
}

/**
 * messageOf reads the number of a message.
 *
 * @param {Uint8Array} payload
 * @param {number} runNonce - of the run
 * @returns {number} -1: the message is not one of the run
 */
export function messageOf(payload, runNonce) {
  if (payload.length < PAYLOAD_HEADER_BYTES) return -1
  return uint32(payload, 0) === runNonce >>> 0 ? uint32(payload, 4) : -1
}

/** @param {Uint8Array} bytes @param {number} at */
const uint32 = (bytes, at) =>
  ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0
