import { RotationObservations } from '../measure/rotation-observations.js'
import { Stays } from '../measure/stays.js'

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
export class ChurnMeasurement {
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
    return {
      departures: all.filter(({ leavesNs }) => leavesNs <= sinceNs).length,
      returns: all.filter(({ returnsNs }) => returnsNs <= sinceNs).length,
      apart: { joining, leaving, away: gone },
      again: this.#observations.duplicates().again
    }
  }
}
