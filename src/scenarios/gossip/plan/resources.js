// Estimates of what a gossip plan needs: processes for its nodes, time for its run.
import { computeSum } from '../../../kit/collections.js'
import { formatCount } from '../../../kit/numbers.js'
import { heartbeatIntervalMs } from '../../../network/gossipsub.js'
import { makeLinkSettings } from '../../../network/link-model.js'
import { lookaheadNs } from '../../../network/link-properties.js'
import { maxEdgesOf } from '../../../network/topology.js'
import { hasOwnProcesses } from '../../network-options.js'

/** With a smaller lookahead, processes do little between two synchronizations, and mostly wait for one another. */
const MIN_LOOKAHEAD_NS = 1e6

/**
 * explainSingleProcess explains why the nodes of a plan must be in one process.
 *
 * @param {import('../options.js').GossipPlan} plan
 * @returns {string | null} null: they can be in several
 */
export function explainSingleProcess(plan) {
  if (plan.network !== 'simulated') return null
  const lookahead = lookaheadNs(makeLinkSettings(plan), plan.nodes)
  return lookahead < MIN_LOOKAHEAD_NS
    ? `what nodes send can be there after ${lookahead / 1e6} ms already (--linkLatency less --linkJitter; at least 1 ms is needed)`
    : null
}

/**
 * countProcesses gives the number of processes of a plan: as many as it asks for, where its nodes can be in several.
 *
 * @param {import('../options.js').GossipPlan} plan
 */
export const countProcesses = plan =>
  plan.workers > 1 && explainSingleProcess(plan) !== null ? 1 : plan.workers

/** describeProcesses describes the processes or containers of a plan. @param {import('../options.js').GossipPlan} plan */
export const describeProcesses = plan =>
  plan.network === 'docker'
    ? formatCount(plan.workers, 'container')
    : formatCount(countProcesses(plan), 'process', 'processes')

/** @typedef {import('../options.js').GossipPlan} GossipPlan */

/** Start of a run. All of these are rough figures of a small machine, in ms. */
const START = 3000
/** A node with its connections. */
const PER_NODE = 150
/** A node in a process of its own. */
const PER_PROCESS = 700
/** Processes that a small machine runs at once. */
const CORES = 2
/** A connection, in latencies of a link: handshakes, the choice of protocols, identify. */
const DIAL_LATENCIES = 10
/** The measurement of links before nodes start. */
const MEASURED_BACK = 4000
/** Until nodes no longer graft or prune. */
const MESH = 6000
/** CPU of a delivery of 1000 bytes, with its duplicates. */
const PER_DELIVERY = 1.2
/** CPU of a simulation, measured with networks of 95 to 10,000 nodes. A delivery takes longer in larger networks: caches hold a smaller part. */
const SIMULATED = { node: 12, heartbeat: 0.4, delivery: 0.15, signature: 0.45, nodesThatDoubleIt: 400 }
/** The shortest cool-down. */
const MIN_COOLDOWN = 1000

/** Each node in a process of its own makes its dials one after another. @param {GossipPlan} plan */
const dialMs = ({ topology, nodes, linkLatencyMs }) =>
  'edges' in topology || topology.kind === 'rendezvous'
    ? 0
    : (maxEdgesOf(topology, nodes) / nodes) * DIAL_LATENCIES * linkLatencyMs

/** simulatedMs is the CPU time of a simulation, divided among its workers. @param {GossipPlan} plan @param {number} publishMs @param {number} deliveries */
function simulatedMs({ nodes, signing, workers, gossipsub }, publishMs, deliveries) {
  const heartbeats = (nodes * publishMs) / heartbeatIntervalMs(gossipsub)
  const perDelivery =
    SIMULATED.delivery * (1 + nodes / SIMULATED.nodesThatDoubleIt) + (signing ? SIMULATED.signature : 0)
  const cpuMs = nodes * SIMULATED.node + heartbeats * SIMULATED.heartbeat + deliveries * perDelivery
  return cpuMs / Math.min(workers, CORES)
}

/**
 * estimateGossipMs estimates the duration of a run. In the closed load model, nodes offer no more load than the machine handles.
 *
 * @param {GossipPlan} plan
 * @returns {number} ms
 */
export function estimateGossipMs(plan) {
  const { nodes, topics, workers, messages, cooldownMs, loadModel } = plan
  const { publishers, intervalMs } = plan
  const rate =
    publishers === 'every' ? (nodes * 2000) / (intervalMs.min + intervalMs.max) : Number(plan.ratePerSecond)
  const publishMs = plan.durationMs ?? ((messages ?? 0) * 1000) / rate
  const chance = computeSum(topics, topic => topic.chance) / topics.length
  const deliveries = ((publishMs * rate) / 1000) * (nodes - 1) * chance
  if (plan.network === 'simulated') return START + simulatedMs(plan, publishMs, deliveries)
  const apart = hasOwnProcesses(plan)
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
