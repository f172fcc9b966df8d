import { FrameDecoder } from '../protocol/framing.js'
import { decodeRegisterBody } from '../protocol/messages.js'
import { readSignedRecordUnverified } from '../protocol/signed-record.js'
import { DEFAULT_TTL_SECONDS } from './limits.js'
import { AddOutcome } from './store/registration-store.js'

/**
 * @typedef {object} BulkResult
 * @property {number} added
 * @property {number} replaced
 * @property {number} refused - by a cap
 */

/**
 * addInBulk adds registrations without checking their signatures. It takes no more bytes than it can store meanwhile.
 *
 * @param {AsyncIterable<Uint8Array>} chunks - Register bodies as encodeRegisterBody makes them, each behind its length as a
 *   varint
 * @param {import('./store/registration-store.js').RegistrationStore} store
 * @param {number} maxBodyBytes
 * @returns {Promise<BulkResult>}
 * @throws {Error} for bytes that are no such bodies; what came before them is in the store
 */
export async function addInBulk(chunks, store, maxBodyBytes) {
  const decoder = new FrameDecoder(maxBodyBytes)
  const result = { added: 0, replaced: 0, refused: 0 }
  for await (const chunk of chunks) {
    for (const body of decoder.push(chunk)) {
      const outcome = await store.add(readRegistration(body))
      if (outcome === AddOutcome.ADDED) result.added++
      else if (outcome === AddOutcome.REPLACED) result.replaced++
      else result.refused++
    }
  }
  if (decoder.midFrame) throw new Error('the last registration is cut off')
  return result
}

/** @param {Uint8Array} body */
function readRegistration(body) {
  const {
    ns = '',
    signedPeerRecord = new Uint8Array(0),
    ttl = DEFAULT_TTL_SECONDS
  } = decodeRegisterBody(body)
  if (ns === '') throw new Error('a registration has no namespace')
  const { peerId } = readSignedRecordUnverified(signedPeerRecord)
  return { peerId, ns, signedPeerRecord, ttlSeconds: ttl }
}
