// The interface of a server under test. Also defines its errors, the client of its control port, and readers of process
// CPU and memory.

import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import pidusage from 'pidusage'
import { computeSum, omitMissing } from '../kit/collections.js'
import { makeTimeLimit } from '../kit/time.js'
import { readCoreTime } from '../measure/resources.js'

/**
 * @typedef {import('../report/schema.js').Shape<typeof import('../report/schema.js').container>} Container - that the server under test runs in
 *
 * @typedef {object} Target - the server under test
 * @property {'process' | 'docker' | 'address'} kind
 * @property {string} multiaddr - with its peer id
 * @property {number | null} pid - of its present main process on this machine; null: not known
 * @property {Container | null} container
 * @property {Record<string, string>} versions - of its environment, if that differs from the load generator's
 * @property {Record<string, unknown>} settings - changed from the server's defaults
 * @property {import('../libp2p/node-settings.js').LibrarySettings} nodeSettings - settings of the node of our own server that differ from
 *   libp2p's defaults, as it reported when it was ready
 * @property {ServerControl | null} control - of our own server
 * @property {(() => Promise<import('../measure/series.js').ResourceReading>) | null} reading - null: cannot be sampled
 * @property {string | null} memoryCountedAs - kind of memory in a reading; figures of different kinds cannot be compared
 * @property {FaultHandles | null} faults - of our own server
 * @property {readonly import('../measure/process-profile.js').ProcessProfile[]} [profiles] - of its processes; none: they cannot be profiled
 * @property {readonly Member[]} [members] - each of several servers, with their store
 * @property {() => Promise<import('./run-store.js').DatabaseWork | null>} [databaseWork] - work of a database of
 *   the run so far
 * @property {{ whose: string, left: readonly string[], watch: import('./run-store.js').DatabaseMonitor }} [database] - of
 *   its store; `whose`: in words; `left`: SQL that drops schemas of runs that have ended
 * @property {() => Promise<void>} stop
 *
 * @typedef {Pick<Target, 'control' | 'reading' | 'faults'> & { name: string, multiaddr: string | null }} Member - a server, or the database;
 *   `control` is null while a fault stops it
 *
 * @typedef {object} FaultHandles - faults of our server under load
 * @property {() => Promise<void>} pause - stops its execution
 * @property {() => Promise<void>} resume
 * @property {() => Promise<void>} kill - ends it at once, as a failure of the run
 * @property {() => Promise<void>} down - ends it at once, which is no failure
 * @property {(signal: AbortSignal) => Promise<void>} up - starts it again with the same address and identity
 * @property {((cpus: number | null) => Promise<void>) | null} limitCpus - null: removes the limit; the function is null
 *   if CPU cannot be limited
 */

/**
 * listAddresses gives the multiaddrs of all servers under test.
 *
 * @param {Pick<Target, 'multiaddr' | 'members'>} target
 * @returns {string[]}
 */
export function listAddresses({ multiaddr, members = [] }) {
  const several = members.flatMap(member => member.multiaddr ?? [])
  return several.length > 0 ? several : [multiaddr]
}

/**
 * listServers gives each server under test, with its control port if it is ours.
 *
 * @param {Pick<Target, 'control' | 'members'>} target
 * @returns {readonly { name?: string, control: Target['control'] }[]}
 */
export const listServers = ({ control, members = [] }) => (members.length > 0 ? members : [{ control }])

/** listControls gives the control ports of servers of ours. @param {Pick<Target, 'control' | 'members'>} target */
export const listControls = target => omitMissing(listServers(target).map(({ control }) => control))

/**
 * TargetError reports a failure of the server under test; `code` is one of SERVER_NOT_STARTED, SERVER_DIED, SERVER_HUNG,
 * SERVER_GONE, CONTROL_FAILED, STORE_NOT_STARTED, STORE_AWAY, LEFT_BEHIND.
 */
export class TargetError extends Error {
  name = 'TargetError'

  /**
   * @param {string} code
   * @param {string} message
   * @param {{ cause?: unknown }} [options]
   */
  constructor(code, message, options) {
    super(message, options)
    this.code = code
  }
}

/**
 * @typedef {object} ServerState
 * @property {number} registrations
 * @property {number} namespaces
 * @property {import('../server/store/registration.js').StoreHealth} [store] - of one that is no memory
 */

/** A server that neither reads bytes nor answers for this long has hung. */
const HUNG_MS = 30_000

/** Chunks of registrations in one request: the server bounds a request to some minutes, and a database adds some thousands a second. */
const CHUNKS_EACH = 256

/** A connection breaks a little before the exit of the server is reported. */
const EXIT_WITHIN_MS = 1000

/** ServerControl talks to the control port of our own server. */
export class ServerControl {
  #base
  #exited
  #hungMs

  /**
   * @param {string} base - URL without path
   * @param {() => Promise<TargetError>} exited - resolves to the reason when the present server has ended
   * @param {{ hungMs?: number }} [options]
   */
  constructor(base, exited, { hungMs = HUNG_MS } = {}) {
    this.#base = base
    this.#exited = exited
    this.#hungMs = hungMs
  }

  /** url of the port, without path. */
  get url() {
    return this.#base
  }

  /**
   * preload adds registrations in bulk.
   *
   * @param {Iterable<Uint8Array>} bodies - length-prefixed Register bodies, in chunks that end at the border of one
   * @param {AbortSignal} signal
   * @returns {Promise<number>} how many were added
   */
  async preload(bodies, signal) {
    let added = 0
    for (const some of splitIntoPortions(bodies, CHUNKS_EACH)) {
      const watchdog = this.#watchdog()
      const body = Readable.toWeb(Readable.from(reportProgress(some, watchdog)))
      // undici streams a body only in half-duplex mode; the DOM's types do not know the option
      const init = /** @type {RequestInit} */ (
        /** @type {unknown} */ ({ method: 'POST', body, duplex: 'half', signal })
      )
      added += (await this.#fetch('/control/registrations', init, watchdog)).added
    }
    return added
  }

  /** @param {AbortSignal} [signal] @returns {Promise<ServerState>} */
  state(signal) {
    return this.#fetch('/control/state', { signal })
  }

  /** settings are those of its node that differ from libp2p's defaults. @returns {Promise<import('../libp2p/node-settings.js').LibrarySettings>} */
  settings() {
    return this.#fetch('/control/settings')
  }

  /**
   * durations are the server's own, in µs, since the last reset, by operation type.
   *
   * @param {AbortSignal} [signal]
   * @returns {Promise<Record<string, import('../measure/histogram.js').HistogramCounts>>}
   */
  durations(signal) {
    return this.#fetch('/control/durations', { signal })
  }

  resetDurations() {
    return this.#fetch('/control/durations', { method: 'DELETE' })
  }

  /** takeUsage gives the resources used since the last call; the first call starts the measurement. @returns {Promise<import('../server/resource-monitor.js').ResourceUsage>} */
  takeUsage() {
    return this.#fetch('/control/watch', { method: 'POST' })
  }

  /** inUse gives the memory in use after a garbage collection, which takes about a second. @returns {Promise<{ heapBytes: number, externalBytes: number }>} */
  inUse() {
    return this.#fetch('/control/collect', { method: 'POST' })
  }

  /** @param {string} path @param {RequestInit} [init] @param {Watchdog} [watchdog] @returns {Promise<any>} */
  async #fetch(path, init = {}, watchdog = this.#watchdog()) {
    const signal = AbortSignal.any([watchdog.signal, ...(init.signal ? [init.signal] : [])])
    try {
      const response = await fetch(this.#base + path, { ...init, signal })
      const text = await response.text()
      if (!response.ok) throw makeControlError(path, `${response.status} ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof TargetError) throw error
      const exited = Promise.race([this.#exited(), sleep(EXIT_WITHIN_MS, undefined, { ref: false })])
      throw (await exited) ?? makeControlError(path, /** @type {Error} */ (error).message)
    } finally {
      watchdog.over()
    }
  }

  /** @returns {Watchdog} */
  #watchdog() {
    const controller = new AbortController()
    const text = `the server's control port has not answered for ${this.#hungMs / 1000} s`
    const timer = setTimeout(() => controller.abort(new TargetError('SERVER_HUNG', text)), this.#hungMs)
    return { signal: controller.signal, moved: () => void timer.refresh(), over: () => clearTimeout(timer) }
  }
}

/**
 * Splits items lazily: each portion has to be consumed whole before the next.
 *
 * @template T
 * @param {Iterable<T>} items
 * @param {number} max
 * @returns {Generator<Iterable<T>>}
 */
function* splitIntoPortions(items, max) {
  const rest = items[Symbol.iterator]()
  let next = rest.next()
  function* portion() {
    for (let count = 1; !next.done; count++) {
      yield next.value
      next = rest.next()
      if (count === max) return
    }
  }
  while (!next.done) yield portion()
}

/** @typedef {{ signal: AbortSignal, moved: () => void, over: () => void }} Watchdog - aborts unless `moved` is called */

/**
 * Ends when the request has ended, because a body may still be read then.
 *
 * @template T
 * @param {Iterable<T>} items
 * @param {Watchdog} watchdog
 */
function* reportProgress(items, { moved, signal }) {
  for (const item of items) {
    if (signal.aborted) return
    moved()
    yield item
  }
}

/** @param {string} path @param {string} why */
const makeControlError = (path, why) =>
  new TargetError('CONTROL_FAILED', `the server's control port did not serve ${path}: ${why}`)

const TIMEOUT_MS = 120_000

/**
 * readReadyLine waits for the line that our server prints when it is ready.
 *
 * @param {import('node:stream').Readable} stdout
 * @param {object} until
 * @param {Promise<TargetError>} until.exited - the server has ended
 * @param {AbortSignal} until.signal
 * @returns {Promise<{ multiaddr: string, http: string }>}
 * @throws {TargetError} SERVER_NOT_STARTED
 */
export async function readReadyLine(stdout, { exited, signal }) {
  const late = makeTimeLimit(TIMEOUT_MS)
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

const MAX_LINES = 20

/**
 * collectLastLines keeps the end of a log.
 *
 * @param {import('node:stream').Readable} stream
 * @returns {{ words: () => string }} `words`: for the end of a sentence
 */
export function collectLastLines(stream) {
  /** @type {string[]} */
  const lines = []
  createInterface({ input: stream }).on('line', line => {
    lines.push(line)
    if (lines.length > MAX_LINES) lines.shift()
  })
  return { words: () => (lines.length > 0 ? `; its last words:\n${lines.join('\n')}` : '') }
}

/** RESIDENT_SET is how the memory of a process is counted. */
export const RESIDENT_SET = 'resident set'

/**
 * readProcess reads the CPU time and resident memory of a process.
 *
 * @param {number} pid
 * @returns {Promise<import('../measure/series.js').ResourceReading>}
 */
export async function readProcess(pid) {
  const { ctime, memory } = await pidusage(pid)
  return { atMs: performance.now(), cpuMs: Math.max(ctime, readThreadsCpuMs(pid)), rssBytes: memory }
}

/**
 * Linux counts the CPU time of a process in steps of 10 ms, too coarse for a sample of 50 ms, but that of a thread in ns. Only the former
 * includes threads that have ended.
 *
 * @param {number} pid
 * @returns {number} of the present threads; 0: this system does not measure it
 */
function readThreadsCpuMs(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return computeSum(threads, thread => readCoreTime(Number(thread))?.onCore ?? 0) / 1e6
  } catch {
    return 0
  }
}
