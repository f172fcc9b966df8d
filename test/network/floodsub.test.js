import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countWholeRpcs } from '../../src/network/real/gossip-node.js'
import { gossipPlan } from './gossip-plan.js'
import { full, line, startNetwork } from './network.js'

const NODES = 5
const FLOODSUB = gossipPlan({ nodes: NODES, pubsub: 'floodsub', gossipsub: {} })
const MESSAGES = 5

/** @param {import('../../src/network/node-host.js').Dial[]} dials @param {import('node:test').TestContext} t @param {Partial<typeof FLOODSUB>} [changes] */
async function flooded(dials, t, changes = {}) {
  const net = await startNetwork({ ...FLOODSUB, ...changes }, { dials })
  t.after(() => net.stop())
  const degrees = Array.from(
    { length: NODES },
    (_, node) => dials.filter(({ from, to }) => from === node || to === node).length
  )
  await net.meshed(nodes => nodes.every(({ node, mesh }) => mesh[0].length === degrees[node]))
  const before = await net.counters()
  await net.publish(Array.from({ length: MESSAGES }, (_, i) => ({ node: i, atMs: i * 20 })))
  await net.arrived(MESSAGES * (NODES - 1))
  const { messagesReceived, duplicates, bytesReceived, bytesSent } = await net.counters()
  return {
    net,
    pairs: net.received.map(({ message, node }) => `${message}>${node}`),
    copies: messagesReceived - before.messagesReceived,
    duplicates,
    bytes: bytesReceived - before.bytesReceived,
    bytesSent: bytesSent - before.bytesSent
  }
}

test('floodsub on a line delivers each message to each node once, from the neighbour it came by', async t => {
  const { net, pairs, copies, duplicates } = await flooded(line(NODES), t)
  assert.equal(new Set(pairs).size, MESSAGES * (NODES - 1))
  assert.equal(pairs.length, MESSAGES * (NODES - 1))
  for (const { message, node, from } of net.received)
    assert.equal(from, node > message ? node - 1 : node + 1, `message ${message} at node ${node}`)
  // there is one way to each node, and none back
  assert.deepEqual([copies, duplicates], [MESSAGES * (NODES - 1), 0])
})

test('in a full network each node sends its first copy on to all but the one it has it from', async t => {
  const { pairs, copies, duplicates, bytes, bytesSent } = await flooded(full(NODES), t, { workers: 2 })
  assert.equal(new Set(pairs).size, MESSAGES * (NODES - 1))
  assert.equal(pairs.length, MESSAGES * (NODES - 1))
  // the publisher sends it to all, and each of them to all but one
  const more = copies - MESSAGES * (NODES - 1) ** 2
  // the publisher sends it on once more where its own comes back to it: it is not among what it has seen
  assert.ok(more >= 0 && more <= MESSAGES * (NODES - 2) && more % (NODES - 2) === 0, `${more} more`)
  assert.equal(duplicates, copies - MESSAGES * (NODES - 1))
  assert.ok(bytes > copies * 1000 && bytes < copies * 1400, `${bytes} bytes of ${copies} copies`)
  assert.equal(bytesSent, bytes)
})

test('an application that rejects keeps messages from going on', async t => {
  const net = await startNetwork(
    { ...FLOODSUB, validation: { accept: 0, ignore: 0, reject: 1 } },
    { dials: line(NODES) }
  )
  t.after(() => net.stop())
  await net.meshed()
  await net.publish([{ node: 0 }])
  await net.drain(500)
  const { rejected, messagesReceived } = await net.counters()
  assert.deepEqual([net.received.length, rejected, messagesReceived], [0, 1, 1])
})

test('RPCs are counted when they are there to their end', () => {
  const rpc = (/** @type {number} */ length) =>
    Buffer.concat([
      length < 128 ? Buffer.from([length]) : Buffer.from([(length & 127) | 128, length >> 7]),
      Buffer.alloc(length, 1)
    ])
  const bytes = Buffer.concat([rpc(3), rpc(0), rpc(300)])
  assert.deepEqual(countWholeRpcs(bytes), { end: bytes.length, rpcs: 3, rpcBytes: 303 })
  for (const cut of [1, 299, 300, 301])
    assert.deepEqual(countWholeRpcs(bytes.subarray(0, bytes.length - cut)), { end: 5, rpcs: 2, rpcBytes: 3 })
  assert.deepEqual(countWholeRpcs(Buffer.alloc(0)), { end: 0, rpcs: 0, rpcBytes: 0 })
})
