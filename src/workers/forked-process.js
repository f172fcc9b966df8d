import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Channel, ChannelClosedError } from './channel.js'

const READY_TIMEOUT_MS = 30_000
const GRACE_MS = 3000

/** WorkerDiedError is thrown when a worker process ended by itself. */
export class WorkerDiedError extends Error {
  name = 'WorkerDiedError'
  code = 'WORKER_DIED'
}

/** Flags of Node that give it a program, the next word, in place of a file. */
const PROGRAM = new Set(['-e', '--eval', '-p', '-pe', '--print'])

/**
 * Flags of this process for one of its own. A program in them would be run again by each process, which would start others in turn.
 *
 * @param {readonly string[]} flags
 */
const nodeFlags = flags =>
  flags.filter(
    (flag, i) => !PROGRAM.has(flag) && !PROGRAM.has(flags[i - 1]) && !/^--(eval|print|input-type)=/.test(flag)
  )

/**
 * @typedef {object} ForkedProcess
 * @property {number} pid
 * @property {(method: string, ...args: any[]) => Promise<any>} call - calls a handler of the process; WorkerDiedError when it ended
 * @property {() => Promise<void>} stop - ends it by its handler `close`, hard after a grace period
 * @property {() => Promise<void>} kill - ends it at once
 */

/**
 * startForkedProcess starts a process of ours that serves calls. Its entry calls `ready`, and has the handlers `setup`, called
 * once, and `close`.
 *
 * @param {object} options
 * @param {URL} options.entry
 * @param {string} options.name - for messages
 * @param {unknown} options.setup
 * @param {import('./channel.js').Handlers} options.handlers - what it may call
 * @param {(error: WorkerDiedError) => void} options.onDied - it ended without being asked
 * @param {number} [options.graceMs] - for its end
 * @param {readonly string[]} [options.execArgv] - flags of Node, beside those of this process
 * @param {AbortSignal} [options.signal] - ends it at once while it starts
 * @returns {Promise<ForkedProcess>} when it is ready for calls
 */
export async function startForkedProcess({
  entry,
  name,
  setup,
  handlers,
  onDied,
  graceMs = GRACE_MS,
  execArgv = [],
  signal
}) {
  const child = fork(fileURLToPath(entry), {
    serialization: 'advanced',
    execArgv: [...nodeFlags(process.execArgv), ...execArgv],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // a group of its own: Ctrl-C in a terminal is for the parent, which decides how the run ends
    detached: true
  })
  let asked = false
  const kill = () => {
    asked = true
    child.kill('SIGKILL')
  }
  const exited = once(child, 'exit').then(([code, signal]) => {
    const error = new WorkerDiedError(
      `${name} (pid ${child.pid}) ended with ${signal ?? `exit code ${code}`}`
    )
    if (!asked) onDied(error)
    return error
  })
  const ready = Promise.withResolvers()
  const channel = new Channel(child, { ...handlers, ready: ready.resolve })
  const hung = setTimeout(() => child.kill('SIGKILL'), READY_TIMEOUT_MS)
  if (signal?.aborted) kill()
  signal?.addEventListener('abort', kill, { once: true })
  const died = await Promise.race([ready.promise, exited])
  clearTimeout(hung)
  signal?.removeEventListener('abort', kill)
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
      const hard = setTimeout(() => child.kill('SIGKILL'), graceMs)
      await channel.call('close').catch(() => {})
      if (child.connected) child.disconnect()
      await exited
      clearTimeout(hard)
    },
    kill: async () => {
      kill()
      await exited
    }
  }
}
