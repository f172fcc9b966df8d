import { searchRate } from '../../../load/rate-search.js'
import { notCarried } from '../measure/not-carried.js'

/**
 * @typedef {import('../plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('../gossip-types.js').CarriedRate} CarriedRate
 * @typedef {import('./publishing.js').Publishing} Publishing
 */

/** One stretch without loss can be luck. */
const REPEATS = 3
/** More than any network of one machine. */
const MOST_PER_SECOND = 1_000_000
/** What an overloaded network still has to do should not be the next trial's. */
const SETTLE_MS = 60_000

/**
 * findCarriedRate finds the rate that a network carries (`--rate auto`): trials of repeated stretches of publishing on the same
 * network, each rate by the search. The document keeps every trial, and in the end the figures of the last one that was carried.
 *
 * @param {GossipPlan} plan
 * @param {object} parts
 * @param {import('./gossip-document.js').GossipDocument} parts.document
 * @param {(plan: GossipPlan, firstMessage: number) => Publishing} parts.newPublishing
 * @param {() => void} parts.emitPartial
 * @returns {Promise<CarriedRate>}
 */
export async function findCarriedRate(plan, { document, newPublishing, emitPartial }) {
  /** @type {CarriedRate} */
  const found = { perSecond: null, lowestNotCarried: null, trials: [] }
  document.known.carriedRate = found
  const trials = new Trials(plan, { document, newPublishing })
  /** @param {number} perSecond */
  const carries = async perSecond => {
    const trial = { perSecond, carried: false, repeats: 0, reasons: [] }
    found.trials.push(trial)
    await trials.run(trial)
    if (trial.carried) found.perSecond = perSecond
    else found.lowestNotCarried = perSecond
    emitPartial()
    return trial.carried
  }
  try {
    await searchRate(carries, { from: plan.autoFromPerSecond, most: MOST_PER_SECOND })
  } finally {
    trials.keepLastCarried()
  }
  return found
}

/** Trials run one after another on one network. */
class Trials {
  #plan
  #parts
  #firstMessage = 0
  /** @type {Publishing | null} */
  #latest = null
  /** @type {(() => void) | null} */
  #putBack = null

  /**
   * @param {GossipPlan} plan
   * @param {Pick<Parameters<typeof findCarriedRate>[1], 'document' | 'newPublishing'>} parts
   */
  constructor(plan, parts) {
    this.#plan = plan
    this.#parts = parts
  }

  /** run repeats a rate until it has failed once, or often enough was carried. @param {CarriedRate['trials'][number]} trial */
  async run(trial) {
    while (trial.repeats < REPEATS && trial.reasons.length === 0) {
      trial.reasons = await this.#repeat(trial.perSecond)
      trial.repeats++
    }
    trial.carried = trial.reasons.length === 0
    if (trial.carried) this.#putBack = this.#parts.document.kept()
    else await this.#latest?.settle(SETTLE_MS)
  }

  /** keepLastCarried makes the figures those of the last trial that was carried, if there was one. */
  keepLastCarried() {
    if (this.#putBack === null) return
    this.#latest?.abandon()
    this.#putBack()
  }

  /** @param {number} ratePerSecond */
  async #repeat(ratePerSecond) {
    const durationMs = this.#plan.autoDurationMs
    // thresholds are for the figures in the end: most trials are there to fail
    const plan = { ...this.#plan, ratePerSecond, durationMs, thresholds: [] }
    const publishing = this.#parts.newPublishing(plan, this.#firstMessage)
    this.#latest = publishing
    this.#firstMessage += await publishing.publish()
    await publishing.coolDown()
    await publishing.close()
    const { measurement, phases, known } = this.#parts.document
    return notCarried({
      deliveries: /** @type {NonNullable<typeof known.deliveries>} */ (known.deliveries),
      resources: measurement.usage.map((usage, worker) => usage.result(worker)),
      utilizations: phases.health('publish').map(({ utilization }) => utilization),
      publishMs: durationMs
    })
  }
}
