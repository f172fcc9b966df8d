import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Channel, ChannelClosedError } from './channel.js'

const ENTRY = fileURLToPath(new URL('./entry.js', import.meta.url))
const READY_TIMEOUT_MS = 30_000
const GRACE_MS = 3000

/** WorkerDiedError is thrown when a worker process ended by itself. */
export class WorkerDiedError extends Error {
  name = 'WorkerDiedError'
  code = 'WORKER_DIED'
}

/**
 * startWorkerProcess starts one worker process of ours.
 *
 * @param {object} options
 * @param {string} options.name - for messages
 * @param {import('./load-worker.js').WorkerSetup} options.setup
 * @param {(interval: import('../measure/meter.js').Interval) => void} options.onInterval
 * @param {(connected: number) => void} options.onConnected
 * @param {(error: WorkerDiedError) => void} options.onDied - it ended without being asked
 * @returns {Promise<WorkerProcess>} when it is ready for calls
 */
export async function startWorkerProcess({ name, setup, onInterval, onConnected, onDied }) {
  const child = fork(ENTRY, {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // a group of its own: Ctrl-C in a terminal is for the parent, which decides how the run ends
    detached: true
  })
  let asked = false
  const exited = once(child, 'exit').then(([code, signal]) => {
    const error = new WorkerDiedError(
      `${name} (pid ${child.pid}) ended with ${signal ?? `exit code ${code}`}`
    )
    if (!asked) onDied(error)
    return error
  })
  const ready = Promise.withResolvers()
  const channel = new Channel(child, {
    ready: ready.resolve,
    interval: inOrder(onInterval),
    connected: onConnected
  })
  const hung = setTimeout(() => child.kill('SIGKILL'), READY_TIMEOUT_MS)
  const died = await Promise.race([ready.promise, exited])
  clearTimeout(hung)
  if (died != null) throw died
  await channel.call('setup', setup)
  return {
    pid: /** @type {number} */ (child.pid),
    call: (method, ...args) =>
      channel.call(method, ...args).catch(async error => {
        // the channel closes a moment before the process is known to have ended
        throw error instanceof ChannelClosedError ? await exited : error
      }),
    stop: async () => {
      asked = true
      const hard = setTimeout(() => child.kill('SIGKILL'), GRACE_MS)
      await channel.call('close').catch(() => {})
      if (child.connected) child.disconnect()
      await exited
      clearTimeout(hard)
    }
  }
}

/**
 * @param {(interval: import('../measure/meter.js').Interval) => void} onInterval
 * @returns {(interval: import('../measure/meter.js').Interval) => void}
 */
function inOrder(onInterval) {
  let expected = 0
  return interval => {
    if (interval.seq !== expected) throw new Error(`interval ${interval.seq} came where ${expected} was due`)
    expected++
    onInterval(interval)
  }
}

/**
 * @typedef {object} WorkerProcess
 * @property {number} pid
 * @property {(method: 'connect' | 'begin' | 'prepare' | 'run' | 'stop' | 'abort' | 'restore' | 'finish', ...args: any[]) => Promise<any>} call
 * @property {() => Promise<void>} stop - ends it, hard after a grace period
 */
