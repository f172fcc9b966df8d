// Measures client overhead: the part of a response time that the load generator itself added. Results store it for each
// range of response times.

import { performance } from 'node:perf_hooks'
import { computeSum } from '../kit/collections.js'
import {
  Histogram,
  packHistogram,
  quantize,
  SAMPLES_BEYOND,
  SIGNIFICANT_DIGITS,
  unpackHistogram
} from './histogram.js'
import { readOwnCoreTime } from './resources.js'

/** Operations whose time lies within this share of a percentile are those at that percentile. */
const NEAR = 0.05

/** Bits of a whole number that are kept: times are told apart to 3 %, overheads to 6 %. */
const TIME_BITS = 6
const OVERHEAD_BITS = 5

/** More than an index of an overhead takes. */
const OVERHEADS = 512

/** indexOf numbers buckets whose width grows with their values. @param {number} value - whole, ≥ 0, below 2^32 @param {number} bits */
const indexOf = (value, bits) => {
  const shift = Math.max(0, 32 - Math.clz32(value) - bits)
  return shift * 2 ** (bits - 1) + Math.floor(value / 2 ** shift)
}

/** middleOf is the value in the middle of a bucket. @param {number} index @param {number} bits */
const middleOf = (index, bits) => {
  const half = 2 ** (bits - 1)
  const shift = Math.max(0, Math.floor(index / half) - 1)
  return (index - shift * half + 0.5) * 2 ** shift - 0.5
}

/** @param {number} us */
const whole = us => Math.min(2 ** 32 - 1, Math.max(0, Math.round(us)))

/**
 * Overheads counts operations by their time and by their client overhead, the part of that time that the load generator added: how much of
 * a percentile was overhead is what the operations around it had, never a difference of two percentiles. Merging is exact.
 */
export class Overheads {
  /** @type {Map<number, number>} operations by the number of both buckets */
  #counts = new Map()
  #sum = 0
  #max = 0
  count = 0

  /**
   * @param {number} us - time of an operation
   * @param {number} overheadUs - of that
   * @param {number} [times] - so many operations
   */
  record(us, overheadUs, times = 1) {
    const overhead = whole(overheadUs)
    this.#count(indexOf(whole(us), TIME_BITS) * OVERHEADS + indexOf(overhead, OVERHEAD_BITS), times)
    this.#sum += overhead * times
    this.#max = Math.max(this.#max, overhead)
  }

  /** @param {number} key @param {number} times */
  #count(key, times) {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + times)
    this.count += times
  }

  /** @param {import('./histogram.js').HistogramCounts} data - as `toData` gave it */
  merge({ values, counts, sum, max }) {
    for (let i = 0; i < values.length; i++) this.#count(values[i], counts[i])
    this.#sum += sum
    this.#max = Math.max(this.#max, max)
  }

  /** toData is what there is on its way between processes: whole numbers, as a histogram has. @returns {import('./histogram.js').HistogramData} */
  toData() {
    return {
      values: Float64Array.from(this.#counts.keys()),
      counts: Uint32Array.from(this.#counts.values()),
      count: this.count,
      sum: this.#sum,
      max: this.#max
    }
  }

  /**
   * near is the median overhead of the operations that took about as long: their times lie within 5 % of it, or they are the ten nearest.
   *
   * @param {number} us
   * @returns {number | null} µs; null: there is no operation
   */
  near(us) {
    const cells = [...this.#counts].map(([key, count]) => ({
      away: Math.abs(middleOf(Math.floor(key / OVERHEADS), TIME_BITS) - us),
      overhead: middleOf(key % OVERHEADS, OVERHEAD_BITS),
      count
    }))
    const near = cells.filter(({ away }) => away <= NEAR * us)
    const median = medianOverhead(
      computeSum(near, ({ count }) => count) < SAMPLES_BEYOND ? nearest(cells) : near
    )
    return median === null ? null : Math.min(us, median)
  }

  /** histogram is of the overheads alone, of operations of any time. */
  histogram() {
    const histogram = new Histogram()
    const pairs = [...this.#counts].map(([key, count]) => {
      const us = Math.round(middleOf(key % OVERHEADS, OVERHEAD_BITS))
      return /** @type {const} */ ([quantize(us, SIGNIFICANT_DIGITS), count])
    })
    histogram.addPairs(pairs)
    histogram.sum = this.#sum
    histogram.max = this.#max
    return histogram
  }
}

/** @typedef {{ away: number, overhead: number, count: number }} OverheadCell - operations alike: how far from a time, in µs; their overhead, in µs */

/** nearest are those nearest to a time that come to ten operations. @param {OverheadCell[]} cells */
function nearest(cells) {
  let count = 0
  return cells
    .sort((a, b) => a.away - b.away)
    .filter(cell => {
      const wanted = count < SAMPLES_BEYOND
      count += cell.count
      return wanted
    })
}

/** @param {OverheadCell[]} cells @returns {number | null} µs */
function medianOverhead(cells) {
  let left = computeSum(cells, ({ count }) => count) / 2
  for (const { overhead, count } of cells.sort((a, b) => a.overhead - b.overhead)) {
    left -= count
    if (left <= 0) return overhead
  }
  return null
}

/**
 * mergeOverheads are those of several together.
 *
 * @param {Iterable<Overheads>} each
 */
export function mergeOverheads(each) {
  const all = new Overheads()
  for (const overheads of each) all.merge(overheads.toData())
  return all
}

/**
 * encodeOverheads writes them as a result stores them, so that those of several results can be merged.
 *
 * @param {Overheads} overheads
 * @returns {string} base64
 */
export const encodeOverheads = overheads => Buffer.from(packHistogram(overheads.toData())).toString('base64')

/**
 * decodeOverheads reads what encodeOverheads wrote.
 *
 * @param {string} base64
 * @returns {Overheads}
 * @throws {RangeError} it is something else
 */
export function decodeOverheads(base64) {
  const overheads = new Overheads()
  const data = unpackHistogram(Buffer.from(base64, 'base64'))
  overheads.merge(data)
  if (overheads.count !== data.count) throw new RangeError('not every operation has an overhead')
  return overheads
}

/**
 * isEncodedOverheads says whether a text can be read as overheads.
 *
 * @param {string} base64
 */
export function isEncodedOverheads(base64) {
  try {
    decodeOverheads(base64)
    return true
  } catch {
    return false
  }
}

/** @type {any} the types of Node 20 do not know `uvMetricsInfo` yet */
const NODE_TIMING = performance.nodeTiming

/** @returns {LoopReading} */
function loopOfProcess() {
  const { eventsWaiting, loopCount } = NODE_TIMING.uvMetricsInfo
  return { sleptMs: NODE_TIMING.idleTime, waitingEvents: eventsWaiting, turns: loopCount }
}

/** The kernel's answer is good for so long: waiting for a core takes longer than that, and asking costs 3 µs. */
const WORTH_ASKING_NS = 300_000

/**
 * LoopTurns tells how long an event waited because the event loop was busy with other things, or had no core: the part of a response time
 * that the load generator added. When bytes reached the kernel cannot be seen from inside, so it reckons.
 *
 * - An event that the loop slept for waited for the core that the loop woke up on: where the loop woke up for other things since the last event,
 *   such as timers, for its share of what all these waited.
 * - One that was there when the loop looked came at any moment since it looked before: it waited on average for half of that time.
 * - A later event of a turn also waited for those before it.
 *
 * @typedef {object} LoopReading - of an event loop, since its process began
 * @property {number} sleptMs - how long it has slept
 * @property {number} waitingEvents - how many events were there already when it looked
 * @property {number} turns
 *
 * @typedef {object} WaitTime - ns
 * @property {number} total
 * @property {number} max - it cannot have waited longer
 */
export class LoopTurns {
  #clock
  #schedule
  #readLoop
  #askCoreWait
  #coreWait = { atNs: -BigInt(WORTH_ASKING_NS), ns: 0 }
  #onTurn
  #startNs = 0n
  /** When the loop was about to look for events, for the last time. @type {{ atNs: bigint, loop: LoopReading, coreWaitNs: number } | null} */
  #end = null
  /** When the loop last looked for events. */
  #lookedNs = 0n
  /** @type {WaitTime} of the first event of the turn */
  #wait = NOT_AT_ALL
  #open = false

  /**
   * @param {object} components
   * @param {() => bigint} [components.clock] - ns
   * @param {(end: () => void) => unknown} [components.schedule] - calls when the present turn's events are handled
   * @param {() => LoopReading} [components.readLoop]
   * @param {() => number} [components.coreWaitNs] - how long this thread has waited for a core since it began; 0 where that is not known
   * @param {(lengthNs: number) => void} [components.onTurn] - told the length of every turn with events
   */
  constructor({
    clock = process.hrtime.bigint,
    schedule = setImmediate,
    readLoop = loopOfProcess,
    coreWaitNs = () => readOwnCoreTime()?.waited ?? 0,
    onTurn = () => {}
  } = {}) {
    this.#clock = clock
    this.#schedule = schedule
    this.#readLoop = readLoop
    this.#askCoreWait = coreWaitNs
    this.#onTurn = onTurn
  }

  /**
   * event is called when something arrived from the network.
   *
   * @param {bigint} nowNs
   * @returns {WaitTime} what the event is reckoned to have waited
   */
  event(nowNs) {
    if (!this.#open) this.#begin(nowNs)
    const behindNs = Number(nowNs - this.#startNs)
    if (behindNs === 0) return this.#wait
    return { total: this.#wait.total + behindNs, max: this.#wait.max + behindNs }
  }

  /** busy says whether events are being handled right now. */
  get busy() {
    return this.#open
  }

  /** idle is called when the loop turned without having to: whatever comes next did not wait for the turn before. */
  idle() {
    if (!this.#open) this.#lookedNs = this.#look()
  }

  /** coreWaitNs is how long this thread has waited for a core since it began, as of no more than 300 µs ago. @param {bigint} nowNs */
  coreWaitNs(nowNs) {
    if (Number(nowNs - this.#coreWait.atNs) >= WORTH_ASKING_NS)
      this.#coreWait = { atNs: nowNs, ns: this.#askCoreWait() }
    return this.#coreWait.ns
  }

  /** @param {bigint} nowNs */
  #begin(nowNs) {
    this.#wait = this.#end === null ? NOT_AT_ALL : this.#waited(nowNs, this.#end)
    this.#startNs = this.#lookedNs = nowNs
    this.#open = true
    this.#schedule(() => this.#close())
  }

  /** @param {bigint} nowNs @param {{ atNs: bigint, loop: LoopReading, coreWaitNs: number }} end @returns {WaitTime} */
  #waited(nowNs, { atNs, loop: before, coreWaitNs }) {
    const loop = this.#readLoop()
    const sinceNs = Number(nowNs - atNs)
    const sleptNs = (loop.sleptMs - before.sleptMs) * 1e6
    const turns = Math.max(1, loop.turns - before.turns)
    const withoutCoreNs = Math.min(sinceNs, (this.coreWaitNs(nowNs) - coreWaitNs) / turns)
    // the loop woke up for it
    if (sleptNs > 0 && loop.waitingEvents === before.waitingEvents)
      return { total: withoutCoreNs, max: withoutCoreNs }
    const max = sleptNs > 0 ? Math.max(withoutCoreNs, sinceNs - sleptNs) : Number(nowNs - this.#lookedNs)
    return { total: max / 2, max }
  }

  #close() {
    this.#open = false
    this.#onTurn(Number(this.#look() - this.#startNs))
  }

  /** The loop is about to look for events. */
  #look() {
    const atNs = this.#clock()
    this.#end = { atNs, loop: this.#readLoop(), coreWaitNs: this.coreWaitNs(atNs) }
    return atNs
  }
}

/** @type {WaitTime} */
const NOT_AT_ALL = { total: 0, max: 0 }

/**
 * @typedef {object} WireStage - from when something is sent to when its answer was understood
 * @property {bigint} beganNs
 * @property {bigint | null} writtenNs - its first bytes were handed to the system; null: not yet
 */

/**
 * WireTimer tells the time in which the bytes of an operation were on their way or with the server from the time in which they were
 * with the client, whatever it did with them. It stands between a client's connections and their encryption.
 */
export class WireTimer {
  #turns
  #clock
  /** @type {WireStage[]} whose bytes were not handed to the system yet */
  #unwritten = []
  /** @type {bigint | null} when bytes last came */
  #readNs = null
  /** @type {WaitTime} what they had waited by then */
  #waited = { total: 0, max: 0 }
  /** How long the thread had waited for a core by then. */
  #coreWaitNs = 0
  /** The shortest time from bytes that were written to those of the answer: no answer came sooner. */
  #fastestNs = Infinity
  /** No bytes were handed to the system sooner. */
  #fastestSendNs = Infinity

  /** @param {LoopTurns} turns @param {() => bigint} [clock] - ns */
  constructor(turns, clock = process.hrtime.bigint) {
    this.#turns = turns
    this.#clock = clock
  }

  /**
   * wrote is called when bytes were handed to the system. The way through TCP transport, socket and system call is the client's. But where the
   * packet wakes a server up on the same core, the call returns when the server is done: what it took beyond twice the fastest is not counted.
   *
   * @param {number} tookNs
   */
  wrote(tookNs) {
    this.#fastestSendNs = Math.min(this.#fastestSendNs, tookNs)
    if (this.#unwritten.length === 0) return
    const writtenNs = this.#clock() - BigInt(Math.max(0, tookNs - 2 * this.#fastestSendNs))
    for (const stage of this.#unwritten) stage.writtenNs = writtenNs
    this.#unwritten = []
  }

  /** read is called when bytes have come. */
  read() {
    this.#readNs = this.#clock()
    this.#waited = this.#turns.event(this.#readNs)
    this.#coreWaitNs = this.#turns.coreWaitNs(this.#readNs)
  }

  /**
   * heard is what those bytes had waited when what they say is understood: before they were read, and for a core since.
   *
   * @param {bigint} nowNs
   * @returns {number} ns
   */
  heard(nowNs) {
    if (this.#readNs === null) return 0
    const withoutCoreNs = this.#turns.coreWaitNs(nowNs) - this.#coreWaitNs
    return this.#waited.total + Math.min(Number(nowNs - this.#readNs), withoutCoreNs)
  }

  /** begin is called before something is sent. @param {bigint} beganNs @returns {WireStage} */
  begin(beganNs) {
    const stage = { beganNs, writtenNs: null }
    this.#unwritten.push(stage)
    return stage
  }

  /**
   * end is called when the answer was understood.
   *
   * @param {WireStage} stage
   * @param {bigint} endNs
   * @returns {number} ns of it that were with the client
   */
  end({ beganNs, writtenNs }, endNs) {
    const wholeNs = Number(endNs - beganNs)
    // a stack that tells nothing of its bytes: what the client itself did with them is not known
    if (writtenNs === null || this.#readNs === null || this.#readNs < writtenNs)
      return Math.min(wholeNs, this.#turns.event(endNs).total)
    const answeredNs = Number(this.#readNs - writtenNs)
    this.#fastestNs = Math.min(this.#fastestNs, answeredNs)
    return wholeNs - answeredNs + waitedWithin(answeredNs - this.#fastestNs, this.#waited)
  }
}

/**
 * What an answer waited that came within the last `roomNs`: where it could have come before, half of the time that is left.
 *
 * @param {number} windowNs
 * @param {WaitTime} waited
 */
const waitedWithin = (windowNs, { total, max }) => Math.min(windowNs, total - Math.max(0, max - windowNs) / 2)
