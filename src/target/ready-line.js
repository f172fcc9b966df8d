import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { timeLimit } from '../kit/time-limit.js'
import { TargetError } from './target-error.js'

const TIMEOUT_MS = 120_000

/**
 * readyLine waits for the line that our server prints when it is ready.
 *
 * @param {import('node:stream').Readable} stdout
 * @param {object} until
 * @param {Promise<TargetError>} until.exited - the server has ended
 * @param {AbortSignal} until.signal
 * @returns {Promise<{ multiaddr: string, http: string }>}
 * @throws {TargetError} SERVER_NOT_STARTED
 */
export async function readyLine(stdout, { exited, signal }) {
  const late = timeLimit(TIMEOUT_MS)
  const lines = createInterface({ input: stdout })
  const line = once(lines, 'line', { signal: AbortSignal.any([signal, late]) }).catch(() => {
    signal.throwIfAborted()
    throw new TargetError('SERVER_NOT_STARTED', `the server was not ready within ${TIMEOUT_MS / 1000} s`)
  })
  const first = await Promise.race([line, exited])
  if (first instanceof TargetError) throw new TargetError('SERVER_NOT_STARTED', first.message)
  const [, multiaddr, http] = String(first[0]).split(' ')
  return { multiaddr, http }
}
