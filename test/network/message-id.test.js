import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { generateKeyPair, publicKeyToProtobuf } from '@libp2p/crypto/keys'
import { peerIdFromPrivateKey, peerIdFromString } from '@libp2p/peer-id'
import { deriveGossipKey, formatMessageId, makeMessageId } from '../../src/network/node-host.js'
import { createGossipNode } from '../../src/network/real/gossip-node.js'
import { gossipPlan } from './gossip-plan.js'

/** @typedef {import('../../src/network/real/gossip-node.js').GossipNode} GossipNode */
/** @typedef {import('../../src/scenarios/gossip/options.js').GossipPlan} GossipPlan */

const TOPIC = 'load'
const NO_METRICS = /** @type {any} */ (null)

/** @type {GossipNode[]} */
const nodes = []
afterEach(() => Promise.all(nodes.splice(0).map(node => node.stop())))

/** @param {Partial<GossipPlan>} changes @param {number} number */
async function startNode(changes, number) {
  const plan = gossipPlan(changes)
  const privateKey = await deriveGossipKey(plan, number)
  const node = await createGossipNode({ plan, privateKey, watchedBy: { metricsRegister: NO_METRICS } })
  nodes.push(node)
  await node.start()
  node.services.gossipsub.subscribe(TOPIC)
  return node
}

describe('the id of a message is the one that gossipsub gives it', () => {
  /** @type {[string, Partial<GossipPlan>][]} */
  const kinds = [
    ['signed', {}],
    ['signed with secp256k1', { keyType: 'secp256k1' }],
    ['unsigned', { signing: false }]
  ]
  for (const [what, changes] of kinds)
    it(what, async () => {
      const [publisher, receiver] = [await startNode(changes, 0), await startNode(changes, 1)]
      await receiver.dial(publisher.getMultiaddrs())
      await new Promise(resolve =>
        publisher.services.gossipsub.addEventListener('gossipsub:graft', resolve, { once: true })
      )
      /** @type {Promise<import('@libp2p/gossipsub').GossipsubMessage>} */
      const received = new Promise(resolve =>
        receiver.services.gossipsub.addEventListener('gossipsub:message', event => resolve(event.detail))
      )
      await publisher.services.gossipsub.publish(TOPIC, Buffer.from('what it says'))
      const { msg, msgId } = await received
      assert.equal(formatMessageId(makeMessageId(msg)), msgId)
    })
})

it('the id of a message is made of the key that comes with it where the id of its author holds none, as of RSA', async () => {
  const privateKey = await generateKeyPair('RSA', 2048)
  const message = /** @type {any} */ ({
    ...{ type: 'signed', from: peerIdFromString(peerIdFromPrivateKey(privateKey).toString()) },
    ...{ key: privateKey.publicKey, sequenceNumber: 258n, data: new Uint8Array(), topic: TOPIC }
  })
  assert.equal(message.from.publicKey, undefined)
  assert.deepEqual(
    Buffer.from(makeMessageId(message)),
    Buffer.concat([publicKeyToProtobuf(privateKey.publicKey), Buffer.from([0, 0, 0, 0, 0, 0, 1, 2])])
  )
})
