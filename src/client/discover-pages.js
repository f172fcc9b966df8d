import { createHash } from 'node:crypto'

/**
 * @typedef {object} Page - the part of a DISCOVER reply that paging needs
 * @property {import('../protocol/messages.js').Register[]} registrations
 * @property {Uint8Array} [cookie]
 */

/**
 * discoverPages asks for page after page, each with the cookie of the one before. Servers may give smaller pages than
 * were asked for, so a small page is the last only when it is smaller than the one before it. Iteration ends with such
 * a page, with an empty one, without a cookie, and with a page in which nothing is new: some servers return the same
 * page for ever.
 *
 * @template {Page} T
 * @param {(cookie: Uint8Array | undefined) => Promise<T>} askFor
 * @returns {AsyncGenerator<T, void, void>}
 */
export async function* discoverPages(askFor) {
  const seen = new Set()
  let size = 0
  /** @type {Uint8Array | undefined} */
  let cookie
  do {
    const page = await askFor(cookie)
    const { length } = page.registrations
    if (length === 0 || !addNew(page, seen)) return
    yield page
    if (length < size) return
    size = length
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
