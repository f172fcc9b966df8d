import { GOSSIP_COMBINATIONS, nodesOf } from './gossip-combinations.js'
import { GOSSIP_OPTIONS } from './gossip-options.js'
import { GOSSIPSUB_PARAMS, gossipsubFlags, gossipsubValues, PRESETS } from './gossipsub-params.js'

import { jitterAsked, linkJitterMs } from './simulated-options.js'
/** @typedef {import('./gossip-plan.js').GossipPlan} GossipPlan */

/**
 * @param {Record<string, any>} picked
 * @param {Record<string, any>} values
 * @param {{ cores: number }} machine
 * @returns {GossipPlan}
 */
function toPlan(picked, values, { cores }) {
  const { duration, messages, publishers, rate, preset, topology, seed } = values
  const nodes = nodesOf(values)
  const own = Object.entries(picked).filter(([key]) => !Object.hasOwn(GOSSIPSUB_PARAMS, key))
  return /** @type {GossipPlan} */ ({
    scenario: 'gossip',
    ...Object.fromEntries(own),
    topology: Object.freeze(topology.seed === null ? { ...topology, seed } : topology),
    nodes,
    linkJitterMs: linkJitterMs(values),
    messages: duration === undefined ? messages : null,
    ratePerSecond: publishers === 'every' ? null : rate,
    gossipsub: Object.freeze({
      ...PRESETS[/** @type {keyof typeof PRESETS} */ (preset)],
      ...gossipsubValues(values)
    }),
    thresholds: Object.freeze(values.threshold ?? []),
    workers: values.workers ?? (values.network === 'simulated' ? 1 : Math.max(1, Math.min(cores, nodes)))
  })
}

/** A topology with the seed of the plan needs none of its own. @param {GossipPlan} plan */
const withoutPlanSeed = ({ topology, seed }) =>
  'seed' in topology && topology.seed === seed ? { ...topology, seed: null } : topology

/** GOSSIP_KIND makes the plans of the gossip scenario. @type {Readonly<import('../kinds.js').Kind>} */
export const GOSSIP_KIND = Object.freeze({
  options: GOSSIP_OPTIONS,
  combinations: GOSSIP_COMBINATIONS,
  rivals: /** @type {[string, string][]} */ ([
    ['duration', 'messages'],
    ['messages', 'duration']
  ]),
  toPlan,
  flat: (/** @type {GossipPlan} */ plan) => ({
    ...plan,
    topology: withoutPlanSeed(plan),
    ...gossipsubFlags(plan.gossipsub)
  }),
    linkJitterMs: jitterAsked(plan),
  unsaid: (/** @type {GossipPlan} */ plan) => (plan.durationMs === null ? [] : ['messages']),
  case: [
    'nodes',
    'ratePerSecond',
    'publishers',
    'intervalMs',
    'messageBytes',
    'topology',
    'topics',
    'signing',
    'muxer',
    'gossipsub',
    'network',
    'linkLatencyMs',
    'lossShare',
    'bandwidthBytesPerSecond'
  ]
})
