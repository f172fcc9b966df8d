import { performance } from 'node:perf_hooks'
import { ownCoreTime } from './core-wait.js'

/** @type {any} the types of Node 20 do not know `uvMetricsInfo` yet */
const NODE_TIMING = performance.nodeTiming

/**
 * The kernel is asked about a stretch of work from this length on, and its answer is good for so long: waiting for a core takes longer than
 * that, and asking costs 3 µs.
 */
const WORTH_ASKING_NS = 300_000

/**
 * Turns tells how long an event waited because the event loop was busy with other things, or had no core: the part of a response time
 * that load generator and machine added. When bytes reached the kernel cannot be seen from inside, so it reckons.
 *
 * - An event that the loop slept for waited for the core that the loop woke up on: where the loop woke up for other things since the last event,
 *   such as timers, for its share of what all these waited.
 * - One that was there when the loop looked waited on average for half of what the loop had done since it looked before.
 * - A later event of a turn also waited for those before it.
 *
 * @typedef {object} Waited - ns
 * @property {number} total
 * @property {number} machine - of `total`: for a core
 */
export class Turns {
  #clock
  #schedule
  #idleMs
  #foundWaiting
  #loops
  #askCoreWait
  #coreWait = { atNs: -BigInt(WORTH_ASKING_NS), ns: 0 }
  #onTurn
  #startNs = 0n
  #end = { atNs: /** @type {bigint | null} */ (null), idleMs: 0, foundWaiting: 0, loops: 0, coreWaitNs: 0 }
  /** When the loop last looked for events. */
  #lookedNs = 0n
  #coreWaitAtStartNs = 0
  /** @type {Waited} of the first event of the turn */
  #wait = NOT_AT_ALL
  #open = false

  /**
   * @param {object} components
   * @param {() => bigint} [components.clock] - ns
   * @param {(end: () => void) => unknown} [components.schedule] - calls when the present turn's events are handled
   * @param {() => number} [components.idleMs] - how long the loop has slept since the process began
   * @param {() => number} [components.foundWaiting] - how many events were there already when the loop looked, since the process began
   * @param {() => number} [components.loops] - how often the loop has turned, since the process began
   * @param {() => number} [components.coreWaitNs] - how long this thread has waited for a core since it began; 0 where that is not known
   * @param {(lengthNs: number) => void} [components.onTurn] - told the length of every turn with events
   */
  constructor({
    clock = process.hrtime.bigint,
    schedule = setImmediate,
    idleMs = () => performance.nodeTiming.idleTime,
    foundWaiting = () => NODE_TIMING.uvMetricsInfo.eventsWaiting,
    loops = () => NODE_TIMING.uvMetricsInfo.loopCount,
    coreWaitNs = () => ownCoreTime()?.waited ?? 0,
    onTurn = () => {}
  } = {}) {
    this.#clock = clock
    this.#schedule = schedule
    this.#idleMs = idleMs
    this.#foundWaiting = foundWaiting
    this.#loops = loops
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
    return {
      total: this.#wait.total + behindNs,
      machine: this.#wait.machine + this.#waitedSince(this.#coreWaitAtStartNs, behindNs, nowNs)
    }
  }

  /**
   * stretch tells how much of a stretch of work that ends now this thread waited for a core.
   *
   * @param {number} ns - its length; of a short one nothing is asked
   */
  stretch(ns) {
    return this.#waitedSince(this.#open ? this.#coreWaitAtStartNs : this.#end.coreWaitNs, ns, this.#clock())
  }

  /** busy says whether events are being handled right now. */
  get busy() {
    return this.#open
  }

  /** idle is called when the loop turned without having to: whatever comes next did not wait for the turn before. */
  idle() {
    if (this.#open || this.#end.atNs === null) return
    this.#lookedNs = this.#end.atNs = this.#clock()
  }

  /** @param {number} coreWaitNs @param {number} ns @param {bigint} nowNs */
  #waitedSince(coreWaitNs, ns, nowNs) {
    return ns < WORTH_ASKING_NS ? 0 : Math.min(ns, this.#coreWaitNs(nowNs) - coreWaitNs)
  }

  /** How long this thread has waited for a core. @param {bigint} nowNs */
  #coreWaitNs(nowNs) {
    if (Number(nowNs - this.#coreWait.atNs) >= WORTH_ASKING_NS)
      this.#coreWait = { atNs: nowNs, ns: this.#askCoreWait() }
    return this.#coreWait.ns
  }

  /** @param {bigint} nowNs */
  #begin(nowNs) {
    this.#coreWaitAtStartNs = this.#coreWaitNs(nowNs)
    this.#wait = this.#end.atNs === null ? NOT_AT_ALL : this.#waited(nowNs, this.#end.atNs)
    this.#startNs = this.#lookedNs = nowNs
    this.#open = true
    this.#schedule(() => this.#close())
  }

  /** @param {bigint} nowNs @param {bigint} endNs @returns {Waited} */
  #waited(nowNs, endNs) {
    const sinceNs = Number(nowNs - endNs)
    const sleptNs = (this.#idleMs() - this.#end.idleMs) * 1e6
    const turns = Math.max(1, this.#loops() - this.#end.loops)
    const machine = Math.min(sinceNs, (this.#coreWaitAtStartNs - this.#end.coreWaitNs) / turns)
    if (sleptNs > 0 && this.#foundWaiting() === this.#end.foundWaiting) return { total: machine, machine }
    const activeNs = sleptNs > 0 ? Math.max(0, sinceNs - sleptNs) : Number(nowNs - this.#lookedNs)
    return { total: Math.max(machine, activeNs / 2), machine }
  }

  #close() {
    this.#open = false
    const atNs = this.#clock()
    this.#end = {
      atNs,
      idleMs: this.#idleMs(),
      foundWaiting: this.#foundWaiting(),
      loops: this.#loops(),
      coreWaitNs: this.#coreWaitNs(atNs)
    }
    this.#onTurn(Number(atNs - this.#startNs))
  }
}

/** @type {Waited} */
const NOT_AT_ALL = { total: 0, machine: 0 }
