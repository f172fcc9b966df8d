// Encodes and decodes the messages and length-prefixed frames of the rendezvous protocol, for client and server.
import { isUtf8 } from 'node:buffer'
import { reader, writer } from 'protons-runtime'

/** PROTOCOL is the multistream id of the rendezvous protocol (libp2p/specs rendezvous r3). */
export const PROTOCOL = '/rendezvous/1.0.0'

/** MessageType is the `type` field of a rendezvous message. */
export const MessageType = {
  REGISTER: 0,
  REGISTER_RESPONSE: 1,
  UNREGISTER: 2,
  DISCOVER: 3,
  DISCOVER_RESPONSE: 4
}

/** Status holds the response statuses of the specification. */
export const Status = {
  OK: 0,
  E_INVALID_NAMESPACE: 100,
  E_INVALID_SIGNED_PEER_RECORD: 101,
  E_INVALID_TTL: 102,
  E_INVALID_COOKIE: 103,
  E_NOT_AUTHORIZED: 200,
  E_INTERNAL_ERROR: 300,
  E_UNAVAILABLE: 400
}

/** LATE_TEXT is in the status text of a reply that our server delayed because of a limit on the client's address. */
export const LATE_TEXT = "waited for the server's limits on its address (--unlimitedFrom)"

/** @type {Map<number, string>} */
const names = new Map(Object.entries(Status).map(([name, code]) => [code, name]))

/**
 * nameStatus names a response status; a code outside the specification keeps its number.
 *
 * @param {number} code
 * @returns {string} for example `E_INVALID_TTL`, or `E_UNKNOWN_999`
 */
export const nameStatus = code => names.get(code) ?? `E_UNKNOWN_${code}`

/**
 * @typedef {object} Register
 * @property {string} [ns] - namespace; not well-formed: its bytes are not UTF-8
 * @property {Uint8Array} [signedPeerRecord] - marshalled envelope (RFC 0002/0003)
 * @property {number} [ttl] - seconds
 *
 * @typedef {object} RegisterResponse
 * @property {number} status
 * @property {string} [statusText]
 * @property {number} [ttl] - seconds granted
 *
 * @typedef {object} Unregister
 * @property {string} [ns]
 *
 * @typedef {object} Discover
 * @property {string} [ns] - absent or empty: all namespaces
 * @property {number} [limit]
 * @property {Uint8Array} [cookie]
 *
 * @typedef {object} DiscoverResponse
 * @property {Register[]} registrations
 * @property {Uint8Array} [cookie]
 * @property {number} status
 * @property {string} [statusText]
 *
 * @typedef {object} Message
 * @property {number} type - one of MessageType
 * @property {Register} [register]
 * @property {RegisterResponse} [registerResponse]
 * @property {Unregister} [unregister]
 * @property {Discover} [discover]
 * @property {DiscoverResponse} [discoverResponse]
 *
 * @typedef {import('protons-runtime').Reader} Reader
 * @typedef {import('protons-runtime').Writer} Writer
 */

/** MalformedMessageError is thrown for bytes that are no rendezvous message. */
export class MalformedMessageError extends Error {
  name = 'MalformedMessageError'
  code = 'ERR_MALFORMED_MESSAGE'
}

// protobuf tags: (field number << 3) | wire type, 0 = varint, 2 = length-delimited
const varint = (/** @type {number} */ field) => field << 3
const bytes = (/** @type {number} */ field) => (field << 3) | 2

/**
 * Skips an unknown field. A field with an unexpected wire type counts as unknown.
 *
 * @param {Reader} r
 * @param {number} tag
 */
function skip(r, tag) {
  if (tag >>> 3 === 0) throw new RangeError('field number 0')
  r.skipType(tag & 7)
}

/** @param {Reader} r @param {number} end */
function requireEnd(r, end) {
  if (r.pos !== end) throw new RangeError('field reaches past the end of its message')
}

/**
 * @template T
 * @param {Reader} r
 * @param {(r: Reader, end: number) => T} read
 * @returns {T}
 */
function readNested(r, read) {
  const end = r.uint32() + r.pos
  if (end > r.len) throw new RangeError('message reaches past the end of its buffer')
  return read(r, end)
}

/**
 * Reads a number of up to 64 bits; a number above MAX_SAFE_INTEGER becomes that one. The reader of the runtime throws there, and loses its
 * position after a number with more bytes than it needs, which protobuf allows.
 *
 * @param {Reader} r
 */
function readUint64(r) {
  let value = 0
  for (let scale = 1; scale < 2 ** 70; scale *= 0x80) {
    if (r.pos >= r.len) throw new RangeError('number is cut off')
    const byte = r.buf[r.pos++]
    value += (byte & 0x7f) * scale
    if (byte < 0x80) return Math.min(value, Number.MAX_SAFE_INTEGER)
  }
  throw new RangeError('number has no end')
}

/**
 * Reads a namespace. Bytes that are not UTF-8 become lone surrogates, one for each, so that different bytes stay different and equal no
 * valid namespace: `isWellFormed` is false for them. The reader of the runtime would replace them by other letters.
 *
 * @param {Reader} r
 */
function readNamespace(r) {
  const at = r.pos
  const raw = r.bytes()
  if (!isUtf8(raw)) return Array.from(raw, byte => String.fromCharCode(0xdc00 | byte)).join('')
  r.pos = at
  return r.string()
}

// Plain chains of comparisons: a table of functions for each message takes three times as long, and a reply to DISCOVER
// holds hundreds of them.

/** @type {(r: Reader, end: number) => Register} */
const readRegister = (r, end) => {
  /** @type {Register} */
  const m = {}
  while (r.pos < end) {
    const tag = r.uint32()
    if (tag === bytes(1)) m.ns = readNamespace(r)
    else if (tag === bytes(2)) m.signedPeerRecord = r.bytes()
    else if (tag === varint(3)) m.ttl = readUint64(r)
    else skip(r, tag)
  }
  requireEnd(r, end)
  return m
}

/** @type {(r: Reader, end: number) => RegisterResponse} */
const readRegisterResponse = (r, end) => {
  /** @type {RegisterResponse} */
  const m = { status: Status.OK }
  while (r.pos < end) {
    const tag = r.uint32()
    if (tag === varint(1)) m.status = r.int32()
    else if (tag === bytes(2)) m.statusText = r.string()
    else if (tag === varint(3)) m.ttl = readUint64(r)
    else skip(r, tag)
  }
  requireEnd(r, end)
  return m
}

/** @type {(r: Reader, end: number) => Unregister} */
const readUnregister = (r, end) => {
  /** @type {Unregister} */
  const m = {}
  while (r.pos < end) {
    const tag = r.uint32()
    if (tag === bytes(1)) m.ns = readNamespace(r)
    else skip(r, tag)
  }
  requireEnd(r, end)
  return m
}

/** @type {(r: Reader, end: number) => Discover} */
const readDiscover = (r, end) => {
  /** @type {Discover} */
  const m = {}
  while (r.pos < end) {
    const tag = r.uint32()
    if (tag === bytes(1)) m.ns = readNamespace(r)
    else if (tag === varint(2)) m.limit = readUint64(r)
    else if (tag === bytes(3)) m.cookie = r.bytes()
    else skip(r, tag)
  }
  requireEnd(r, end)
  return m
}

/** @type {(r: Reader, end: number) => DiscoverResponse} */
const readDiscoverResponse = (r, end) => {
  /** @type {DiscoverResponse} */
  const m = { registrations: [], status: Status.OK }
  while (r.pos < end) {
    const tag = r.uint32()
    if (tag === bytes(1)) m.registrations.push(readNested(r, readRegister))
    else if (tag === bytes(2)) m.cookie = r.bytes()
    else if (tag === varint(3)) m.status = r.int32()
    else if (tag === bytes(4)) m.statusText = r.string()
    else skip(r, tag)
  }
  requireEnd(r, end)
  return m
}

/** @type {(r: Reader, end: number) => Message} */
const readMessage = (r, end) => {
  /** @type {Message} */
  const m = { type: MessageType.REGISTER }
  while (r.pos < end) {
    const tag = r.uint32()
    if (tag === varint(1)) m.type = r.int32()
    else if (tag === bytes(2)) m.register = readNested(r, readRegister)
    else if (tag === bytes(3)) m.registerResponse = readNested(r, readRegisterResponse)
    else if (tag === bytes(4)) m.unregister = readNested(r, readUnregister)
    else if (tag === bytes(5)) m.discover = readNested(r, readDiscover)
    else if (tag === bytes(6)) m.discoverResponse = readNested(r, readDiscoverResponse)
    else skip(r, tag)
  }
  requireEnd(r, end)
  return m
}

/**
 * decodeMessage reads one rendezvous message. Byte fields are views into `buffer`. Unknown fields, the deprecated
 * `id` of UNREGISTER among them, are skipped; a missing type is REGISTER, protobuf's default.
 *
 * @param {Uint8Array} buffer
 * @returns {Message}
 * @throws {MalformedMessageError}
 */
export const decodeMessage = buffer => decode(buffer, readMessage, 'not a rendezvous message')

/**
 * decodeRegisterBody decodes the bytes of encodeRegisterBody.
 *
 * @param {Uint8Array} buffer
 * @returns {Register}
 * @throws {MalformedMessageError}
 */
export const decodeRegisterBody = buffer => decode(buffer, readRegister, 'not the body of a REGISTER')

/** @template T @param {Uint8Array} buffer @param {(r: Reader, end: number) => T} read @param {string} problem */
function decode(buffer, read, problem) {
  const r = reader(buffer)
  try {
    return read(r, r.len)
  } catch (cause) {
    throw new MalformedMessageError(problem, { cause })
  }
}

/**
 * encodeRegisterBody encodes a Register as it is part of REGISTER requests and DISCOVER replies, so that a server can store it encoded.
 *
 * @param {Register} m
 * @returns {Uint8Array}
 */
export function encodeRegisterBody(m) {
  const w = writer()
  writeRegister(m, w)
  return w.finish()
}

/** @param {Register} m @param {Writer} w */
function writeRegister(m, w) {
  if (m.ns != null) w.uint32(bytes(1)).string(m.ns)
  if (m.signedPeerRecord != null) w.uint32(bytes(2)).bytes(m.signedPeerRecord)
  if (m.ttl != null) w.uint32(varint(3)).uint64Number(m.ttl)
}

/**
 * @param {number} type
 * @param {number} field
 * @param {(w: Writer) => void} writeBody
 */
function encode(type, field, writeBody) {
  const w = writer()
  w.uint32(varint(1)).int32(type).uint32(bytes(field)).fork()
  writeBody(w)
  return w.ldelim().finish()
}

/** encodeRegister encodes a REGISTER request. @param {Register} m */
export const encodeRegister = m => encode(MessageType.REGISTER, 2, w => writeRegister(m, w))

/** encodeRegisterResponse encodes the reply to REGISTER. @param {RegisterResponse} m */
export const encodeRegisterResponse = m =>
  encode(MessageType.REGISTER_RESPONSE, 3, w => {
    w.uint32(varint(1)).int32(m.status)
    if (m.statusText != null) w.uint32(bytes(2)).string(m.statusText)
    if (m.ttl != null) w.uint32(varint(3)).uint64Number(m.ttl)
  })

/** encodeUnregister encodes an UNREGISTER request. @param {Unregister} m */
export const encodeUnregister = m =>
  encode(MessageType.UNREGISTER, 4, w => {
    if (m.ns != null) w.uint32(bytes(1)).string(m.ns)
  })

/** encodeDiscover encodes a DISCOVER request. @param {Discover} m */
export const encodeDiscover = m =>
  encode(MessageType.DISCOVER, 5, w => {
    if (m.ns != null) w.uint32(bytes(1)).string(m.ns)
    if (m.limit != null) w.uint32(varint(2)).uint64Number(m.limit)
    if (m.cookie != null) w.uint32(bytes(3)).bytes(m.cookie)
  })

/**
 * encodeDiscoverResponse encodes the reply to DISCOVER from encoded registrations.
 *
 * @param {{ bodies?: Uint8Array[], cookie?: Uint8Array, status: number, statusText?: string }} m - `bodies` as made by
 *   encodeRegisterBody
 * @returns {Uint8Array}
 */
export const encodeDiscoverResponse = m =>
  encode(MessageType.DISCOVER_RESPONSE, 6, w => {
    for (const body of m.bodies ?? []) w.uint32(bytes(1)).bytes(body)
    if (m.cookie != null) w.uint32(bytes(2)).bytes(m.cookie)
    w.uint32(varint(3)).int32(m.status)
    if (m.statusText != null) w.uint32(bytes(4)).string(m.statusText)
  })

/**
 * @typedef {import('uint8arraylist').Uint8ArrayList} Uint8ArrayList
 */

/** Default bound of a frame, the same as of other implementations. */
const DEFAULT_MAX_FRAME_BYTES = 1 << 20

// a length needs at most 32 bits, which is 5 groups of 7
const MAX_PREFIX_BITS = 35

/** FrameTooLargeError is thrown when a frame announces more bytes than the reader accepts. */
export class FrameTooLargeError extends Error {
  name = 'FrameTooLargeError'
  code = 'ERR_FRAME_TOO_LARGE'
}

/**
 * FrameDecoder splits a byte stream into frames, each prefixed with its length as an unsigned varint. It buffers at most one incomplete
 * frame, in at most twice the memory of its received bytes. After an error it must not be used again.
 */
export class FrameDecoder {
  #maxBytes
  #prefix = 0
  #prefixBits = 0
  /** length of the present frame, or -1 while its prefix is incomplete */
  #length = -1
  #filled = 0
  #buffer = new Uint8Array(0)

  /** @param {number} [maxBytes] - largest frame accepted, prefix not counted */
  constructor(maxBytes = DEFAULT_MAX_FRAME_BYTES) {
    this.#maxBytes = maxBytes
  }

  /** midFrame says whether the received bytes end within a frame. */
  get midFrame() {
    return this.#length >= 0 || this.#prefixBits > 0
  }

  /** bufferedBytes is the memory of the incomplete frame. */
  get bufferedBytes() {
    return this.#buffer.length
  }

  /**
   * push takes the next bytes and yields the frames that they complete. All frames must be consumed before the next bytes are pushed. A
   * frame that arrived as a whole is a view into `data`; a frame assembled from several pieces has its own memory.
   *
   * @param {Uint8Array | Uint8ArrayList} data
   * @returns {Generator<Uint8Array, void, void>}
   * @throws {FrameTooLargeError | MalformedMessageError} after the frames before the bad one
   */
  *push(data) {
    const chunk = data instanceof Uint8Array ? data : data.subarray()
    let at = 0
    while (at < chunk.length || this.#length === 0) {
      if (this.#length < 0) {
        this.#readPrefix(chunk[at++])
        continue
      }
      const missing = this.#length - this.#filled
      const available = Math.min(missing, chunk.length - at)
      const piece = chunk.subarray(at, at + available)
      at += available
      if (available < missing) this.#keep(piece)
      else yield this.#complete(piece)
    }
  }

  /** @param {number} byte */
  #readPrefix(byte) {
    this.#prefix += (byte & 0x7f) * 2 ** this.#prefixBits
    this.#prefixBits += 7
    if (byte >= 0x80 && this.#prefixBits >= MAX_PREFIX_BITS)
      throw new MalformedMessageError('frame length has no end')
    if (this.#prefix > this.#maxBytes)
      throw new FrameTooLargeError(
        `frame of ${this.#prefix} bytes or more, at most ${this.#maxBytes} accepted`
      )
    if (byte < 0x80) {
      this.#length = this.#prefix
      this.#prefix = 0
      this.#prefixBits = 0
    }
  }

  /** Grows by doubling, so that a frame sent byte by byte is not copied each time. @param {Uint8Array} piece */
  #keep(piece) {
    const filled = this.#filled + piece.length
    if (filled > this.#buffer.length) {
      const grown = new Uint8Array(Math.min(this.#length, Math.max(filled, this.#buffer.length * 2)))
      grown.set(this.#buffer.subarray(0, this.#filled))
      this.#buffer = grown
    }
    this.#buffer.set(piece, this.#filled)
    this.#filled = filled
  }

  /** @param {Uint8Array} lastPiece */
  #complete(lastPiece) {
    const whole = this.#filled === 0
    if (!whole) this.#keep(lastPiece)
    const frame = whole ? lastPiece : this.#buffer
    this.#buffer = new Uint8Array(0)
    this.#filled = 0
    this.#length = -1
    return frame
  }
}

/**
 * countPrefixBytes gives the length of a frame's varint prefix.
 *
 * @param {number} length - bytes of the frame
 */
export function countPrefixBytes(length) {
  let bytes = 1
  for (let rest = length; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes++
  return bytes
}

/**
 * writePrefix writes the varint prefix of a frame and returns the position after it.
 *
 * @param {Uint8Array} target
 * @param {number} at
 * @param {number} length - bytes of the frame
 */
export function writePrefix(target, at, length) {
  let rest = length
  while (rest >= 0x80) {
    target[at++] = (rest % 0x80) | 0x80
    rest = Math.floor(rest / 0x80)
  }
  target[at++] = rest
  return at
}

/**
 * encodeFrame makes a frame of a message, in one piece of memory.
 *
 * @param {Uint8Array} message
 * @returns {Uint8Array}
 */
export function encodeFrame(message) {
  const prefix = countPrefixBytes(message.length)
  const frame = new Uint8Array(prefix + message.length)
  writePrefix(frame, 0, message.length)
  frame.set(message, prefix)
  return frame
}
