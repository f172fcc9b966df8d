import { linkModelOf, withLeastLatency } from './link-settings.js'
import { SimulatedNetwork } from './simulated-network.js'

/**
 * @typedef {import('../../scenarios/gossip/plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('./simulated-node.js').SimulatedNodeInit} SimulatedNodeInit
 *
 * @typedef {object} NetworkNode
 * @property {number} number
 * @property {import('@libp2p/interface').PeerId} peerId
 * @property {import('@multiformats/multiaddr').Multiaddr} multiaddr
 * @property {import('../gossip/mesh-watch.js').GossipSub} gossipsub
 * @property {{ getConnections: () => import('@libp2p/interface').Connection[] }} connectionManager
 * @property {Pick<import('@libp2p/interface').Libp2p, 'addEventListener'>} peers - tells of those that connect and disconnect, as libp2p does
 * @property {() => Promise<void>} start
 *
 * @typedef {object} Network - nodes and what joins them, in virtual time
 * @property {(init: SimulatedNodeInit) => NetworkNode | Promise<NetworkNode>} add - makes a node
 * @property {(number: number) => NetworkNode} node
 * @property {readonly NetworkNode[]} nodes
 * @property {(from: number, to: number) => Promise<import('@libp2p/interface').Connection>} dial - connects two nodes, unless they are
 * @property {import('../links/partition-schedule.js').PartitionSchedule} partitions
 * @property {number} [refusedRpcs] - that found the queue of their peer full
 * @property {ReadonlySet<number>} [refusedMessages] - of which one of these had a copy
 */

/**
 * makeNetwork makes the network of a plan.
 *
 * @param {GossipPlan} asked
 * @param {import('./virtual-time.js').VirtualTime} time
 * @param {import('./elsewhere.js').Elsewhere | null} [elsewhere] - other processes with nodes of it; null: all are here
 * @returns {Promise<Network>}
 */
export async function makeNetwork(asked, time, elsewhere = null) {
  const plan = withLeastLatency(asked)
  const limits = { sendQueue: plan.sendQueue, windowUpdates: plan.muxer === 'yamux' }
  return new SimulatedNetwork(time, linkModelOf(plan), limits, elsewhere)
}
