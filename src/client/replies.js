import { LATE_TEXT, Status } from '../protocol/status.js'
import { ClientError, ClientErrorCode, RendezvousError } from './errors.js'

/**
 * @typedef {import('../protocol/messages.js').Message} Message
 * @typedef {import('../protocol/messages.js').RegisterResponse} RegisterResponse
 * @typedef {import('../protocol/messages.js').DiscoverResponse} DiscoverResponse
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
