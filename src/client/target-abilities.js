// Tests what a rendezvous server supports before the load starts, such as accepted times to live or several requests on
// one stream.
import { setTimeout as sleep } from 'node:timers/promises'
import { limitSignal } from '../kit/time.js'
import { encodeDiscover, encodeRegister, encodeUnregister } from '../protocol/rendezvous.js'
import { RecordDomain, sealPeerRecord } from '../protocol/signed-record.js'
import { readRegisterReply } from './discover-pages.js'
import { ClientError, ClientErrorCode } from './errors.js'
import { makeRegistrantAddress } from './identities.js'
import { openSession, StreamPerRequest, sendOnOwnStream } from './session.js'

/** Times to live that known servers accept, the specification's default and its upper bound first. */
const LIKELY_SECONDS = [7200, 259_200, 86_400, 3600, 600, 120, 60, 10]
const YEAR_SECONDS = 365 * 86_400

/**
 * @typedef {object} TtlBounds
 * @property {number} minSeconds - the shortest time to live that was accepted
 * @property {number} maxSeconds - the longest one, at most a year
 */

/**
 * findTtlBounds finds the times to live that a server accepts, by bisection: about forty attempts.
 *
 * @param {(ttlSeconds: number) => Promise<boolean>} takes - tries one
 * @returns {Promise<TtlBounds | null>} null: none of LIKELY_SECONDS was accepted
 */
async function findTtlBounds(takes) {
  for (const taken of LIKELY_SECONDS)
    if (await takes(taken))
      return {
        minSeconds: await findBoundary(takes, taken, 0),
        maxSeconds: await findBoundary(takes, taken, YEAR_SECONDS + 1)
      }
  return null
}

/**
 * Finds the accepted value next to a refused one.
 *
 * @param {(ttlSeconds: number) => Promise<boolean>} takes
 * @param {number} taken
 * @param {number} refused - not tried
 */
async function findBoundary(takes, taken, refused) {
  while (Math.abs(taken - refused) > 1) {
    const middle = Math.floor((taken + refused) / 2)
    if (await takes(middle)) taken = middle
    else refused = middle
  }
  return taken
}

/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 *
 * @typedef {object} StreamAbilities
 * @property {boolean | null} severalPerStream - it serves more than one request on a stream; null: not known
 * @property {boolean} repeats - it answered one request more than once
 * @property {ClientError | null} problem - why a DISCOVER had no reply
 *
 * @typedef {object} RegistrationAbilities
 * @property {number | null} grantedSeconds - time to live of the accepted registration; null: none was accepted, or the server does not say
 * @property {ClientError | null} refusal - why it refused a registration; null: it accepted one, or none was tried
 * @property {TtlBounds | null} ttlBounds - if it refused the time to live: the accepted ones, if they were found
 * @property {string | null} otherDomain - record domain that it accepts, if it is another one than was tried
 *
 * @typedef {StreamAbilities & RegistrationAbilities} Abilities - of a server
 *
 * @typedef {object} AbilityOptions
 * @property {import('@libp2p/interface').PrivateKey} privateKey - of the peer of the connection
 * @property {string} ns - used by no other peer
 * @property {{ ttlSeconds: number, domain: string } | null} registration - to be tried and removed; null: none
 * @property {AbortSignal} signal
 * @property {number} [timeoutMs] - for each reply; default 10,000
 * @property {number} [waitMs] - for an answer to the second request on a stream; default 2,000
 */

const DEFAULT_TIMEOUT_MS = 10_000
const DEFAULT_WAIT_MS = 2000
/** For further replies to the same requests. */
const FURTHER_WITHIN_MS = 50
const UNREGISTER_WITHIN_MS = 1000
const BOUNDS_WITHIN_MS = 10_000

/** Errors that a misbehaving server causes; the first four also end a second request on a stream. @type {Set<string>} */
const MISBEHAVED = new Set([
  ClientErrorCode.ENDED,
  ClientErrorCode.RESET,
  ClientErrorCode.CLOSED,
  ClientErrorCode.TIMEOUT,
  ClientErrorCode.MALFORMED,
  ClientErrorCode.UNEXPECTED_REPLY
])

/** @type {RegistrationAbilities} */
const NONE_TRIED = { grantedSeconds: null, refusal: null, ttlBounds: null, otherDomain: null }

/**
 * findAbilities probes a server, before the load depends on its abilities. A server that misbehaves is no error: the measurement shows the
 * effect on operations.
 *
 * @param {Connection} connection
 * @param {AbilityOptions} options
 * @returns {Promise<Abilities>}
 * @throws {ClientError} UNSUPPORTED, LOST, ABORTED
 */
export async function findAbilities(connection, options) {
  const streams = await probeStreams(connection, options)
  if (streams.problem !== null) return { ...streams, ...NONE_TRIED }
  return { ...streams, ...(await probeRegistration(connection, options)) }
}

/**
 * @param {unknown} error
 * @param {AbilityOptions} options
 * @returns {ClientError} an error that the server caused
 */
function requireServerError(error, { signal }) {
  if (signal.aborted || !(error instanceof ClientError) || !MISBEHAVED.has(error.code)) throw error
  return error
}

/** @param {Connection} connection @param {AbilityOptions} options @returns {Promise<StreamAbilities>} */
async function probeStreams(connection, options) {
  const { ns, timeoutMs = DEFAULT_TIMEOUT_MS, waitMs = DEFAULT_WAIT_MS } = options
  let repeats = false
  const onUnasked = () => {
    repeats = true
  }
  const session = await openSession(connection, { signal: limitSignal(options.signal, timeoutMs), onUnasked })
  const ask = (/** @type {number} */ ms) =>
    session.request(encodeDiscover({ ns, limit: 1 }), { signal: limitSignal(options.signal, ms) })
  try {
    await ask(timeoutMs)
  } catch (error) {
    return { severalPerStream: null, repeats, problem: requireServerError(error, options) }
  }
  try {
    await ask(waitMs)
    await sleep(FURTHER_WITHIN_MS)
    return { severalPerStream: true, repeats, problem: null }
  } catch (error) {
    requireServerError(error, options)
    return { severalPerStream: false, repeats, problem: null }
  } finally {
    session.close({ signal: options.signal }).catch(() => {})
  }
}

/**
 * @param {Connection} connection
 * @param {AbilityOptions} options
 * @returns {Promise<RegistrationAbilities>}
 */
async function probeRegistration(connection, options) {
  const { registration } = options
  if (registration === null) return NONE_TRIED
  const first = await tryRegistration(connection, options, registration)
  if (first.refusal === null) await unregister(connection, options)
  // after a refused time to live it is unknown whether the record is accepted
  if (first.refusal?.code === 'E_INVALID_TTL')
    return { ...NONE_TRIED, ...first, ttlBounds: await probeTtlBounds(connection, options, registration) }
  const other = Object.values(RecordDomain).find(domain => domain !== registration.domain)
  if (first.refusal === null || other === undefined) return { ...NONE_TRIED, ...first }
  const { refusal } = await tryRegistration(connection, options, { ...registration, domain: other })
  if (refusal === null) await unregister(connection, options)
  return { ...NONE_TRIED, ...first, otherDomain: refusal === null ? other : null }
}

/**
 * @param {Connection} connection
 * @param {AbilityOptions} options
 * @param {{ ttlSeconds: number, domain: string }} registration
 * @returns {Promise<TtlBounds | null>}
 */
async function probeTtlBounds(connection, options, registration) {
  const hurried = { ...options, signal: limitSignal(options.signal, BOUNDS_WITHIN_MS) }
  try {
    return await findTtlBounds(async ttlSeconds => {
      const { refusal } = await tryRegistration(connection, hurried, { ...registration, ttlSeconds })
      return refusal === null
    })
  } catch (error) {
    if (options.signal.aborted || !hurried.signal.aborted) throw error
    return null
  } finally {
    await unregister(connection, options)
  }
}

/** @param {Connection} connection @param {AbilityOptions} options */
async function unregister(connection, options) {
  const { ns, signal } = options
  try {
    await sendOnOwnStream(connection, encodeUnregister({ ns }), { signal, waitMs: UNREGISTER_WITHIN_MS })
  } catch (error) {
    requireServerError(error, options)
  }
}

/**
 * @param {Connection} connection
 * @param {AbilityOptions} options
 * @param {{ ttlSeconds: number, domain: string }} registration
 * @returns {Promise<Pick<RegistrationAbilities, 'grantedSeconds' | 'refusal'>>}
 */
async function tryRegistration(connection, options, { ttlSeconds, domain }) {
  const { privateKey, ns, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const addresses = [makeRegistrantAddress(0)]
  const signedPeerRecord = await sealPeerRecord({ privateKey, addresses, seq: 1, domain })
  const register = encodeRegister({ ns, signedPeerRecord, ttl: ttlSeconds })
  const requests = new StreamPerRequest(connection)
  try {
    const { message } = await requests.request(register, { signal: limitSignal(options.signal, timeoutMs) })
    return { grantedSeconds: readRegisterReply(message).ttl ?? null, refusal: null }
  } catch (error) {
    if (options.signal.aborted || !(error instanceof ClientError)) throw error
    return { grantedSeconds: null, refusal: error }
  }
}
