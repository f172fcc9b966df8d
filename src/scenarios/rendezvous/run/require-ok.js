import { ClientError, ClientErrorCode, RendezvousError } from '../../../client/errors.js'
import { Status } from '../../../protocol/status.js'

/**
 * requireOk throws what a server answered instead of OK.
 *
 * @param {{ status: number, statusText?: string } | undefined} response
 * @param {string} what
 * @throws {ClientError} with the status as its code
 */
export function requireOk(response, what) {
  if (response === undefined)
    throw new ClientError(
      ClientErrorCode.UNEXPECTED_REPLY,
      `${what} was answered with another kind of message`
    )
  if (response.status === Status.OK) return
  const { code, message } = new RendezvousError(what, response)
  const isCapped = CAPPED.has(response.status) && !OF_STORE.test(response.statusText ?? '')
  const hint = isCapped ? CAP_HINT : response.status === Status.E_INVALID_TTL ? TTL_HINT : ''
  throw new ClientError(code, `${message}${hint}`)
}

/** What servers answer above their caps. @type {Set<number>} */
const CAPPED = new Set([Status.E_NOT_AUTHORIZED, Status.E_UNAVAILABLE])
/** Our server says so of what keeps its registrations: no cap. */
const OF_STORE = /^the store (is|has) /
const TTL_HINT = '; give a --ttl that the server allows'
const CAP_HINT = '; where the server caps what one peer may hold, more --nClients hold fewer each'
