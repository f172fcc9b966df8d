import { createLibp2p } from 'libp2p'
import { linkModelOf } from '../link-settings.js'
import { WholeNetwork } from './whole-network.js'

/** @typedef {import('../../../scenarios/gossip/plan/gossip-plan.js').GossipPlan} GossipPlan */

/** What the muxer and the encryption add is among the bytes already. */
const LAYERS = { muxer: null, security: null, tcp: true }

/**
 * wholeNetworkOf makes the network of a plan whose nodes are whole. The first peer of a process that is looked up in a peer
 * store opens a channel to threads, for its lock, whether there are any or not: that must have happened before virtual time passes.
 *
 * @param {GossipPlan} plan
 * @param {import('../virtual-time.js').VirtualTime} time
 */
export async function wholeNetworkOf(plan, time) {
  const { peerStore, peerId } = await createLibp2p({ start: false })
  await peerStore.has(peerId)
  const { security, muxer } = plan
  const model = linkModelOf(plan, { layers: LAYERS })
  return new WholeNetwork(time, { model, security, muxer: /** @type {'yamux' | 'mplex'} */ (muxer) })
}
