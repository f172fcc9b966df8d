/** PAYLOAD_HEADER_BYTES are the run's nonce and the number of the message, 4 bytes each, big endian. */
export const PAYLOAD_HEADER_BYTES = 8

const FILLER = 0x5a

/** Fields of the protocol's RPC and of the messages in it. */
const RPC_PUBLISH = 2
const MESSAGE_DATA = 2
const LENGTH_DELIMITED = 2
/** A message's number stands behind the run's nonce. */
const NUMBER_AT = 4

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

/**
 * messagesIn reads the numbers of the messages that an RPC carries, without decoding it: it tells what a node will have to do before
 * the library does it.
 *
 * @param {Uint8Array} framed - RPCs, each behind its length
 * @returns {number[]}
 */
export function messagesIn(framed) {
  /** @type {number[]} */
  const numbers = []
  const reader = new FieldReader(framed)
  while (!reader.ended) {
    const { start, end } = reader.delimited()
    for (const publish of reader.fields(start, end, RPC_PUBLISH))
      for (const data of reader.fields(publish.start, publish.end, MESSAGE_DATA))
        if (data.end - data.start >= PAYLOAD_HEADER_BYTES)
          numbers.push(uint32(framed, data.start + NUMBER_AT))
    reader.goTo(end)
  }
  return numbers
}

/** FieldReader walks over the fields of protobuf messages. */
class FieldReader {
  #bytes
  #at = 0

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.#bytes = bytes
  }

  get ended() {
    return this.#at >= this.#bytes.length
  }

  /** delimited skips what stands behind its length. */
  delimited() {
    const length = this.#varint()
    const start = this.#at
    this.#at = Math.min(start + length, this.#bytes.length)
    return { start, end: this.#at }
  }

  /**
   * fields finds the contents of a length-delimited field.
   *
   * @param {number} start
   * @param {number} end
   * @param {number} number
   */
  fields(start, end, number) {
    const found = []
    this.#at = start
    while (this.#at < end) {
      const tag = this.#varint()
      if ((tag & 7) !== LENGTH_DELIMITED) this.#varint()
      else {
        const content = this.delimited()
        if (tag >>> 3 === number) found.push(content)
      }
    }
    return found
  }

  /** @param {number} at */
  goTo(at) {
    this.#at = at
  }

  #varint() {
    let value = 0
    for (let factor = 1; this.#at < this.#bytes.length; factor *= 128) {
      const byte = this.#bytes[this.#at++]
      value += (byte & 127) * factor
      if (byte < 128) break
    }
    return value
  }
}

/** @param {Uint8Array} bytes @param {number} at */
const uint32 = (bytes, at) =>
  ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0
