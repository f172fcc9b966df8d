import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import {
  findMeshProblems,
  makeDiscoveredNetwork,
  warmUpMesh
} from '../../../src/scenarios/gossip/bootstrap.js'
import { gossipPlan } from '../../network/gossip-plan.js'

/** @param {number} from @param {number} to @param {object} [more] */
const dial = (from, to, more = {}) => ({ from, to, ms: 10, error: null, inbound: false, ...more })

/** @param {number} node @param {object} [more] */
const step = (node, more = {}) => ({ node, ms: 5, error: null, topic: 0, found: 2, foreign: 0, ...more })

describe('a network that nodes made by finding one another', () => {
  it('has an edge for each pair, by the dial that made the connection', () => {
    const { dialled, steps } = makeDiscoveredNetwork(
      [{ connects: [step(0), step(1)], registers: [step(0)] }],
      [
        { discovers: [step(0)], dials: [dial(0, 1, { inbound: true }), dial(0, 2)] },
        { discovers: [step(1, { found: 4, foreign: 3 })], dials: [dial(1, 0, { ms: 20 })] }
      ]
    )
    assert.deepEqual(dialled, [
      { from: 1, to: 0, ms: 20, error: null },
      { from: 0, to: 2, ms: 10, error: null }
    ])
    const actual = [steps.connect.count, steps.register.count, steps.discover.count, steps.dial.count]
    assert.deepEqual([actual, steps.bothWays, steps.alreadyConnected, steps.failed], [[2, 1, 2, 2], 1, 1, 0])
    assert.deepEqual([steps.found, steps.foreign], [{ min: 2, avg: 3, max: 4 }, 3])
  })

  it('counts what failed, and takes a pair as joined when either of its dials went well', () => {
    const error = 'refused'
    const { dialled, steps } = makeDiscoveredNetwork(
      [{ connects: [step(0, { error })], registers: [step(0, { error })] }],
      [
        {
          discovers: [step(0, { error, found: 0 })],
          dials: [dial(0, 1, { error }), dial(1, 0), dial(2, 0, { error })]
        }
      ]
    )
    assert.deepEqual([steps.failed, steps.found], [5, { min: null, avg: null, max: null }])
    const actual = dialled.flatMap(({ from, to, error }) => [from, to, error])
    assert.deepEqual(actual, [1, 0, null, 2, 0, error])
  })
})

/** @typedef {import('../../../src/network/node-host.js').MeshState} MeshState */

/**
 * Warms up two nodes, on a clock that is late by 7 ms with each step.
 *
 * @param {Partial<import('../../../src/scenarios/gossip/options.js').GossipPlan>} changes
 * @param {{ grafted?: number, pruned?: number }} changesAtMs - when they have each other as mesh peers, and when no more
 */
async function warmedUp(changes, { grafted = Infinity, pruned = Infinity }) {
  let nowMs = 100
  const mesh = await warmUpMesh(gossipPlan({ nodes: 2, ...changes }), {
    hosts: {
      async awaitMesh(stepMs) {
        nowMs += stepMs === 0 ? 0 : stepMs + 7
        const isIn = nowMs - 100 >= grafted && nowMs - 100 < pruned
        const peersOf = (/** @type {number} */ peer) => ({
          node: 1 - peer,
          subscribers: [[peer]],
          mesh: [isIn ? [peer] : []]
        })
        return [{ atNs: nowMs * 1e6, lastChangeNs: -1e12, nodes: [peersOf(1), peersOf(0)] }]
      }
    },
    edges: [[0, 1]],
    subscriptions: [[0], [0]],
    onProgress: () => {}
  })
  return { ...mesh, tookMs: nowMs - 100 }
}

test('without --warmup the nodes publish as soon as the mesh has formed', async () => {
  const { tookMs, formedAfterMs } = await warmedUp({}, { grafted: 300 })
  assert.ok(tookMs >= 300 && tookMs <= 600, `${tookMs} ms`)
  assert.equal(formedAfterMs, tookMs)
})

test('--warmup takes just so long: with a mesh that had formed long before', async () => {
  const { tookMs, formedAfterMs, missing } = await warmedUp({ warmupMs: 60_000 }, { grafted: 300 })
  assert.ok(tookMs >= 60_000 && tookMs <= 60_010, `${tookMs} ms`)
  assert.ok(formedAfterMs !== null && formedAfterMs >= 300 && formedAfterMs <= 600, `${formedAfterMs} ms`)
  assert.deepEqual(missing, [])
})

test('and with one that has not formed by then, or not any more', async () => {
  for (const changes of [{}, { grafted: 500, pruned: 1500 }]) {
    const { tookMs, formedAfterMs, missing } = await warmedUp({ warmupMs: 2000 }, changes)
    assert.ok(tookMs >= 2000 && tookMs <= 2010, `${tookMs} ms`)
    assert.equal(formedAfterMs, null)
    assert.match(missing.join(), /without a mesh peer/)
  }
})

test('--warmup 0 waits for nothing', async () =>
  assert.equal((await warmedUp({ warmupMs: 0 }, {})).tookMs, 0))

/**
 * @typedef {Parameters<typeof findMeshProblems>[1]} Network
 */

const SECOND = 1e9

/** Four nodes in a line, one topic. @type {Network} */
const LINE = {
  nodes: 4,
  edges: [
    [0, 1],
    [1, 2],
    [2, 3]
  ],
  ...{ subscriptions: [[0], [0], [0], [0]], topics: 1, heartbeatMs: 1000 }
}

/** @param {Network} network @returns {number[][][]} by node and topic: neighbours that subscribe to it */
const neighbours = ({ nodes, edges, subscriptions, topics }) =>
  Array.from({ length: nodes }, (_, node) =>
    Array.from({ length: topics }, (_, topic) =>
      subscriptions[node].includes(topic)
        ? edges
            .filter(edge => edge.includes(node))
            .map(([a, b]) => (a === node ? b : a))
            .filter(peer => subscriptions[peer].includes(topic))
        : []
    )
  )

/**
 * What hosts see when everything is as it should be, but for what some nodes have in topic 0.
 *
 * @param {Network} network
 * @param {Partial<Record<'subscribers' | 'mesh', number[][] | Record<number, number[]>>>} [changed] - neighbours, by node
 * @returns {MeshState[]} of two hosts, which hold nodes in turn
 */
function seenBy(network, changed = {}) {
  const seen = { subscribers: neighbours(network), mesh: neighbours(network) }
  for (const what of /** @type {const} */ (['subscribers', 'mesh']))
    for (const [node, own] of Object.entries(changed[what] ?? {})) seen[what][Number(node)] = [own]
  const nodes = seen.mesh.map((mesh, node) => ({ node, mesh, subscribers: seen.subscribers[node] }))
  return [0, 1].map(host => ({
    ...{ atNs: 10 * SECOND, lastChangeNs: 6 * SECOND },
    nodes: nodes.filter(({ node }) => node % 2 === host)
  }))
}

/** Topic 1 is that of nodes 0 and 3 only: they are no neighbours. */
const TWO_TOPICS = { ...LINE, topics: 2, subscriptions: [[0, 1], [0], [0], [0, 1]] }

/** Two pairs that no connection joins. @type {Network} */
const TWO_PARTS = {
  ...LINE,
  edges: [
    [0, 1],
    [2, 3]
  ]
}

const NONE = [[], [], [], []]
const NOT_SEEN = '1 subscription of neighbours not seen'
const NO_PEER = '1 subscription without a mesh peer'
const NO_PEERS = '4 subscriptions without a mesh peer'
const IN_PARTS = 'the mesh of topic 0 in 2 parts instead of 1'
const IN_4_PARTS = 'the mesh of topic 0 in 4 parts instead of 2'

/** @type {[string, Network, Parameters<typeof seenBy>[1], ...lacks: string[]][]} */
const CASES = [
  ['everything is there', LINE, {}],
  ['neighbours have no topic in common', TWO_TOPICS, {}],
  ['the topology itself is in parts', TWO_PARTS, {}],
  ['a node does not know that its neighbour subscribes', LINE, { subscribers: { 1: [0] } }, NOT_SEEN],
  ['nobody knows of anybody yet', LINE, { subscribers: NONE }, '6 subscriptions of neighbours not seen'],
  ['a node has no mesh peer, though its neighbour has it', LINE, { mesh: { 3: [] } }, NO_PEER],
  ['a mesh is in parts that the topology joins', LINE, { mesh: { 1: [0], 2: [3] } }, IN_PARTS],
  ['a node is in nobody’s mesh', LINE, { mesh: { 0: [], 1: [2] } }, NO_PEER, IN_PARTS],
  ['there is no mesh at all', TWO_PARTS, { mesh: NONE }, NO_PEERS, IN_4_PARTS],
  ['one end alone counts a peer as in its mesh', LINE, { mesh: { 1: [2] } }]
]

describe('a mesh', () => {
  for (const [what, network, changed, ...lacks] of CASES)
    it(`${lacks.length === 0 ? 'is formed' : 'is not formed'} when ${what}`, () =>
      assert.deepEqual(findMeshProblems(seenBy(network, changed), network), lacks))
})

describe('a mesh that changes is formed only after three heartbeats without a change', () => {
  for (const [changedNs, heartbeatMs, lacks] of /** @type {[number, number, string[]][]} */ ([
    [7 * SECOND, 1000, []],
    [7 * SECOND + 1, 1000, ['grafts or prunes still in progress']],
    [9 * SECOND, 300, []],
    [0, 3000, []]
  ]))
    it(`${changedNs} ns of 10 s, at heartbeats of ${heartbeatMs} ms: ${lacks.join() || 'formed'}`, () => {
      const network = { ...LINE, heartbeatMs }
      const states = seenBy(network)
      // on one of the hosts
      states[1].lastChangeNs = changedNs
      states[0].lastChangeNs = 0
      assert.deepEqual(findMeshProblems(states, network), lacks)
    })
})
