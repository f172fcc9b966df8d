import { encodeDiscover } from '../../../protocol/messages.js'
import { requireOk } from './require-ok.js'

/** A whole namespace can be large: the check of its pages ends here. */
const MAX_PAGES = 50
const MAX_REGISTRATIONS = 100_000

/**
 * walkPages discovers a whole namespace, page by page, until one is empty or has no cookie.
 *
 * @param {import('./client-streams.js').Requests} requests
 * @param {{ ns: string, limit: number, signal: AbortSignal }} options
 * @returns {Promise<import('../../../protocol/messages.js').Register[]>} of up to MAX_PAGES pages
 * @throws {import('../../../client/errors.js').ClientError} what requests throw, and a status other than OK as its name
 */
export async function walkPages(requests, { ns, limit, signal }) {
  /** @type {import('../../../protocol/messages.js').Register[]} */
  const found = []
  /** @type {Uint8Array | undefined} */
  let cookie
  for (let page = 0; page < MAX_PAGES; page++) {
    const { message } = await requests.request(encodeDiscover({ ns, limit, cookie }), { signal })
    requireOk(message.discoverResponse, 'a DISCOVER')
    const { registrations = [], cookie: next } = message.discoverResponse ?? {}
    if (registrations.length === 0 || found.length > MAX_REGISTRATIONS) break
    found.push(...registrations)
    // without one the first page would come again
    if (next === undefined || next.length === 0) break
    cookie = next
  }
  return found
}
