// Starts the worker processes of a run, notices workers that die or hang, and ends them all.
import { execFileSync, fork } from 'node:child_process'
import { once, setMaxListeners } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import { fileURLToPath } from 'node:url'
import pLimit from 'p-limit'
import { parseStatFields } from '../kit/linux.js'
import { findProcessLimitProblem, watchProcessLimits } from '../measure/resources.js'
import { Channel, ChannelClosedError } from './channel.js'

/**
 * isStopped says whether a process was stopped (SIGSTOP, Ctrl-Z).
 *
 * @param {number} pid
 * @returns {boolean | null} null: not known, for there is no /proc or no such process
 */
export function isStopped(pid) {
  try {
    // by a signal, or by a debugger, see proc_pid_stat(5)
    return ['T', 't'].includes(parseStatFields(readFileSync(`/proc/${pid}/stat`, 'latin1'))[0])
  } catch {
    return null
  }
}

const READY_TIMEOUT_MS = 120_000
/** Time limit for a process that is stopped (SIGSTOP) while it starts. */
const STOPPED_TIMEOUT_MS = 8000
/** Interval of the checks whether the machine has room for a process that has not started yet. */
const LIMIT_CHECK_MS = 8000
const LOOK_EVERY_MS = 1000
const GRACE_MS = 3000

/**
 * GENERATOR_FLAGS are flags of Node for a process that generates load. V8 then collects new objects when they take 16 MB, not 1 MB. Few of
 * them live longer than an operation: so a collection, during which replies wait, is not longer (about 1 ms), but rare.
 *
 * @type {readonly string[]}
 */
export const GENERATOR_FLAGS = Object.freeze(['--min-semi-space-size=16', '--max-semi-space-size=16'])

/** WorkerDiedError is thrown when a worker process ended unexpectedly. */
export class WorkerDiedError extends Error {
  name = 'WorkerDiedError'
  code = 'WORKER_DIED'
}

/** Flags of Node whose next word is a program. */
const PROGRAM_FLAGS = new Set(['-e', '--eval', '-p', '-pe', '--print'])

/**
 * selectNodeFlags selects the flags of this process for a child process. Flags with a program are left out: each child would run it again.
 *
 * @param {readonly string[]} flags
 */
const selectNodeFlags = flags =>
  flags.filter(
    (flag, i) =>
      !PROGRAM_FLAGS.has(flag) &&
      !PROGRAM_FLAGS.has(flags[i - 1]) &&
      !/^--(eval|print|input-type)=/.test(flag)
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
 * startForkedProcess starts a child process that serves calls. Its entry calls `ready`, and has the handlers `setup`, called once, and
 * `close`.
 *
 * @param {object} options
 * @param {URL} options.entry
 * @param {() => Promise<Child>} [options.begin] - starts it on another machine; execArgv, through and env are not used then
 * @param {string} options.name - for messages
 * @param {unknown} options.setup
 * @param {import('./channel.js').Handlers} options.handlers - functions that it may call
 * @param {(error: WorkerDiedError) => void} options.onDied - called when it ended unexpectedly
 * @param {number} [options.readyMs] - it may take to start
 * @param {number} [options.graceMs] - for its end
 * @param {readonly string[]} [options.execArgv] - flags of Node, beside those of this process
 * @param {readonly string[]} [options.through] - a command that replaces itself by the process, with the same pid
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
  const limits = watchProcessLimits()
  let started = false
  const child = begin === undefined ? forkEntry(entry, { execArgv, through, env }) : await begin()
  let killRequested = false
  const kill = () => {
    killRequested = true
    // without a pid, `kill` would end our own process group
    if (child.pid !== undefined) child.kill('SIGKILL')
  }
  const start = watchStart(child, readyMs)
  const exited = once(child, 'exit').then(
    ([code, signal]) => {
      const why =
        start.hung ??
        `ended with ${signal ?? `exit code ${code}`}${killRequested ? '' : limits({ signal, started })}`
      const error = new WorkerDiedError(`${name} (pid ${child.pid}) ${why}`)
      if (!killRequested) onDied(error)
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
    // the channel closes a moment before the exit of the process is known
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
        throw error instanceof ChannelClosedError ? await exited : error
      }),
    stop: async () => {
      killRequested = true
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
 * forkEntry starts a child process.
 *
 * @param {URL} entry
 * @param {{ execArgv?: readonly string[], through?: readonly string[], env?: Readonly<Record<string, string>>, stdout?: 'ignore' | number }} [how] -
 *   `stdout`: a file descriptor of this process for its output
 */
export function forkEntry(entry, { execArgv = [], through = [], env = {}, stdout = 'ignore' } = {}) {
  const [execPath, ...args] = [...through, process.execPath]
  return fork(fileURLToPath(entry), {
    serialization: 'advanced',
    env: { ...process.env, ...env },
    execPath,
    execArgv: [...args, ...selectNodeFlags(process.execArgv), ...execArgv],
    stdio: ['ignore', stdout, 'inherit', 'ipc'],
    // a process group of its own: Ctrl-C in a terminal reaches only the parent, which decides how the run ends
    detached: true
  })
}

/**
 * watchStart kills a process that hangs while it starts.
 *
 * @param {Child} child
 * @param {number} readyMs
 * @returns {{ hung: string | null, over: () => void }} `hung`: why it was ended
 */
function watchStart(child, readyMs) {
  const beganMs = performance.now()
  let stoppedMs = 0
  let nextCheckMs = LIMIT_CHECK_MS
  const look = () => {
    const sinceMs = performance.now() - beganMs
    let limitProblem = null
    if (sinceMs >= nextCheckMs) {
      nextCheckMs += LIMIT_CHECK_MS
      limitProblem = findProcessLimitProblem()
    }
    stoppedMs = isStopped(Number(child.pid)) ? stoppedMs + LOOK_EVERY_MS : 0
    if (stoppedMs >= STOPPED_TIMEOUT_MS)
      watch.hung = `was stopped for ${stoppedMs / 1000} s while it started, and killed`
    else if (sinceMs > readyMs)
      watch.hung = `had not started after ${Math.round(readyMs / 1000)} s, and was killed`
    else if (limitProblem !== null)
      watch.hung = `had not started after ${Math.round(sinceMs / 1000)} s, and was killed: ${limitProblem}`
    else return
    child.kill('SIGKILL')
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  const watch = { hung: /** @type {string | null} */ (null), over: () => clearInterval(timer) }
  return watch
}

/**
 * @typedef {import('./fleet.js').WorkerProcess} WorkerProcess
 * @typedef {(options: import('./fleet.js').StartOptions) => Promise<WorkerProcess>} StartProcess
 */

/** ProcessGroup ends its processes together, including those that are still starting. */
export class ProcessGroup {
  #ending = new AbortController()
  #onThisMachine = pLimit(MAX_STARTING)
  /** @type {Promise<WorkerProcess>[]} */
  #started = []

  constructor() {
    // each process adds a listener while it starts
    setMaxListeners(0, this.#ending.signal)
  }

  /**
   * start starts one more.
   *
   * @param {Omit<import('./fleet.js').StartOptions, 'signal'>} options
   * @param {StartProcess} [start] - default: on this machine
   * @returns {Promise<WorkerProcess>}
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

  /** end ends all processes; after a failure at once, for they may hang. @param {{ failed: boolean }} how */
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
 * startTogether starts processes together. If one of them does not start, all others are ended at once.
 *
 * @template {{ stop(): Promise<void> }} P
 * @param {(signal: AbortSignal) => readonly Promise<P>[]} start - `signal` ends starting processes at once
 * @param {AbortSignal} [signal] - ends all of them while they start
 * @returns {Promise<P[]>} in the same order
 * @throws the error of the first process that did not start, after the others were stopped
 */
export async function startTogether(start, signal) {
  const failing = new AbortController()
  const until = signal === undefined ? failing.signal : AbortSignal.any([signal, failing.signal])
  // each process adds a listener while it starts
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
 * MAX_STARTING is the limit of processes that start at the same time on a machine. More of them would slow one another beyond the time
 * limit of a start, and more sessions would get their priority too late (src/network/namespaces.js).
 */
export const MAX_STARTING = 8

/**
 * waitForRemaining waits for the results of several workers. It leaves out workers that were lost with their machine.
 *
 * @template T
 * @param {readonly Promise<T>[]} promises - one of each worker
 * @returns {Promise<T[]>} at least one
 * @throws any other error, at once; the error of a loss, if all were lost
 */
export async function waitForRemaining(promises) {
  const done = await Promise.all(
    promises.map(promise =>
      promise.then(
        value => ({ value }),
        error => {
          // the machine of the worker was lost, and the run continues without it
          if (error?.code === 'AGENT_LOST') return { error }
          throw error
        }
      )
    )
  )
  const values = done.flatMap(one => ('value' in one ? [one.value] : []))
  if (values.length === 0 && done.length > 0) throw /** @type {{ error: unknown }} */ (done[0]).error
  return values
}

/** The longest timer of Node. */
const MAX_MS = 2 ** 31 - 1

/**
 * waitUntilLate waits for the reply of a process for a limited time, for it may be frozen.
 *
 * @template T
 * @param {Promise<T>} answer
 * @param {number} ms
 * @param {() => Error} late - makes the error at the time limit
 * @returns {Promise<T>}
 */
export async function waitUntilLate(answer, ms, late) {
  const { promise, reject } = Promise.withResolvers()
  const timer = setTimeout(() => reject(late()), Math.min(ms, MAX_MS))
  try {
    return await /** @type {Promise<T>} */ (Promise.race([promise, answer]))
  } finally {
    clearTimeout(timer)
  }
}

/** Workers send a message every second. With the interval of the checks, a stopped worker is noticed within ten seconds. */
const SILENT_MS = 8000
/** The same for a worker on another machine, whose bus may be away for a time. The loss of bus or agent is reported otherwise. */
const SILENT_REMOTE_MS = 20_000
/** In an overloaded worker, one turn of the event loop takes many seconds. */
const BUSY_MS = 60_000

/** A longer interval between two checks means that this process was stopped itself. */
const LATE_LOOK_MS = 2 * LOOK_EVERY_MS

/** WorkerHungError is thrown when a worker process runs, but sends nothing any more. */
class WorkerHungError extends Error {
  name = 'WorkerHungError'
  code = 'WORKER_HUNG'
}

/** makeWorkerNames gives the names of workers in messages. @param {number} workers @returns {string[]} */
export const makeWorkerNames = workers => Array.from({ length: workers }, (_, worker) => `worker ${worker}`)

/** WorkerWatch notices workers that died or hang. It keeps the time of the last message of each. */
export class WorkerWatch {
  #onFailure
  #clock
  #pidOf
  #stopped
  /** @type {{ name: string, atNs: number, heardMs: number | null, isLost: boolean }[]} */
  #workers
  #lookedMs
  #timer

  /**
   * @param {readonly string[]} names - of the workers, for messages
   * @param {(error: Error) => void} onFailure
   * @param {object} [components]
   * @param {(worker: number) => number | null | undefined} [components.pidOf] - null: it is on another machine; undefined: not known
   * @param {() => number} [components.clock] - ms, monotonic
   * @param {(pid: number) => boolean | null} [components.stopped] - whether a process is stopped; null: not known
   */
  constructor(
    names,
    onFailure,
    { pidOf = () => undefined, clock = () => performance.now(), stopped = isStopped } = {}
  ) {
    this.#onFailure = onFailure
    this.#clock = clock
    this.#pidOf = pidOf
    this.#stopped = stopped
    this.#workers = names.map(name => ({ name, atNs: 0, heardMs: null, isLost: false }))
    this.#lookedMs = clock()
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS)
  }

  /** begin expects messages of every worker from now on. */
  begin() {
    for (const state of this.#workers) state.heardMs ??= this.#clock()
  }

  /** heard notes a message of a worker. @param {number} worker @param {number} [atNs] - time of the worker, on the clock of the host */
  heard(worker, atNs = 0) {
    Object.assign(this.#workers[worker], { atNs, heardMs: this.#clock() })
  }

  /** died notes that a worker has ended. @param {Error} error @param {number} worker */
  died(error, worker) {
    this.#workers[worker].isLost = true
    this.#onFailure(error)
  }

  /** lost notes that a worker was lost with its machine, while the run continues. @param {number} worker */
  lost(worker) {
    this.#workers[worker].isLost = true
  }

  /** look notices workers that have been silent for too long. */
  look() {
    const nowMs = this.#clock()
    // while this process was stopped itself, it received nothing
    const deafMs = Math.max(0, nowMs - this.#lookedMs - LATE_LOOK_MS)
    this.#lookedMs = nowMs
    for (const state of this.#workers) if (state.heardMs !== null) state.heardMs += deafMs
    for (const [worker, state] of this.#workers.entries()) {
      if (state.isLost || state.heardMs === null || !this.#hangs(worker, nowMs - state.heardMs)) continue
      state.isLost = true
      const seconds = ((nowMs - state.heardMs) / 1000).toFixed(0)
      this.#onFailure(
        new WorkerHungError(
          `${state.name} has not reported for ${seconds} s: it is stopped, or its event loop is blocked`
        )
      )
    }
  }

  /** A silent worker that is not stopped may only be busy. @param {number} worker @param {number} silentMs */
  #hangs(worker, silentMs) {
    const pid = this.#pidOf(worker)
    if (pid === null) return silentMs >= SILENT_REMOTE_MS
    return (
      silentMs >= BUSY_MS || (silentMs >= SILENT_MS && (pid === undefined || this.#stopped(pid) !== false))
    )
  }

  /** lostWorkers lists the workers that died or hang, with the time of their last message. */
  get lostWorkers() {
    return this.#workers.flatMap(({ isLost, atNs }, worker) => (isLost ? [{ worker, atNs }] : []))
  }

  stop() {
    clearInterval(this.#timer)
  }
}

const LOWEST_NICE = 19

/**
 * setLowestPriority gives a process the lowest priority. On Linux it then runs only on idle cores.
 *
 * Linux shares cores among sessions before it shares them within a session (sched(7), autogroups). So the priority of a process that leads
 * a session of its own is lowered for the session, too.
 *
 * @param {number} pid
 * @returns {string} the priority that it got
 */
export function setLowestPriority(pid) {
  try {
    os.setPriority(pid, os.constants.priority.PRIORITY_LOW)
  } catch {
    return 'as all'
  }
  if (process.platform !== 'linux') return 'lowest'
  try {
    const [, , , session] = parseStatFields(readFileSync(`/proc/${pid}/stat`, 'latin1'))
    if (Number(session) === pid) writeFileSync(`/proc/${pid}/autogroup`, String(LOWEST_NICE))
  } catch {} // this kernel has no autogroups
  try {
    execFileSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(pid)], { stdio: 'ignore' })
    return 'SCHED_IDLE'
  } catch {
    // chrt may be missing or forbidden
    return 'nice 19'
  }
}
