import { Presence } from '../../gossip/measure/presence.js'
import { RotationObservations } from '../../gossip/measure/rotation-observations.js'
import { LifeTimes } from '../measure/life-times.js'
import { PeerSeries } from '../measure/peer-series.js'

/**
 * @typedef {import('../plan/rotate-gossip-options.js').RotateGossipPlan} RotateGossipPlan
 * @typedef {import('../../gossip/run/gossip-measurement.js').Lens} Lens
 * @typedef {import('../../../load/rotation-schedule.js').Life} Life
 * @typedef {import('../../../network/node-host.js').HostInterval} HostInterval
 * @typedef {import('../../../network/node-host.js').ReceivedRows} ReceivedRows
 * @typedef {import('../rotate-gossip-types.js').RotateGossip} RotateGossip
 */

/**
 * RotateGossipMeasurement gathers what hosts tell of nodes that come and go.
 *
 * @implements {Lens}
 */
export class RotateGossipMeasurement {
  #plan
  #presence
  #observations
  #peers
  #times
  /** Expected deliveries while messages were published. */
  #deliveries = 0
  #startNs
  #endNs

  /**
   * @param {RotateGossipPlan} plan
   * @param {object} rotation
   * @param {readonly Life[]} rotation.lives
   * @param {readonly (readonly number[])[]} rotation.subscriptions - of all nodes that ever are
   * @param {{ startNs: number, planned: number | null }} rotation.stretch
   */
  constructor(plan, { lives, subscriptions, stretch: { startNs, planned } }) {
    const { stable, nodes: slots, settleMs } = plan
    this.#plan = plan
    this.#startNs = startNs
    this.#endNs = startNs
    this.#presence = new Presence({ stable, lives, settleMs, startUs: Math.round(startNs / 1000) })
    this.#observations = new RotationObservations({
      presence: this.#presence,
      lives,
      slots,
      subscriptions,
      planned
    })
    const slotOf = (/** @type {number} */ node) => (node < stable ? node : lives[node - stable].slot)
    this.#peers = new PeerSeries({ startNs, stable, slots, slotOf })
    this.#times = new LifeTimes(lives, startNs)
  }

  /** isThere: a node is expected to receive what is published then. @param {number} node @param {number} publishedUs */
  isThere(node, publishedUs) {
    return this.#presence.of(node, publishedUs) === 'settled'
  }

  /** @param {HostInterval} interval @param {ReceivedRows} received */
  take({ atNs, published, changes = [], peers = [] }, received) {
    this.#times.change(changes)
    this.#times.receive(received)
    if (peers.length > 0) this.#peers.add(atNs, peers)
    const expected = this.#observations.take(published, received)
    const endNs = this.#startNs + Number(this.#plan.durationMs) * 1e6
    this.#deliveries += expected.atNs.filter(atNs => atNs < endNs).length
    this.#endNs = Math.min(endNs, Math.max(this.#endNs, atNs))
    return expected
  }

  /** @returns {RotateGossip} so far */
  result() {
    const { lives, connect, firstDelivery } = this.#times.result(this.#endNs)
    const minutes = (this.#endNs - this.#startNs) / 60e9
    return {
      lives,
      connect,
      firstDelivery: firstDelivery.summary,
      firstDeliveryHistogram: firstDelivery.histogram,
      deliveriesPerMinute: minutes > 0 ? this.#deliveries / minutes : null,
      apart: this.#observations.apart(),
      duplicates: this.#observations.duplicates(),
      peers: this.#peers.result()
    }
  }
}
