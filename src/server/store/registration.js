// The interface that every store of registrations implements. Also encodes registrations as stores keep them.
import { countPrefixBytes, writePrefix } from '../../protocol/rendezvous.js'

/**
 * A store applies its caps itself, in one step with adding: a separate check before would allow two concurrent requests to exceed them. A
 * store returns a result or a promise of it, so that a request to a store in memory costs no promise.
 *
 * @typedef {number | bigint} Cursor - a place in the registration order, 0 or more: below 2^53 where it is a number, below 2^128
 *
 * @typedef {object} NewRegistration
 * @property {Uint8Array} peerId - multihash bytes
 * @property {string} ns
 * @property {Uint8Array} signedPeerRecord - checked by the caller; the store must copy it
 * @property {bigint} [recordSeq] - sequence number of the record, below 2^64; absent: it is not compared
 * @property {number} ttlSeconds
 * @property {string} [group] - of addresses that it comes from, which has limits; absent: no limits
 *
 * @typedef {object} PageQuery
 * @property {string} [ns] - absent: all namespaces
 * @property {Cursor} [after] - cursor of the page before; absent or 0: from the beginning
 * @property {number} limit - registrations at most, above 0
 * @property {number} maxBytes - of the encoded registrations; one is returned even if it is larger
 * @property {Uint8Array} [peerId] - of the client, so that one peer does not keep others waiting; absent: the server itself
 *
 * @typedef {object} Page
 * @property {number} count
 * @property {Uint8Array} registrations - the `registrations` fields of a DISCOVER reply, encoded, one after another,
 *   in registration order, each with its remaining seconds as ttl. A copy, which no later change of the store affects
 * @property {Cursor} cursor - of the next page; of an empty page the one of the query
 *
 * @typedef {object} RegistrationStore
 * @property {() => void | Promise<void>} start
 * @property {() => void | Promise<void>} stop
 * @property {(registration: NewRegistration) => string | Promise<string>} add - appends a registration; it replaces one of the
 *   same peer in the same namespace, which no cap on their number forbids. Returns one of AddOutcome; STALE keeps the old one
 * @property {(registration: NewRegistration) => string | undefined} [refusal] - one of AddOutcome if it is known
 *   without waiting that `add` would refuse it, which saves the check of the signature. `add` may refuse others as well
 * @property {(peerId: Uint8Array, ns: string) => boolean | Promise<boolean>} remove - whether there was one
 * @property {(query: PageQuery) => Page | Promise<Page>} page - costs O(limit), whatever the store contains or contained
 * @property {(registrations: readonly NewRegistration[]) => Promise<Record<string, number>>} [addMany] - adds registrations in
 *   bulk, if that costs less than one by one; resolves to the number of each of AddOutcome
 * @property {() => StoreCounts | Promise<StoreCounts>} counts
 * @property {() => StoreHealth} [health] - of a store outside the process: its `add`, `remove`, `page` and `counts` may reject with, and its
 *   `refusal` may throw, StoreUnavailableError
 * @property {Uint8Array} [cookieKey] - secret of cookies, if the store outlives the process
 *
 * @typedef {object} StoreCounts
 * @property {number} registrations
 * @property {number} namespaces
 * @property {number} [peers]
 *
 * @typedef {object} StoreHealth
 * @property {string} [problem] - absent: none
 * @property {string} durability - which crashes acknowledged registrations survive
 * @property {number} waiting - requests that wait for a connection
 * @property {number} underWay - open requests
 * @property {import('../postgres.js').PoolFigures} [pool] - of connections to it, so far
 * @property {number} blockedMs - for how long an open transaction has held back new registrations; 0: none does
 */

/** AddOutcome is the outcome of adding a registration. */
export const AddOutcome = {
  ADDED: 'added',
  REPLACED: 'replaced',
  PEER_FULL: 'peer-full',
  STORE_FULL: 'store-full',
  /** its record is older than that of the peer's registration in the same namespace, or, in memory, in any namespace */
  STALE: 'stale'
}

// protobuf tags: `registrations` of a DISCOVER reply; ns, signedPeerRecord and ttl of a Register
const REGISTRATION = 0x0a
const NS = 0x0a
const SIGNED_PEER_RECORD = 0x12
const TTL = 0x18

/** computeBodyBytes gives the size of a Register without its ttl. @param {number} nsBytes @param {number} recordBytes */
export const computeBodyBytes = (nsBytes, recordBytes) =>
  2 + countPrefixBytes(nsBytes) + nsBytes + countPrefixBytes(recordBytes) + recordBytes

/**
 * encodeBody encodes a Register without its ttl, which changes over time and is appended when the registration is read.
 *
 * @param {string} ns
 * @param {Uint8Array} signedPeerRecord
 */
export function encodeBody(ns, signedPeerRecord) {
  const nsBytes = Buffer.byteLength(ns)
  const body = Buffer.allocUnsafe(computeBodyBytes(nsBytes, signedPeerRecord.length))
  body[0] = NS
  let at = writePrefix(body, 1, nsBytes)
  at += body.write(ns, at)
  body[at] = SIGNED_PEER_RECORD
  at = writePrefix(body, at + 1, signedPeerRecord.length)
  body.set(signedPeerRecord, at)
  return body
}

/** computeEntryBytes gives the size of a `registrations` field. @param {number} bodyLength @param {number} ttlSeconds */
export function computeEntryBytes(bodyLength, ttlSeconds) {
  const length = bodyLength + 1 + countPrefixBytes(ttlSeconds)
  return 1 + countPrefixBytes(length) + length
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
  at = writePrefix(target, at + 1, bodyLength + 1 + countPrefixBytes(ttlSeconds))
  at = copyBody(target, at)
  target[at] = TTL
  return writePrefix(target, at + 1, ttlSeconds)
}
