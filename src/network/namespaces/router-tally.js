import { Histogram } from '../../measure/histogram.js'

/**
 * @typedef {import('./packet-router.js').RouterCounts} RouterCounts
 *
 * @typedef {object} Reading - since the beginning
 * @property {number} atNs
 * @property {RouterCounts} counts
 * @property {number} cpuMicros - of the router and of what holds the namespaces
 * @property {number | null} waitedNs - for a core, of what holds the namespaces; null: this system does not tell
 *
 * @typedef {RouterCounts & { wallMs: number, cpuMicros: number, waitedMs: number | null,
 *   lateness: import('../../measure/histogram.js').HistogramData }} RouterUsage - since `begin`; `waitedMs`: for a core, of what holds the
 *   namespaces; `lateness`: when a packet was handed to its node after it was due, µs
 */

/** RouterTally is what a router has counted since it last began to. */
export class RouterTally {
  #read
  #began
  #lateness = new Histogram()
  #isMixed = true

  /** @param {() => Reading} read */
  constructor(read) {
    this.#read = read
    this.#began = read()
  }

  /** begin counts from now on. */
  begin() {
    this.#began = this.#read()
    this.#lateness = new Histogram()
    this.#isMixed = true
  }

  /** heard takes how late packets were since that was last told: what was told first since `begin` is of packets from before, too. @param {number} toldNs @param {readonly number[]} micros */
  heard(toldNs, micros) {
    if (!this.#isMixed) for (const late of micros) this.#lateness.record(late)
    else this.#isMixed = toldNs < this.#began.atNs
  }

  /** @returns {RouterUsage} */
  get usage() {
    const [began, now] = [this.#began, this.#read()]
    const since = (/** @type {keyof RouterCounts} */ name) => now.counts[name] - began.counts[name]
    return {
      ...{ packets: since('packets'), bytes: since('bytes'), lost: since('lost') },
      ...{ cut: since('cut'), overflowed: since('overflowed') },
      wallMs: (now.atNs - began.atNs) / 1e6,
      cpuMicros: now.cpuMicros - began.cpuMicros,
      waitedMs:
        now.waitedNs === null || began.waitedNs === null ? null : (now.waitedNs - began.waitedNs) / 1e6,
      lateness: this.#lateness.toData()
    }
  }
}
