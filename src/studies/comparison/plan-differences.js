import { isDeepStrictEqual } from 'node:util'

/**
 * @typedef {import('../../plan/plan.js').Plan} RendezvousPlan
 * @typedef {import('../../scenarios/gossip/plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {RendezvousPlan | GossipPlan} Plan
 *
 * @typedef {object} Difference
 * @property {string} what
 * @property {unknown} base
 * @property {unknown} candidate
 */

/** What makes the figures of two plans different things. @type {Readonly<Record<string, (plan: RendezvousPlan) => unknown>>} */
const SAME_RENDEZVOUS = Object.freeze({
  benchmarkType: ({ benchmarkType }) => benchmarkType,
  mix: ({ mix }) => mix,
  // times count from the send in the one, from when the operation was due in the other
  'load model': ({ ratePerSecond }) => (ratePerSecond === null ? 'closed' : 'open')
})

/** @type {Readonly<Record<string, (plan: GossipPlan) => unknown>>} */
const SAME_GOSSIP = Object.freeze({
  // the one takes time, the other gives it
  network: ({ network }) => network,
  publishers: ({ publishers }) => publishers,
  loadModel: ({ loadModel }) => loadModel,
  autoRate: ({ autoRate }) => autoRate
})

/** @type {Readonly<Record<string, Readonly<Record<string, (plan: any) => unknown>>>>} */
const SAME_THING = Object.freeze({ rendezvous: SAME_RENDEZVOUS, gossip: SAME_GOSSIP })

/** What changes nothing that is measured. */
const NO_MATTER = new Set(['iOwnTheTarget', 'targetPid', 'targetContainer', 'thresholds'])

/**
 * obstacles say why results of two plans cannot be compared.
 *
 * @param {Plan} base
 * @param {Plan} candidate
 * @returns {Difference[]} none: they can
 */
export const obstacles = (base, candidate) =>
  Object.entries({
    scenario: (/** @type {Plan} */ { scenario }) => scenario,
    ...(base.scenario === candidate.scenario ? SAME_THING[base.scenario] : {})
  })
    .map(([what, of]) => ({ what, base: of(base), candidate: of(candidate) }))
    .filter(difference => !isDeepStrictEqual(difference.base, difference.candidate))

/**
 * planDifferences are the parameters in which two plans differ, as far as they can change a figure.
 *
 * @param {Plan} base
 * @param {Plan} candidate
 * @returns {Difference[]}
 */
export function planDifferences(base, candidate) {
  const [one, other] = /** @type {Record<string, unknown>[]} */ ([{ ...base }, { ...candidate }])
  return Object.keys({ ...one, ...other })
    .filter(key => !NO_MATTER.has(key) && !isDeepStrictEqual(one[key] ?? null, other[key] ?? null))
    .map(what => ({ what, base: one[what] ?? null, candidate: other[what] ?? null }))
}
