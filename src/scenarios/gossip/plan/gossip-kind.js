import { meanRate, replayedMs, saysItsRates } from '../../../plan/arrivals-option.js'
import { AUTO } from './auto-rate.js'
import { GOSSIP_COMBINATIONS } from './gossip-combinations.js'
import { GOSSIP_OPTIONS } from './gossip-options.js'
import { GOSSIPSUB_PARAMS, gossipsubFlags, gossipsubValues, PRESETS } from './gossipsub-params.js'
import { linksAsked, linksInPlan } from './link-plan.js'
import { nodesOf } from './nodes-of.js'

/** @typedef {import('./gossip-plan.js').GossipPlan} GossipPlan */

/**
 * @param {Record<string, any>} picked
 * @param {Record<string, any>} values
 * @param {{ cores: number }} machine
 * @returns {GossipPlan}
 */
function toPlan(picked, values, { cores }) {
  const { messages, publishers, arrivals, preset, topology, seed } = values
  const durationMs = values.duration ?? replayedMs(arrivals) ?? null
  const rate = saysItsRates(arrivals) ? meanRate(arrivals) : values.rate
  const nodes = nodesOf(values)
  const autoRate = rate === AUTO
  const own = Object.entries(picked).filter(([key]) => !Object.hasOwn(GOSSIPSUB_PARAMS, key))
  return /** @type {GossipPlan} */ ({
    scenario: 'gossip',
    ...Object.fromEntries(own),
    ...linksInPlan(values),
    topology: Object.freeze(topology.seed === null ? { ...topology, seed } : topology),
    nodes,
    durationMs,
    messages: durationMs === null && !autoRate ? messages : null,
    ratePerSecond: publishers === 'every' || autoRate ? null : rate,
    autoRate,
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

/** GOSSIP_KIND makes the plans of the gossip scenario. @type {Readonly<import('../../scenario.js').Kind>} */
export const GOSSIP_KIND = {
  options: GOSSIP_OPTIONS,
  combinations: GOSSIP_COMBINATIONS,
  rivals: /** @type {[string, string][]} */ ([
    ['duration', 'messages'],
    ['messages', 'duration']
  ]),
  toPlan,
  flat: (/** @type {GossipPlan} */ plan) => ({
    ...plan,
    ...linksAsked(plan),
    topology: withoutPlanSeed(plan),
    ratePerSecond: plan.autoRate ? AUTO : plan.ratePerSecond,
    ...gossipsubFlags(plan.gossipsub)
  }),
  unsaid: (/** @type {GossipPlan} */ plan) => [
    ...(plan.durationMs === null ? [] : ['messages']),
    ...(saysItsRates(plan.arrivals) ? ['ratePerSecond'] : [])
  ]
}
