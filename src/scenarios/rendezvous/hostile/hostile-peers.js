// Hostile peers beside the clients of a run: when they act, what they cost the others.
import { setTimeout as sleep } from 'node:timers/promises'
import { multiaddr as toMultiaddr } from '@multiformats/multiaddr'
import { clientAddressFor } from '../../../client/dial.js'
import { present, sumOf } from '../../../kit/collections.js'
import {
  leadInMs,
  MAX_RECOVERY_MS,
  orderOf,
  pairMs,
  recoveredAt,
  SLOT_MS,
  slotFrom,
  slotsEach,
  slowest
} from '../../../load/trials.js'
import { Histogram, isSure, mergedHistogram } from '../../../measure/histogram.js'
import { pressure } from '../../../measure/resources.js'
import { hodgesLehmann, signFlip } from '../../../measure/statistics.js'
import { lowestPriority, orTooLate, ProcessGroup } from '../../../run/workers.js'
import { hostileText } from '../peer-options.js'
import { largeRegistrations } from './large-registrations.js'

/** @typedef {import('../../../target/target.js').Target} Target */

/** The process runs when a core is idle: on a machine with other work it answers late, without hanging. */
const ANSWER_MS = 120_000
/** Above this share that was not sent, hostile peers were fewer than asked for. */
const MAX_NOT_SENT = 0.1
/** Of all cores, taken by other guests of the host: above this, a pair of stretches measured the host. */
const MAX_STEAL_PERCENT = 1
/** A recovery is read from intervals that workers hand over once a second. */
const LOOK_EVERY_MS = 250
/** Behind a hostile stretch so much of the load must be left to see a recovery. */
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

/** HostilePeers are the hostile peers of a run, in a process of their own, and what the clients of the run experience beside them. */
export class HostilePeers {
  #plan
  #processes = new ProcessGroup()
  /** @type {import('../../../run/fleet.js').HeldProcess | undefined} */
  #process
  /** @type {ServerWatch | undefined} */
  #watch
  #results = new StretchResults()
  #spreads = false
  /** @type {string | null} */
  #priority = null
  /** In use by the server before the first stretch, and behind the last. @type {Partial<Record<'before' | 'after', Awaited<ReturnType<ServerWatch['memory']>>>>} */
  #memory = {}
  /** Pairs that were begun. */
  #begun = 0
  /** Whether hostile peers explain that nothing is answered. */
  excused = false

  /** @param {import('../options.js').Plan} plan - with hostile peers */
  constructor(plan) {
    this.#plan = plan
  }

  get #hostile() {
    return this.#plan.hostile ?? {}
  }

  /** add takes operations of a worker. @param {readonly import('../../../measure/operations.js').DueSlot[]} slots */
  add(slots) {
    this.#results.count(slots)
  }

  /** start connects them. @param {Target} target @param {{ onDied: (error: Error) => void, signal: AbortSignal }} how */
  async start(target, { onDied, signal }) {
    const { multiaddr, control } = target
    this.#spreads = clientAddressFor(toMultiaddr(multiaddr), 0, process.platform) !== undefined
    this.#watch = new ServerWatch(target)
    if (control !== null && 'unread' in this.#hostile) {
      const bodies = []
      for await (const body of largeRegistrations()) bodies.push(body)
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
    this.#priority = lowestPriority(/** @type {number} */ (this.#process.pid))
    await this.#call('prepare').catch(error => {
      throw new HostileError('HOSTILE_FAILED', `hostile peers could not connect: ${error.message}`)
    })
  }

  /**
   * warmUp has them hostile while load is generated that does not count, and waits until the server has nothing left to do: until the code
   * of all is compiled, times are twice what they are later.
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

  /** readMemory reads what the server has in use, while there is no load. @param {'before' | 'after'} when - the stretches */
  async readMemory(when) {
    this.#memory[when] = (await this.#watch?.memory()) ?? null
  }

  /**
   * run has them hostile in every other stretch of a load, for as many pairs of stretches as there is time for.
   *
   * @param {object} parts
   * @param {Pick<import('../../../run/run.js').Trouble, 'raise'>} parts.trouble
   * @param {bigint} parts.startNs - of the load
   * @returns {{ stop: () => void }}
   */
  run({ trouble, startNs }) {
    const stopping = new AbortController()
    const { signal } = stopping
    const time = {
      now: () => Number(process.hrtime.bigint() - startNs) / 1e6,
      until: (/** @type {number} */ ms) => sleep(Math.max(0, ms - time.now()), undefined, { signal }),
      signal
    }
    this.#pairs(time).catch(error => {
      if (!signal.aborted) trouble.raise(error)
    })
    return { stop: () => stopping.abort() }
  }

  /** @typedef {{ now: () => number, until: (ms: number) => Promise<void>, signal: AbortSignal }} Time - in ms since the load began */

  /** @param {Time} time */
  async #pairs(time) {
    const { durationMs, hostileEveryMs } = this.#plan
    const lastMs = Number(durationMs) - pairMs(Number(hostileEveryMs)) - MIN_RECOVERY_MS
    await time.until(0)
    let isCalm = true
    for (let pair = 0; time.now() <= lastMs; pair++) {
      const stolen = watchSteal()
      this.#begun++
      for (const [place, hostile] of orderOf(pair).entries()) {
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
    const from = slotFrom(now() + leadInMs(everyMs))
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
   * Ends hostile peers, and waits until nothing is left of them: operations are as fast as before, and the server has done its work.
   *
   * @param {MeasuredStretch} stretch
   * @param {Time} time
   * @returns {Promise<boolean>} the server has
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

  /** @returns {Promise<number>} share of what was due that was not sent */
  async #end() {
    const { notSent, failure } = await this.#call('end')
    if (failure !== null) throw new HostileError('HOSTILE_FAILED', `hostile peers stopped early: ${failure}`)
    return notSent
  }

  /** outcome is what is known so far. @returns {import('../../../report/schema.js').HostileOutcome} */
  outcome() {
    const result = this.#results.result(MAX_STEAL_PERCENT)
    const { before = null, after = null } = this.#memory
    const left = before !== null && after !== null
    return {
      spreads: this.#spreads,
      priority: this.#priority,
      unfinished: this.#begun - result.pairs.length,
      left: left
        ? {
            heap: after.heapBytes / before.heapBytes,
            external: after.externalBytes / before.externalBytes
          }
        : null,
      ...result
    }
  }

  /** warnings are those of an outcome. @param {import('../../../report/schema.js').HostileOutcome} outcome @returns {import('../../../report/schema.js').Warning[]} */
  warnings({ notSent, pairs }) {
    const name = hostileText(this.#hostile)
    const disturbed = pairs.length > 0 && pairs.every(({ setAside }) => setAside !== null)
    return [
      ...(Number(notSent) > MAX_NOT_SENT
        ? [{ code: 'HOSTILE_NOT_SENT', values: { name, percent: 100 * Number(notSent) } }]
        : []),
      ...(disturbed ? [{ code: 'HOSTILE_DISTURBED', values: { pairs: pairs.length } }] : [])
    ]
  }

  /** stop ends the process; after a failure at once, for it may hang. @param {{ failed: boolean }} how */
  stop(how) {
    this.#watch?.stop()
    return this.#processes.end(how)
  }

  /** @param {string} method @returns {Promise<any>} */
  #call(method) {
    const process = /** @type {import('../../../run/fleet.js').HeldProcess} */ (this.#process)
    const late = () =>
      new HostileError(
        'WORKER_HUNG',
        `the process of hostile peers has not answered ${method} in ${ANSWER_MS / 1000} s: it runs when a core is idle, and other work on this machine may hold it back`
      )
    return orTooLate(process.call(method), ANSWER_MS, late)
  }
}

/** watchSteal says, when it is called again, what other guests of the host took of all cores since. @returns {() => number | null} percent */
function watchSteal() {
  const was = pressure().ticks
  return () => {
    const is = pressure().ticks
    if (was === null || is === null) return null
    return is.all === was.all ? 0 : (100 * (is.stolen - was.stolen)) / (is.all - was.all)
  }
}

/**
 * @typedef {import('../../../report/schema.js').HostileOutcome} HostileOutcome
 * @typedef {HostileOutcome['pairs'][number]} Pair
 * @typedef {Pair['quiet']} Stretch
 * @typedef {NonNullable<HostileOutcome['p50']>} Ratio
 *
 * @typedef {object} MeasuredStretch
 * @property {boolean} hostile
 * @property {number} from - its first slot
 * @property {number} to - the slot behind its last one
 * @property {Cost} cost - of the server
 * @property {boolean} isCalm - the server had nothing left to do of the stretch before
 * @property {number | null} notSent - share of what was due that hostile peers were too late for; null: they have not ended
 * @property {number} endMs - of it, since the load began: hostile peers were told to end
 * @property {number} watchedMs - until when recovery is read: the next stretch begins, or the load ends
 *
 * @typedef {Map<string, Histogram>} Slot - response times in µs, by outcome
 */

/** StretchResults are the operations of a load that were due in quiet and in hostile stretches. */
export class StretchResults {
  /** @type {Map<number, Slot>} */
  #slots = new Map()
  /** @type {MeasuredStretch[]} */
  #stretches = []
  /** Of pairs that are over: what others of the host took of the cores, in percent; null: this system does not tell. @type {(number | null)[]} */
  #stolen = []

  /** count takes operations of a worker. @param {readonly import('../../../measure/operations.js').DueSlot[]} slots */
  count(slots) {
    for (const { slot, outcome, data } of slots) {
      const outcomes = this.#slots.get(slot) ?? new Map()
      this.#slots.set(slot, outcomes)
      const times = outcomes.get(outcome) ?? new Histogram()
      outcomes.set(outcome, times)
      times.merge(data)
    }
  }

  /** add takes the next stretch, once its operations were due; what is known of it later is written into it. @param {MeasuredStretch} stretch */
  add(stretch) {
    this.#stretches.push(stretch)
  }

  /** end ends a pair. @param {number | null} stealPercent */
  end(stealPercent) {
    this.#stolen.push(stealPercent)
  }

  /** quietPercent is the most that the server took of a core in quiet stretches; 0: there were none, or it does not say. */
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
   * result gives the pairs of stretches that are over, and their figures: of those that nothing else disturbed, or of all where there is
   * none.
   *
   * @param {number} maxStealPercent - more than this, and a pair is set aside
   */
  result(maxStealPercent) {
    const pairs = this.#stolen.map((stealPercent, i) => {
      const both = this.#stretches.slice(2 * i, 2 * i + 2)
      const [quiet, hostile] = both.toSorted((a, b) => Number(a.hostile) - Number(b.hostile))
      return {
        hostileFirst: both[0].hostile,
        stealPercent,
        setAside: setAside(both, Number(stealPercent) > maxStealPercent),
        quiet: this.#stretch(quiet),
        hostile: {
          ...this.#stretch(hostile),
          notSent: hostile.notSent,
          ...this.#recovery(hostile)
        }
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
    const answered = mergedHistogram(
      operations.flatMap(([outcome, times]) => (outcome === 'OK' ? times : []))
    )
    /** @type {Record<string, number>} */
    const failures = {}
    for (const [outcome, { count }] of operations)
      if (outcome !== 'OK') failures[outcome] = (failures[outcome] ?? 0) + count
    const count = sumOf(operations, ([, times]) => times.count)
    const longestMs = Math.max(0, ...operations.map(([, { max }]) => max)) / 1000
    const [p50, p99] = [0.5, 0.99].map(share => percentile(share, { count, answered, longestMs }))
    return {
      count,
      failed: sumOf(Object.values(failures)),
      failures,
      p50Ms: p50.ms,
      p99Ms: p99.ms,
      censored: { p50: p50.censored, p99: p99.censored },
      ...cost
    }
  }

  /**
   * Until two intervals one after the other are in the range of quiet ones again.
   *
   * @param {MeasuredStretch} hostile
   * @returns {{ recoveryMs: number | null, recovered: boolean }} null: it is not known what is usual; not recovered: a lower bound
   */
  #recovery({ endMs, watchedMs }) {
    const quiet = this.#of(false)
    const all = quiet.flatMap(({ from, to }) => this.#intervals(from, to, 1))
    const each = slotsEach(sumOf(all, ({ count }) => count) / all.length)
    const known = present(quiet.flatMap(({ from, to }) => this.#intervals(from, to, each).map(slowest)))
    const finite = known.filter(Number.isFinite)
    if (finite.length === 0) return { recoveryMs: null, recovered: false }
    const from = slotFrom(endMs)
    const to = Math.min(slotFrom(watchedMs), slotFrom(endMs + MAX_RECOVERY_MS), this.#behindLast)
    const at = recoveredAt(this.#intervals(from, to, each).map(slowest), Math.max(...finite))
    // to the slot: it may have been at any time in the one before
    if (at !== null) return { recoveryMs: at * each * SLOT_MS, recovered: true }
    return { recoveryMs: Math.max(0, to - from) * SLOT_MS, recovered: false }
  }

  /** The slot behind the last that has operations. */
  get #behindLast() {
    return Math.max(-1, ...this.#slots.keys()) + 1
  }

  /** Whole intervals of some slots each. @param {number} from @param {number} to @param {number} each @returns {Histogram[]} */
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
 * An operation that failed counts as longer than any that was answered: a percentile that they reach into is at least the longest time that
 * was waited.
 *
 * @param {number} share
 * @param {{ count: number, answered: Histogram, longestMs: number }} of
 */
function percentile(share, { count, answered, longestMs }) {
  if (!isSure(share, count)) return { ms: null, censored: false }
  const ofAnswered = (share * count) / answered.count
  if (ofAnswered > 1 + Number.EPSILON) return { ms: longestMs, censored: true }
  return { ms: answered.quantile(Math.min(1, ofAnswered)) / 1000, censored: false }
}

/** @param {readonly MeasuredStretch[]} stretches @param {boolean} isStolen @returns {'NOT_CALM' | 'STOLEN' | null} */
function setAside(stretches, isStolen) {
  if (stretches.some(({ isCalm }) => !isCalm)) return 'NOT_CALM'
  return isStolen ? 'STOLEN' : null
}

/** @param {readonly number[]} values @returns {number | null} null: there are none */
const most = values => (values.length === 0 ? null : Math.max(...values))

/** @param {readonly number[]} values @returns {number | null} null: there are none */
const centre = values => (values.length === 0 ? null : hodgesLehmann(values))

/**
 * @template {number | null} T
 * @param {readonly Pair[]} pairs
 * @param {(stretch: Stretch) => number | null} read
 * @param {(values: readonly number[]) => T} join
 */
const bothOf = (pairs, read, join) => ({
  quiet: join(present(pairs.map(({ quiet }) => read(quiet)))),
  hostile: join(present(pairs.map(({ hostile }) => read(hostile))))
})

/** @param {readonly Pair[]} pairs */
function figuresOf(pairs) {
  const recoveries = pairs.map(({ hostile }) => hostile.recoveryMs)
  return {
    p50: ratioOf(pairs, 'p50'),
    p99: ratioOf(pairs, 'p99'),
    count: bothOf(pairs, ({ count }) => count, sumOf),
    failed: bothOf(pairs, ({ failed }) => failed, sumOf),
    longestTurnMs: bothOf(pairs, ({ longestTurnMs }) => longestTurnMs, most),
    rssBytes: bothOf(pairs, ({ rssBytes }) => rssBytes, most),
    cpuPercent: bothOf(pairs, ({ cpuPercent }) => cpuPercent, centre),
    recoveryMs: recoveries.includes(null) ? null : most(present(recoveries)),
    recovered: pairs.every(({ hostile }) => hostile.recovered),
    notSent: most(present(pairs.map(({ hostile }) => hostile.notSent)))
  }
}

/**
 * ratioOf is how many times as long operations take beside hostile peers, by pairs of stretches.
 *
 * @param {readonly Pair[]} pairs
 * @param {'p50' | 'p99'} which
 * @returns {Ratio | null} null: one of them is not known, or of a quiet one only a lower bound
 */
export function ratioOf(pairs, which) {
  const times = pairs.map(({ quiet, hostile }) => [quiet[`${which}Ms`], hostile[`${which}Ms`]])
  const known = times.every(pair => pair.every(ms => ms !== null && ms > 0))
  if (pairs.length === 0 || !known || pairs.some(({ quiet }) => quiet.censored[which])) return null
  const both = /** @type {[number, number][]} */ (times)
  const logs = both.map(([quiet, hostile]) => Math.log(hostile / quiet))
  const { low, high } = signFlip(logs).interval
  const bounded = Number.isFinite(low + high)
  return {
    quietMs: hodgesLehmann(both.map(([quiet]) => quiet)),
    hostileMs: hodgesLehmann(both.map(([, hostile]) => hostile)),
    ratio: Math.exp(hodgesLehmann(logs)),
    low: bounded ? Math.exp(low) : null,
    high: bounded ? Math.exp(high) : null,
    atLeast: pairs.some(({ hostile }) => hostile.censored[which])
  }
}

/**
 * @typedef {object} Cost - of a server in a while; null: it is not known
 * @property {number | null} cpuPercent - of a core
 * @property {number | null} rssBytes - at most
 * @property {number | null} longestTurnMs - of its event loop, CPU time
 */

const SAMPLE_EVERY_MS = 250
const READ_CPU_EVERY_MS = 500
/** Above what it takes of a core without hostile peers a server has nothing left to do for them. */
const CALM_PERCENT = 5
const MAX_UNTIL_CALM_MS = 60_000
/** Of a server that does not say what it does. */
const PAUSE_MS = 1000

/** ServerWatch measures what a server costs, as far as that can be read. */
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

  /** cost is what the server took since this was called last. @returns {Promise<Cost>} */
  async cost() {
    const { cpuMs, rssBytes, longestTurnMs } = await this.#seen()
    const { cpuMs: cpuBefore, atMs: atBefore } = this.#before
    this.#before = { cpuMs, atMs: performance.now() }
    const known = cpuMs !== null && cpuBefore !== null
    const cpuPercent = known ? (100 * (cpuMs - cpuBefore)) / (this.#before.atMs - atBefore) : null
    return { cpuPercent, rssBytes, longestTurnMs }
  }

  /**
   * calm waits until what was sent, and waits in sockets, is worked off: it belongs to no other stretch.
   *
   * @param {number} quietPercent - of a core, that the server takes without hostile peers
   * @param {AbortSignal} [signal]
   * @returns {Promise<boolean>} false: it was not, for as long as it is waited for
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

  /** memory is what the server has in use behind a garbage collection. @returns {Promise<{ heapBytes: number, externalBytes: number } | null>} null: it does not say */
  async memory() {
    return (await this.#target.control?.inUse()) ?? null
  }

  stop() {
    clearInterval(this.#timer)
  }

  async #seen() {
    const { control, reading } = this.#target
    if (control !== null) return control.seen()
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
