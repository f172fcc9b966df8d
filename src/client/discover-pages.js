import { createHash } from 'node:crypto'

/**
 * @typedef {object} Page - the part of a DISCOVER reply that paging needs
 * @property {import('../protocol/messages.js').Register[]} registrations
 * @property {Uint8Array} [cookie]
 */

/**
 * discoverPages asks for page after page, each with the cookie of the one before, until a page is empty or has no cookie.
 * A page smaller than asked for is not taken for the last: servers cap pages by number and by bytes. It also ends with a
 * page in which nothing is new, for some servers return the same page for ever.
 *
 * @template {Page} T
 * @param {(cookie: Uint8Array | undefined) => Promise<T>} askFor
 * @returns {AsyncGenerator<T, void, void>}
 */
export async function* discoverPages(askFor) {
  const seen = new Set()
  /** @type {Uint8Array | undefined} */
  let cookie
  do {
    const page = await askFor(cookie)
    if (!addNew(page, seen)) return
    yield page
    cookie = page.cookie
  } while (cookie != null && cookie.length > 0)
}

/**
 * @param {Page} page
 * @param {Set<string>} seen - gets what the page holds
 * @returns {boolean} whether anything in the page was new
 */
function addNew({ registrations }, seen) {
  const before = seen.size
  for (const { ns = '', signedPeerRecord = '' } of registrations) {
    seen.add(createHash('sha256').update(`${ns}\0`).update(signedPeerRecord).digest('base64'))
  }
  return seen.size > before
}
