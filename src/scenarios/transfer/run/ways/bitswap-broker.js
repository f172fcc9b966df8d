import { withBitswap } from '@helia/bitswap'
import { notKept } from '../not-kept.js'

/**
 * @typedef {import('multiformats/cid').CID} CID
 * @typedef {Pick<import('../block-store.js').BlockStore, 'get' | 'has'>} Blocks
 * @typedef {{ start: (helia: unknown) => Promise<void> }} Mixin - what a node of helia gets beside
 *
 * @typedef {object} Broker - of blocks, by bitswap
 * @property {() => Promise<void>} stop
 * @property {(cid: CID, options: { signal: AbortSignal }) => Promise<Uint8Array>} retrieve
 * @property {{ wantList: { addEventListener: (type: 'block', listener: (event: CustomEvent<{ cid: CID }>) => void) => void } }} bitswap -
 *   it tells of each block that came, with the CID that its bytes have
 */

/** Transfers have a time limit of their own. */
const DAY_MS = 24 * 60 * 60 * 1000

const OPTIONS = Object.freeze({
  messageReceiveTimeout: DAY_MS,
  messageSendTimeout: DAY_MS,
  // files of few bytes can be alike: then a block is asked for again
  doNotResendBlockWindow: 0
})

/** NO_BLOCKS is a store without any. @type {Blocks} */
export const NO_BLOCKS = Object.freeze({
  has: () => false,
  get: async cid => {
    throw notKept(cid)
  }
})

/**
 * bitswapOn starts bitswap on a node of libp2p. It is made for a node of helia, and takes no more of it than what is here.
 *
 * @param {import('@libp2p/interface').Libp2p<any>} node
 * @param {Blocks} blocks - that others may have
 * @returns {Promise<Broker>}
 */
export async function bitswapOn(node, blocks) {
  /** @type {Mixin[]} */
  const mixins = []
  /** @type {Broker[]} */
  const brokers = []
  const helia = {
    status: 'starting',
    libp2p: node,
    logger: /** @type {any} */ (node).logger,
    routing: { async *findProviders() {} },
    blockstore: {
      has: async (/** @type {CID} */ cid) => blocks.has(cid),
      async *get(/** @type {CID} */ cid) {
        yield await blocks.get(cid)
      }
    },
    getHasher: async () => null,
    addMixin: (/** @type {Mixin} */ mixin) => mixins.push(mixin),
    hasBlockBroker: () => false,
    addBlockBroker: (/** @type {Broker} */ broker) => brokers.push(broker)
  }
  withBitswap(/** @type {any} */ (helia), OPTIONS)
  for (const mixin of mixins) await mixin.start(helia)
  return brokers[0]
}
