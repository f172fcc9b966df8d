import { decodeMessage } from '../protocol/messages.js'
import { MessageType, Status } from '../protocol/status.js'
import { discover } from './discover.js'
import { register } from './register.js'
import { discoverReply, registerReply, UNREGISTERED } from './replies.js'
import { StoreUnavailableError } from './store/store-error.js'

/**
 * @typedef {import('../protocol/messages.js').Message} Message
 * @typedef {import('./replies.js').Reply} Reply
 *
 * @typedef {Pick<import('./rendezvous-server.js').CallerState, 'peerId' | 'limitedGroup'>} Sender
 *
 * @typedef {object} RequestContext
 * @property {import('./store/registration-store.js').RegistrationStore} store
 * @property {import('./rendezvous-server.js').CheckedRecords} checkedRecords
 * @property {import('../protocol/cookie.js').Cookies} cookies
 * @property {import('./limits.js').Limits} limits
 * @property {(error: unknown, operation: string) => void} onFailure - a request failed for a reason that is ours
 */

/** UnexpectedMessageError is thrown for a message that is no request. */
export class UnexpectedMessageError extends Error {
  name = 'UnexpectedMessageError'
  code = 'ERR_UNEXPECTED_MESSAGE'
}

/**
 * readRequest decodes a request.
 *
 * @param {Uint8Array} bytes
 * @returns {Message}
 * @throws {import('../protocol/messages.js').MalformedMessageError | UnexpectedMessageError}
 */
export function readRequest(bytes) {
  const message = decodeMessage(bytes)
  if (!(message.type in services))
    throw new UnexpectedMessageError(`message type ${message.type} is no request`)
  return message
}

/**
 * serveRequest does what a request asks. What a store does not serve just now is answered with E_UNAVAILABLE, what fails inside with
 * E_INTERNAL_ERROR, without telling why.
 *
 * @param {Message} message - of readRequest
 * @param {Sender} sender
 * @param {RequestContext} context
 * @returns {Promise<Reply>}
 */
export async function serveRequest(message, sender, context) {
  const { serve, failed } = services[message.type]
  try {
    return await serve(message, sender, context)
  } catch (error) {
    if (error instanceof StoreUnavailableError) return failed(Status.E_UNAVAILABLE, error.message)
    const reply = failed(Status.E_INTERNAL_ERROR)
    context.onFailure(error, reply.operation)
    return reply
  }
}

/**
 * @typedef {object} RequestService
 * @property {(message: Message, sender: Sender, context: RequestContext) => Promise<Reply>} serve
 * @property {(status: number, statusText?: string) => Reply} failed
 */

/** @type {Record<number, RequestService>} */
const services = {
  [MessageType.REGISTER]: {
    serve: (message, sender, context) => register(message.register ?? {}, sender, context),
    failed: (status, statusText) => registerReply(status, { statusText })
  },
  [MessageType.DISCOVER]: {
    serve: (message, { peerId }, context) => discover(message.discover ?? {}, peerId, context),
    failed: (status, statusText) => discoverReply(status, { statusText })
  },
  [MessageType.UNREGISTER]: {
    serve: async ({ unregister: { ns = '' } = {} }, { peerId }, { store }) => {
      if (!ns.isWellFormed()) return { ...UNREGISTERED, status: Status.E_INVALID_NAMESPACE }
      // the deprecated `id` is ignored: a peer can only unregister itself
      await store.remove(peerId, ns)
      return UNREGISTERED
    },
    failed: status => ({ ...UNREGISTERED, status })
  }
}
