// What can go wrong in an exchange with a server, as the client sees it.
import { visibleLine } from '../kit/safe-text.js'
import { PROTOCOL, statusName } from '../protocol/rendezvous.js'

/**
 * ClientErrorCode names every way an exchange with a rendezvous server can fail on the client's side. A reply with a
 * status other than OK is a RendezvousError instead, whose code is the status' name.
 */
export const ClientErrorCode = {
  /** an argument of the call cannot be used; nothing was sent */
  BAD_ARGUMENT: 'BAD_ARGUMENT',
  /** the peer reset the stream; nothing was replied */
  RESET: 'RESET',
  /** the peer closed its end of the stream without the reply */
  ENDED: 'ENDED',
  /** the connection under the stream is gone */
  LOST: 'LOST',
  /** the caller's signal timed out */
  TIMEOUT: 'TIMEOUT',
  /** the caller's signal or abort() ended it */
  ABORTED: 'ABORTED',
  /** in flight on a session that another request's abort ended */
  ABANDONED: 'ABANDONED',
  /** the session was already closed when the request was made; nothing was sent */
  CLOSED: 'CLOSED',
  /** the reply is no rendezvous message, or too long */
  MALFORMED: 'MALFORMED',
  /** a reply that nobody asked for, of another kind than the request, or with forged content */
  UNEXPECTED_REPLY: 'UNEXPECTED_REPLY',
  /** pages of registrations beyond the bounds of the call */
  TOO_MUCH: 'TOO_MUCH',
  /** the peer does not speak the rendezvous protocol */
  UNSUPPORTED: 'UNSUPPORTED',
  /** a stream could not be opened for another reason; see `cause` */
  STREAM_FAILED: 'STREAM_FAILED',
  /** no local port is free for a new connection */
  LOCAL_PORTS_EXHAUSTED: 'LOCAL_PORTS_EXHAUSTED',
  /** the local address to connect from is none of this host */
  LOCAL_ADDRESS_UNAVAILABLE: 'LOCAL_ADDRESS_UNAVAILABLE',
  /** nothing listens at the address */
  REFUSED: 'REFUSED',
  /** another peer answers at the address than the one it names */
  WRONG_PEER: 'WRONG_PEER',
  /** the peer took the connection and dropped it before it was set up, as libp2p servers do above their limits */
  CONNECTION_DROPPED: 'CONNECTION_DROPPED',
  /** any other failure to connect; see `cause` */
  CONNECT_FAILED: 'CONNECT_FAILED'
}

/** ClientError is thrown by everything in src/client that talks to a server; `code` is one of ClientErrorCode. */
export class ClientError extends Error {
  name = 'ClientError'

  /**
   * @param {string} code
   * @param {string} message
   * @param {{ cause?: unknown }} [options]
   */
  constructor(code, message, options) {
    super(message, options)
    this.code = code
  }
}

/**
 * abortedError turns an aborted signal into a ClientError.
 *
 * @param {AbortSignal} signal - aborted
 * @param {string} what - what was going on, for the message
 * @returns {ClientError} code TIMEOUT when the signal came from a timeout, else ABORTED
 */
export function abortedError(signal, what) {
  const cause = signal.reason
  if (cause instanceof ClientError) return cause
  const timedOut = cause?.name === 'TimeoutError'
  const [code, happened] = timedOut
    ? [ClientErrorCode.TIMEOUT, 'timed out']
    : [ClientErrorCode.ABORTED, 'was aborted']
  return new ClientError(code, `${what} ${happened}`, { cause })
}

/** More of what a server says helps nobody. */
const MOST_TEXT = 200

/** What a server says, fit to be shown. @param {string} text */
function printable(text) {
  const shown = visibleLine(text.slice(0, MOST_TEXT))
  return text.length > MOST_TEXT ? `${shown}… (${text.length} characters)` : shown
}

/** RendezvousError is thrown for a reply with a status other than OK; `code` is the status' name. */
export class RendezvousError extends ClientError {
  name = 'RendezvousError'

  /**
   * @param {string} operation - what was answered, for the message
   * @param {{ status: number, statusText?: string }} reply
   */
  constructor(operation, { status, statusText = '' }) {
    const code = statusName(status)
    super(
      code,
      `${operation} was answered with ${code} (${status})${statusText && `: ${printable(statusText)}`}`
    )
    this.status = status
    this.statusText = statusText
  }
}

/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('@libp2p/interface').Stream} Stream
 */

/**
 * brokenError says why a stream cannot be used any more: RESET or LOST.
 *
 * @param {Stream} stream
 * @param {unknown} [cause]
 */
export function brokenError({ status }, cause) {
  if (status === 'reset')
    return new ClientError(ClientErrorCode.RESET, 'the peer reset the stream', { cause })
  return new ClientError(ClientErrorCode.LOST, 'the connection was lost', { cause })
}

/**
 * requireAlive throws for a stream that the peer ended while libp2p was still opening it, when nobody could listen yet.
 *
 * @param {Stream} stream
 * @throws {ClientError} RESET, LOST or ENDED
 */
export function requireAlive(stream) {
  if (stream.status !== 'open') throw brokenError(stream)
  if (stream.readableEnded) {
    stream.abort(new Error('the peer closed the stream'))
    throw new ClientError(ClientErrorCode.ENDED, 'the peer closed the stream at once')
  }
}

/**
 * endedError is for a stream that the peer closed while a reply was due.
 *
 * @param {{ midReply: boolean }} state - `midReply` when a part of it had come
 */
export function endedError({ midReply }) {
  const where = midReply ? 'in the middle of a reply' : 'without a reply'
  return new ClientError(ClientErrorCode.ENDED, `the peer closed the stream ${where}`)
}

/** @type {Record<string, [code: string, message: string]>} */
const openErrors = {
  UnsupportedProtocolError: [ClientErrorCode.UNSUPPORTED, `the peer does not speak ${PROTOCOL}`],
  StreamResetError: [ClientErrorCode.RESET, 'the peer reset the stream while it was opened'],
  UnexpectedEOFError: [ClientErrorCode.ENDED, 'the peer closed the stream while it was opened']
}

/**
 * openError says in one code why a stream could not be opened.
 *
 * @param {any} cause - what libp2p threw
 * @param {Connection} connection
 * @param {AbortSignal} [signal]
 * @returns {ClientError}
 */
export function openError(cause, connection, signal) {
  if (cause instanceof ClientError) return cause
  if (signal?.aborted) return abortedError(signal, 'opening a stream')
  const known = openErrors[cause?.name]
  if (connection.status !== 'open') {
    return new ClientError(ClientErrorCode.LOST, 'the connection was lost while a stream was opened', {
      cause
    })
  }
  const [code, message] = known ?? [ClientErrorCode.STREAM_FAILED, 'a stream could not be opened']
  return new ClientError(code, message, { cause })
}

/** @type {Record<string, string>} */
const OUTCOME_OF_CODE = {
  [ClientErrorCode.TIMEOUT]: 'TIMEOUT',
  [ClientErrorCode.RESET]: 'RESET',
  [ClientErrorCode.ENDED]: 'RESET',
  [ClientErrorCode.MALFORMED]: 'BAD_REPLY',
  [ClientErrorCode.UNEXPECTED_REPLY]: 'BAD_REPLY',
  [ClientErrorCode.TOO_MUCH]: 'BAD_REPLY',
  [ClientErrorCode.ABANDONED]: 'ABANDONED',
  [ClientErrorCode.REFUSED]: 'REFUSED',
  [ClientErrorCode.LOCAL_PORTS_EXHAUSTED]: 'LOCAL_PORTS_EXHAUSTED',
  [ClientErrorCode.ABORTED]: 'INTERRUPTED'
}

/**
 * outcomeOf names what became of an operation that failed. Whatever left it without a connection is `LOST`.
 *
 * @param {unknown} error
 * @returns {import('../report/schema.js').Outcome}
 */
export function outcomeOf(error) {
  const code = /** @type {{ code?: string }} */ (error)?.code
  return (code != null && OUTCOME_OF_CODE[code]) || 'LOST'
}
