import { Histogram } from './histogram.js'

/**
 * @typedef {object} DueSlot - operations that were due in one slot, of one outcome
 * @property {number} slot - 0: the first since the load began
 * @property {string} outcome
 * @property {import('./histogram.js').HistogramData} data - response times
 */

/** Operations that are no requests of a load to a server. */
const OTHERS = new Set(['CONNECT', 'PUBLISH'])

/** DueSlots count requests of a load in short slots of time, by when they were due, whenever they end. */
export class DueSlots {
  #slotMs
  #startNs
  /** @type {Map<string, { slot: number, outcome: string, times: Histogram }>} */
  #slots = new Map()

  /** @param {number} slotMs @param {bigint} startNs - of the load */
  constructor(slotMs, startNs) {
    this.#slotMs = slotMs
    this.#startNs = startNs
  }

  /** add takes an operation that has ended. @param {import('./operation-recorder.js').Timing} timing @param {string} outcome */
  add({ type, dueNs, sentNs, repliedNs }, outcome) {
    if (OTHERS.has(type)) return
    const fromNs = dueNs ?? sentNs
    const slot = Math.max(0, Math.floor(Number(fromNs - this.#startNs) / 1e6 / this.#slotMs))
    const key = `${slot} ${outcome}`
    const counted = this.#slots.get(key) ?? { slot, outcome, times: new Histogram() }
    this.#slots.set(key, counted)
    counted.times.record(Number(repliedNs - fromNs) / 1000)
  }

  /** take gives those since it was called last. @returns {DueSlot[]} */
  take() {
    const taken = [...this.#slots.values()].map(({ slot, outcome, times }) => ({
      slot,
      outcome,
      data: times.toData()
    }))
    this.#slots = new Map()
    return taken
  }
}
