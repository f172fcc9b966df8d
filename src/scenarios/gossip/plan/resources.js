// What a gossip plan takes of a machine: processes for its nodes, time for its run.
import { counted } from '../../../kit/numbers.js'
import { heartbeatMsOf } from '../../../network/gossipsub.js'
import { linkSettingsOf } from '../../../network/link-model.js'
import { lookaheadNs } from '../../../network/link-properties.js'
import { mostEdges } from '../../../network/topology.js'
import { isApart } from '../../network-options.js'

/** With less there is next to nothing to do between two meetings, and processes only wait for one another. */
const MIN_LOOKAHEAD_NS = 1e6

/**
 * whyTogether says why the nodes of a plan have to be in one process.
 *
 * @param {import('../options.js').GossipPlan} plan
 * @returns {string | null} null: they need not
 */
export function whyTogether(plan) {
  if (plan.network !== 'simulated') return null
  const lookahead = lookaheadNs(linkSettingsOf(plan), plan.nodes)
  return lookahead < MIN_LOOKAHEAD_NS
    ? `what nodes send can be there after ${lookahead / 1e6} ms already (--linkLatency less --linkJitter; at least 1 ms is needed)`
    : null
}

/**
 * processesOf gives how many processes hold the nodes of a plan: as many as it asks for, where they can be apart.
 *
 * @param {import('../options.js').GossipPlan} plan
 */
export const processesOf = plan => (plan.workers > 1 && whyTogether(plan) !== null ? 1 : plan.workers)

/** processesText says what holds the nodes of a plan. @param {import('../options.js').GossipPlan} plan */
export const processesText = plan =>
  plan.network === 'docker'
    ? counted(plan.workers, 'container')
    : counted(processesOf(plan), 'process', 'processes')

/** @typedef {import('../options.js').GossipPlan} GossipPlan */

/** Rough figures of a small machine, in ms: an estimate is there to choose, not to measure. */
const START = 3000
/** A node with its connections. */
const PER_NODE = 150
/** A node in a process of its own, and how many of them a small machine runs at once. */
const PER_PROCESS = 700
const CORES = 2
/** A connection, in latencies of a link: handshakes, the choice of protocols, identify. */
const DIAL_LATENCIES = 10
/** Links are measured before there are nodes. */
const MEASURED_BACK = 4000
/** Until nobody grafts or prunes any more. */
const MESH = 6000
/** CPU of a delivery of 1000 bytes, with the copies of it that come too. */
const PER_DELIVERY = 1.2
/** In virtual time, which itself takes none, as networks of 95 to 10,000 nodes took: caches hold less of more nodes. */
const SIMULATED = { node: 12, heartbeat: 0.4, delivery: 0.15, signature: 0.45, nodesThatDoubleIt: 400 }
/** To see that nothing is under way any more. */
const MIN_COOLDOWN = 1000

/** How many messages are published a second, all nodes together. @param {GossipPlan} plan */
function messagesPerSecond({ publishers, ratePerSecond, nodes, intervalMs }) {
  if (publishers === 'every') return (nodes * 2000) / (intervalMs.min + intervalMs.max)
  return Number(ratePerSecond)
}

/** Nodes in processes of their own dial one after another each. @param {GossipPlan} plan */
const dialMs = ({ topology, nodes, linkLatencyMs }) =>
  'edges' in topology || topology.kind === 'rendezvous'
    ? 0
    : (mostEdges(topology, nodes) / nodes) * DIAL_LATENCIES * linkLatencyMs

/** simulatedMs is CPU, which workers share. @param {GossipPlan} plan @param {number} publishMs @param {number} deliveries */
function simulatedMs({ nodes, signing, workers, gossipsub }, publishMs, deliveries) {
  const heartbeats = (nodes * publishMs) / heartbeatMsOf(gossipsub)
  const perDelivery =
    SIMULATED.delivery * (1 + nodes / SIMULATED.nodesThatDoubleIt) + (signing ? SIMULATED.signature : 0)
  const cpuMs = nodes * SIMULATED.node + heartbeats * SIMULATED.heartbeat + deliveries * perDelivery
  return cpuMs / Math.min(workers, CORES)
}

/**
 * estimateMs says about how long a run takes in all. Nodes that publish after one another's deliveries ask for no more than the
 * machine carries.
 *
 * @param {GossipPlan} plan
 * @returns {number} ms
 */
export function estimateMs(plan) {
  const { nodes, topics, workers, messages, cooldownMs, loadModel } = plan
  const rate = messagesPerSecond(plan)
  const publishMs = plan.durationMs ?? ((messages ?? 0) * 1000) / rate
  const chance = topics.reduce((sum, topic) => sum + topic.chance, 0) / topics.length
  const deliveries = ((publishMs * rate) / 1000) * (nodes - 1) * chance
  if (plan.network === 'simulated') return START + simulatedMs(plan, publishMs, deliveries)
  const apart = isApart(plan)
  const workMs = (deliveries * PER_DELIVERY) / (apart ? Math.min(workers, CORES) : workers)
  const late = loadModel === 'closed' ? 0 : Math.max(0, workMs - publishMs)
  return (
    START +
    nodes * (apart ? PER_PROCESS : PER_NODE) +
    (apart ? MEASURED_BACK + dialMs(plan) : 0) +
    (plan.warmupMs ?? MESH) +
    publishMs +
    Math.min(cooldownMs, MIN_COOLDOWN + late)
  )
}
