import { counted, grouped, significant, spell } from '../../../kit/numbers.js'
import { arrivalsInWords, rateInWords } from '../../../report/arrival-words.js'
import { stackWords } from '../../../report/stack-words.js'
import { heldIn } from '../plan/processes-of.js'
import { topologyText } from '../plan/topology-text.js'

/**
 * @typedef {import('../plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('../../../report/view.js').ScenarioWords<import('../gossip-types.js').GossipResult>} ScenarioWords
 */

/** @param {{ min: number, max: number }} range */
const between = ({ min, max }) => (min === max ? grouped(min) : `${grouped(min)}–${grouped(max)}`)

/** @param {GossipPlan['publishers']} publishers */
const byWhom = publishers =>
  typeof publishers === 'object'
    ? `by ${publishers.nodes.length === 1 ? 'node' : 'nodes'} ${publishers.nodes.join(', ')}`
    : 'over all nodes'

/**
 * rateText says when a plan publishes.
 *
 * @param {GossipPlan} plan
 */
export function rateText({ publishers, ratePerSecond, arrivals, intervalMs, loadModel }) {
  // of an earlier release, which looked for one
  if (publishers !== 'every' && ratePerSecond === null) return 'at the rate that is carried'
  if (publishers === 'every' || ratePerSecond === null) {
    const closed = loadModel === 'closed' ? ' after its last publish has returned' : ''
    return `a message of every node each ${between(intervalMs)} ms${closed}`
  }
  if (typeof arrivals === 'object')
    return `messages ${byWhom(publishers)} at ${arrivalsInWords(arrivals, ratePerSecond)}`
  return `${significant(ratePerSecond)} messages/s ${byWhom(publishers)}, ${arrivals} arrivals`
}

/** @param {GossipPlan} plan */
function work(plan) {
  const { messages, durationMs, publishers, ratePerSecond, arrivals, intervalMs, messageBytes } = plan
  const amount =
    messages !== null
      ? counted(messages, 'message')
      : durationMs === null
        ? 'until Ctrl-C, messages'
        : `${spell(durationMs)} of messages`
  const pace =
    publishers === 'every' || ratePerSecond === null
      ? ` from every node each ${between(intervalMs)} ms`
      : ` at ${rateInWords(arrivals, ratePerSecond)}`
  return `${amount} of ${between(messageBytes)} bytes${pace}`
}

/** What joins nodes. @type {Record<string, string>} */
const NETWORKS = {
  loopback: 'on real TCP',
  namespaces: 'on real TCP between namespaces',
  docker: 'on real TCP between containers',
  simulated: 'on a simulated network'
}

/** GOSSIP_WORDS are how a run of the gossip scenario is spoken of. @type {ScenarioWords} */
export const GOSSIP_WORDS = {
  phases: {
    provision: ({ nodes }) => ['starting nodes', `${counted(nodes, 'node')} started`],
    peer: () => ['connecting nodes', 'nodes connected'],
    warmup: () => ['waiting for the mesh', 'mesh'],
    publish: () => ['publishing', 'published'],
    cooldown: () => ['waiting for deliveries', 'deliveries awaited'],
    collect: () => ['collecting', 'collected'],
    teardown: () => ['stopping nodes', 'nodes stopped']
  },
  work,
  setting: plan => [
    `${counted(plan.nodes, 'node')} in ${heldIn(plan)}`,
    `${topologyText(plan.topology)} ${NETWORKS[plan.network] ?? plan.network}`,
    ...(plan.pubsub === 'floodsub' ? [plan.pubsub] : []),
    ...stackWords(plan)
  ],
  rateUnit: 'msg/s',
  measured: 'workers'
}
