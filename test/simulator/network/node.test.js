import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RPC } from '@libp2p/gossipsub/message'
import { makePayload } from '../../../src/network/gossipsub.js'
import { Processing } from '../../../src/simulator/network/node.js'
import { makeProcessingCosts } from '../../../src/simulator/simulation-settings.js'
import { VirtualTime } from '../../../src/simulator/virtual-time.js'

const SIGNATURE_NS = 100
const SEEN_NS = 1e6

/** An RPC with one message, behind its length. @param {number} number */
function rpc(number) {
  const bytes = RPC.encode({ subscriptions: [], messages: [{ topic: 'a', data: makePayload(1, number, 8) }] })
  return Uint8Array.from([bytes.length, ...bytes])
}

/** How long a node takes for what comes to it, each at a moment. @param {[atNs: number, message: number][]} come */
function taken(come) {
  const time = new VirtualTime()
  const costs = {
    rpcNs: 0,
    signatureNs: SIGNATURE_NS,
    signatures: /** @type {const} */ ('first'),
    seenNs: SEEN_NS
  }
  const processing = new Processing(time, 0, costs)
  /** @type {number[]} */
  const tookNs = []
  for (const [atNs, message] of come)
    time.at(atNs, 0, () => {
      processing.take(rpc(message), () => tookNs.push(time.nowNs - atNs))
    })
  while (time.runNext(Number.POSITIVE_INFINITY));
  return tookNs
}

test('a signature is checked once, and again when the library has forgotten the message', () => {
  const late = SEEN_NS + 1000
  assert.deepEqual(
    taken([
      [0, 1],
      [500, 1],
      [SEEN_NS, 1],
      [SEEN_NS + 500, 2],
      [late, 1],
      [late + 500, 1],
      [late + 1000, 2]
    ]),
    [SIGNATURE_NS, 0, 0, SIGNATURE_NS, SIGNATURE_NS, 0, 0]
  )
})

test('a message is known for as long as by the library', () => {
  const plan = { signing: true, fastMsgId: true, keyType: /** @type {const} */ ('ed25519') }
  assert.equal(makeProcessingCosts({ ...plan, gossipsub: {} }).seenNs, 120e9)
  assert.equal(makeProcessingCosts({ ...plan, gossipsub: { seenTTL: 5000 } }).seenNs, 5e9)
})
