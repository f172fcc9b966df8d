import { InvalidSignedRecordError, openSignedRecord } from '../protocol/signed-record.js'
import { Status } from '../protocol/status.js'
import { DEFAULT_TTL_SECONDS } from './limits.js'
import { registerReply } from './replies.js'
import { AddOutcome } from './store/registration-store.js'

/**
 * @typedef {import('../protocol/messages.js').Register} Register
 * @typedef {import('./requests.js').RequestContext} RequestContext
 * @typedef {import('./replies.js').Reply} Reply
 */

/**
 * register serves a REGISTER. It is refused with the status of the first check that fails: namespace, ttl, signed record,
 * peer identity, caps. Other implementations say 200 (JavaScript, Go) or 400 (rust) when a cap is reached; here it is
 * 200 for the peer's own cap, which the peer can do something about, and 400 when the server is full.
 *
 * @param {Register} request
 * @param {Uint8Array} peerId - of who asks, multihash bytes
 * @param {RequestContext} context
 * @returns {Promise<Reply>}
 */
export async function register({ ns = '', signedPeerRecord, ttl }, peerId, { store, limits }) {
  const { minTtlSeconds, maxTtlSeconds, maxNamespaceBytes, maxPeerRegistrations } = limits
  if (ns === '' || Buffer.byteLength(ns) > maxNamespaceBytes) {
    return refuse(Status.E_INVALID_NAMESPACE, `namespace must have 1 to ${maxNamespaceBytes} bytes`)
  }
  const ttlSeconds = ttl ?? Math.min(Math.max(DEFAULT_TTL_SECONDS, minTtlSeconds), maxTtlSeconds)
  if (ttlSeconds < minTtlSeconds || ttlSeconds > maxTtlSeconds) {
    return refuse(Status.E_INVALID_TTL, `ttl must be ${minTtlSeconds} to ${maxTtlSeconds} seconds`)
  }
  const record = await open(signedPeerRecord)
  if (typeof record === 'string') return refuse(Status.E_INVALID_SIGNED_PEER_RECORD, record)
  if (Buffer.compare(record.peerId, peerId) !== 0) {
    return refuse(Status.E_NOT_AUTHORIZED, 'a peer can only register itself')
  }
  const outcome = await store.add({
    peerId,
    ns,
    signedPeerRecord: /** @type {Uint8Array} */ (signedPeerRecord),
    ttlSeconds
  })
  if (outcome === AddOutcome.PEER_FULL) {
    return refuse(Status.E_NOT_AUTHORIZED, `a peer can hold ${maxPeerRegistrations} registrations`)
  }
  if (outcome === AddOutcome.STORE_FULL) return refuse(Status.E_UNAVAILABLE, 'server is full')
  return registerReply(Status.OK, { ttl: ttlSeconds })
}

/** @param {number} status @param {string} statusText */
const refuse = (status, statusText) => registerReply(status, { statusText })

/**
 * @param {Uint8Array} [signedPeerRecord]
 * @returns {Promise<import('../protocol/signed-record.js').SignedRecord | string>} why it is refused
 */
async function open(signedPeerRecord) {
  if (signedPeerRecord === undefined) return 'signed peer record is missing'
  try {
    return await openSignedRecord(signedPeerRecord)
  } catch (error) {
    if (error instanceof InvalidSignedRecordError) return error.message
    throw error
  }
}
