import { encodeDiscover, encodeRegister, encodeUnregister } from '../protocol/messages.js'
import { RecordDomain, sealPeerRecord } from '../protocol/signed-record.js'
import { ClientError, ClientErrorCode } from './errors.js'
import { registrantAddress } from './registrant-records.js'
import { registerReply } from './replies.js'
import { openSession } from './session.js'
import { StreamPerRequest } from './stream-per-request.js'
import { sendAlone } from './unregister.js'

/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 *
 * @typedef {object} Abilities - what a server was found to do
 * @property {boolean} severalPerStream - it serves more than one request on a stream
 * @property {ClientError | null} refusal - why it did not take a registration; null: it did, or none was tried
 * @property {string | null} otherDomain - under which a record must be sealed for it, where that is not the one tried
 *
 * @typedef {object} AbilityOptions
 * @property {import('@libp2p/interface').PrivateKey} privateKey - of the peer of the connection
 * @property {string} ns - of nobody else
 * @property {{ ttlSeconds: number, domain: string } | null} registration - to be tried and taken back; null: none
 * @property {AbortSignal} signal
 * @property {number} [waitMs] - for an answer to the second request on a stream; default 2,000
 */

const DEFAULT_WAIT_MS = 2000
const TAKEN_BACK_WITHIN_MS = 1000

/** How a second request on a stream ends at a server that serves one. @type {Set<string>} */
const UNANSWERED = new Set([
  ClientErrorCode.ENDED,
  ClientErrorCode.RESET,
  ClientErrorCode.CLOSED,
  ClientErrorCode.TIMEOUT
])

/**
 * findAbilities asks a server what it can do, before load depends on that.
 *
 * @param {Connection} connection
 * @param {AbilityOptions} options
 * @returns {Promise<Abilities>}
 * @throws {ClientError} UNSUPPORTED and others, where the server answers no DISCOVER
 */
export async function findAbilities(connection, options) {
  const severalPerStream = await servesSeveral(connection, options)
  return { severalPerStream, ...(await registrationAbilities(connection, options)) }
}

/** @param {Connection} connection @param {AbilityOptions} options */
async function servesSeveral(connection, { ns, signal, waitMs = DEFAULT_WAIT_MS }) {
  const session = await openSession(connection, { signal })
  const discover = encodeDiscover({ ns, limit: 1 })
  await session.request(discover, { signal })
  try {
    await session.request(discover, { signal: AbortSignal.any([signal, AbortSignal.timeout(waitMs)]) })
    return true
  } catch (error) {
    if (signal.aborted || !(error instanceof ClientError) || !UNANSWERED.has(error.code)) throw error
    return false
  } finally {
    session.close({ signal }).catch(() => {})
  }
}

/**
 * @param {Connection} connection
 * @param {AbilityOptions} options
 * @returns {Promise<Pick<Abilities, 'refusal' | 'otherDomain'>>}
 */
async function registrationAbilities(connection, options) {
  const { registration } = options
  if (registration === null) return { refusal: null, otherDomain: null }
  const refusal = await tryRegistration(connection, options, registration)
  // a refused time to live says nothing of the record
  if (refusal === null || refusal.code === 'E_INVALID_TTL') return { refusal, otherDomain: null }
  const other = Object.values(RecordDomain).find(domain => domain !== registration.domain) ?? null
  const taken =
    other !== null &&
    (await tryRegistration(connection, options, { ...registration, domain: other })) === null
  return { refusal, otherDomain: taken ? other : null }
}

/**
 * @param {Connection} connection
 * @param {AbilityOptions} options
 * @param {{ ttlSeconds: number, domain: string }} registration
 * @returns {Promise<ClientError | null>} null: it was taken
 */
async function tryRegistration(connection, { privateKey, ns, signal }, { ttlSeconds, domain }) {
  const signedPeerRecord = await sealPeerRecord({
    privateKey,
    addresses: [registrantAddress(0)],
    seq: 1,
    domain
  })
  const register = encodeRegister({ ns, signedPeerRecord, ttl: ttlSeconds })
  try {
    registerReply((await new StreamPerRequest(connection).request(register, { signal })).message)
  } catch (error) {
    if (signal.aborted || !(error instanceof ClientError)) throw error
    return error
  }
  await sendAlone(connection, encodeUnregister({ ns }), { signal, waitMs: TAKEN_BACK_WITHIN_MS })
  return null
}
