// The interface of a store of registrations, with the bytes that it hands out.
import { prefixBytes, writePrefix } from '../../protocol/rendezvous.js'

/**
 * What the rendezvous service wants of whatever keeps registrations: the interface of a store. A store decides by itself
 * about its caps, in one step with adding, because a check before it would let two requests at once go over. Where the answer
 * is at hand a store gives it, else a promise of it: in memory a request costs no promise.
 *
 * @typedef {number | bigint} Cursor - a place in the registration order, 0 or more: below 2^53 where it is a number, below 2^128
 *
 * @typedef {object} NewRegistration
 * @property {Uint8Array} peerId - multihash bytes
 * @property {string} ns
 * @property {Uint8Array} signedPeerRecord - checked by the caller; the store must copy it
 * @property {bigint} [recordSeq] - sequence number of the record, below 2^64; absent: it is not compared
 * @property {number} ttlSeconds
 * @property {string} [group] - of addresses it comes from, which must leave some room to others; absent: it need not
 *
 * @typedef {object} PageQuery
 * @property {string} [ns] - absent: all namespaces
 * @property {Cursor} [after] - cursor of the page before; absent or 0: from the beginning
 * @property {number} limit - registrations at most, above 0
 * @property {number} maxBytes - of the encoded registrations; one is returned even if it is larger
 * @property {Uint8Array} [peerId] - of who asks, so that one peer does not keep others waiting; absent: the server itself does
 *
 * @typedef {object} Page
 * @property {number} count
 * @property {Uint8Array} registrations - the `registrations` fields of a DISCOVER reply, encoded, one behind the other,
 *   in registration order, each with the seconds it has left as its ttl. Bytes of its own, which no later change touches
 * @property {Cursor} cursor - where the next page begins; of an empty page what was asked for
 *
 * @typedef {object} RegistrationStore
 * @property {() => void | Promise<void>} start
 * @property {() => void | Promise<void>} stop
 * @property {(registration: NewRegistration) => string | Promise<string>} add - puts a registration last; one of the same peer in
 *   the same namespace is replaced, which no cap on their number forbids. Gives one of AddOutcome: STALE leaves what is held
 * @property {(registration: NewRegistration) => string | undefined} [refusal] - one of AddOutcome if `add` would refuse it at this
 *   moment, known without waiting: spares checking the signature. What it lets pass `add` may still refuse
 * @property {(peerId: Uint8Array, ns: string) => boolean | Promise<boolean>} remove - gives whether there was one
 * @property {(query: PageQuery) => Page | Promise<Page>} page - costs O(limit), whatever is or was in the store
 * @property {(registrations: readonly NewRegistration[]) => Promise<Record<string, number>>} [addMany] - adds what comes in bulk, where
 *   that costs less than one by one; resolves to how many had which of AddOutcome
 * @property {() => StoreCounts | Promise<StoreCounts>} counts
 * @property {() => StoreHealth} [health] - of a store that is somewhere else: there, `add`, `remove`, `page` and `counts` may reject, and
 *   `refusal` throw, StoreUnavailableError
 * @property {Uint8Array} [cookieKey] - secret of cookies, where the store outlives the process
 *
 * @typedef {object} StoreCounts
 * @property {number} registrations
 * @property {number} namespaces
 * @property {number} [peers]
 *
 * @typedef {object} StoreHealth
 * @property {string} [problem] - what is wrong; absent: nothing
 * @property {string} durability - what of the acknowledged is still there after which crash
 * @property {number} waiting - requests that wait for a connection
 * @property {number} underWay - requests that are not answered
 * @property {import('./sql/postgres.js').PoolFigures} [pool] - of connections to it, so far
 * @property {number} heldMs - for how long new registrations have been held back by a transaction that somebody left open; 0: they are
 *   not
 */

/** AddOutcome says what became of a registration. */
export const AddOutcome = {
  ADDED: 'added',
  REPLACED: 'replaced',
  PEER_FULL: 'peer-full',
  STORE_FULL: 'store-full',
  /** its record is older than the one that is held: of the peer in the same namespace, in memory in any */
  STALE: 'stale'
}

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
