// The errors of a rendezvous client and their codes, and the outcome that a failed operation counts as.
import { escapeInvisibleInLine } from '../kit/safe-text.js'
import { nameStatus, PROTOCOL } from '../protocol/rendezvous.js'

/**
 * ClientErrorCode names every way in which an exchange with a rendezvous server can fail on the client's side. A reply with a status other
 * than OK is a RendezvousError, whose code is the name of the status.
 */
export const ClientErrorCode = {
  /** an argument of the call is not valid; nothing was sent */
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
  /** a reply without a request, of another kind than its request, or with forged content */
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
  /** the peer at the address has another id than the address names */
  WRONG_PEER: 'WRONG_PEER',
  /** the peer accepted the connection and dropped it before it was set up, as libp2p servers do above their limits */
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
 * makeAbortError turns an aborted signal into a ClientError.
 *
 * @param {AbortSignal} signal - aborted
 * @param {string} what - the aborted action, for the message
 * @returns {ClientError} code TIMEOUT when the signal came from a timeout, else ABORTED
 */
export function makeAbortError(signal, what) {
  const cause = signal.reason
  if (cause instanceof ClientError) return cause
  const timedOut = cause?.name === 'TimeoutError'
  const [code, happened] = timedOut
    ? [ClientErrorCode.TIMEOUT, 'timed out']
    : [ClientErrorCode.ABORTED, 'was aborted']
  return new ClientError(code, `${what} ${happened}`, { cause })
}

/** Characters of a server's text that are shown. */
const MAX_TEXT = 200

/** @param {string} text - of a server */
function shortenText(text) {
  const shown = escapeInvisibleInLine(text.slice(0, MAX_TEXT))
  return text.length > MAX_TEXT ? `${shown}… (${text.length} characters)` : shown
}

/** RendezvousError is thrown for a reply with a status other than OK; `code` is the name of the status. */
export class RendezvousError extends ClientError {
  name = 'RendezvousError'

  /**
   * @param {string} operation - for the message
   * @param {{ status: number, statusText?: string }} reply
   */
  constructor(operation, { status, statusText = '' }) {
    const code = nameStatus(status)
    const text = statusText && `: ${shortenText(statusText)}`
    super(code, `${operation} was answered with ${code} (${status})${text}`)
    this.status = status
    this.statusText = statusText
  }
}

/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('@libp2p/interface').Stream} Stream
 */

/**
 * makeBrokenStreamError makes the error for a stream that is not open any more: RESET or LOST.
 *
 * @param {Stream} stream
 * @param {unknown} [cause]
 */
export function makeBrokenStreamError({ status }, cause) {
  if (status === 'reset')
    return new ClientError(ClientErrorCode.RESET, 'the peer reset the stream', { cause })
  return new ClientError(ClientErrorCode.LOST, 'the connection was lost', { cause })
}

/** @type {Record<string, [code: string, message: string]>} */
const openErrors = {
  UnsupportedProtocolError: [ClientErrorCode.UNSUPPORTED, `the peer does not support ${PROTOCOL}`],
  StreamResetError: [ClientErrorCode.RESET, 'the peer reset the stream while it was opened'],
  UnexpectedEOFError: [ClientErrorCode.ENDED, 'the peer closed the stream while it was opened']
}

/**
 * makeOpenError makes the error for a stream that could not be opened.
 *
 * @param {any} cause - error of libp2p
 * @param {Connection} connection
 * @param {AbortSignal} [signal]
 * @returns {ClientError}
 */
export function makeOpenError(cause, connection, signal) {
  if (cause instanceof ClientError) return cause
  if (signal?.aborted) return makeAbortError(signal, 'opening a stream')
  const [code, message] =
    connection.status === 'open'
      ? (openErrors[cause?.name] ?? [ClientErrorCode.STREAM_FAILED, 'a stream could not be opened'])
      : [ClientErrorCode.LOST, 'the connection was lost while a stream was opened']
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
 * readOutcome gives the outcome of an operation that failed. Errors of the connection count as `LOST`.
 *
 * @param {unknown} error
 * @returns {import('../report/schema.js').Outcome}
 */
export function readOutcome(error) {
  const code = /** @type {{ code?: string }} */ (error)?.code
  return (code != null && OUTCOME_OF_CODE[code]) || 'LOST'
}
