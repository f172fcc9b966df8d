import { ClientError, ClientErrorCode } from '../../../client/errors.js'
import { discoverReply } from '../../../client/replies.js'
import { encodeDiscover } from '../../../protocol/messages.js'
import { readSignerUnverified } from '../../../protocol/signed-record.js'

/**
 * @typedef {import('../../../protocol/messages.js').Register} Register
 * @typedef {Pick<import('../../../client/stream-per-request.js').StreamPerRequest, 'request'>} Requests
 */

/** As many registrations as the specification recommends to be returned at most. */
const PAGE = 1000

/**
 * findIn reads a namespace page by page until everything wanted was found, or there are no further pages.
 *
 * @param {string} ns
 * @param {Map<string, unknown>} wanted - by peer id, multihash in hexadecimal; those found are taken out
 * @param {{ requests: Requests, signal: AbortSignal }} options
 * @throws {ClientError} where the namespace could not be read to its end
 */
export async function findIn(ns, wanted, { requests, signal }) {
  /** @type {Uint8Array | undefined} */
  let cookie
  let before = ''
  for (;;) {
    const { message } = await requests.request(encodeDiscover({ ns, limit: PAGE, cookie }), { signal })
    const { registrations, cookie: next = new Uint8Array() } = discoverReply(message)
    for (const registration of registrations) wanted.delete(peerOf(registration))
    if (wanted.size === 0 || registrations.length === 0) return
    const first = peerOf(registrations[0])
    if (first === before || (next.length === 0 && registrations.length >= PAGE)) throw endless(ns)
    if (next.length === 0) return
    before = first
    cookie = next
  }
}

/** @param {string} ns */
const endless = ns =>
  new ClientError(
    ClientErrorCode.UNEXPECTED_REPLY,
    `the pages of ${ns} do not go on: the server gives the same again, or no cookie for the next`
  )

/** @param {Register} registration */
function peerOf({ signedPeerRecord = new Uint8Array() }) {
  try {
    return Buffer.from(readSignerUnverified(signedPeerRecord)).toString('hex')
  } catch {
    return ''
  }
}
