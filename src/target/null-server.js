// Starts the null server, which answers without work: what is then measured is the overhead of everything else.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { NODE_FLAGS } from '../server/server-process.js'
import { TargetError } from './target.js'

const ENTRY = fileURLToPath(new URL('./processes/null-server-entry.js', import.meta.url))

/**
 * @typedef {object} NullServer
 * @property {string} address - multiaddr, with its peer id
 * @property {number} pid
 * @property {() => Promise<void>} stop
 */

/**
 * startNullServer starts a rendezvous server that does nothing: in a process of its own, it answers every REGISTER and every DISCOVER
 * with the same bytes. It reads only the end and the type of a request, and stores nothing. A client measures with it the times of
 * client, libp2p on both sides and machine, without those of a real server.
 *
 * @param {{ signal?: AbortSignal }} [options] - `signal` ends it while it starts
 * @returns {Promise<NullServer>} when it is ready
 * @throws {TargetError} SERVER_NOT_STARTED
 */
export async function startNullServer({ signal } = {}) {
  signal?.throwIfAborted()
  const child = fork(ENTRY, {
    execArgv: [...NODE_FLAGS],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // a group of its own: Ctrl-C in a terminal is for the parent, which decides how the run ends
    detached: true
  })
  const exited = once(child, 'exit')
  const end = () => void child.kill('SIGKILL')
  signal?.addEventListener('abort', end, { once: true })
  try {
    const failed = exited.then(([code, killedBy]) => {
      const how = killedBy ?? `exit code ${code}`
      throw new TargetError('SERVER_NOT_STARTED', `the null server ended with ${how} while it started`)
    })
    const [address] = await Promise.race([once(child, 'message'), failed])
    return {
      address,
      pid: /** @type {number} */ (child.pid),
      stop: async () => {
        end()
        await exited
      }
    }
  } finally {
    signal?.removeEventListener('abort', end)
  }
}
