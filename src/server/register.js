import { InvalidSignedRecordError, readClaim } from '../protocol/signed-record.js'
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
 * register serves a REGISTER. It is refused with the status of the first check that fails: namespace, ttl, form of the signed
 * record, peer identity, its sequence number and caps, and last the signature, which costs more than all others and is checked once for as long as the peer
 * sends the same record. Other implementations say 200 (JavaScript, Go) or 400 (rust) when a cap is reached; here it is 200 for the
 * peer's own cap, which the peer can do something about, and 400 when the server is full.
 *
 * @param {Register} request
 * @param {import('./requests.js').Sender} sender
 * @param {RequestContext} context
 * @returns {Promise<Reply>}
 */
export async function register(
  { ns = '', signedPeerRecord, ttl },
  { peerId, limitedGroup: group },
  { store, limits, checkedRecords }
) {
  const { minTtlSeconds, maxTtlSeconds, maxNamespaceBytes } = limits
  if (!ns.isWellFormed()) return refuse(Status.E_INVALID_NAMESPACE, 'namespace must be UTF-8')
  if (ns === '' || Buffer.byteLength(ns) > maxNamespaceBytes) {
    return refuse(Status.E_INVALID_NAMESPACE, `namespace must have 1 to ${maxNamespaceBytes} bytes`)
  }
  const ttlSeconds = ttl ?? Math.min(Math.max(DEFAULT_TTL_SECONDS, minTtlSeconds), maxTtlSeconds)
  if (ttlSeconds < minTtlSeconds || ttlSeconds > maxTtlSeconds) {
    return refuse(Status.E_INVALID_TTL, `ttl must be ${minTtlSeconds} to ${maxTtlSeconds} seconds`)
  }
  if (signedPeerRecord === undefined) return badRecord('signed peer record is missing')
  try {
    const { record, verify } = readClaim(signedPeerRecord)
    if (Buffer.compare(record.peerId, peerId) !== 0) {
      return refuse(Status.E_NOT_AUTHORIZED, 'a peer can only register itself')
    }
    const registration = { peerId, ns, signedPeerRecord, recordSeq: record.seq, ttlSeconds, group }
    const foreseen = refusalFor(store.refusal?.(registration), limits)
    if (foreseen !== undefined) return foreseen
    if (!checkedRecords.has(peerId, signedPeerRecord)) {
      await verify()
      checkedRecords.add(peerId, signedPeerRecord)
    }
    const outcome = await store.add(registration)
    return refusalFor(outcome, limits) ?? registerReply(Status.OK, { ttl: ttlSeconds })
  } catch (error) {
    if (error instanceof InvalidSignedRecordError) return badRecord(error.message)
    throw error
  }
}

/** @param {number} status @param {string} statusText */
const refuse = (status, statusText) => registerReply(status, { statusText })

/** @param {string} why */
const badRecord = why => refuse(Status.E_INVALID_SIGNED_PEER_RECORD, why)

/** @param {string | undefined} outcome - one of AddOutcome @param {import('./limits.js').Limits} limits */
function refusalFor(outcome, { maxPeerRegistrations }) {
  if (outcome === AddOutcome.PEER_FULL) {
    return refuse(Status.E_NOT_AUTHORIZED, `a peer can hold ${maxPeerRegistrations} registrations`)
  }
  if (outcome === AddOutcome.STALE) return badRecord('signed peer record is older than the one that is held')
  if (outcome === AddOutcome.STORE_FULL) return refuse(Status.E_UNAVAILABLE, 'server is full')
}
