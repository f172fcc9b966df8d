/**
 * @typedef {object} WaitingRequest - a request without its reply, a link of the queue
 * @property {(reply: import('./session.js').Reply) => void} resolve
 * @property {(error: import('./errors.js').ClientError) => void} reject
 * @property {WaitingRequest | null} next
 */

/** WaitingRequests is a first-in-first-out queue that allocates nothing beside the requests. */
export class WaitingRequests {
  /** @type {WaitingRequest | null} */
  oldest = null
  /** @type {WaitingRequest | null} */
  newest = null

  /** @param {WaitingRequest} request */
  add(request) {
    if (this.newest == null) this.oldest = request
    else this.newest.next = request
    this.newest = request
  }

  /** take removes the oldest request. @returns {WaitingRequest | null} */
  take() {
    const request = this.oldest
    this.oldest = request?.next ?? null
    if (this.oldest == null) this.newest = null
    return request
  }

  /** has looks through the whole queue. @param {WaitingRequest | null} request */
  has(request) {
    let at = this.oldest
    while (at != null && at !== request) at = at.next
    return at != null
  }
}
