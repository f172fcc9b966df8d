import pLimit from 'p-limit'
import { bitswapOn, NO_BLOCKS } from './bitswap-broker.js'
import { fetchAll, Wants } from './bitswap-wants.js'
import { connectedNode, listeningNode } from './node.js'

const PROTOCOL = '/ipfs/bitswap/1.2.0'

/**
 * WAY: bitswap 1.2 of helia, on streams of libp2p. It bounds nothing at the provider, so each requestor keeps to its share of the
 * provider's limits.
 *
 * @type {import('./way.js').WayModule}
 */
export const WAY = Object.freeze({
  async provide(_, settings, blocks) {
    const { node, address, close } = await listeningNode(settings)
    const broker = await bitswapOn(node, blocks)
    return { address, close: () => broker.stop().then(close) }
  },

  async connect(address, { settings, signal }) {
    const { connection, node, close, ...connected } = await connectedNode(address, { settings, signal })
    const broker = await bitswapOn(node, NO_BLOCKS)
    // identify would tell it; wants go to peers that are known to speak it
    await node.peerStore.merge(connection.remotePeer, { protocols: [PROTOCOL] })
    const atOnce = pLimit(settings.share.requests)
    const wants = new Wants(broker, settings.share.blocks)
    return {
      ...connected,
      fetch(_, __, receiving, signal) {
        receiving.asked()
        return atOnce(() => fetchAll(wants, receiving, signal))
      },
      close: () => broker.stop().then(close)
    }
  }
})
