import { judgeAll } from '../../../result/thresholds/judge.js'
import { ABUSE_FIGURES } from '../figures.js'
import { caseRow } from '../measure/case-row.js'
import { SERVER_SETTINGS } from './server-settings.js'

/**
 * @typedef {import('../abuse-types.js').AbuseOutcome} AbuseOutcome
 * @typedef {import('../abuse-types.js').Pair} Pair
 * @typedef {import('../plan/cases.js').Case} Case
 */

/** AbuseDocument keeps what was measured so far. */
export class AbuseDocument {
  #plan
  /** @type {{ which: Case, pairs: Pair[] }[]} */
  #measured = []
  /** @type {Pick<import('./abuse-parts.js').AbuseParts, 'server' | 'spreads' | 'priority'>} */
  parts = { server: null, spreads: false, priority: null }
  /** measuredMs is how long it was measured for. */
  measuredMs = 0

  /** @param {import('../abuse-plan.js').AbusePlan} plan */
  constructor(plan) {
    this.#plan = plan
  }

  /** begin has the pairs that are added belong to a case. @param {Case} which */
  begin(which) {
    this.#measured.push({ which, pairs: [] })
  }

  /** @param {Pair} pair */
  add(pair) {
    this.#measured.at(-1)?.pairs.push(pair)
  }

  /** latest is what is known of the case that was begun last. */
  get latest() {
    const [{ which, pairs }] = this.#measured.slice(-1)
    return caseRow(which, pairs)
  }

  /** outcome is all of it, with its figures. @returns {AbuseOutcome} */
  outcome() {
    const { target, server, thresholds } = this.#plan
    const measured = {
      target: {
        kind: target === null ? server : 'address',
        multiaddr: this.parts.server?.multiaddr ?? null,
        container: this.parts.server?.container ?? null,
        settings: target === null ? { ...SERVER_SETTINGS, ...this.parts.server?.nodeSettings } : {}
      },
      spreads: this.parts.spreads,
      priority: this.parts.priority,
      cases: this.#measured
        .filter(({ pairs }) => pairs.length > 0)
        .map(({ which, pairs }) => caseRow(which, pairs)),
      measuredMs: this.measuredMs
    }
    return /** @type {AbuseOutcome} */ (
      /** @type {unknown} */ ({
        ...measured,
        thresholds: judgeAll(thresholds, /** @type {any} */ (measured), ABUSE_FIGURES)
      })
    )
  }
}
