import { counted } from '../kit/numbers.js'
import { countComponents } from './topology/count-components.js'

/**
 * @typedef {import('./node-host.js').MeshState} MeshState
 * @typedef {[number, number]} Edge
 *
 * @typedef {object} Network
 * @property {number} nodes
 * @property {readonly Edge[]} edges - connections there are
 * @property {readonly (readonly number[])[]} subscriptions - topics of each node
 * @property {number} topics
 * @property {number} heartbeatMs
 */

/** A mesh that has not changed for so many heartbeats has settled. */
const QUIET_HEARTBEATS = 3

/**
 * meshLacks says what the mesh of a network still lacks to be formed: every node sees its neighbours' subscriptions and has a mesh
 * peer, the mesh of each topic is as connected as the topology between its subscribers, and nobody has grafted or pruned for three
 * heartbeats. A fixed number of mesh peers is no part of it: sparse topologies never reach one.
 *
 * @param {readonly MeshState[]} states - of all hosts
 * @param {Network} network
 * @returns {string[]} empty: it is formed
 */
export function meshLacks(states, network) {
  const seen = states.flatMap(({ nodes }) => nodes)
  const neighbours = neighboursOf(network)
  return [
    ...subscriptionsUnseen(seen, neighbours, network),
    ...nodesWithoutMesh(seen, neighbours, network),
    ...meshesApart(seen, network),
    ...unrest(states, network)
  ]
}

/** @param {Network} network @returns {number[][]} */
function neighboursOf({ nodes, edges }) {
  /** @type {number[][]} */
  const neighbours = Array.from({ length: nodes }, () => [])
  for (const [a, b] of edges) {
    neighbours[a].push(b)
    neighbours[b].push(a)
  }
  return neighbours
}

/** @typedef {MeshState['nodes']} Seen */

/** @param {Seen} seen @param {number[][]} neighbours @param {Network} network */
function subscriptionsUnseen(seen, neighbours, { subscriptions }) {
  let unseen = 0
  for (const { node, subscribers } of seen)
    for (const topic of subscriptions[node]) {
      const known = new Set(subscribers[topic])
      unseen += neighbours[node].filter(
        peer => subscriptions[peer].includes(topic) && !known.has(peer)
      ).length
    }
  return unseen === 0 ? [] : [`${counted(unseen, 'subscription')} of neighbours not seen`]
}

/** @param {Seen} seen @param {number[][]} neighbours @param {Network} network */
function nodesWithoutMesh(seen, neighbours, { subscriptions }) {
  const without = seen.flatMap(({ node, mesh }) =>
    subscriptions[node].filter(
      topic => mesh[topic].length === 0 && neighbours[node].some(peer => subscriptions[peer].includes(topic))
    )
  ).length
  return without === 0 ? [] : [`${counted(without, 'subscription')} without a mesh peer`]
}

/** @param {Seen} seen @param {Network} network */
function meshesApart(seen, { nodes, edges, subscriptions, topics }) {
  return Array.from({ length: topics }, (_, topic) => topic).flatMap(topic => {
    const members = subscriptions.flatMap((mine, node) => (mine.includes(topic) ? [node] : []))
    /** @type {Edge[]} */
    const mesh = seen.flatMap(({ node, mesh }) => mesh[topic].map(peer => /** @type {Edge} */ ([node, peer])))
    const parts = countComponents(nodes, mesh, members)
    const possible = countComponents(nodes, edges, members)
    return parts > possible ? [`the mesh of topic ${topic} in ${parts} parts instead of ${possible}`] : []
  })
}

/** @param {readonly MeshState[]} states @param {Network} network */
function unrest(states, { heartbeatMs }) {
  const now = Math.max(...states.map(({ atNs }) => atNs))
  const changed = Math.max(...states.map(({ lastChangeNs }) => lastChangeNs))
  return now - changed >= QUIET_HEARTBEATS * heartbeatMs * 1e6 ? [] : ['grafts or prunes still going on']
}
