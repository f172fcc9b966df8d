// Measures why operations could be late: busy processes, processes that wait for a core, pauses of the machine,
// throttled containers.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { readThrottledMs } from '../kit/linux.js'
import { Distribution } from '../measure/distribution.js'
import { readCoreTime, readHostFacts, readPressure } from '../measure/resources.js'

/**
 * @typedef {import('../report/schema.js').Lateness} Lateness
 * @typedef {Lateness['series'][number]} Point
 *
 * @typedef {object} WatchedProcess - a process that could be late
 * @property {string} name
 * @property {() => number | null} pid - null: it is not on this machine, or not known
 * @property {() => number} [activeMs] - of its event loop since it began, without waiting for a due time; default: the CPU time of its main
 *   thread
 *
 * @typedef {object} Reading
 * @property {number} atMs
 * @property {import('../measure/resources.js').Pressure} machine
 * @property {number | null} throttledMs - by the quota of this process's control group
 * @property {(ProcessReading | null)[]} processes - null: not known
 *
 * @typedef {object} ProcessReading
 * @property {number} ranMs - its main thread
 * @property {number} activeMs
 * @property {number} waitedMs - for a core
 */

const EVERY_MS = 1000
const MAX_POINTS = 600

/** LatenessWatch measures causes of lateness: the work of each process, its waiting for a core, hiccups of the machine. */
export class LatenessWatch {
  #processes
  #times
  #first
  #last
  #hiccups = new Distribution()
  #latestHiccupMs = 0
  /** @type {Point[]} */
  #points = []
  /** Points that are merged into one that is stored. */
  #mergedCount = 1
  /** @type {Point[]} to be merged, when there are enough */
  #waiting = []
  #timer
  #thread

  /**
   * @param {readonly WatchedProcess[]} processes
   * @param {{ sinceBegin: (ms: number) => number }} times - `sinceBegin`: of the run, of a time of `performance.now`
   */
  constructor(processes, times) {
    this.#processes = processes
    this.#times = times
    this.#first = this.#last = this.#read()
    this.#timer = setInterval(() => this.#look(), EVERY_MS)
    this.#thread = startHiccupWatch(overshoots => {
      this.#hiccups.known.merge(overshoots)
      this.#latestHiccupMs = Math.max(this.#latestHiccupMs, overshoots.max / 1000)
    })
  }

  /** ready resolves when the thread that measures hiccups has begun. */
  get ready() {
    return this.#thread.ready
  }

  async stop() {
    clearInterval(this.#timer)
    await this.#thread.stop()
    this.#look()
  }

  /** result gives the measurements so far. @returns {Lateness} */
  result() {
    const all = comparePressures(this.#first, this.#last)
    return {
      hiccups: this.#hiccups.knownSummary(),
      pressurePercent: all.pressurePercent,
      stealPercent: all.stealPercent,
      ...(this.#throttledMs > 0 && { throttledMs: this.#throttledMs }),
      processes: this.#processes.map(({ name }, i) => ({ name, ...all.processes[i] })),
      series: this.#points
    }
  }

  /** @returns {number} 0: not throttled, or not known */
  get #throttledMs() {
    const [before, now] = [this.#first.throttledMs, this.#last.throttledMs]
    return before === null || now === null ? 0 : now - before
  }

  #look() {
    const now = this.#read()
    const hiccupMs = this.#latestHiccupMs
    this.#latestHiccupMs = 0
    this.#add({ atMs: this.#times.sinceBegin(now.atMs), hiccupMs, ...comparePressures(this.#last, now) })
    this.#last = now
  }

  /** @param {Point} point */
  #add(point) {
    this.#waiting.push(point)
    if (this.#waiting.length < this.#mergedCount) return
    this.#points.push(mergePoints(this.#waiting))
    this.#waiting = []
    if (this.#points.length < MAX_POINTS) return
    this.#points = Array.from({ length: MAX_POINTS / 2 }, (_, i) =>
      mergePoints(this.#points.slice(2 * i, 2 * i + 2))
    )
    this.#mergedCount *= 2
  }

  /** @returns {Reading} */
  #read() {
    return {
      atMs: performance.now(),
      machine: readPressure(),
      throttledMs: readThrottledMs(),
      processes: this.#processes.map(({ pid, activeMs }) => {
        const id = pid()
        const time = id === null ? null : readCoreTime(id)
        if (time === null) return null
        const ranMs = time.onCore / 1e6
        return { ranMs, activeMs: activeMs?.() ?? ranMs, waitedMs: time.waited / 1e6 }
      })
    }
  }
}

/** @param {number} part @param {number} whole @returns {number | null} null: not known */
const percent = (part, whole) =>
  Number.isFinite(part) && whole > 0 ? Math.max(0, (100 * part) / whole) : null

/** @param {Reading} before @param {Reading} after @returns {Omit<Point, 'atMs' | 'hiccupMs'>} */
function comparePressures(before, after) {
  const wallMs = after.atMs - before.atMs
  const [was, is] = [before.machine, after.machine]
  return {
    pressurePercent: percent(
      (Number(is.waitedMicros ?? Number.NaN) - Number(was.waitedMicros ?? Number.NaN)) / 1000,
      wallMs
    ),
    stealPercent:
      was.ticks === null || is.ticks === null
        ? null
        : percent(is.ticks.stolen - was.ticks.stolen, is.ticks.all - was.ticks.all),
    processes: after.processes.map((now, i) => {
      const then = before.processes[i]
      // a restarted process counts from 0
      if (now == null || then == null || now.waitedMs < then.waitedMs) return UNKNOWN_SHARES
      return {
        ownPercent: percent(Math.min(now.ranMs - then.ranMs, now.activeMs - then.activeMs), wallMs),
        waitedPercent: percent(now.waitedMs - then.waitedMs, wallMs)
      }
    })
  }
}

const UNKNOWN_SHARES = { ownPercent: null, waitedPercent: null }

/** Merges several points: the longest hiccup, mean shares. @param {Point[]} points @returns {Point} */
function mergePoints(points) {
  const last = points[points.length - 1]
  const of = (/** @type {(point: Point) => number | null} */ read) => {
    const known = points.map(read).filter(value => value !== null)
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
  }
  return {
    atMs: last.atMs,
    hiccupMs: Math.max(...points.map(({ hiccupMs }) => hiccupMs)),
    pressurePercent: of(point => point.pressurePercent),
    stealPercent: of(point => point.stealPercent),
    processes: last.processes.map((_, i) => ({
      ownPercent: of(({ processes }) => processes[i].ownPercent),
      waitedPercent: of(({ processes }) => processes[i].waitedPercent)
    }))
  }
}

/** With this sleep the thread takes less than 1 % of a core (`npm run bench hiccups`). With 10 ms it took more. */
const SLEEP_MS = 15
const SEND_EVERY_MS = 1000

/**
 * startHiccupWatch starts a thread that only sleeps for a few ms, again and again, and reports by how much each sleep was too long, as jHiccup
 * does (https://github.com/giltene/jHiccup). Whatever delayed this thread delayed all processes on this machine.
 *
 * @param {(overshoots: import('../measure/histogram.js').HistogramData) => void} onOvershoots - called with those of about a second, in µs
 * @returns {{ ready: Promise<unknown>, stop: () => Promise<void> }} `stop` resolves when all overshoots were reported
 */
export function startHiccupWatch(onOvershoots) {
  const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const thread = new Worker(new URL('./hiccup-thread.js', import.meta.url), {
    execArgv: [],
    workerData: { stop, sleepMs: SLEEP_MS, tellEveryMs: SEND_EVERY_MS }
  })
  thread.on('message', onOvershoots)
  // a run does not depend on it
  thread.on('error', () => {})
  let stopping = false
  thread.once('online', () => stopping || thread.unref())
  const ended = once(thread, 'exit').catch(() => {})
  return {
    ready: Promise.race([once(thread, 'online').catch(() => {}), ended]),
    stop: async () => {
      Atomics.store(stop, 0, 1)
      Atomics.notify(stop, 0)
      stopping = true
      thread.ref()
      await ended
    }
  }
}

/** HOST_WATCH_MS is how long a machine is observed: p99 of late timers needs 1,000 sleeps of 15 ms. */
export const HOST_WATCH_MS = 16_000

/**
 * @typedef {object} HostMeasurement
 * @property {import('../measure/resources.js').Host} host
 * @property {import('../report/schema.js').Summary} hiccups - by how much short sleeps were too long
 */

/**
 * measureHost observes this machine for a time, and describes it.
 *
 * @param {number} [ms]
 * @param {AbortSignal} [signal]
 * @returns {Promise<HostMeasurement>}
 */
export async function measureHost(ms = HOST_WATCH_MS, signal) {
  const late = new Distribution()
  const watch = startHiccupWatch(data => late.known.merge(data))
  try {
    await watch.ready
    await sleep(ms, undefined, { signal })
  } finally {
    await watch.stop()
  }
  return { host: readHostFacts(), hiccups: late.knownSummary() }
}
