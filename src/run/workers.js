// The worker processes of a run: started together, watched, ended together.

import { execFileSync, fork } from 'node:child_process'
import { once, setMaxListeners } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import { fileURLToPath } from 'node:url'
import pLimit from 'p-limit'
import { statFields } from '../kit/linux.js'
import { noRoomForProcess, watchLimits } from '../measure/resources.js'
import { Channel, ChannelClosedError } from './channel.js'

/** Stopped by a signal, or by a debugger; see proc_pid_stat(5). */
const STOPPED = new Set(['T', 't'])

/**
 * isStopped tells whether a process was stopped (SIGSTOP, Ctrl-Z).
 *
 * @param {number} pid
 * @returns {boolean | null} null: not known, for there is no /proc, or no such process
 */
export function isStopped(pid) {
  try {
    return STOPPED.has(statFields(readFileSync(`/proc/${pid}/stat`, 'latin1'))[0])
  } catch {
    return null
  }
}

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
const nodeFlags = flags =>
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

/**
 * @typedef {import('./fleet.js').HeldProcess} HeldProcess
 * @typedef {(options: import('./fleet.js').StartOptions) => Promise<HeldProcess>} Start
 */

/** ProcessGroup are processes of ours that end together, those that are still being started too. */
export class ProcessGroup {
  #ending = new AbortController()
  #onThisMachine = pLimit(MAX_STARTING)
  /** @type {Promise<HeldProcess>[]} */
  #started = []

  constructor() {
    // each process listens while it starts
    setMaxListeners(0, this.#ending.signal)
  }

  /**
   * start starts one more.
   *
   * @param {Omit<import('./fleet.js').StartOptions, 'signal'>} options
   * @param {Start} [start] - default: on this machine
   * @returns {Promise<HeldProcess>}
   */
  start(options, start) {
    const { signal } = this.#ending
    const started =
      start?.({ ...options, signal }) ??
      this.#onThisMachine(() => {
        signal.throwIfAborted()
        return startForkedProcess({ ...options, signal })
      })
    this.#started.push(started)
    return started
  }

  /** end ends all of them; after a failure at once, for they may hang. @param {{ failed: boolean }} how */
  async end({ failed }) {
    this.#ending.abort()
    await Promise.allSettled(
      this.#started.map(async started => {
        const process = await started
        await (failed ? process.kill() : process.stop())
      })
    )
  }
}

/**
 * allStarted starts processes together. Where one does not start, none stays, and none is waited for that is still starting.
 *
 * @template {{ stop(): Promise<void> }} P
 * @param {(signal: AbortSignal) => readonly Promise<P>[]} start - `signal` ends at once what is starting
 * @param {AbortSignal} [signal] - ends all of them while they start
 * @returns {Promise<P[]>} in the same order
 * @throws what kept the first one of them from starting, once the others have been stopped
 */
export async function allStarted(start, signal) {
  const failing = new AbortController()
  const until = signal === undefined ? failing.signal : AbortSignal.any([signal, failing.signal])
  // each process listens while it starts
  setMaxListeners(0, until)
  /** @type {{ error: unknown } | null} */
  let failed = null
  const settled = await Promise.allSettled(
    start(until).map(starting =>
      starting.catch(error => {
        failed ??= { error }
        failing.abort()
        throw error
      })
    )
  )
  const started = settled.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
  if (failed === null) return started
  await Promise.all(started.map(process => process.stop()))
  throw /** @type {{ error: unknown }} */ (failed).error
}

/**
 * MAX_STARTING is how many processes are started at once on a machine. More that load libp2p only wait for one another, beyond the time
 * that a start may take; and no more sessions than that become nice in time (src/network/namespaces.js).
 */
export const MAX_STARTING = 8

/** isLost says whether a worker was lost with its machine, and the run goes on without it. @param {unknown} error */
const isLost = error => /** @type {{ code?: string } | null} */ (error)?.code === 'AGENT_LOST'

/**
 * fromRemaining waits for what several workers do, but those that were lost with their machine.
 *
 * @template T
 * @param {readonly Promise<T>[]} promises - one of each worker
 * @returns {Promise<T[]>} one at least
 * @throws what one failed with otherwise, at once; what they were lost by, where none is left
 */
export async function fromRemaining(promises) {
  const done = await Promise.all(
    promises.map(promise =>
      promise.then(
        value => ({ value }),
        error => {
          if (isLost(error)) return { error }
          throw error
        }
      )
    )
  )
  const left = done.flatMap(one => ('value' in one ? [one.value] : []))
  if (left.length === 0 && done.length > 0) throw /** @type {{ error: unknown }} */ (done[0]).error
  return left
}

/** Timers of Node count no further. */
const MAX_MS = 2 ** 31 - 1

/**
 * orTooLate waits for what a process was asked: one that is frozen answers nothing.
 *
 * @template T
 * @param {Promise<T>} answer
 * @param {number} ms
 * @param {() => Error} late - why it is waited for no longer
 * @returns {Promise<T>}
 */
export async function orTooLate(answer, ms, late) {
  const { promise, reject } = Promise.withResolvers()
  const timer = setTimeout(() => reject(late()), Math.min(ms, MAX_MS))
  try {
    return await /** @type {Promise<T>} */ (Promise.race([promise, answer]))
  } finally {
    clearTimeout(timer)
  }
}

/** A worker tells every second that it is there. One that is stopped is noticed within ten: when it told last, and when it is looked at, are a second each. */
const SILENT_MS = 8000
/** One on another machine cannot be heard while the bus is away, which is told by itself, as is that its agent is gone. */
const SILENT_ELSEWHERE_MS = 20_000
/** Where nodes have more to do than they can, a turn of their event loop takes many seconds; more on a slow machine. */
const BUSY_MS = 60_000

/** Not later than this, a look is in time. */
const LATE_LOOK_MS = 2 * LOOK_EVERY_MS

/** WorkerHungError is thrown when a worker process is there and tells nothing any more. */
class WorkerHungError extends Error {
  name = 'WorkerHungError'
  code = 'WORKER_HUNG'
}

/** workerNames are what workers are called in messages. @param {number} workers @returns {string[]} */
export const workerNames = workers => Array.from({ length: workers }, (_, worker) => `worker ${worker}`)

/** WorkerWatch notices workers that have died or hang, and keeps when they were last heard of. */
export class WorkerWatch {
  #onTrouble
  #clock
  #pidOf
  #stopped
  /** @type {{ name: string, atNs: number, heardMs: number | null, gone: boolean }[]} */
  #workers
  #lookedMs
  #timer

  /**
   * @param {readonly string[]} names - of the workers, for messages
   * @param {(error: Error) => void} onTrouble
   * @param {object} [components]
   * @param {(worker: number) => number | null | undefined} [components.pidOf] - null: it is on another machine; undefined: not known
   * @param {() => number} [components.clock] - ms, monotonic
   * @param {(pid: number) => boolean | null} [components.stopped] - whether a process is stopped; null: not known
   */
  constructor(
    names,
    onTrouble,
    { pidOf = () => undefined, clock = () => performance.now(), stopped = isStopped } = {}
  ) {
    this.#onTrouble = onTrouble
    this.#clock = clock
    this.#pidOf = pidOf
    this.#stopped = stopped
    this.#workers = names.map(name => ({ name, atNs: 0, heardMs: null, gone: false }))
    this.#lookedMs = clock()
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS)
  }

  /** begin expects to hear of every worker from now on. */
  begin() {
    for (const state of this.#workers) state.heardMs ??= this.#clock()
  }

  /** heard notes that a worker told something. @param {number} worker @param {number} [atNs] - of the host's clock, if it has one of its own */
  heard(worker, atNs = 0) {
    Object.assign(this.#workers[worker], { atNs, heardMs: this.#clock() })
  }

  /** died notes that a worker is no longer there. @param {Error} error @param {number} worker */
  died(error, worker) {
    this.#workers[worker].gone = true
    this.#onTrouble(error)
  }

  /** lost notes that a worker is gone with its machine, and the run goes on without it. @param {number} worker */
  lost(worker) {
    this.#workers[worker].gone = true
  }

  /** look notices workers that have been silent for too long. */
  look() {
    const nowMs = this.#clock()
    // as long as this process was itself stopped, it could hear nothing
    const deafMs = Math.max(0, nowMs - this.#lookedMs - LATE_LOOK_MS)
    this.#lookedMs = nowMs
    for (const state of this.#workers) if (state.heardMs !== null) state.heardMs += deafMs
    for (const [worker, state] of this.#workers.entries()) {
      if (state.gone || state.heardMs === null || !this.#hangs(worker, nowMs - state.heardMs)) continue
      state.gone = true
      const seconds = ((nowMs - state.heardMs) / 1000).toFixed(0)
      this.#onTrouble(
        new WorkerHungError(
          `${state.name} has told nothing for ${seconds} s: it is stopped, or its event loop does not turn`
        )
      )
    }
  }

  /** What runs may only be busy. @param {number} worker @param {number} silentMs */
  #hangs(worker, silentMs) {
    const pid = this.#pidOf(worker)
    if (pid === null) return silentMs >= SILENT_ELSEWHERE_MS
    return (
      silentMs >= BUSY_MS || (silentMs >= SILENT_MS && (pid === undefined || this.#stopped(pid) !== false))
    )
  }

  /** gone lists the workers that died or hang, with when they were last heard of. */
  get gone() {
    return this.#workers.flatMap(({ gone, atNs }, worker) => (gone ? [{ worker, atNs }] : []))
  }

  stop() {
    clearInterval(this.#timer)
  }
}

const LOWEST = 19

/**
 * Linux shares cores among sessions first (sched(7), autogroups), and only then within one: of two that want a core each gets half, be the
 * processes of one of them ever so low. One that has a session of its own lowers that.
 *
 * @param {number} pid
 */
function lowerSession(pid) {
  try {
    const [, , , session] = statFields(readFileSync(`/proc/${pid}/stat`, 'latin1'))
    if (Number(session) === pid) writeFileSync(`/proc/${pid}/autogroup`, String(LOWEST))
  } catch {
    // there are no such groups here
  }
}

/**
 * lowestPriority has a process run only when nobody else wants its core: Linux runs it when a core is idle, elsewhere it has the lowest
 * priority there is.
 *
 * @param {number} pid
 * @returns {string} what it has
 */
export function lowestPriority(pid) {
  try {
    os.setPriority(pid, os.constants.priority.PRIORITY_LOW)
  } catch {
    return 'as all'
  }
  if (process.platform !== 'linux') return 'lowest'
  lowerSession(pid)
  try {
    execFileSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(pid)], { stdio: 'ignore' })
    return 'SCHED_IDLE'
  } catch {
    // the program need not be there, nor be allowed
    return 'nice 19'
  }
}
