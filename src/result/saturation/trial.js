/**
 * @typedef {object} Trial - a run under one load
 * @property {string} name - also of its folder
 * @property {number} perSecond - operations due, of all connections together
 * @property {number} connections
 * @property {import('../../plan/plan.js').Plan} plan
 * @property {'pending' | 'complete' | 'failed' | 'interrupted'} status
 * @property {import('../types.js').Reason | null} reason - why it is not complete
 * @property {string | null} run - folder of its run, in that of the document
 * @property {number | null} tookMs
 * @property {import('./load-point.js').LoadPoint | null} point - what was measured; null: nothing
 *
 * @typedef {object} Judged
 * @property {import('../../load/sustainable-rate.js').Purpose} purpose
 * @property {boolean | null} sustained - null: not known yet
 * @property {(import('../../load/not-sustained.js').NotSustained | { code: 'ENDED', message: string })[]} reasons - why it was not;
 *   `ENDED`: the run did not come to its end
 *
 * @typedef {Trial & Judged} SearchTrial
 *
 * @typedef {object} SearchState - a search for the highest sustainable rate
 * @property {number} fromPerSecond
 * @property {number} mostPerSecond
 * @property {number} tolerance
 * @property {number} repeats
 * @property {SearchTrial[]} trials - in the order they were made
 * @property {Found | null} found - null: it has not ended
 *
 * @typedef {object} Found - `Sustainable` with what it means
 * @property {import('../../load/sustainable-rate.js').Confirmed | null} below
 * @property {import('../../load/sustainable-rate.js').Confirmed | null} above
 * @property {boolean} closed
 * @property {import('../../load/saturated-first.js').SaturatedFirst | null} first - what saturated first, at `above`; null: nothing
 *   did
 * @property {boolean} generatorBound - `below` is a lower bound: the load generator, not the server, kept from more
 */

/**
 * newTrial is a trial that was not run yet.
 *
 * @param {{ name: string, plan: import('../../plan/plan.js').Plan }} what
 * @returns {Trial}
 */
export const newTrial = ({ name, plan }) => ({
  name,
  perSecond: /** @type {number} */ (plan.ratePerSecond),
  connections: plan.nClients,
  plan,
  status: 'pending',
  reason: null,
  run: null,
  tookMs: null,
  point: null
})
