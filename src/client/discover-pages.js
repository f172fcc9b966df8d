import { ClientError, ClientErrorCode } from './errors.js'

/**
 * @typedef {import('../protocol/messages.js').Register} Register
 * @typedef {import('./discovered.js').Rejected} Rejected
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
 * @param {import('./page-screen.js').PageScreen} options.screen
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
