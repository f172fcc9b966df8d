import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { noRoomForProcess, watchLimits } from '../measure/limit-reached.js'
import { Channel, ChannelClosedError } from './channel.js'
import { isStopped } from './process-state.js'

const READY_TIMEOUT_MS = 120_000
/** A process that is stopped (SIGSTOP) while it starts is waited for so long. */
const STOPPED_TIMEOUT_MS = 8000
/** So often is asked whether there is room for one that has not started yet. */
const ROOM_EVERY_MS = 8000
const LOOK_EVERY_MS = 1000
const GRACE_MS = 3000

/**
 * GENERATOR_FLAGS are those of Node for a process that generates load: V8 collects new objects once 16 MB of them are there, not from 1 MB on.
 * Few of them live longer than an operation, so that a collection takes as long, some 1 ms in which replies wait, but is rare.
 *
 * @type {readonly string[]}
 */
export const GENERATOR_FLAGS = Object.freeze(['--min-semi-space-size=16', '--max-semi-space-size=16'])

/** WorkerDiedError is thrown when a worker process ended by itself. */
export class WorkerDiedError extends Error {
  name = 'WorkerDiedError'
  code = 'WORKER_DIED'
}

/** Flags of Node that give it a program, the next word, in place of a file. */
const PROGRAM = new Set(['-e', '--eval', '-p', '-pe', '--print'])

/**
 * nodeFlags are flags of this process for one of its own. A program in them would be run again by each process, which would start others
 * in turn.
 *
 * @param {readonly string[]} flags
 */
export const nodeFlags = flags =>
  flags.filter(
    (flag, i) => !PROGRAM.has(flag) && !PROGRAM.has(flags[i - 1]) && !/^--(eval|print|input-type)=/.test(flag)
  )

/**
 * @typedef {Pick<import('node:child_process').ChildProcess, 'pid' | 'disconnect' | 'kill'> & import('./channel.js').Port
 *   & import('node:events').EventEmitter} Child - it emits `message`, `disconnect` and `exit` as a child process does
 *
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
 * @param {() => Promise<Child>} [options.begin] - starts it elsewhere: what else is said of how is not used then
 * @param {string} options.name - for messages
 * @param {unknown} options.setup
 * @param {import('./channel.js').Handlers} options.handlers - what it may call
 * @param {(error: WorkerDiedError) => void} options.onDied - it ended without being asked
 * @param {number} [options.readyMs] - it may take to start
 * @param {number} [options.graceMs] - for its end
 * @param {readonly string[]} [options.execArgv] - flags of Node, beside those of this process
 * @param {readonly string[]} [options.through] - a command that becomes the process it is told to run, in the same pid
 * @param {Readonly<Record<string, string>>} [options.env] - beside that of this process
 * @param {AbortSignal} [options.signal] - ends it at once while it starts
 * @returns {Promise<ForkedProcess>} when it is ready for calls
 */
export async function startForkedProcess({
  entry,
  begin,
  name,
  setup,
  handlers,
  onDied,
  readyMs = READY_TIMEOUT_MS,
  graceMs = GRACE_MS,
  execArgv = [],
  through = [],
  env = {},
  signal
}) {
  const limits = watchLimits()
  let started = false
  const child = begin === undefined ? forked(entry, { execArgv, through, env }) : await begin()
  let asked = false
  const kill = () => {
    asked = true
    // whoever ends one that could not be started ends its own process group
    if (child.pid !== undefined) child.kill('SIGKILL')
  }
  const start = watchStart(child, readyMs)
  const exited = once(child, 'exit').then(
    ([code, signal]) => {
      const why =
        start.hung ?? `ended with ${signal ?? `exit code ${code}`}${asked ? '' : limits({ signal, started })}`
      const error = new WorkerDiedError(`${name} (pid ${child.pid}) ${why}`)
      if (!asked) onDied(error)
      return error
    },
    error => {
      error.message += limits({ started })
      throw error
    }
  )
  const ready = Promise.withResolvers()
  const channel = new Channel(child, { ...handlers, ready: ready.resolve })
  if (signal?.aborted) kill()
  signal?.addEventListener('abort', kill, { once: true })
  const isSetUp = ready.promise.then(() => channel.call('setup', setup)).then(() => null)
  let died
  try {
    // the channel closes a moment before the process is known to have ended
    died = await Promise.race([
      exited,
      isSetUp.catch(error => (error instanceof ChannelClosedError ? exited : error))
    ])
  } finally {
    start.over()
    signal?.removeEventListener('abort', kill)
  }
  if (died !== null) {
    kill()
    throw died
  }
  started = true
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

/**
 * forked starts a process of ours.
 *
 * @param {URL} entry
 * @param {{ execArgv?: readonly string[], through?: readonly string[], env?: Readonly<Record<string, string>>, stdout?: 'ignore' | number }} [how] -
 *   `stdout`: a file of this process that gets what it prints
 */
export function forked(entry, { execArgv = [], through = [], env = {}, stdout = 'ignore' } = {}) {
  const [execPath, ...args] = [...through, process.execPath]
  return fork(fileURLToPath(entry), {
    serialization: 'advanced',
    env: { ...process.env, ...env },
    execPath,
    execArgv: [...args, ...nodeFlags(process.execArgv), ...execArgv],
    stdio: ['ignore', stdout, 'inherit', 'ipc'],
    // a group of its own: Ctrl-C in a terminal is for the parent, which decides how the run ends
    detached: true
  })
}

/**
 * watchStart ends a process that hangs while it starts.
 *
 * @param {Child} child
 * @param {number} readyMs
 * @returns {{ hung: string | null, over: () => void }} `hung`: why it was ended
 */
function watchStart(child, readyMs) {
  const beganMs = performance.now()
  let stoppedMs = 0
  let roomMs = ROOM_EVERY_MS
  /** @returns {string | null} what leaves no room for it */
  const noRoom = () => {
    if (performance.now() - beganMs < roomMs) return null
    roomMs += ROOM_EVERY_MS
    return noRoomForProcess()
  }
  const look = () => {
    const lack = noRoom()
    stoppedMs = isStopped(Number(child.pid)) ? stoppedMs + LOOK_EVERY_MS : 0
    if (stoppedMs >= STOPPED_TIMEOUT_MS)
      watch.hung = `was stopped for ${stoppedMs / 1000} s while it started, and killed`
    else if (performance.now() - beganMs > readyMs)
      watch.hung = `had not started after ${Math.round(readyMs / 1000)} s, and was killed`
    else if (lack !== null)
      watch.hung = `had not started after ${Math.round((performance.now() - beganMs) / 1000)} s, and was killed: ${lack}`
    else return
    child.kill('SIGKILL')
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  const watch = { hung: /** @type {string | null} */ (null), over: () => clearInterval(timer) }
  return watch
}
