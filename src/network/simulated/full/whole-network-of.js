import { createLibp2p } from 'libp2p'
import { subStream } from '../../../plan/random.js'
import { LinkModel } from '../../links/link-model.js'
import { WholeNetwork } from './whole-network.js'

/** @typedef {import('../../../plan/gossip/gossip-plan.js').GossipPlan} GossipPlan */

/** What the muxer and the encryption add is among the bytes already. */
const LAYERS = Object.freeze({ muxer: null, security: null, tcp: true })

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
  const { seed, nodes, security, muxer, linkLatencyMs, linkJitterMs, bandwidthBytesPerSecond, ideal } = plan
  const model = new LinkModel(
    {
      latency: { kind: 'constant', ms: linkLatencyMs },
      jitter: { kind: 'time', ms: linkJitterMs },
      lossShare: 0,
      upBytesPerSecond: bandwidthBytesPerSecond,
      downBytesPerSecond: null,
      linkBytesPerSecond: null,
      cuts: [],
      layers: LAYERS,
      tcp: !ideal
    },
    { nodes, streams: (...name) => subStream(seed, ...name) }
  )
  return new WholeNetwork(time, { model, security, muxer })
}
