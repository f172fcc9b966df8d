import { LEAVING_MS } from './presence.js'

/**
 * @typedef {import('../../../load/absences.js').Absence} Absence
 * @typedef {import('./presence.js').PresenceKind} PresenceKind
 */

/** SETTLE_MS: a node that has returned is not yet expected to receive messages for so long, as by default where nodes rotate. */
export const SETTLE_MS = 5000

/** Stays tells which nodes were there when a message was published, by the schedule of their absences. */
export class Stays {
  #absences
  #startUs

  /**
   * @param {readonly (readonly Absence[])[]} absences - by node, in order
   * @param {number} startUs - of the publish phase
   */
  constructor(absences, startUs) {
    this.#absences = absences
    this.#startUs = startUs
  }

  /** @param {number} node @param {number} publishedUs @returns {Exclude<PresenceKind, 'earlier'>} */
  of(node, publishedUs) {
    const atNs = (publishedUs - this.#startUs) * 1000
    const own = this.#absences[node] ?? []
    const next = own.findIndex(({ leavesNs }) => atNs < leavesNs)
    const latest = own.at(next === -1 ? -1 : next - 1)
    if (latest !== undefined && next !== 0) {
      if (atNs < latest.returnsNs) return 'gone'
      if (atNs < latest.returnsNs + SETTLE_MS * 1e6) return 'joining'
    }
    return next !== -1 && atNs >= own[next].leavesNs - LEAVING_MS * 1e6 ? 'leaving' : 'settled'
  }
}
