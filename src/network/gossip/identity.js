import { privateKeyFromRaw } from '@libp2p/crypto/keys'
import { identitySeed, privateKeyOf } from '../../client/identities.js'

const PURPOSE = 'gossip'

/**
 * gossipKeyOf gives the key of a node, from the plan's seed and the node's number. Any node's can be had by itself, in any process.
 *
 * @param {Pick<import('../../scenarios/gossip/plan/gossip-plan.js').GossipPlan, 'seed' | 'keyType'>} plan
 * @param {number} node
 * @returns {Promise<import('@libp2p/interface').PrivateKey>}
 */
export async function gossipKeyOf({ seed, keyType }, node) {
  if (keyType === 'ed25519') return privateKeyOf(seed, PURPOSE, node)
  // 32 raw bytes are a secp256k1 key; libp2p tells the two kinds apart by their length
  return privateKeyFromRaw(identitySeed(seed, `${PURPOSE}/secp256k1`, node))
}
