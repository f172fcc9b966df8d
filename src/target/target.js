// The server under test as a run sees it: its addresses, its control port, its failures.

import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import pidusage from 'pidusage'
import { present, sumOf } from '../kit/collections.js'
import { timeLimit } from '../kit/time.js'
import { coreTimeOf } from '../measure/resources.js'

/**
 * @typedef {object} Container - that the server under test runs in
 * @property {string} id
 * @property {string} name
 * @property {string} image
 * @property {string} imageId
 * @property {number | null} cpus - that it may use; null: not limited
 * @property {number | null} memoryBytes - that it may use; null: not limited
 *
 * @typedef {object} Target - the server under test
 * @property {'process' | 'docker' | 'address'} kind
 * @property {string} multiaddr - with its peer id
 * @property {number | null} pid - of its main process on this machine, just now; null: not known
 * @property {Container | null} container
 * @property {Record<string, string>} versions - of what it runs on, where that is not what the load generator runs on
 * @property {Record<string, unknown>} settings - changed from the server's defaults
 * @property {import('../libp2p/node-settings.js').Settings} nodeSettings - what the node of our own server has other than what libp2p
 *   takes by itself, as it said when it was ready
 * @property {ServerControl | null} control - of our own server
 * @property {(() => Promise<import('../measure/series.js').Reading>) | null} reading - null: cannot be sampled
 * @property {string | null} memoryCountedAs - what a reading's memory is; figures counted differently cannot be compared
 * @property {FaultHandles | null} faults - of our own server
 * @property {readonly import('../measure/process-profile.js').ProcessProfile[]} [profiles] - of its processes; none: they cannot be sampled
 * @property {readonly Member[]} [members] - of several servers and their store: each
 * @property {() => Promise<import('./postgres/run-store.js').DatabaseWork | null>} [databaseWork] - what a database of the run has
 *   written so far
 * @property {{ whose: string, left: readonly string[], watch: import('./postgres/run-store.js').DatabaseWatch }} [database] - of
 *   its store, in words; `left`: lines that drop schemas in it of runs that are gone
 * @property {() => Promise<void>} stop
 *
 * @typedef {Pick<Target, 'control' | 'reading' | 'faults'> & { name: string, multiaddr: string | null }} Member - a server, or the database;
 *   `control` is null while a fault has it down
 *
 * @typedef {object} FaultHandles - what can be done to our server while it is under load
 * @property {() => Promise<void>} pause - it stands still
 * @property {() => Promise<void>} resume
 * @property {() => Promise<void>} kill - it ends at once, as if nobody had asked for it
 * @property {() => Promise<void>} down - it ends at once, and that is no failure
 * @property {(signal: AbortSignal) => Promise<void>} up - starts it again with the same address and identity
 * @property {((cpus: number | null) => Promise<void>) | null} limitCpus - null: gives back what it had; there is none where nothing
 *   limits it
 */

/**
 * addressesOf gives the multiaddrs of all servers under test.
 *
 * @param {Pick<Target, 'multiaddr' | 'members'>} target
 * @returns {string[]}
 */
export function addressesOf({ multiaddr, members = [] }) {
  const several = members.flatMap(member => member.multiaddr ?? [])
  return several.length > 0 ? several : [multiaddr]
}

/**
 * serversOf gives each server under test, with its control port if it is ours.
 *
 * @param {Pick<Target, 'control' | 'members'>} target
 * @returns {readonly { name?: string, control: Target['control'] }[]}
 */
export const serversOf = ({ control, members = [] }) => (members.length > 0 ? members : [{ control }])

/** controlsOf gives the control ports of servers of ours. @param {Pick<Target, 'control' | 'members'>} target */
export const controlsOf = target => present(serversOf(target).map(({ control }) => control))

/**
 * TargetError says what became of the server under test; `code` is one of SERVER_NOT_STARTED, SERVER_DIED, SERVER_HUNG,
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

/** A server that neither takes bytes nor answers for this long does nothing any more. */
const HUNG_MS = 30_000

/** Of registrations in one request: the server gives one no more than some minutes, and a database takes some thousands a second. */
const CHUNKS_EACH = 256

/** A connection breaks a little before anybody is told that the server behind it has ended. */
const LAST_WORDS_MS = 1000

/** ServerControl talks to the control port of our own server. */
export class ServerControl {
  #base
  #exited
  #hungMs

  /**
   * @param {string} base - URL without path
   * @param {() => Promise<TargetError>} exited - says why, when the server that runs now has ended
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
    for (const some of portions(bodies, CHUNKS_EACH)) added += await this.#add(some, signal)
    return added
  }

  /** @param {Iterable<Uint8Array>} bodies @param {AbortSignal} signal @returns {Promise<number>} */
  async #add(bodies, signal) {
    const stillness = this.#stillness()
    const body = Readable.toWeb(Readable.from(telling(bodies, stillness)))
    // undici streams a body only in half-duplex mode; the DOM's types do not know the option
    const init = /** @type {RequestInit} */ (
      /** @type {unknown} */ ({ method: 'POST', body, duplex: 'half', signal })
    )
    const { added } = await this.#fetch('/control/registrations', init, stillness)
    return added
  }

  /** @param {AbortSignal} [signal] @returns {Promise<ServerState>} */
  state(signal) {
    return this.#fetch('/control/state', { signal })
  }

  /** settings are what its node has other than what libp2p takes by itself. @returns {Promise<import('../libp2p/node-settings.js').Settings>} */
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

  /** seen is what the server cost since it was asked last; it is watched from the first time on. @returns {Promise<import('../server/process/routes.js').Seen>} */
  seen() {
    return this.#fetch('/control/watch', { method: 'POST' })
  }

  /** inUse has the server collect its garbage first, which takes about a second. @returns {Promise<{ heapBytes: number, externalBytes: number }>} */
  inUse() {
    return this.#fetch('/control/collect', { method: 'POST' })
  }

  /** @param {string} path @param {RequestInit} [init] @param {Stillness} [stillness] @returns {Promise<any>} */
  async #fetch(path, init = {}, stillness = this.#stillness()) {
    const signal = AbortSignal.any([stillness.signal, ...(init.signal ? [init.signal] : [])])
    try {
      const response = await fetch(this.#base + path, { ...init, signal })
      const text = await response.text()
      if (!response.ok) throw notServed(path, `${response.status} ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof TargetError) throw error
      throw (await this.#death()) ?? notServed(path, /** @type {Error} */ (error).message)
    } finally {
      stillness.over()
    }
  }

  /** @returns {Promise<TargetError | undefined>} */
  #death() {
    return Promise.race([this.#exited(), sleep(LAST_WORDS_MS, undefined, { ref: false })])
  }

  /** @returns {Stillness} */
  #stillness() {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(hung(this.#hungMs)), this.#hungMs)
    return {
      signal: controller.signal,
      moved: () => void timer.refresh(),
      over: () => clearTimeout(timer)
    }
  }
}

/**
 * Each portion has to be taken whole before the next.
 *
 * @template T
 * @param {Iterable<T>} items
 * @param {number} most
 * @returns {Generator<Iterable<T>>}
 */
function* portions(items, most) {
  const rest = items[Symbol.iterator]()
  for (let next = rest.next(); !next.done; next = rest.next()) yield portion(next.value, rest, most - 1)
}

/** @template T @param {T} first @param {Iterator<T>} rest @param {number} more @returns {Generator<T>} */
function* portion(first, rest, more) {
  yield first
  for (; more > 0; more--) {
    const next = rest.next()
    if (next.done) return
    yield next.value
  }
}

/** @typedef {{ signal: AbortSignal, moved: () => void, over: () => void }} Stillness - aborts unless something moves */

/**
 * Nothing more is given once the request has ended, though a body may still be read then.
 *
 * @template T
 * @param {Iterable<T>} items
 * @param {Stillness} stillness
 */
function* telling(items, { moved, signal }) {
  for (const item of items) {
    if (signal.aborted) return
    moved()
    yield item
  }
}

/** @param {number} ms */
const hung = ms =>
  new TargetError('SERVER_HUNG', `the server's control port has answered nothing for ${ms / 1000} s`)

/** @param {string} path @param {string} why */
const notServed = (path, why) =>
  new TargetError('CONTROL_FAILED', `the server's control port did not serve ${path}: ${why}`)

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

const KEPT = 20

/**
 * lastLines keeps the end of a log.
 *
 * @param {import('node:stream').Readable} stream
 * @returns {{ words: () => string }} `words`: to be put behind a sentence
 */
export function lastLines(stream) {
  /** @type {string[]} */
  const lines = []
  createInterface({ input: stream }).on('line', line => {
    lines.push(line)
    if (lines.length > KEPT) lines.shift()
  })
  return { words: () => (lines.length > 0 ? `; its last words:\n${lines.join('\n')}` : '') }
}

/** RESIDENT_SET is how the memory of a process is counted. */
export const RESIDENT_SET = 'resident set'

/**
 * processReading reads the CPU time and resident memory of a process.
 *
 * @param {number} pid
 * @returns {Promise<import('../measure/series.js').Reading>}
 */
export async function processReading(pid) {
  const { ctime, memory } = await pidusage(pid)
  return { atMs: performance.now(), cpuMs: Math.max(ctime, threadsCpuMs(pid)), rssBytes: memory }
}

/**
 * Linux counts the CPU time of a process in steps of 10 ms, too coarse for a sample of 50 ms, but that of a thread in ns. Threads that have
 * ended are in the former alone.
 *
 * @param {number} pid
 * @returns {number} of the threads that there are; 0: this system does not tell
 */
function threadsCpuMs(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return sumOf(threads, thread => coreTimeOf(Number(thread))?.onCore ?? 0) / 1e6
  } catch {
    return 0
  }
}
