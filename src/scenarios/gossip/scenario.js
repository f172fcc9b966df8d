import { safeInNames } from '../../plan/case-name.js'
import { caseKeys } from '../../plan/option.js'
import { clean, fewer, scaledArrivals, shorter, slower } from '../../plan/scale.js'
import { COMMAND } from './command.js'
import { GOSSIP_COMPARED, GOSSIP_FIGURES } from './figures.js'
import { filled } from './filled.js'
import { NETWORK_GAUGES } from './network-gauges.js'
import { estimateMs } from './plan/estimate.js'
import { GOSSIP_KIND } from './plan/gossip-kind.js'
import { GOSSIP_OPTIONS } from './plan/gossip-options.js'
import { writePublishers } from './plan/publishers-option.js'

/** @typedef {import('./plan/gossip-plan.js').GossipPlan} GossipPlan */

/** @param {GossipPlan} plan */
const pace = ({ publishers, ratePerSecond, intervalMs }) =>
  publishers === 'every'
    ? `each${intervalMs.min}-${intervalMs.max}ms`
    : `${typeof publishers === 'object' ? `${safeInNames(writePublishers(publishers))}-` : ''}rate${ratePerSecond ?? 'auto'}`

/** NAMING of the cases of networks that carry messages. @type {import('../../plan/case-name.js').Naming} */
export const NAMING = {
  short: new Set(['nodes', 'topology', 'publishers', 'rate', 'interval', 'messages', 'duration']),
  inShort: (/** @type {GossipPlan} */ plan) => [
    `n${plan.nodes}`,
    safeInNames(GOSSIP_OPTIONS.topology.write?.(plan.topology) ?? plan.topology.kind),
    pace(plan),
    plan.messages === null ? `${plan.durationMs}ms` : `msgs${plan.messages}`
  ]
}

/** Keys of a plan that are of a case and have no option of their own. */
const NO_OPTION = ['gossipsub', 'linkLatencies']

/** gossipCase gives the keys in which plans of a published case of a network agree. @param {import('../../plan/read-options.js').OptionTable} options */
const gossipCase = options => [...caseKeys(options), ...NO_OPTION]

/** PUBLISHED says which plans are those of a published case, and what figures it can have. @type {Readonly<import('../scenario.js').Published>} */
const PUBLISHED = {
  rowFigures: {
    columns: {
      nodes: 'Nodes',
      topology: 'Topology',
      network: 'Network',
      rate: 'Rate/s',
      disseminationMs: 'Dissem. avg ms',
      latencyMs: ['Latency p50 ms', 'Latency p90 ms', 'Latency max ms'],
      bytesPerDelivery: 'Bytes/delivery',
      received: ['Delivered', 'Expected'],
      published: 'Messages',
      seconds: 'Measured s',
      lost: ['Lost messages', 'Messages']
    },
    drawn: ['Last hop avg', 'Dissem. avg ms', 'Latency p50 ms', 'Latency p99 ms', 'MDR %'],
    over: ['Degree avg']
  },
  case: gossipCase(GOSSIP_OPTIONS),
  rates: ['ratePerSecond', 'intervalMs'],
  reference(z) {
    const number = z.number({ error: 'must be a number' })
    const ofAll = z.tuple([number, number], { error: 'must be two numbers: how many, and of how many' })
    // of a study that published how many it expected, or not
    return {
      disseminationMs: number,
      latencyMs: z.tuple([number, number, number], {
        error: 'must be three numbers: p50, p90 and the largest'
      }),
      bytesPerDelivery: number,
      received: z.union([ofAll, number]),
      lost: ofAll,
      published: number,
      seconds: number
    }
  }
}

/** What is waited for at most is no shorter than this, unless the case has it so. */
const SHORTEST_WAIT_MS = 10_000

/** Networks are cut off in the same part of a shorter time. @param {GossipPlan['partitions']} cuts @param {number} share */
const scaledCuts = (cuts, share) =>
  Object.freeze(
    cuts.map(cut => ({ ...cut, fromMs: clean(cut.fromMs * share), toMs: clean(cut.toMs * share) }))
  )

/** @param {NonNullable<GossipPlan['networkFile']>} file @param {{ rate: number, time: number }} scale */
const scaledFile = ({ topics, script, ...file }, { rate, time }) =>
  Object.freeze({
    ...file,
    topics: topics?.map(topic => ({ ...topic, ratePerSecond: slower(topic.ratePerSecond, rate) })) ?? null,
    script: script.map(step => ({
      ...step,
      atMs: clean(step.atMs * time),
      ...(step.forMs !== undefined && { forMs: clean(step.forMs * time) })
    }))
  })

/**
 * scaled is what of a plan changes with its size. The mesh takes the time it takes: warm-up has no other limit. Messages by number are time, at their rate.
 *
 * @param {GossipPlan} plan
 * @param {import('../../plan/scale.js').AllScales} scales
 * @returns {Partial<GossipPlan>}
 */
function scaled(
  {
    messages,
    durationMs,
    cooldownMs,
    ratePerSecond,
    arrivals,
    intervalMs,
    publishers,
    partitions,
    networkFile
  },
  { scale, ...scales }
) {
  const time = scale * scales.scaleTime
  const { min, max } = intervalMs
  const longer = (/** @type {number} */ ms) => clean(ms / scales.scaleRate)
  return {
    messages: fewer(messages, time, 1),
    durationMs: shorter(durationMs, time),
    cooldownMs: Math.max(Math.min(cooldownMs, SHORTEST_WAIT_MS), Math.ceil(cooldownMs * time)),
    ratePerSecond: slower(ratePerSecond, scales.scaleRate),
    arrivals: scaledArrivals(arrivals, { rate: scales.scaleRate, time }),
    partitions: scaledCuts(partitions, time),
    ...(networkFile && { networkFile: scaledFile(networkFile, { rate: scales.scaleRate, time }) }),
    intervalMs: publishers === 'every' ? Object.freeze({ min: longer(min), max: longer(max) }) : intervalMs
  }
}

/** GOSSIP publishes messages in a gossipsub network. @type {import('../scenario.js').ComparableScenario} */
export const GOSSIP = {
  name: 'gossip',
  command: COMMAND,
  ...GOSSIP_KIND,
  ...PUBLISHED,
  naming: NAMING,
  estimateMs,
  scaled,
  schemas: () => import('./schemas.js'),
  filled,
  figures: GOSSIP_FIGURES,
  compared: GOSSIP_COMPARED,
  gauges: NETWORK_GAUGES,
  differences: async () => (await import('../profile/describe.js')).DIFFERENCES,
  endless: (/** @type {import('./plan/gossip-plan.js').GossipPlan} */ { messages, durationMs }) =>
    messages === null && durationMs === null,
  run: async () => (await import('./run/gossip.js')).runGossip,
  describe: () => import('./describe.js')
}
