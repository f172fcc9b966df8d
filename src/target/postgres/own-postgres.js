import { fork } from 'node:child_process'
import { on, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { TargetError } from '../target-error.js'
import { findPostgres } from './installed.js'
import { urlAt } from './settings.js'

const KEEPER = fileURLToPath(new URL('./keeper.js', import.meta.url))

/**
 * @typedef {object} OwnPostgres - of a run, gone with it
 * @property {string} url
 * @property {number} pid - of the postmaster, just now
 * @property {string} folder - its own, data and socket
 * @property {number} checkpointFsyncs - files that its checkpoints have flushed so far
 * @property {() => void} kill - at once
 * @property {() => Promise<void>} restart - after kill
 * @property {() => Promise<void>} stop - resolves when nothing is left of it
 */

/**
 * startOwnPostgres starts a PostgreSQL from the machine's installation, with data of its own. It ends with who started it, however that ends.
 *
 * @param {ReturnType<typeof findPostgres>} [found]
 * @returns {Promise<OwnPostgres>}
 * @throws {TargetError} STORE_NOT_STARTED
 */
export async function startOwnPostgres(found = findPostgres()) {
  if (typeof found === 'string') throw notStarted(found)
  const keeper = fork(KEEPER, [JSON.stringify(found)], {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc']
  })
  const exited = once(keeper, 'exit')
  let checkpointFsyncs = 0
  keeper.on('message', message => {
    checkpointFsyncs = /** @type {{ synced?: number }} */ (message).synced ?? checkpointFsyncs
  })
  const stop = async () => {
    if (keeper.connected) keeper.disconnect()
    await exited
  }
  let { folder, pid } = await told(keeper).catch(async error => {
    await stop()
    throw error
  })
  return {
    url: urlAt(folder),
    folder,
    get pid() {
      return pid
    },
    get checkpointFsyncs() {
      return checkpointFsyncs
    },
    kill: () => void process.kill(pid, 'SIGKILL'),
    async restart() {
      keeper.send('restart')
      ;({ folder, pid } = await told(keeper))
    },
    stop
  }
}

/** @param {import('node:child_process').ChildProcess} keeper @returns {Promise<{ folder: string, pid: number }>} */
async function told(keeper) {
  const waiting = new AbortController()
  const { signal } = waiting
  const message = await Promise.race([
    answerOf(keeper, signal),
    once(keeper, 'exit', { signal }).then(() => ({ failed: 'who should keep it ended' }))
  ]).finally(() => waiting.abort())
  if (message.failed !== undefined) throw notStarted(message.failed)
  return message
}

/** What is told of checkpoints is no answer. @param {import('node:child_process').ChildProcess} keeper @param {AbortSignal} signal */
async function answerOf(keeper, signal) {
  for await (const [message] of on(keeper, 'message', { signal })) if (!('synced' in message)) return message
}

/** @param {string} why */
const notStarted = why => new TargetError('STORE_NOT_STARTED', `--store postgres: ${why}`)
