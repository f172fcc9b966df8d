// Replies as a client reads them: the pages of a DISCOVER, checked for what no server may send.

import { createHash } from 'node:crypto'
import { LATE_TEXT, Status } from '../protocol/rendezvous.js'
import { ClientError, ClientErrorCode, RendezvousError } from './errors.js'

/**
 * @typedef {import('../protocol/rendezvous.js').Register} Register
 * @typedef {import('./rendezvous-client.js').Rejected} Rejected
 *
 * @typedef {object} Page - a DISCOVER reply
 * @property {Register[]} registrations
 * @property {Uint8Array} [cookie]
 * @property {number} byteLength
 *
 * @typedef {object} SiftedPage
 * @property {Register[]} fitting
 * @property {Rejected[]} rejected - what does not belong in the page
 * @property {Uint8Array} [cookie]
 *
 * @typedef {typeof PAGE_BOUNDS} PageBounds
 */

/** PAGE_BOUNDS are what is taken of a server unless the caller says otherwise: one that sends pages without end is left. */
export const PAGE_BOUNDS = {
  maxPages: 1000,
  maxRegistrations: 100_000,
  /** of all replies */
  maxBytes: 64 << 20,
  /** of waiting for replies and checking them, not of what the caller does between pages */
  maxMs: 60_000
}

/**
 * discoverPages asks for page after page, each with the cookie of the one before, until a page is empty or has no cookie.
 * A page smaller than asked for is not taken for the last: servers cap pages by number and by bytes. It also ends with a
 * page in which nothing is new, for some servers return the same page for ever.
 *
 * @param {(cookie: Uint8Array | undefined) => Promise<Page>} askFor
 * @param {object} options
 * @param {PageScreen} options.screen
 * @param {Omit<PageBounds, 'maxMs'>} options.bounds
 * @returns {AsyncGenerator<SiftedPage, void, void>}
 * @throws {ClientError} TOO_MUCH for a page beyond the bounds
 */
export async function* discoverPages(askFor, { screen, bounds }) {
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
    requireWithin(taken, bounds)
    yield { fitting, rejected, cookie: page.cookie }
    cookie = page.cookie
  } while (cookie != null && cookie.length > 0)
}

/** @param {Omit<PageBounds, 'maxMs'>} taken @param {Omit<PageBounds, 'maxMs'>} bounds */
function requireWithin(taken, bounds) {
  for (const name of /** @type {(keyof typeof taken)[]} */ (Object.keys(taken)))
    if (taken[name] > bounds[name]) throw tooMuch(name, bounds[name])
}

/**
 * tooMuch says which bound ended the pages.
 *
 * @param {keyof PageBounds} bound
 * @param {number} value
 */
export const tooMuch = (bound, value) =>
  new ClientError(
    ClientErrorCode.TOO_MUCH,
    `the server has more pages than ${bound} ${value} allows: raise it where it is to be trusted`
  )

/** @param {string} text */
const refusal = text => new ClientError(ClientErrorCode.UNEXPECTED_REPLY, text)

/**
 * PageScreen takes out of the pages of a namespace what does not belong there: registrations beyond the limit that was asked for, those of
 * another namespace or of one that is not UTF-8, and those that were there before.
 */
export class PageScreen {
  #ns
  #limit
  /** @type {Set<string>} */
  #seen = new Set()
  #beyond
  #foreign
  #notUtf8 = refusal('a registration whose namespace is not UTF-8')
  #repeated = refusal('a registration that was given before')

  /** @param {{ ns?: string, limit?: number }} asked - as in the request; without `ns`: all namespaces */
  constructor({ ns = '', limit = Infinity }) {
    this.#ns = ns
    this.#limit = limit
    this.#beyond = refusal(`a registration beyond the limit of ${limit} that was asked for`)
    this.#foreign = refusal(`a registration of another namespace than ${ns}, which was asked for`)
  }

  /**
   * sift tells what of a page belongs there.
   *
   * @param {Register[]} registrations
   * @returns {{ fitting: Register[], rejected: Rejected[] }}
   */
  sift(registrations) {
    /** @type {Register[]} */
    const fitting = []
    /** @type {Rejected[]} */
    const rejected = []
    for (const [place, register] of registrations.entries()) {
      const reason = this.#reasonAgainst(register, place)
      if (reason === null) fitting.push(register)
      else rejected.push({ ns: register.ns || this.#ns, reason })
    }
    return { fitting, rejected }
  }

  /** @param {Register} register @param {number} place */
  #reasonAgainst(register, place) {
    if (place >= this.#limit) return this.#beyond
    if (register.ns?.isWellFormed() === false) return this.#notUtf8
    if (this.#ns !== '' && register.ns && register.ns !== this.#ns) return this.#foreign
    return this.#isNew(register) ? null : this.#repeated
  }

  /** @param {Register} register - with the same record, whatever is left of its time to live */
  #isNew({ ns = '', signedPeerRecord = new Uint8Array() }) {
    const before = this.#seen.size
    this.#seen.add(createHash('sha256').update(`${ns}\0`).update(signedPeerRecord).digest('base64'))
    return this.#seen.size > before
  }
}

/**
 * @typedef {import('../protocol/rendezvous.js').Message} Message
 * @typedef {import('../protocol/rendezvous.js').RegisterResponse} RegisterResponse
 * @typedef {import('../protocol/rendezvous.js').DiscoverResponse} DiscoverResponse
 */

/**
 * registerReply takes what answered a REGISTER. It goes by the body that is there, not by the message's type: some
 * servers set a wrong one beside an error status.
 *
 * @param {Message} message
 * @returns {RegisterResponse} with status OK
 * @throws {RendezvousError} any other status
 * @throws {ClientError} UNEXPECTED_REPLY for another kind of message
 */
export const registerReply = message => okReply('REGISTER', message.registerResponse)

/**
 * discoverReply takes what answered a DISCOVER, in the same way.
 *
 * @param {Message} message
 * @returns {DiscoverResponse} with status OK
 * @throws {RendezvousError} any other status
 * @throws {ClientError} UNEXPECTED_REPLY for another kind of message
 */
export const discoverReply = message => okReply('DISCOVER', message.discoverResponse)

/**
 * saysLate tells whether a server of ours says that a reply had to wait for its limits.
 *
 * @param {Message} message
 */
export const saysLate = ({ registerResponse, discoverResponse }) =>
  (registerResponse ?? discoverResponse)?.statusText?.includes(LATE_TEXT) ?? false

/**
 * @template {{ status: number, statusText?: string }} T
 * @param {string} operation
 * @param {T | undefined} response
 * @returns {T}
 */
function okReply(operation, response) {
  if (response == null) {
    throw new ClientError(
      ClientErrorCode.UNEXPECTED_REPLY,
      `${operation} was answered with another kind of message`
    )
  }
  if (response.status !== Status.OK) throw new RendezvousError(operation, response)
  return response
}
