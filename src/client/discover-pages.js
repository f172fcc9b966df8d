// Requests all pages of a DISCOVER with cookies, drops registrations that do not belong, and reads the replies to
// REGISTER and DISCOVER.

import { createHash } from 'node:crypto'
import { LATE_TEXT, Status } from '../protocol/rendezvous.js'
import { ClientError, ClientErrorCode, RendezvousError } from './errors.js'

/**
 * @typedef {import('../protocol/rendezvous.js').Register} Register
 * @typedef {import('./rendezvous-client.js').RejectedRegistration} RejectedRegistration
 *
 * @typedef {object} Page - a DISCOVER reply
 * @property {Register[]} registrations
 * @property {Uint8Array} [cookie]
 * @property {number} byteLength
 *
 * @typedef {object} FilteredPage
 * @property {Register[]} fitting
 * @property {RejectedRegistration[]} rejected - registrations that do not belong in the page
 * @property {Uint8Array} [cookie]
 *
 * @typedef {typeof PAGE_BOUNDS} PageBounds
 */

/** PAGE_BOUNDS are the default bounds for the pages of one server, which could send pages without end. */
export const PAGE_BOUNDS = {
  maxPages: 1000,
  maxRegistrations: 100_000,
  /** of all replies */
  maxBytes: 64 << 20,
  /** of waiting for replies and checking them, without the caller's time between pages */
  maxMs: 60_000
}

/**
 * requestPages requests page after page, each with the cookie of the one before, until a page is empty or has no cookie. A short page is
 * not taken for the last: servers cap pages by number and by bytes. It also ends with a page without new registrations, because some
 * servers return the same page for ever.
 *
 * @param {(cookie: Uint8Array | undefined) => Promise<Page>} askFor
 * @param {object} options
 * @param {PageFilter} options.screen
 * @param {Omit<PageBounds, 'maxMs'>} options.bounds
 * @returns {AsyncGenerator<FilteredPage, void, void>}
 * @throws {ClientError} TOO_MUCH for a page beyond the bounds
 */
export async function* requestPages(askFor, { screen, bounds }) {
  const taken = { maxPages: 0, maxRegistrations: 0, maxBytes: 0 }
  /** @type {Uint8Array | undefined} */
  let cookie
  do {
    const page = await askFor(cookie)
    taken.maxPages++
    taken.maxRegistrations += page.registrations.length
    taken.maxBytes += page.byteLength
    const { fitting, rejected } = screen.sift(page.registrations)
    if (fitting.length === 0) return
    for (const name of /** @type {(keyof typeof taken)[]} */ (Object.keys(taken)))
      if (taken[name] > bounds[name]) throw makeTooMuchError(name, bounds[name])
    yield { fitting, rejected, cookie: page.cookie }
    cookie = page.cookie
  } while (cookie != null && cookie.length > 0)
}

/**
 * makeTooMuchError makes the error for pages beyond a bound.
 *
 * @param {keyof PageBounds} bound
 * @param {number} value
 */
export const makeTooMuchError = (bound, value) =>
  new ClientError(
    ClientErrorCode.TOO_MUCH,
    `the server has more pages than ${bound} ${value} allows: raise it if you trust the server`
  )

/** @param {string} text */
const makeUnexpectedReplyError = text => new ClientError(ClientErrorCode.UNEXPECTED_REPLY, text)

/**
 * PageFilter rejects registrations that do not belong in the pages of a namespace: registrations beyond the limit of the request, of
 * another namespace, of a namespace that is not UTF-8, and repeated ones.
 */
export class PageFilter {
  #ns
  #limit
  /** @type {Set<string>} */
  #knownHashes = new Set()
  #beyond
  #foreign
  #notUtf8 = makeUnexpectedReplyError('a registration whose namespace is not UTF-8')
  #repeated = makeUnexpectedReplyError('a registration that was given before')

  /** @param {{ ns?: string, limit?: number }} asked - as in the request; without `ns`: all namespaces */
  constructor({ ns = '', limit = Infinity }) {
    this.#ns = ns
    this.#limit = limit
    this.#beyond = makeUnexpectedReplyError(`a registration beyond the limit of ${limit} that was requested`)
    this.#foreign = makeUnexpectedReplyError(
      `a registration of another namespace than ${ns}, which was requested`
    )
  }

  /**
   * sift separates the registrations of a page.
   *
   * @param {Register[]} registrations
   * @returns {{ fitting: Register[], rejected: RejectedRegistration[] }}
   */
  sift(registrations) {
    /** @type {Register[]} */
    const fitting = []
    /** @type {RejectedRegistration[]} */
    const rejected = []
    for (const [place, register] of registrations.entries()) {
      const reason = this.#reasonAgainst(register, place)
      if (reason === null) fitting.push(register)
      else rejected.push({ ns: register.ns || this.#ns, reason })
    }
    return { fitting, rejected }
  }

  /** @param {Register} register @param {number} place */
  #reasonAgainst({ ns = '', signedPeerRecord = new Uint8Array() }, place) {
    if (place >= this.#limit) return this.#beyond
    if (!ns.isWellFormed()) return this.#notUtf8
    if (this.#ns !== '' && ns !== '' && ns !== this.#ns) return this.#foreign
    // a repeated registration may have less of its time to live left
    const before = this.#knownHashes.size
    this.#knownHashes.add(createHash('sha256').update(`${ns}\0`).update(signedPeerRecord).digest('base64'))
    return this.#knownHashes.size > before ? null : this.#repeated
  }
}

/**
 * @typedef {import('../protocol/rendezvous.js').Message} Message
 * @typedef {import('../protocol/rendezvous.js').RegisterResponse} RegisterResponse
 * @typedef {import('../protocol/rendezvous.js').DiscoverResponse} DiscoverResponse
 */

/**
 * readRegisterReply reads the reply to a REGISTER. It uses the body that is present, not the type of the message: some servers set a wrong type
 * together with an error status.
 *
 * @param {Message} message
 * @returns {RegisterResponse} with status OK
 * @throws {RendezvousError} any other status
 * @throws {ClientError} UNEXPECTED_REPLY for another kind of message
 */
export const readRegisterReply = message => requireOkReply('REGISTER', message.registerResponse)

/**
 * readDiscoverReply reads the reply to a DISCOVER, in the same way.
 *
 * @param {Message} message
 * @returns {DiscoverResponse} with status OK
 * @throws {RendezvousError} any other status
 * @throws {ClientError} UNEXPECTED_REPLY for another kind of message
 */
export const readDiscoverReply = message => requireOkReply('DISCOVER', message.discoverResponse)

/**
 * isLateReply says whether a reply of our server had to wait for the server's limits.
 *
 * @param {Message} message
 */
export const isLateReply = ({ registerResponse, discoverResponse }) =>
  (registerResponse ?? discoverResponse)?.statusText?.includes(LATE_TEXT) ?? false

/**
 * @template {{ status: number, statusText?: string }} T
 * @param {string} operation
 * @param {T | undefined} response
 * @returns {T}
 */
function requireOkReply(operation, response) {
  if (response == null)
    throw makeUnexpectedReplyError(`${operation} was answered with another kind of message`)
  if (response.status !== Status.OK) throw new RendezvousError(operation, response)
  return response
}
