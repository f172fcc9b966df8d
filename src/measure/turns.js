import { performance } from 'node:perf_hooks'
import { ownCoreTime } from './core-wait.js'

/** @type {any} the types of Node 20 do not know `uvMetricsInfo` yet */
const NODE_TIMING = performance.nodeTiming

/** @returns {LoopReading} */
function loopOfProcess() {
  const { eventsWaiting, loopCount } = NODE_TIMING.uvMetricsInfo
  return { sleptMs: NODE_TIMING.idleTime, foundWaiting: eventsWaiting, turns: loopCount }
}

/** The kernel's answer is good for so long: waiting for a core takes longer than that, and asking costs 3 µs. */
const WORTH_ASKING_NS = 300_000

/**
 * Turns tells how long an event waited because the event loop was busy with other things, or had no core: the part of a response time
 * that the load generator added. When bytes reached the kernel cannot be seen from inside, so it reckons.
 *
 * - An event that the loop slept for waited for the core that the loop woke up on: where the loop woke up for other things since the last event,
 *   such as timers, for its share of what all these waited.
 * - One that was there when the loop looked came at any moment since it looked before: it waited on average for half of that time.
 * - A later event of a turn also waited for those before it.
 *
 * @typedef {object} LoopReading - of an event loop, since its process began
 * @property {number} sleptMs - how long it has slept
 * @property {number} foundWaiting - how many events were there already when it looked
 * @property {number} turns
 *
 * @typedef {object} Waited - ns
 * @property {number} total
 * @property {number} most - it cannot have waited longer
 */
export class Turns {
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
  /** @type {Waited} of the first event of the turn */
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
    coreWaitNs = () => ownCoreTime()?.waited ?? 0,
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
   * @returns {Waited} what the event is reckoned to have waited
   */
  event(nowNs) {
    if (!this.#open) this.#begin(nowNs)
    const behindNs = Number(nowNs - this.#startNs)
    if (behindNs === 0) return this.#wait
    return { total: this.#wait.total + behindNs, most: this.#wait.most + behindNs }
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

  /** @param {bigint} nowNs @param {{ atNs: bigint, loop: LoopReading, coreWaitNs: number }} end @returns {Waited} */
  #waited(nowNs, { atNs, loop: before, coreWaitNs }) {
    const loop = this.#readLoop()
    const sinceNs = Number(nowNs - atNs)
    const sleptNs = (loop.sleptMs - before.sleptMs) * 1e6
    const turns = Math.max(1, loop.turns - before.turns)
    const withoutCoreNs = Math.min(sinceNs, (this.coreWaitNs(nowNs) - coreWaitNs) / turns)
    // the loop woke up for it
    if (sleptNs > 0 && loop.foundWaiting === before.foundWaiting)
      return { total: withoutCoreNs, most: withoutCoreNs }
    const most = sleptNs > 0 ? Math.max(withoutCoreNs, sinceNs - sleptNs) : Number(nowNs - this.#lookedNs)
    return { total: most / 2, most }
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

/** @type {Waited} */
const NOT_AT_ALL = { total: 0, most: 0 }
