import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileWith, gossipPlan } from './gossip-plan.js'
import { full, startNetwork } from './network.js'

const NODES = 4
/** Due in the middle between two of the script's times. */
const PUBLISHED = [0, 1500, 3000].map(atMs => ({ node: 0, atMs: atMs + 300 }))

/** @type {[string, Partial<import('../../src/scenarios/gossip/options.js').GossipPlan>][]} */
const KINDS = [
  ['gossipsub', {}],
  ['gossipsub of the generation before', { stack: ['libp2p-2'] }],
  ['floodsub', { pubsub: 'floodsub', gossipsub: {} }]
]

for (const [name, changes] of KINDS)
  test(`${name} on real TCP subscribes and unsubscribes as a script says`, async t => {
    const plan = gossipPlan({
      ...{ nodes: NODES, workers: 2, durationMs: 6000, messages: null },
      networkFile: fileWith([
        { atMs: 1000, who: { nodes: [1, 2] }, action: 'unsubscribe', topic: 'load', forMs: 1500 },
        { atMs: 2000, who: { nodes: [3] }, action: 'leave' }
      ]),
      ...changes
    })
    const net = await startNetwork(plan, { dials: full(NODES) })
    t.after(() => net.stop())
    await net.meshed()
    await net.publish(PUBLISHED)
    const received = await net.arrived(3 + 1 + 2)
    assert.deepEqual(received.map(({ message, node }) => `${message}>${node}`).sort(), [
      '0>1',
      '0>2',
      '0>3',
      '1>3',
      '2>1',
      '2>2'
    ])
    const done = net.intervals.flatMap(({ resubscribed = [] }) => resubscribed)
    assert.deepEqual(
      done.map(({ node, atMs, subscribed, error }) => [atMs, node, subscribed, error]).sort(),
      [
        [1000, 1, false, undefined],
        [1000, 2, false, undefined],
        [2500, 1, true, undefined],
        [2500, 2, true, undefined]
      ]
    )
    const [ended, begun] = [false, true].map(now =>
      done.find(each => each.node === 1 && each.subscribed === now)
    )
    const { withoutMesh } = await net.evidence()
    // gossipsub takes nobody into a mesh again within 10 s after it has left it
    assert.deepEqual(
      withoutMesh.filter(
        ({ node, fromNs, toNs }) =>
          node === 1 && fromNs < Number(begun?.atNs) && (toNs ?? Infinity) > Number(ended?.atNs)
      ),
      [],
      'who is not subscribed is not without a mesh'
    )
  })
