import { PROTOCOL } from '../protocol/status.js'
import { abortedError, ClientError, ClientErrorCode } from './errors.js'

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
