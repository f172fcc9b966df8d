import { FrameDecoder } from '../protocol/framing.js'
import { decodeRegisterBody } from '../protocol/messages.js'
import { readSignerUnverified } from '../protocol/signed-record.js'
import { DEFAULT_TTL_SECONDS } from './limits.js'
import { AddOutcome } from './store/registration-store.js'

const PIECE_BYTES = 4096
/** Added to a store in one go, where it takes many. */
const MANY = 500

/**
 * @typedef {import('./store/registration-store.js').NewRegistration} NewRegistration
 *
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
  /** @type {NewRegistration[]} */
  const waiting = []
  const addWaiting = async () => {
    const outcomes = (await store.addMany?.(waiting.splice(0))) ?? {}
    for (const [outcome, times] of Object.entries(outcomes)) count(result, outcome, times)
  }
  for await (const chunk of chunks) {
    for (const piece of pieces(chunk)) {
      for (const body of decoder.push(piece)) {
        const registration = readRegistration(body)
        if (store.addMany === undefined) count(result, await store.add(registration))
        else if (waiting.push(copied(registration)) === MANY) await addWaiting()
      }
    }
  }
  if (waiting.length > 0) await addWaiting()
  if (decoder.midFrame) throw new Error('the last registration is cut off')
  return result
}

/** @param {BulkResult} result @param {string} outcome - one of AddOutcome @param {number} [times] */
function count(result, outcome, times = 1) {
  if (outcome === AddOutcome.ADDED) result.added += times
  else if (outcome === AddOutcome.REPLACED) result.replaced += times
  else result.refused += times
}

/** The decoder uses its memory again. @param {NewRegistration} registration @returns {NewRegistration} */
const copied = ({ signedPeerRecord, ...rest }) => ({ ...rest, signedPeerRecord: signedPeerRecord.slice() })

/**
 * A large chunk decoded at once leaves hundreds of objects alive together: the garbage collector takes them for
 * long-lived ones, and the process keeps 30 MB more.
 *
 * @param {Uint8Array} chunk
 */
function* pieces(chunk) {
  for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES)
}

/** @param {Uint8Array} body */
function readRegistration(body) {
  const {
    ns = '',
    signedPeerRecord = new Uint8Array(0),
    ttl = DEFAULT_TTL_SECONDS
  } = decodeRegisterBody(body)
  if (ns === '') throw new Error('a registration has no namespace')
  if (!ns.isWellFormed()) throw new Error('the namespace of a registration is not UTF-8')
  const peerId = readSignerUnverified(signedPeerRecord)
  return { peerId, ns, signedPeerRecord, ttlSeconds: ttl }
}
