import { churnSchedule } from '../../../load/churn-schedule.js'
import { subscriptionsOf } from '../../../load/subscriptions.js'
import { ChurnMeasurement } from './churn-measurement.js'

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
