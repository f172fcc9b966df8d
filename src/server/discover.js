import { InvalidCookieError } from '../protocol/cookie.js'
import { Status } from '../protocol/status.js'
import { discoverReply } from './replies.js'

/**
 * @typedef {import('../protocol/messages.js').Discover} Discover
 * @typedef {import('./requests.js').RequestContext} RequestContext
 * @typedef {import('./replies.js').Reply} Reply
 */

/**
 * discover serves a DISCOVER: a page in registration order with the cookie for what follows, also when nothing follows
 * yet. Without namespace it goes over all of them. A limit that is absent, 0 or above the server's is the server's. The
 * ttl of a registration is the time it has left, so that the peers that asked know when it becomes stale.
 *
 * @param {Discover} request
 * @param {Uint8Array} peerId - of who asks
 * @param {RequestContext} context
 * @returns {Promise<Reply>}
 */
export async function discover({ ns: name = '', limit = 0, cookie }, peerId, { store, cookies, limits }) {
  const { maxNamespaceBytes, maxDiscoverLimit, maxReplyBytes } = limits
  const ns = name === '' ? undefined : name
  if (!name.isWellFormed()) return refuse(Status.E_INVALID_NAMESPACE, 'namespace must be UTF-8')
  if (Buffer.byteLength(name) > maxNamespaceBytes) {
    return refuse(Status.E_INVALID_NAMESPACE, `namespace must have at most ${maxNamespaceBytes} bytes`)
  }
  /** @type {import('./store/registration-store.js').Cursor} */
  let after = 0
  try {
    if (cookie !== undefined && cookie.length > 0) after = cookies.read(ns, cookie)
  } catch (error) {
    if (error instanceof InvalidCookieError) return refuse(Status.E_INVALID_COOKIE, error.message)
    throw error
  }
  const page = await store.page({
    ns,
    after,
    limit: limit === 0 ? maxDiscoverLimit : Math.min(limit, maxDiscoverLimit),
    maxBytes: maxReplyBytes,
    peerId
  })
  return discoverReply(Status.OK, {
    registrations: page.registrations,
    cookie: cookies.make(ns, page.cursor)
  })
}

/** @param {number} status @param {string} statusText */
const refuse = (status, statusText) => discoverReply(status, { statusText })
