// Runs hostile peers in alternating periods beside the honest clients of a rendezvous run, and compares operations with
// and without them.

import { setTimeout as sleep } from 'node:timers/promises'
import { multiaddr as toMultiaddr } from '@multiformats/multiaddr'
import { chooseClientAddress } from '../../../client/dial.js'
import { computeSum, omitMissing } from '../../../kit/collections.js'
import {
  computeLeadInMs,
  computePairMs,
  countIntervalSlots,
  findFirstSlot,
  findRecovery,
  findSlowestTenth,
  getPairOrder,
  MAX_RECOVERY_MS,
  SLOT_MS
} from '../../../load/trials.js'
import { Histogram, hasEnoughSamples, mergeHistograms } from '../../../measure/histogram.js'
import { readPressure } from '../../../measure/resources.js'
import { estimateHodgesLehmann } from '../../../measure/statistics.js'
import { ProcessGroup, setLowestPriority, waitUntilLate } from '../../../run/workers.js'
import { compareStretches } from '../figures.js'
import { formatHostile } from '../peer-options.js'
import { makeLargeRegistrationBodies } from './large-registrations.js'

/** @typedef {import('../../../target/target.js').Target} Target */

/** The process has the lowest priority: on a busy machine it answers late, without hanging. */
const ANSWER_MS = 120_000
/** A larger share of unsent messages is warned about. */
const MAX_NOT_SENT = 0.1
/** Share of all cores taken by other guests of the host, above which a pair of stretches is set aside. */
const MAX_STEAL_PERCENT = 1
/** How often recovery is checked. Workers report once a second. */
const LOOK_EVERY_MS = 250
/** The load must go on this long after a hostile stretch for its recovery to be measured. */
const MIN_RECOVERY_MS = 1000

/** HostileError says why a run with hostile peers could not go on: HOSTILE_FAILED, WORKER_HUNG. */
export class HostileError extends Error {
  name = 'HostileError'

  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message)
    this.code = code
  }
}

/** HostilePeers runs the hostile peers of a run in a process of their own, and measures their effect on the clients. */
export class HostilePeers {
  #plan
  #processes = new ProcessGroup()
  /** @type {import('../../../run/fleet.js').WorkerProcess | undefined} */
  #process
  /** @type {ServerWatch | undefined} */
  #watch
  #results = new StretchResults()
  #spreads = false
  /** @type {string | null} */
  #priority = null
  /** Memory in use by the server before the first stretch and after the last. @type {Partial<Record<'before' | 'after', Awaited<ReturnType<ServerWatch['memory']>>>>} */
  #memory = {}
  /** Pairs that were begun. */
  #started = 0
  /** Whether hostile peers may be why the server does not answer. */
  excused = false

  /** @param {import('../options.js').Plan} plan - with hostile peers */
  constructor(plan) {
    this.#plan = plan
  }

  get #hostile() {
    return this.#plan.hostile ?? {}
  }

  /** add counts operations of a worker. @param {readonly import('../../../measure/operations.js').DueSlot[]} slots */
  add(slots) {
    this.#results.count(slots)
  }

  /** start starts their process, and connects them. @param {Target} target @param {{ onDied: (error: Error) => void, signal: AbortSignal }} how */
  async start(target, { onDied, signal }) {
    const { multiaddr, control } = target
    this.#spreads = chooseClientAddress(toMultiaddr(multiaddr), 0, process.platform) !== undefined
    this.#watch = new ServerWatch(target)
    if (control !== null && 'unread' in this.#hostile) {
      const bodies = []
      for await (const body of makeLargeRegistrationBodies()) bodies.push(body)
      await control.preload(bodies, signal)
    }
    const http = control?.url ?? null
    this.#process = await this.#processes.start({
      entry: new URL('./entry.js', import.meta.url),
      name: 'the process of hostile peers',
      setup: {
        target: { multiaddr, http, spreads: this.#spreads, seed: this.#plan.seed },
        hostile: this.#hostile
      },
      handlers: {},
      onDied
    })
    // hostile peers have machines of their own: they must not take a core from clients that are measured
    this.#priority = setLowestPriority(/** @type {number} */ (this.#process.pid))
    await this.#call('prepare').catch(error => {
      throw new HostileError('HOSTILE_FAILED', `hostile peers could not connect: ${error.message}`)
    })
  }

  /**
   * warmUp runs them during a load that is not counted, then waits until the server has nothing left to do. Before all code is compiled,
   * times are twice as long.
   *
   * @param {() => Promise<unknown>} load
   */
  async warmUp(load) {
    this.excused = true
    await this.#call('begin')
    await load()
    await this.#end()
    await this.#watch?.calm(0)
    this.excused = false
  }

  /** readMemory reads the memory in use by the server; there must be no load. @param {'before' | 'after'} when - the stretches */
  async readMemory(when) {
    this.#memory[when] = (await this.#watch?.memory()) ?? null
  }

  /**
   * run alternates quiet and hostile stretches of a load, for as many pairs as there is time for.
   *
   * @param {object} parts
   * @param {Pick<import('../../../run/run.js').RunFailure, 'raise'>} parts.failure
   * @param {bigint} parts.startNs - of the load
   * @returns {{ stop: () => void }}
   */
  run({ failure, startNs }) {
    const stopping = new AbortController()
    const { signal } = stopping
    const time = {
      now: () => Number(process.hrtime.bigint() - startNs) / 1e6,
      until: (/** @type {number} */ ms) => sleep(Math.max(0, ms - time.now()), undefined, { signal }),
      signal
    }
    this.#pairs(time).catch(error => {
      if (!signal.aborted) failure.raise(error)
    })
    return { stop: () => stopping.abort() }
  }

  /** @typedef {{ now: () => number, until: (ms: number) => Promise<void>, signal: AbortSignal }} Time - in ms since the load began */

  /** @param {Time} time */
  async #pairs(time) {
    const { durationMs, hostileEveryMs } = this.#plan
    const lastMs = Number(durationMs) - computePairMs(Number(hostileEveryMs)) - MIN_RECOVERY_MS
    await time.until(0)
    let isCalm = true
    for (let pair = 0; time.now() <= lastMs; pair++) {
      const stolen = watchSteal()
      this.#started++
      for (const [place, hostile] of getPairOrder(pair).entries()) {
        const stretch = await this.#stretch(hostile, isCalm, time)
        if (place === 1) this.#results.end(stolen())
        if (hostile) isCalm = await this.#calm(stretch, time)
      }
    }
  }

  /**
   * @param {boolean} hostile
   * @param {boolean} isCalm - before it
   * @param {Time} time
   */
  async #stretch(hostile, isCalm, { now, until }) {
    const watch = /** @type {ServerWatch} */ (this.#watch)
    const everyMs = Number(this.#plan.hostileEveryMs)
    this.excused = hostile
    if (hostile) await this.#call('begin')
    const from = findFirstSlot(now() + computeLeadInMs(everyMs))
    const to = from + Math.ceil(everyMs / SLOT_MS)
    await until(from * SLOT_MS)
    await watch.cost()
    await until(to * SLOT_MS)
    const cost = await watch.cost()
    /** @type {MeasuredStretch} */
    const stretch = { hostile, from, to, cost, isCalm, endMs: now(), watchedMs: Infinity, notSent: null }
    this.#results.add(stretch)
    return stretch
  }

  /**
   * Ends hostile peers, and waits until operations have recovered and the server has nothing left to do.
   *
   * @param {MeasuredStretch} stretch
   * @param {Time} time
   * @returns {Promise<boolean>} whether the server has nothing left to do
   */
  async #calm(stretch, { now, until, signal }) {
    stretch.notSent = await this.#end()
    while (!this.#results.hasRecovered && now() - stretch.endMs < MAX_RECOVERY_MS)
      await until(now() + LOOK_EVERY_MS)
    this.excused = false
    const isCalm = await /** @type {ServerWatch} */ (this.#watch).calm(this.#results.quietPercent, signal)
    stretch.watchedMs = now()
    return isCalm
  }

  /** @returns {Promise<number>} share of due messages that was not sent */
  async #end() {
    const { notSent, failure } = await this.#call('end')
    if (failure !== null) throw new HostileError('HOSTILE_FAILED', `hostile peers stopped early: ${failure}`)
    return notSent
  }

  /** outcome gives the figures so far. @returns {import('../../../report/schema.js').HostileOutcome} */
  outcome() {
    const result = this.#results.result(MAX_STEAL_PERCENT)
    const { before = null, after = null } = this.#memory
    return {
      spreads: this.#spreads,
      priority: this.#priority,
      unfinished: this.#started - result.pairs.length,
      left: before &&
        after && {
          heap: after.heapBytes / before.heapBytes,
          external: after.externalBytes / before.externalBytes
        },
      ...result
    }
  }

  /** warnings lists the warnings about an outcome. @param {import('../../../report/schema.js').HostileOutcome} outcome @returns {import('../../../report/schema.js').Warning[]} */
  warnings({ notSent, pairs }) {
    const name = formatHostile(this.#hostile)
    const disturbed = pairs.length > 0 && pairs.every(({ setAside }) => setAside !== null)
    const percent = 100 * Number(notSent)
    return omitMissing([
      Number(notSent) > MAX_NOT_SENT && { code: 'HOSTILE_NOT_SENT', values: { name, percent } },
      disturbed && { code: 'HOSTILE_DISTURBED', values: { pairs: pairs.length } }
    ])
  }

  /** stop ends the process; after a failure at once, because it may hang. @param {{ failed: boolean }} how */
  stop(how) {
    this.#watch?.stop()
    return this.#processes.end(how)
  }

  /** @param {string} method @returns {Promise<any>} */
  #call(method) {
    const process = /** @type {import('../../../run/fleet.js').WorkerProcess} */ (this.#process)
    const late = () =>
      new HostileError(
        'WORKER_HUNG',
        `the process of hostile peers has not answered ${method} in ${ANSWER_MS / 1000} s: it runs when a core is idle, and other work on this machine may delay it`
      )
    return waitUntilLate(process.call(method), ANSWER_MS, late)
  }
}

/** Measures the CPU time that other guests of the host take until the returned function is called. @returns {() => number | null} % of all cores */
function watchSteal() {
  const was = readPressure().ticks
  return () => {
    const is = readPressure().ticks
    if (was === null || is === null) return null
    return is.all === was.all ? 0 : (100 * (is.stolen - was.stolen)) / (is.all - was.all)
  }
}

/**
 * @typedef {import('../../../report/schema.js').HostileOutcome} HostileOutcome
 * @typedef {HostileOutcome['pairs'][number]} Pair
 * @typedef {Pair['quiet']} Stretch
 *
 * @typedef {object} MeasuredStretch
 * @property {boolean} hostile
 * @property {number} from - its first slot
 * @property {number} to - the slot behind its last one
 * @property {ServerCost} cost - of the server
 * @property {boolean} isCalm - the server had nothing left to do when it began
 * @property {number | null} notSent - share of due messages that hostile peers were too late for; null: they have not ended
 * @property {number} endMs - its end, since the load began
 * @property {number} watchedMs - end of the time in which recovery is measured: the next stretch begins, or the load ends
 *
 * @typedef {Map<string, Histogram>} Slot - response times in µs, by outcome
 */

/** StretchResults measures the operations of a load that were due in quiet and in hostile stretches. */
export class StretchResults {
  /** @type {Map<number, Slot>} */
  #slots = new Map()
  /** @type {MeasuredStretch[]} */
  #stretches = []
  /** By completed pair: % of all cores taken by other guests of the host; null: not known. @type {(number | null)[]} */
  #stolen = []

  /** count counts operations of a worker. @param {readonly import('../../../measure/operations.js').DueSlot[]} slots */
  count(slots) {
    for (const { slot, outcome, data } of slots) {
      const outcomes = this.#slots.get(slot) ?? new Map()
      this.#slots.set(slot, outcomes)
      const times = outcomes.get(outcome) ?? new Histogram()
      outcomes.set(outcome, times)
      times.merge(data)
    }
  }

  /** add adds the next stretch, once its operations were due; further properties are set later. @param {MeasuredStretch} stretch */
  add(stretch) {
    this.#stretches.push(stretch)
  }

  /** end completes a pair. @param {number | null} stealPercent */
  end(stealPercent) {
    this.#stolen.push(stealPercent)
  }

  /** quietPercent is the highest CPU of the server in a quiet stretch, % of a core; 0: not known. */
  get quietPercent() {
    return Math.max(0, ...this.#of(false).map(({ cost }) => cost.cpuPercent ?? 0))
  }

  /** hasRecovered says whether operations are as fast again as in quiet stretches. */
  get hasRecovered() {
    const last = this.#of(true).at(-1)
    return last !== undefined && this.#recovery(last).recovered
  }

  /** @param {boolean} hostile */
  #of(hostile) {
    return this.#stretches.filter(stretch => stretch.hostile === hostile)
  }

  /**
   * result gives the completed pairs with their figures: of the undisturbed pairs or, if there are none, of all.
   *
   * @param {number} maxStealPercent - above it a pair is set aside
   */
  result(maxStealPercent) {
    const pairs = this.#stolen.map((stealPercent, i) => {
      const both = this.#stretches.slice(2 * i, 2 * i + 2)
      const [quiet, hostile] = both.toSorted((a, b) => Number(a.hostile) - Number(b.hostile))
      return {
        hostileFirst: both[0].hostile,
        stealPercent,
        setAside: both.some(({ isCalm }) => !isCalm)
          ? /** @type {const} */ ('NOT_CALM')
          : Number(stealPercent) > maxStealPercent
            ? /** @type {const} */ ('STOLEN')
            : null,
        quiet: this.#stretch(quiet),
        hostile: { ...this.#stretch(hostile), notSent: hostile.notSent, ...this.#recovery(hostile) }
      }
    })
    const undisturbed = pairs.filter(pair => pair.setAside === null)
    return { pairs, ...figuresOf(undisturbed.length > 0 ? undisturbed : pairs) }
  }

  /** @param {MeasuredStretch} stretch @returns {Stretch} */
  #stretch({ from, to, cost }) {
    const operations = Array.from({ length: to - from }, (_, i) => [
      ...(this.#slots.get(from + i) ?? [])
    ]).flat()
    const answered = mergeHistograms(
      operations.flatMap(([outcome, times]) => (outcome === 'OK' ? times : []))
    )
    /** @type {Record<string, number>} */
    const failures = {}
    for (const [outcome, { count }] of operations)
      if (outcome !== 'OK') failures[outcome] = (failures[outcome] ?? 0) + count
    const count = computeSum(operations, ([, times]) => times.count)
    const longestMs = Math.max(0, ...operations.map(([, { max }]) => max)) / 1000
    const [p50, p99] = [0.5, 0.99].map(share => percentile(share, { count, answered, longestMs }))
    return {
      count,
      failed: computeSum(Object.values(failures)),
      failures,
      p50Ms: p50.ms,
      p99Ms: p99.ms,
      censored: { p50: p50.censored, p99: p99.censored },
      ...cost
    }
  }

  /**
   * The time until two successive intervals are again in the range of quiet ones.
   *
   * @param {MeasuredStretch} hostile
   * @returns {{ recoveryMs: number | null, recovered: boolean }} null: too few quiet operations; not recovered: a lower bound
   */
  #recovery({ endMs, watchedMs }) {
    const quiet = this.#of(false)
    const all = quiet.flatMap(({ from, to }) => this.#intervals(from, to, 1))
    const each = countIntervalSlots(computeSum(all, ({ count }) => count) / all.length)
    const known = omitMissing(
      quiet.flatMap(({ from, to }) => this.#intervals(from, to, each).map(findSlowestTenth))
    )
    const finite = known.filter(Number.isFinite)
    if (finite.length === 0) return { recoveryMs: null, recovered: false }
    const from = findFirstSlot(endMs)
    // no further than the last slot with operations
    const behindLast = Math.max(-1, ...this.#slots.keys()) + 1
    const to = Math.min(findFirstSlot(watchedMs), findFirstSlot(endMs + MAX_RECOVERY_MS), behindLast)
    const at = findRecovery(this.#intervals(from, to, each).map(findSlowestTenth), Math.max(...finite))
    // rounded up to a slot
    if (at !== null) return { recoveryMs: at * each * SLOT_MS, recovered: true }
    return { recoveryMs: Math.max(0, to - from) * SLOT_MS, recovered: false }
  }

  /** Complete intervals of so many slots each. @param {number} from @param {number} to @param {number} each @returns {Histogram[]} */
  #intervals(from, to, each) {
    return Array.from({ length: Math.max(0, Math.floor((to - from) / each)) }, (_, i) => {
      const operations = new Histogram()
      for (let slot = from + i * each; slot < from + (i + 1) * each; slot++)
        for (const [outcome, times] of this.#slots.get(slot) ?? [])
          operations.addPairs(outcome === 'OK' ? times.counts : [[Infinity, times.count]])
      return operations
    })
  }
}

/**
 * Failed operations count as longer than any answered one. A percentile among them is a lower bound: the longest time waited.
 *
 * @param {number} share
 * @param {{ count: number, answered: Histogram, longestMs: number }} of
 */
function percentile(share, { count, answered, longestMs }) {
  if (!hasEnoughSamples(share, count)) return { ms: null, censored: false }
  const ofAnswered = (share * count) / answered.count
  if (ofAnswered > 1 + Number.EPSILON) return { ms: longestMs, censored: true }
  return { ms: answered.quantile(Math.min(1, ofAnswered)) / 1000, censored: false }
}

/** @param {readonly number[]} values @returns {number | null} null: there are none */
const highest = values => (values.length === 0 ? null : Math.max(...values))

/** @param {readonly number[]} values @returns {number | null} null: there are none */
const center = values => (values.length === 0 ? null : estimateHodgesLehmann(values))

/**
 * @template {number | null} T
 * @param {readonly Pair[]} pairs
 * @param {(stretch: Stretch) => number | null} read
 * @param {(values: readonly number[]) => T} join
 */
const bothOf = (pairs, read, join) => ({
  quiet: join(omitMissing(pairs.map(({ quiet }) => read(quiet)))),
  hostile: join(omitMissing(pairs.map(({ hostile }) => read(hostile))))
})

/** @param {readonly Pair[]} pairs */
function figuresOf(pairs) {
  const recoveries = pairs.map(({ hostile }) => hostile.recoveryMs)
  return {
    p50: compareStretches(pairs, 'p50'),
    p99: compareStretches(pairs, 'p99'),
    count: bothOf(pairs, ({ count }) => count, computeSum),
    failed: bothOf(pairs, ({ failed }) => failed, computeSum),
    longestTurnMs: bothOf(pairs, ({ longestTurnMs }) => longestTurnMs, highest),
    rssBytes: bothOf(pairs, ({ rssBytes }) => rssBytes, highest),
    cpuPercent: bothOf(pairs, ({ cpuPercent }) => cpuPercent, center),
    recoveryMs: recoveries.includes(null) ? null : highest(omitMissing(recoveries)),
    recovered: pairs.every(({ hostile }) => hostile.recovered),
    notSent: highest(omitMissing(pairs.map(({ hostile }) => hostile.notSent)))
  }
}

/**
 * @typedef {object} ServerCost - resources of a server over a time; null: not known
 * @property {number | null} cpuPercent - of a core
 * @property {number | null} rssBytes - at most
 * @property {number | null} longestTurnMs - of its event loop, CPU time
 */

const SAMPLE_EVERY_MS = 250
const READ_CPU_EVERY_MS = 500
/** A server has nothing left to do if its CPU is no more than this above that of quiet stretches, % of a core. */
const CALM_PERCENT = 5
const MAX_UNTIL_CALM_MS = 60_000
/** Pause for a server whose CPU cannot be read. */
const PAUSE_MS = 1000

/** ServerWatch measures the resources that a server uses, if they can be read. */
export class ServerWatch {
  #target
  /** @type {number | null} */
  #rssBytes = null
  /** @type {{ cpuMs: number | null, atMs: number }} */
  #before = { cpuMs: null, atMs: performance.now() }
  /** @type {NodeJS.Timeout | undefined} */
  #timer

  /** @param {Pick<Target, 'control' | 'reading'>} target */
  constructor(target) {
    this.#target = target
    if (target.control === null && target.reading !== null)
      this.#timer = setInterval(() => this.#read().catch(() => {}), SAMPLE_EVERY_MS)
  }

  /** cost gives the resources used since its last call. @returns {Promise<ServerCost>} */
  async cost() {
    const { cpuMs, rssBytes, longestTurnMs } = await this.#takeUsage()
    const { cpuMs: cpuBefore, atMs: atBefore } = this.#before
    this.#before = { cpuMs, atMs: performance.now() }
    const known = cpuMs !== null && cpuBefore !== null
    const cpuPercent = known ? (100 * (cpuMs - cpuBefore)) / (this.#before.atMs - atBefore) : null
    return { cpuPercent, rssBytes, longestTurnMs }
  }

  /**
   * calm waits until the server has served all that was sent, so that no work is left for the next stretch.
   *
   * @param {number} quietPercent - CPU of the server without hostile peers, % of a core
   * @param {AbortSignal} [signal]
   * @returns {Promise<boolean>} false: it has not within the time limit
   */
  async calm(quietPercent, signal) {
    const until = performance.now() + MAX_UNTIL_CALM_MS
    await this.cost()
    while (performance.now() < until) {
      await sleep(READ_CPU_EVERY_MS, undefined, { signal })
      const { cpuPercent } = await this.cost()
      if (cpuPercent === null) return sleep(PAUSE_MS - READ_CPU_EVERY_MS, true, { signal })
      if (cpuPercent <= quietPercent + CALM_PERCENT) return true
    }
    return false
  }

  /** memory gives the memory in use by the server after a garbage collection. @returns {Promise<{ heapBytes: number, externalBytes: number } | null>} null: not known */
  async memory() {
    return (await this.#target.control?.inUse()) ?? null
  }

  stop() {
    clearInterval(this.#timer)
  }

  async #takeUsage() {
    const { control, reading } = this.#target
    if (control !== null) return control.takeUsage()
    if (reading === null) return { cpuMs: null, rssBytes: null, longestTurnMs: null }
    const { cpuMs } = await this.#read()
    const rssBytes = this.#rssBytes
    this.#rssBytes = null
    return { cpuMs, rssBytes, longestTurnMs: null }
  }

  async #read() {
    const reading = await /** @type {NonNullable<Target['reading']>} */ (this.#target.reading)()
    this.#rssBytes = Math.max(this.#rssBytes ?? 0, reading.rssBytes)
    return reading
  }
}
