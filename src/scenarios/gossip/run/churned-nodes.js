import { churnSchedule } from '../../../load/churn-schedule.js'
import { subscriptionsOf } from '../../../load/subscriptions.js'
import { RotationObservations } from '../measure/rotation-observations.js'
import { Stays } from '../measure/stays.js'

/**
 * @typedef {import('../plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('./companion.js').Companion} Companion
 * @typedef {import('../../../result/types.js').Warning} Warning
 */

/**
 * ChurnedNodes counts what is received in a network whose nodes leave and return. Their host has them do so by itself, by the same
 * schedule.
 *
 * @implements {Companion}
 */
export class ChurnedNodes {
  #absences
  #subscriptions
  /** @type {ChurnMeasurement | null} */
  #measured = null
  #begun = false

  /** @param {GossipPlan} plan */
  constructor(plan) {
    this.#absences = churnSchedule(plan)
    this.#subscriptions = subscriptionsOf(plan)
  }

  async start() {}

  async stop() {}

  begin() {
    this.#begun = true
  }

  /** @param {{ startNs: number, planned: number | null }} stretch */
  measurement(stretch) {
    const measured = new ChurnMeasurement({
      absences: this.#absences,
      subscriptions: this.#subscriptions,
      stretch
    })
    this.#measured = measured
    return {
      lens: measured,
      isThere: (/** @type {number} */ node, /** @type {number} */ us) => measured.isThere(node, us)
    }
  }

  /** @returns {{ churn: import('../gossip-types.js').Churned | null }} */
  outcome() {
    return { churn: this.#begun ? (this.#measured?.result() ?? null) : null }
  }

  /** @param {Warning[]} ofRun @returns {Warning[]} */
  warnings(ofRun) {
    return ofRun
  }
}

/**
 * @typedef {import('../../../load/absences.js').Absence} Absence
 * @typedef {import('./gossip-measurement.js').Lens} Lens
 * @typedef {import('../../../network/node-host.js').HostInterval} HostInterval
 * @typedef {import('../../../network/node-host.js').ReceivedRows} ReceivedRows
 */

/**
 * ChurnMeasurement looks at what nodes receive that leave and return.
 *
 * @implements {Lens}
 */
class ChurnMeasurement {
  #absences
  #stays
  #observations
  #startNs
  #endNs

  /**
   * @param {object} churn
   * @param {readonly (readonly Absence[])[]} churn.absences - by node
   * @param {readonly (readonly number[])[]} churn.subscriptions - by node
   * @param {{ startNs: number, planned: number | null }} churn.stretch
   */
  constructor({ absences, subscriptions, stretch: { startNs, planned } }) {
    this.#absences = absences
    this.#startNs = startNs
    this.#endNs = startNs
    this.#stays = new Stays(absences, Math.round(startNs / 1000))
    const nodes = [...absences.keys()].filter(node => absences[node].length > 0)
    this.#observations = new RotationObservations({
      presence: this.#stays,
      // a node that returns has its own place
      lives: nodes.map(node => ({ node, slot: node })),
      slots: absences.length,
      subscriptions,
      planned
    })
  }

  /** isThere: a node is expected to receive what is published then. @param {number} node @param {number} publishedUs */
  isThere(node, publishedUs) {
    return this.#stays.of(node, publishedUs) === 'settled'
  }

  /** @param {HostInterval} interval @param {ReceivedRows} received */
  take({ atNs, published }, received) {
    this.#endNs = Math.max(this.#endNs, atNs)
    return this.#observations.take(published, received)
  }

  /** @returns {import('../gossip-types.js').Churned} so far */
  result() {
    const all = this.#absences.flat()
    const sinceNs = this.#endNs - this.#startNs
    const { joining, leaving, gone } = this.#observations.apart()
    const { again, tooLongAgo } = this.#observations.duplicates()
    return {
      departures: all.filter(({ leavesNs }) => leavesNs <= sinceNs).length,
      returns: all.filter(({ returnsNs }) => returnsNs <= sinceNs).length,
      apart: { joining, leaving, away: gone },
      again,
      tooLongAgo
    }
  }
}
