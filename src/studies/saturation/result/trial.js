import { saturatedBy } from '../saturated.js'

/**
 * @typedef {import('../../../scenarios/rendezvous/saturation/load-point.js').LoadPoint} LoadPoint
 * @typedef {import('../../../scenarios/gossip/saturation/gossip-point.js').GossipPoint} GossipPoint
 * @typedef {import('../../../plan/plan.js').Plan} Plan
 * @typedef {import('../../../scenarios/gossip/plan/gossip-plan.js').GossipPlan} GossipPlan
 *
 * @typedef {object} TrialParts - of a run under a load
 * @property {string} name - also of its folder
 * @property {number} perSecond - operations due, of all connections together; or messages of the whole network
 * @property {number} [connections] - of a trial of the rendezvous scenario
 * @property {number} [nodes] - of one of the gossip scenario
 * @property {'pending' | 'complete' | 'failed' | 'interrupted'} status
 * @property {import('../../../result/types.js').Reason | null} reason - why it is not complete
 * @property {string | null} run - folder of its run, in that of the document
 * @property {number | null} tookMs
 * @property {boolean | null} sustained - it met the objective; null: not known
 * @property {Reason[]} reasons - why it did not
 *
 * @typedef {{ plan: Plan, point: LoadPoint | null }} OfOperations - `point`: what was measured; null: nothing
 * @typedef {{ plan: GossipPlan, point: GossipPoint | null }} OfMessages
 *
 * @typedef {TrialParts & OfOperations} Trial - of the rendezvous scenario
 * @typedef {TrialParts & OfMessages} GossipTrial
 * @typedef {TrialParts & { plan: Plan | GossipPlan, point: LoadPoint | GossipPoint | null }} AnyTrial
 *
 * @typedef {import('../objective.js').Missed | { code: 'ENDED', message: string } | { code: 'FORMER', text: string }} Reason - why a load was not
 *   sustained. `ENDED`: the run did not come to its end; `FORMER`: by a rule of an earlier version
 *
 * @typedef {object} Judged
 * @property {import('../search/sustainable-rate.js').Purpose} purpose
 *
 * @typedef {AnyTrial & Judged} SearchTrial
 *
 * @typedef {object} SearchState - a search for the highest sustainable rate
 * @property {number} fromPerSecond
 * @property {number} [leastPerSecond] - no lower rate is tried
 * @property {number} mostPerSecond
 * @property {number} tolerance
 * @property {number} repeats
 * @property {number} [seed] - of the order of rates in blocks
 * @property {number} blocks - of trials around the rate that was bracketed; 0: none
 * @property {SearchTrial[]} trials - in the order they were made
 * @property {Found | null} found - null: it has not ended
 *
 * @typedef {object} Found - `Sustainable` with what it means
 * @property {import('../search/sustainable-rate.js').Confirmed | null} below
 * @property {import('../search/sustainable-rate.js').Confirmed | null} above
 * @property {boolean} closed
 * @property {import('../search/estimate.js').Estimate | null} estimate - null: there were too few blocks of trials
 * @property {boolean} generatorBound - `below` is a lower bound: the load generator, not the server, kept from more
 */

/**
 * newTrial is a trial that was not run yet.
 *
 * @template {Plan | GossipPlan} P
 * @param {{ name: string, plan: P }} what
 * @returns {P extends GossipPlan ? GossipTrial : Trial}
 */
export function newTrial({ name, plan }) {
  const { sizeName, sizeOf } = saturatedBy(plan)
  return /** @type {any} */ ({
    name,
    perSecond: plan.ratePerSecond,
    [sizeName]: sizeOf(plan),
    plan,
    status: 'pending',
    reason: null,
    run: null,
    tookMs: null,
    sustained: null,
    reasons: [],
    point: null
  })
}
