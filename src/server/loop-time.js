import { afterPromises } from './after-promises.js'
import { Penalty } from './penalty.js'
import { Rate, Rates, waitMs } from './rate.js'

/**
 * @typedef {object} LoopShare - of somebody
 * @property {() => void} begin - something is done for it from now on, until its promises have settled or something else begins
 * @property {() => Promise<void> | undefined} wait - until it may have more; undefined: it may now
 * @property {(ms: number) => void} late - it has to wait for so long for another reason; whoever stays late has less and less
 */

// what may be done at once, in time of the event loop
const AHEAD_MS = 50
// nothing is served for longer: what is beyond was a pause of the process, which nobody asked for
const MOST_MS = 4

/** UNTIMED is the share of whom nobody limits. @type {LoopShare} */
export const UNTIMED = { begin: () => {}, wait: () => undefined, late: () => {} }

/** @type {() => NodeJS.CpuUsage} */
const cpuUsage =
  /** @type {{ threadCpuUsage?: () => NodeJS.CpuUsage }} */ (process).threadCpuUsage ?? process.cpuUsage

/** What this thread has worked, or, on Node 20, all threads of the process, so that it may be too much. */
function cpuMsOfLoop() {
  const { user, system } = cpuUsage()
  return (user + system) / 1000
}

// how often a share is halved: an address that stays beyond it is left 9 of 150 ms, a group of many such addresses 37
const ADDRESS_HALVINGS = 4
const GROUP_HALVINGS = 2

/**
 * LoopTime shares the time of the event loop among groups of addresses, and addresses of a group: what is done for one counts, with the
 * promises behind it, and who had its share waits. Who stays beyond it has less (Penalty). Waiting for a core does not count.
 */
export class LoopTime {
  #groups
  #addresses
  #now
  #cpuMs
  /** @type {{ shares: Share[], since: number, cpuSince: number } | undefined} */
  #running

  /**
   * @param {number} msPerSecond - for each group, and for an address of it
   * @param {object} [clocks]
   * @param {() => number} [clocks.now] - ms
   * @param {() => number} [clocks.cpuMs] - that the process has worked
   */
  constructor(msPerSecond, { now = () => performance.now(), cpuMs = cpuMsOfLoop } = {}) {
    this.#groups = new Rates(() => new Share(msPerSecond, GROUP_HALVINGS, now))
    this.#addresses = new Rates(() => new Share(msPerSecond, ADDRESS_HALVINGS, now))
    this.#now = now
    this.#cpuMs = cpuMs
  }

  /**
   * of is the share of an address.
   *
   * @param {{ group: string, address: string }} visitor
   * @param {import('./rate.js').Holder} connection
   * @returns {LoopShare}
   */
  of({ group, address }, connection) {
    const own = this.#addresses.of(address, connection)
    const all = this.#groups.of(group, connection)
    return {
      begin: () => this.#begin([own, all]),
      wait() {
        const [ownMs, allMs] = [own.untilMs, all.untilMs]
        own.late(Math.max(ownMs, allMs))
        // not for what one of them does
        if (allMs > ownMs) all.late(allMs)
        return waitMs(Math.max(ownMs, allMs))
      },
      late: own.late
    }
  }

  /** @param {Share[]} shares */
  #begin(shares) {
    this.#end()
    const running = { shares, since: this.#now(), cpuSince: this.#cpuMs() }
    this.#running = running
    afterPromises(() => {
      if (this.#running === running) this.#end()
    })
  }

  #end() {
    if (this.#running === undefined) return
    const { shares, since, cpuSince } = this.#running
    const ms = Math.min(MOST_MS, this.#now() - since, this.#cpuMs() - cpuSince)
    for (const share of shares) share.take(ms)
    this.#running = undefined
  }
}

class Share {
  #rate
  #penalty

  /** @param {number} msPerSecond @param {number} mostHalvings @param {() => number} now */
  constructor(msPerSecond, mostHalvings, now) {
    this.#rate = new Rate(msPerSecond, AHEAD_MS, now)
    this.#penalty = new Penalty(mostHalvings, now)
  }

  get idle() {
    return this.#rate.idle && this.#penalty.idle
  }

  get untilMs() {
    return this.#rate.untilMs
  }

  /** @param {number} ms */
  take(ms) {
    this.#rate.take(ms * this.#penalty.price)
  }

  /** @param {number} ms */
  late = ms => {
    if (ms > 0) this.#penalty.late(ms)
  }
}
