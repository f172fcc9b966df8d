import { sumOf } from '../../../kit/lists.js'

/**
 * @typedef {import('../../rotate-gossip/rotate-gossip-types.js').PeerPoint} PeerPoint
 * @typedef {import('../../rotate-gossip/rotate-gossip-types.js').PeerSpread} PeerSpread
 */

/** PEER_POINTS: a series that grows longer has its resolution halved. */
export const PEER_POINTS = 600

/** PeerSeries is how many peers nodes were connected to over time: each step keeps what was told last of each place in the network. */
export class PeerSeries {
  #startNs
  #stable
  #slots
  #slotOf
  #stepNs = 1e9
  /** @type {Map<number, Int32Array>} by step: peers of each slot; -1: not told */
  #steps = new Map()

  /**
   * @param {object} rotation
   * @param {number} rotation.startNs
   * @param {number} rotation.stable
   * @param {number} rotation.slots - stable and ephemeral nodes
   * @param {(node: number) => number} rotation.slotOf
   */
  constructor({ startNs, stable, slots, slotOf }) {
    this.#startNs = startNs
    this.#stable = stable
    this.#slots = slots
    this.#slotOf = slotOf
  }

  /**
   * add takes what a host tells of its nodes that are up.
   *
   * @param {number} atNs
   * @param {readonly { node: number, peers: number }[]} told
   */
  add(atNs, told) {
    const step = Math.floor((atNs - this.#startNs) / this.#stepNs)
    const slots = this.#steps.get(step) ?? new Int32Array(this.#slots).fill(-1)
    this.#steps.set(step, slots)
    for (const { node, peers } of told) slots[this.#slotOf(node)] = peers
    while (this.#steps.size > PEER_POINTS) this.#halve()
  }

  #halve() {
    this.#stepNs *= 2
    /** @type {Map<number, Int32Array>} */
    const halved = new Map()
    for (const step of [...this.#steps.keys()].sort((a, b) => a - b)) {
      const slots = /** @type {Int32Array} */ (this.#steps.get(step))
      const half = Math.floor(step / 2)
      const first = halved.get(half)
      halved.set(
        half,
        first === undefined ? slots : first.map((peers, i) => (slots[i] < 0 ? peers : slots[i]))
      )
    }
    this.#steps = halved
  }

  /** @returns {PeerPoint[]} ascending, at most 600 */
  result() {
    return [...this.#steps]
      .sort(([a], [b]) => a - b)
      .map(([step, slots]) => ({
        atMs: (step * this.#stepNs) / 1e6,
        stable: spreadOf(slots.subarray(0, this.#stable)),
        ephemeral: spreadOf(slots.subarray(this.#stable))
      }))
  }
}

/** @param {Int32Array} peers @returns {PeerSpread | null} null: none of these nodes was up */
function spreadOf(peers) {
  const up = peers.filter(count => count >= 0)
  if (up.length === 0) return null
  return {
    nodes: up.length,
    min: up.reduce((least, count) => Math.min(least, count)),
    avg: sumOf(up) / up.length,
    max: up.reduce((most, count) => Math.max(most, count))
  }
}
