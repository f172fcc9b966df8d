import { setImmediate } from 'node:timers/promises'
import { publicKeyFromProtobuf } from '@libp2p/crypto/keys'
import { peerIdFromPublicKey } from '@libp2p/peer-id'
import { multiaddr } from '@multiformats/multiaddr'
import { openSignedRecord, readSignedRecordUnverified } from '../protocol/signed-record.js'
import { abortedError } from './errors.js'

/**
 * @typedef {import('@libp2p/interface').PeerId} PeerId
 * @typedef {import('@multiformats/multiaddr').Multiaddr} Multiaddr
 *
 * @typedef {object} Discovered - a registration somebody else made
 * @property {string} ns
 * @property {PeerId} peerId
 * @property {Multiaddr[]} addresses - as signed by the peer; those of an unknown kind are left out
 * @property {Uint8Array} signedPeerRecord - marshalled envelope
 * @property {number} [ttlSeconds] - as the server says: what was granted, or what is left of it
 *
 * @typedef {object} Rejected - a registration that is not what it claims
 * @property {string} ns
 * @property {unknown} reason - usually an InvalidSignedRecordError
 *
 * @typedef {{ registrations: Discovered[], rejected: Rejected[] }} Opened
 */

/** Registrations opened in one go; between them others get their turn. */
const TURN = 50

/**
 * openRegistrations makes usable what a DISCOVER reply holds. A server could invent registrations, so the signature of
 * every peer is checked unless the caller says otherwise.
 *
 * @param {import('../protocol/messages.js').Register[]} registers
 * @param {{ ns?: string, verify: boolean, signal?: AbortSignal }} options - `ns` that was asked for: some servers leave it out of the
 *   reply
 * @returns {Promise<Opened>}
 * @throws {ClientError} TIMEOUT, ABORTED
 */
export async function openRegistrations(registers, { ns = '', verify, signal }) {
  /** @type {Opened} */
  const opened = { registrations: [], rejected: [] }
  for (const [place, register] of registers.entries()) {
    // signatures are checked in one go otherwise, and no signal would be heard
    if (place % TURN === TURN - 1) await setImmediate()
    if (signal?.aborted) throw abortedError(signal, 'checking registrations')
    const itsNs = register.ns || ns
    try {
      opened.registrations.push(await openRegistration(register, itsNs, verify))
    } catch (reason) {
      opened.rejected.push({ ns: itsNs, reason })
    }
  }
  return opened
}

/**
 * @param {import('../protocol/messages.js').Register} register
 * @param {string} ns
 * @param {boolean} verify
 * @returns {Promise<Discovered>}
 */
async function openRegistration({ signedPeerRecord = new Uint8Array(0), ttl }, ns, verify) {
  const record = verify
    ? await openSignedRecord(signedPeerRecord)
    : readSignedRecordUnverified(signedPeerRecord)
  return {
    ns,
    peerId: peerIdFromPublicKey(publicKeyFromProtobuf(record.publicKey)),
    addresses: record.addresses.flatMap(knownAddress),
    signedPeerRecord,
    ttlSeconds: ttl
  }
}

/** @param {Uint8Array} bytes */
function knownAddress(bytes) {
  try {
    return [multiaddr(bytes)]
  } catch {
    return []
  }
}
