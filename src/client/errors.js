import { visibleLine } from '../kit/visible.js'
import { statusName } from '../protocol/status.js'

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
