// Decodes and answers single rendezvous requests by the specification. Also makes the cookies with which DISCOVER
// continues on the next page.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { Uint8ArrayList } from 'uint8arraylist'
import {
  countPrefixBytes,
  decodeMessage,
  encodeFrame,
  encodeRegisterResponse,
  MessageType,
  Status,
  writePrefix
} from '../../protocol/rendezvous.js'
import { InvalidSignedRecordError, readClaim } from '../../protocol/signed-record.js'
import { DEFAULT_TTL_SECONDS } from '../limits.js'
import { AddOutcome } from '../store/registration.js'
import { StoreUnavailableError } from '../store.js'

/**
 * @typedef {import('../../protocol/rendezvous.js').Message} Message
 * @typedef {Pick<import('../rendezvous-server.js').CallerState, 'peerId' | 'limitedGroup'>} Sender
 *
 * @typedef {object} RequestContext
 * @property {import('../store/registration.js').RegistrationStore} store
 * @property {import('../rendezvous-server.js').VerifiedRecords} checkedRecords
 * @property {Cookies} cookies
 * @property {import('../limits.js').Limits} limits
 * @property {(error: unknown, operation: string) => void} onFailure - a request failed because of an error of the server
 */

/** UnexpectedMessageError is thrown for a message that is no request. */
class UnexpectedMessageError extends Error {
  name = 'UnexpectedMessageError'
  code = 'ERR_UNEXPECTED_MESSAGE'
}

/**
 * readRequest decodes a request.
 *
 * @param {Uint8Array} bytes
 * @returns {Message}
 * @throws {import('../../protocol/rendezvous.js').MalformedMessageError | UnexpectedMessageError}
 */
export function readRequest(bytes) {
  const message = decodeMessage(bytes)
  if (!(message.type in services))
    throw new UnexpectedMessageError(`message type ${message.type} is no request`)
  return message
}

/**
 * serveRequest serves a request. It is answered with E_UNAVAILABLE while the store is unavailable, and with E_INTERNAL_ERROR, without the
 * reason, after an error of the server.
 *
 * @param {Message} message - of readRequest
 * @param {Sender} sender
 * @param {RequestContext} context
 * @returns {Promise<Reply>}
 */
export async function serveRequest(message, sender, context) {
  const { serve, failed } = services[message.type]
  try {
    return await serve(message, sender, context)
  } catch (error) {
    if (error instanceof StoreUnavailableError) return failed(Status.E_UNAVAILABLE, error.message)
    const reply = failed(Status.E_INTERNAL_ERROR)
    context.onFailure(error, reply.operation)
    return reply
  }
}

/**
 * @typedef {object} RequestService
 * @property {(message: Message, sender: Sender, context: RequestContext) => Promise<Reply>} serve
 * @property {(status: number, statusText?: string) => Reply} failed
 */

/** @type {Record<number, RequestService>} */
const services = {
  [MessageType.REGISTER]: {
    serve: (message, sender, context) => serveRegister(message.register ?? {}, sender, context),
    failed: refuseRegister
  },
  [MessageType.DISCOVER]: {
    serve: (message, { peerId }, context) => serveDiscover(message.discover ?? {}, peerId, context),
    failed: refuseDiscover
  },
  [MessageType.UNREGISTER]: {
    serve: async ({ unregister: { ns = '' } = {} }, { peerId }, { store }) => {
      if (!ns.isWellFormed()) return { ...UNREGISTERED, status: Status.E_INVALID_NAMESPACE }
      // the deprecated `id` is ignored: a peer can only unregister itself
      await store.remove(peerId, ns)
      return UNREGISTERED
    },
    failed: status => ({ ...UNREGISTERED, status })
  }
}

/**
 * serveRegister serves a REGISTER. It is refused with the status of the first check that fails: namespace, ttl, form of the signed record, peer
 * identity, sequence number and caps, and last the signature, which costs more than all other checks. The signature is checked only once
 * for as long as the peer sends the same record. When a cap is reached other implementations answer 200 (JavaScript, Go) or 400 (Rust);
 * this one answers 200 for the cap of the peer, which the peer can act on, and 400 when the server is full.
 *
 * @param {import('../../protocol/rendezvous.js').Register} request
 * @param {Sender} sender
 * @param {RequestContext} context
 * @returns {Promise<Reply>}
 */
async function serveRegister(
  { ns = '', signedPeerRecord, ttl },
  { peerId, limitedGroup: group },
  { store, limits, checkedRecords }
) {
  const { minTtlSeconds, maxTtlSeconds, maxNamespaceBytes } = limits
  if (!ns.isWellFormed()) return refuseRegister(Status.E_INVALID_NAMESPACE, 'namespace must be UTF-8')
  if (ns === '' || Buffer.byteLength(ns) > maxNamespaceBytes) {
    return refuseRegister(Status.E_INVALID_NAMESPACE, `namespace must have 1 to ${maxNamespaceBytes} bytes`)
  }
  const ttlSeconds = ttl ?? Math.min(Math.max(DEFAULT_TTL_SECONDS, minTtlSeconds), maxTtlSeconds)
  if (ttlSeconds < minTtlSeconds || ttlSeconds > maxTtlSeconds) {
    return refuseRegister(Status.E_INVALID_TTL, `ttl must be ${minTtlSeconds} to ${maxTtlSeconds} seconds`)
  }
  if (signedPeerRecord === undefined) return refuseRecord('signed peer record is missing')
  try {
    const { record, verify } = readClaim(signedPeerRecord)
    if (Buffer.compare(record.peerId, peerId) !== 0) {
      return refuseRegister(Status.E_NOT_AUTHORIZED, 'a peer can only register itself')
    }
    const registration = { peerId, ns, signedPeerRecord, recordSeq: record.seq, ttlSeconds, group }
    const foreseen = makeRefusal(store.refusal?.(registration), limits)
    if (foreseen !== undefined) return foreseen
    if (!checkedRecords.has(peerId, signedPeerRecord)) {
      await verify()
      checkedRecords.add(peerId, signedPeerRecord)
    }
    const outcome = await store.add(registration)
    return makeRefusal(outcome, limits) ?? makeRegisterReply(Status.OK, { ttl: ttlSeconds })
  } catch (error) {
    if (error instanceof InvalidSignedRecordError) return refuseRecord(error.message)
    throw error
  }
}

/** @param {number} status @param {string} [statusText] */
function refuseRegister(status, statusText) {
  return makeRegisterReply(status, { statusText })
}

/** @param {string} why */
const refuseRecord = why => refuseRegister(Status.E_INVALID_SIGNED_PEER_RECORD, why)

/** @param {string | undefined} outcome - one of AddOutcome @param {import('../limits.js').Limits} limits */
function makeRefusal(outcome, { maxPeerRegistrations }) {
  if (outcome === AddOutcome.PEER_FULL) {
    return refuseRegister(Status.E_NOT_AUTHORIZED, `a peer can hold ${maxPeerRegistrations} registrations`)
  }
  if (outcome === AddOutcome.STALE)
    return refuseRecord('signed peer record is older than the one that is held')
  if (outcome === AddOutcome.STORE_FULL) return refuseRegister(Status.E_UNAVAILABLE, 'server is full')
}

/**
 * serveDiscover serves a DISCOVER: a page in registration order with the cookie of the next page, also when there is no next page yet. Without
 * a namespace it lists all of them. The server's limit replaces one that is absent, 0 or larger. The ttl of a registration is the time it
 * has left, so that the client knows when it becomes stale.
 *
 * @param {import('../../protocol/rendezvous.js').Discover} request
 * @param {Uint8Array} peerId - of the client
 * @param {RequestContext} context
 * @returns {Promise<Reply>}
 */
export async function serveDiscover(
  { ns: name = '', limit = 0, cookie },
  peerId,
  { store, cookies, limits }
) {
  const { maxNamespaceBytes, maxDiscoverLimit, maxReplyBytes } = limits
  const ns = name === '' ? undefined : name
  if (!name.isWellFormed()) return refuseDiscover(Status.E_INVALID_NAMESPACE, 'namespace must be UTF-8')
  if (Buffer.byteLength(name) > maxNamespaceBytes) {
    const text = `namespace must have at most ${maxNamespaceBytes} bytes`
    return refuseDiscover(Status.E_INVALID_NAMESPACE, text)
  }
  /** @type {import('../store/registration.js').Cursor} */
  let after = 0
  try {
    if (cookie !== undefined && cookie.length > 0) after = cookies.read(ns, cookie)
  } catch (error) {
    if (error instanceof InvalidCookieError) return refuseDiscover(Status.E_INVALID_COOKIE, error.message)
    throw error
  }
  const ownLimit = limit === 0 ? maxDiscoverLimit : Math.min(limit, maxDiscoverLimit)
  const query = { ns, after, limit: ownLimit, maxBytes: maxReplyBytes, peerId }
  const { registrations, cursor } = await store.page(query)
  return makeDiscoverReply(Status.OK, { registrations, cookie: cookies.make(ns, cursor) })
}

/** @param {number} status @param {string} [statusText] */
function refuseDiscover(status, statusText) {
  return makeDiscoverReply(status, { statusText })
}

/**
 * @typedef {object} Reply
 * @property {string} operation - REGISTER, DISCOVER or UNREGISTER
 * @property {number} status
 * @property {(note?: string) => Uint8Array | Uint8ArrayList} [frame] - encodes the reply with its length prefix, and with a note after its
 *   status text; UNREGISTER has no reply
 */

// protobuf tags of Message (type, discoverResponse) and of DiscoverResponse (cookie, status, statusText)
const TYPE = 0x08
const DISCOVER_RESPONSE = 0x32
const COOKIE = 0x12
const STATUS = 0x18
const STATUS_TEXT = 0x22

const NOTHING = new Uint8Array(0)
// from this size on a copy costs more than sending several pieces
const UNCOPIED_BYTES = 65_536

/**
 * makeRegisterReply answers a REGISTER.
 *
 * @param {number} status
 * @param {{ ttl?: number, statusText?: string }} [more]
 * @returns {Reply}
 */
const makeRegisterReply = (status, more) => ({
  operation: 'REGISTER',
  status,
  frame: note => encodeFrame(encodeRegisterResponse({ status, ...more, ...addNote(more, note) }))
})

/** @param {{ statusText?: string } | undefined} more @param {string | undefined} note */
const addNote = (more, note) =>
  note === undefined ? {} : { statusText: more?.statusText ? `${more.statusText}; ${note}` : note }

/** @type {Reply} */
const UNREGISTERED = { operation: 'UNREGISTER', status: Status.OK }

/**
 * makeDiscoverReply answers a DISCOVER.
 *
 * @param {number} status
 * @param {object} [more]
 * @param {Uint8Array} [more.registrations] - encoded `registrations` fields, one after another
 * @param {Uint8Array} [more.cookie]
 * @param {string} [more.statusText]
 * @returns {Reply}
 */
const makeDiscoverReply = (status, more) => ({
  operation: 'DISCOVER',
  status,
  frame: note => encodeDiscoverFrame(status, { ...more, ...addNote(more, note) })
})

/**
 * The general protobuf writer would copy the registrations three times. Here they are copied once, or not at all if there are many.
 *
 * @param {number} status
 * @param {{ registrations?: Uint8Array, cookie?: Uint8Array, statusText?: string }} [more]
 */
function encodeDiscoverFrame(status, { registrations = NOTHING, cookie = NOTHING, statusText = '' } = {}) {
  const text = Buffer.from(statusText)
  const behind = fieldBytes(cookie) + 1 + countPrefixBytes(status) + fieldBytes(text)
  const body = registrations.length + behind
  const message = 3 + countPrefixBytes(body) + body
  const before = countPrefixBytes(message) + message - body
  const copied = registrations.length < UNCOPIED_BYTES ? registrations.length : 0
  const frame = Buffer.allocUnsafe(before + copied + behind)
  let at = writePrefix(frame, 0, message)
  frame[at++] = TYPE
  frame[at++] = MessageType.DISCOVER_RESPONSE
  frame[at++] = DISCOVER_RESPONSE
  writePrefix(frame, at, body)
  if (copied > 0) frame.set(registrations, before)
  at = writeField(frame, before + copied, COOKIE, cookie)
  frame[at++] = STATUS
  at = writePrefix(frame, at, status)
  writeField(frame, at, STATUS_TEXT, text)
  if (copied === registrations.length) return frame
  return new Uint8ArrayList(frame.subarray(0, before), registrations, frame.subarray(before))
}

/** @param {Uint8Array} value - empty: the field is left out */
const fieldBytes = value => (value.length === 0 ? 0 : 1 + countPrefixBytes(value.length) + value.length)

/** @param {Uint8Array} target @param {number} at @param {number} tag @param {Uint8Array} value */
function writeField(target, at, tag, value) {
  if (value.length === 0) return at
  target[at] = tag
  at = writePrefix(target, at + 1, value.length)
  target.set(value, at)
  return at + value.length
}

const CURSOR_BYTES = 8
/** 132 bits. */
const MAC_CHARACTERS = 22
const COOKIE_BYTES = CURSOR_BYTES + MAC_CHARACTERS
/** Of the upper half of a cursor, in base 36, if it has one. */
const MAX_UPPER_CHARACTERS = 13
const HALF = 64n
/** Namespaces whose last cookie is cached. */
const MAX_CACHED = 1000

/** InvalidCookieError is thrown for a cookie that was not made here, or for another namespace. */
export class InvalidCookieError extends Error {
  name = 'InvalidCookieError'
  code = 'ERR_INVALID_COOKIE'
}

/**
 * Cookies turns a place in the registration order into a cookie and back. A cookie is self-contained, so that the server stores nothing
 * about it: 8 bytes of cursor, then 22 characters, base64url, of an HMAC-SHA256 over cursor and namespace, so that no client can forge it or
 * use it in another namespace, then the bits of the cursor above 64. To clients a cookie is opaque, but rust-libp2p reads the bytes after
 * the first 8 as a namespace and refuses bytes that are not UTF-8: hence characters.
 */
export class Cookies {
  #key
  /** the last cookie of each namespace, the same as long as no peer registers there @type {Map<string | undefined, { cursor: number | bigint, cookie: Uint8Array }>} */
  #last = new Map()

  /** @param {Uint8Array} [key] - secret; it must last as long as the store */
  constructor(key = randomBytes(32)) {
    this.#key = key
  }

  /**
   * make makes the cookie for a cursor.
   *
   * @param {string | undefined} ns - absent: all namespaces, which is a binding of its own
   * @param {number | bigint} cursor - whole number from 0, below 2^128
   * @returns {Uint8Array} shared with later calls: not to be changed
   */
  make(ns, cursor) {
    const last = this.#last.get(ns)
    if (last?.cursor === cursor) return last.cookie
    const upper = typeof cursor === 'bigint' && cursor >> HALF > 0n ? (cursor >> HALF).toString(36) : ''
    const cookie = Buffer.alloc(COOKIE_BYTES + upper.length)
    cookie.writeBigUInt64BE(BigInt.asUintN(64, BigInt(cursor)))
    cookie.write(upper, COOKIE_BYTES, 'latin1')
    this.#mac(ns, cookie).copy(cookie, CURSOR_BYTES)
    if (last === undefined && this.#last.size >= MAX_CACHED) this.#last.clear()
    this.#last.set(ns, { cursor, cookie })
    return cookie
  }

  /**
   * read reads the cursor of a cookie.
   *
   * @param {string | undefined} ns
   * @param {Uint8Array} cookie
   * @returns {number | bigint} a number below 2^53
   * @throws {InvalidCookieError}
   */
  read(ns, cookie) {
    const upper = cookie.length - COOKIE_BYTES
    const isAuthentic = () =>
      timingSafeEqual(this.#mac(ns, cookie), cookie.subarray(CURSOR_BYTES, COOKIE_BYTES))
    if (upper < 0 || upper > MAX_UPPER_CHARACTERS || !isAuthentic())
      throw new InvalidCookieError('cookie is unknown here, or of another namespace')
    const bytes = Buffer.from(cookie.buffer, cookie.byteOffset, cookie.length)
    let cursor = 0n
    for (const digit of bytes.toString('latin1', COOKIE_BYTES))
      cursor = cursor * 36n + BigInt(Number.parseInt(digit, 36))
    cursor = (cursor << HALF) | bytes.readBigUInt64BE()
    return cursor > Number.MAX_SAFE_INTEGER ? cursor : Number(cursor)
  }

  /** @param {string | undefined} ns @param {Uint8Array} cookie */
  #mac(ns, cookie) {
    const mac = createHmac('sha256', this.#key).update(cookie.subarray(0, CURSOR_BYTES))
    const upper = cookie.subarray(COOKIE_BYTES)
    // with its length before it: it cannot be confused with a namespace, which begins with `/` here
    if (upper.length > 0) mac.update(Uint8Array.of(upper.length)).update(upper)
    if (ns !== undefined) mac.update('/').update(ns)
    return Buffer.from(mac.digest('base64url').slice(0, MAC_CHARACTERS), 'latin1')
  }
}
