import { afterPromises } from './after-promises.js'
import { Rate, Rates } from './rate.js'

/**
 * @typedef {object} LoopShare - of somebody
 * @property {() => void} begin - something is done for it from now on, until its promises have settled or something else begins
 * @property {(who?: import('./waiting.js').Waiter) => Promise<void> | undefined} wait - until it may have more, or who waits has closed; undefined: it may now
 */

// what may be done at once, in time of the event loop
const AHEAD_MS = 50
// nothing is served for longer: what is beyond was a pause of the process, which nobody asked for
const MOST_MS = 4
// what takes less cannot have waited for a core for long, and to ask the system what was worked takes 4 µs
const SHORT_MS = 1

/** UNTIMED is the share of whom nobody limits. @type {LoopShare} */
export const UNTIMED = { begin: () => {}, wait: () => undefined }

/** @type {() => NodeJS.CpuUsage} */
const cpuUsage =
  /** @type {{ threadCpuUsage?: () => NodeJS.CpuUsage }} */ (process).threadCpuUsage ?? process.cpuUsage

/** What this thread has worked, or, on Node 20, all threads of the process, so that it may be too much. */
function cpuMsOfLoop() {
  const { user, system } = cpuUsage()
  return (user + system) / 1000
}

/**
 * LoopTime shares the time of the event loop among groups of addresses, that of requests and that of what is below them (encryption, frames,
 * handshakes) apart, so that what carries no request has less than what does: what is done for one counts, with the promises behind it, and who
 * had its share waits. Waiting for a core does not count. A share is never made smaller because somebody has to
 * wait: who asks for less than it, but had to wait once, would not come out of that again.
 */
export class LoopTime {
  #shares
  #now
  #cpuMs
  /** what was worked until when, at the last time that it was asked */
  #worked = { cpuMs: 0, at: Number.NEGATIVE_INFINITY }
  /** @type {{ share: Rate, since: number, cpuSince: number } | undefined} */
  #running

  /**
   * @param {number} msPerSecond - for each group, of requests, and of what is below them
   * @param {object} [clocks]
   * @param {() => number} [clocks.now] - ms
   * @param {() => number} [clocks.cpuMs] - that the process has worked
   */
  constructor(msPerSecond, { now = () => performance.now(), cpuMs = cpuMsOfLoop } = {}) {
    this.#shares = new Rates(() => new Rate(msPerSecond, AHEAD_MS, now))
    this.#now = now
    this.#cpuMs = cpuMs
  }

  /**
   * of is the share of a group.
   *
   * @param {'requests' | 'connections'} what
   * @param {string} group
   * @param {import('./rate.js').Holder} connection
   * @returns {LoopShare}
   */
  of(what, group, connection) {
    const share = this.#shares.of(`${what} ${group}`, connection)
    return { begin: () => this.#begin(share), wait: who => share.wait(who) }
  }

  /** @param {Rate} share */
  #begin(share) {
    this.#end()
    const since = this.#now()
    if (since - this.#worked.at > SHORT_MS) this.#worked = { cpuMs: this.#cpuMs(), at: since }
    const running = { share, since, cpuSince: this.#worked.cpuMs }
    this.#running = running
    afterPromises(() => {
      if (this.#running === running) this.#end()
    })
  }

  #end() {
    if (this.#running === undefined) return
    const { share, since, cpuSince } = this.#running
    const now = this.#now()
    const took = Math.min(MOST_MS, now - since)
    if (took > SHORT_MS) this.#worked = { cpuMs: this.#cpuMs(), at: now }
    share.take(took > SHORT_MS ? Math.min(took, this.#worked.cpuMs - cpuSince) : took)
    this.#running = undefined
  }
}
