import { sumOf } from '../../../kit/lists.js'
import { Steps } from '../../../measure/steps.js'

/**
 * @typedef {import('../rotate-gossip-types.js').PeerPoint} PeerPoint
 * @typedef {import('../rotate-gossip-types.js').PeerSpread} PeerSpread
 */

/** PeerSeries is how many peers nodes were connected to over time: each step keeps what was told last of each place in the network. */
export class PeerSeries {
  #rotation
  /** @type {Steps<Int32Array>} peers of each slot; -1: not told */
  #steps

  /**
   * @param {object} rotation
   * @param {number} rotation.startNs
   * @param {number} rotation.stable
   * @param {number} rotation.slots - stable and ephemeral nodes
   * @param {(node: number) => number} rotation.slotOf
   */
  constructor(rotation) {
    this.#rotation = rotation
    this.#steps = new Steps({
      startNs: rotation.startNs,
      join: (first, second) => first.map((peers, slot) => (second[slot] < 0 ? peers : second[slot]))
    })
  }

  /**
   * add takes what a host tells of its nodes that are up.
   *
   * @param {number} atNs
   * @param {readonly { node: number, peers: number }[]} told
   */
  add(atNs, told) {
    const { slots, slotOf } = this.#rotation
    this.#steps.tell(atNs, (before = new Int32Array(slots).fill(-1)) => {
      for (const { node, peers } of told) before[slotOf(node)] = peers
      return before
    })
  }

  /** @returns {PeerPoint[]} ascending, at most MOST_STEPS */
  result() {
    const { stable } = this.#rotation
    return this.#steps.result().map(([atMs, slots]) => ({
      atMs,
      stable: spreadOf(slots.subarray(0, stable)),
      ephemeral: spreadOf(slots.subarray(stable))
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
