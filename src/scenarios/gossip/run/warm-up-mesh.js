import { heartbeatMsOf } from '../../../network/gossip/heartbeat.js'
import { meshLacks } from '../../../network/mesh-lacks.js'

/**
 * @typedef {import('../plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('../../../network/node-host.js').MeshState} MeshState
 */

const STEP_MS = 250

/**
 * warmUpMesh waits until the mesh of a network has formed, or for as long as the plan gives it; where the plan has a warm-up of its own,
 * for just so long.
 *
 * @param {GossipPlan} plan
 * @param {object} network
 * @param {{ awaitMesh: (stepMs: number) => Promise<MeshState[]> }} network.hosts
 * @param {[number, number][]} network.edges - who dialled whom
 * @param {readonly (readonly number[])[]} network.subscriptions - of nodes, also of those that are started later
 * @param {(doneMs: number) => void} network.onProgress
 * @returns {Promise<Omit<import('../gossip-types.js').MeshResult, 'series'>>}
 */
export async function warmUpMesh(plan, { hosts, edges, subscriptions, onProgress }) {
  const { nodes, topics, gossipsub, warmupMs, warmupTimeoutMs } = plan
  const mostMs = warmupMs ?? warmupTimeoutMs
  const heartbeatMs = heartbeatMsOf(gossipsub)
  const network = {
    nodes,
    edges,
    subscriptions: subscriptions.slice(0, nodes),
    topics: topics.length,
    heartbeatMs
  }
  const first = await hosts.awaitMesh(0)
  let states = first
  let missing = meshLacks(states, network)
  let formedAfterMs = missing.length === 0 ? 0 : null
  while ((missing.length > 0 || warmupMs !== null) && sinceMs(first, states) < mostMs) {
    onProgress(sinceMs(first, states))
    states = await hosts.awaitMesh(Math.min(STEP_MS, mostMs - sinceMs(first, states)))
    missing = meshLacks(states, network)
    formedAfterMs = missing.length > 0 ? null : (formedAfterMs ?? sinceMs(first, states))
  }
  return {
    formedAfterMs,
    missing,
    degrees: degreesOf(states, subscriptions)
  }
}

/** @param {MeshState[]} first @param {MeshState[]} now */
const sinceMs = (first, now) =>
  (Math.max(...now.map(({ atNs }) => atNs)) - Math.max(...first.map(({ atNs }) => atNs))) / 1e6

/**
 * @param {MeshState[]} states
 * @param {readonly (readonly number[])[]} subscriptions
 * @returns {Record<string, number>} (node, topic) pairs by their mesh peers
 */
function degreesOf(states, subscriptions) {
  /** @type {Record<string, number>} */
  const degrees = {}
  for (const { node, mesh } of states.flatMap(({ nodes }) => nodes))
    for (const topic of subscriptions[node])
      degrees[mesh[topic].length] = (degrees[mesh[topic].length] ?? 0) + 1
  return degrees
}
