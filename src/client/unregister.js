import { encodeUnregister } from '../protocol/messages.js'
import { abortedError, ClientErrorCode } from './errors.js'
import { openSession } from './session.js'

/**
 * @typedef {import('./errors.js').ClientError} ClientError
 * @typedef {import('./session.js').Session} Session
 */

/**
 * @typedef {object} AloneOptions
 * @property {AbortSignal} signal
 * @property {number} waitMs - for the server's end of the stream
 */

/**
 * sendUnregister sends UNREGISTER as sendAlone does.
 *
 * @param {import('@libp2p/interface').Connection} connection
 * @param {string} ns
 * @param {AloneOptions} options
 */
export const sendUnregister = (connection, ns, options) =>
  sendAlone(connection, encodeUnregister({ ns }), options)

/**
 * sendAlone sends a message that has no reply, as UNREGISTER, on a stream of its own. That the server ends the stream too,
 * closed or reset, is the nearest thing to a confirmation, and waited for.
 *
 * @param {import('@libp2p/interface').Connection} connection
 * @param {Uint8Array} message - encoded, without length prefix
 * @param {AloneOptions} options
 * @throws {ClientError} LOST, TIMEOUT, ABORTED, and what openSession throws
 */
export async function sendAlone(connection, message, { signal, waitMs }) {
  /** @type {PromiseWithResolvers<ClientError | undefined>} */
  const over = Promise.withResolvers()
  const session = await openSession(connection, { signal, onClosed: over.resolve })
  session.send(message)
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
