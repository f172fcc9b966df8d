import { encodeUnregister } from '../protocol/messages.js'
import { abortedError, ClientErrorCode } from './errors.js'
import { openSession } from './session.js'

/**
 * @typedef {import('./errors.js').ClientError} ClientError
 * @typedef {import('./session.js').Session} Session
 */

/**
 * sendUnregister sends UNREGISTER on a stream of its own. The protocol has no reply to it; that the server ends the
 * stream too, closed or reset, is the nearest thing to a confirmation, and waited for.
 *
 * @param {import('@libp2p/interface').Connection} connection
 * @param {string} ns
 * @param {{ signal: AbortSignal, waitMs: number }} options - `waitMs` for the server's end of the stream
 * @throws {ClientError} LOST, TIMEOUT, ABORTED, and what openSession throws
 */
export async function sendUnregister(connection, ns, { signal, waitMs }) {
  /** @type {PromiseWithResolvers<ClientError | undefined>} */
  const over = Promise.withResolvers()
  const session = await openSession(connection, { signal, onClosed: over.resolve })
  session.send(encodeUnregister({ ns }))
  await session.close({ signal })
  const release = limitWaiting(session, { signal, waitMs })
  const error = await over.promise.finally(release)
  if (error != null && (signal.aborted || error.code === ClientErrorCode.LOST)) throw error
}

/**
 * @param {Session} session
 * @param {{ signal: AbortSignal, waitMs: number }} options
 * @returns {() => void} to be called when the session is over
 */
function limitWaiting(session, { signal, waitMs }) {
  const onAbort = () => session.abort(abortedError(signal, 'UNREGISTER'))
  const timer = setTimeout(() => session.abort('the server keeps the stream open'), waitMs)
  signal.addEventListener('abort', onAbort)
  return () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
