import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { meshLacks } from '../../src/scenarios/gossip/bootstrap.js'

/**
 * @typedef {import('../../src/network/node-host.js').MeshState} MeshState
 * @typedef {Parameters<typeof meshLacks>[1]} Network
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
  subscriptions: [[0], [0], [0], [0]],
  topics: 1,
  heartbeatMs: 1000
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
 * What hosts see when everything is as it should be, but for what a case changes.
 *
 * @param {Network} network
 * @param {(seen: { subscribers: number[][][], mesh: number[][][] }) => void} [change]
 * @returns {MeshState[]} of two hosts, which hold nodes in turn
 */
function seenBy(network, change = () => {}) {
  const seen = { subscribers: neighbours(network), mesh: neighbours(network) }
  change(seen)
  const nodes = seen.mesh.map((mesh, node) => ({ node, mesh, subscribers: seen.subscribers[node] }))
  return [0, 1].map(host => ({
    atNs: 10 * SECOND,
    lastChangeNs: 6 * SECOND,
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

/** @type {[string, Network, Parameters<typeof seenBy>[1], string[]][]} */
const CASES = [
  ['everything is there', LINE, undefined, []],
  ['neighbours have no topic in common', TWO_TOPICS, undefined, []],
  ['the topology itself is in parts', TWO_PARTS, undefined, []],
  [
    'a node does not know that its neighbour subscribes',
    LINE,
    ({ subscribers }) => {
      subscribers[1] = [[0]]
    },
    ['1 subscription of neighbours not seen']
  ],
  [
    'nobody knows of anybody yet',
    LINE,
    ({ subscribers }) => subscribers.fill([[]]),
    ['6 subscriptions of neighbours not seen']
  ],
  [
    'a node has no mesh peer, though its neighbour has it',
    LINE,
    ({ mesh }) => {
      mesh[3] = [[]]
    },
    ['1 subscription without a mesh peer']
  ],
  [
    'a mesh is in parts that the topology joins',
    LINE,
    ({ mesh }) => {
      mesh[1] = [[0]]
      mesh[2] = [[3]]
    },
    ['the mesh of topic 0 in 2 parts instead of 1']
  ],
  [
    'a node is in nobody’s mesh',
    LINE,
    ({ mesh }) => {
      mesh[0] = [[]]
      mesh[1] = [[2]]
    },
    ['1 subscription without a mesh peer', 'the mesh of topic 0 in 2 parts instead of 1']
  ],
  [
    'there is no mesh at all',
    TWO_PARTS,
    ({ mesh }) => mesh.fill([[]]),
    ['4 subscriptions without a mesh peer', 'the mesh of topic 0 in 4 parts instead of 2']
  ],
  ['one end alone counts a peer as in its mesh', LINE, ({ mesh }) => void mesh.splice(1, 1, [[2]]), []]
]

describe('a mesh', () => {
  for (const [what, network, change, lacks] of CASES)
    it(`${lacks.length === 0 ? 'is formed' : 'is not formed'} when ${what}`, () =>
      assert.deepEqual(meshLacks(seenBy(network, change), network), lacks))
})

describe('a mesh that changes is formed only after three heartbeats without a change', () => {
  for (const [changedNs, heartbeatMs, lacks] of /** @type {[number, number, string[]][]} */ ([
    [7 * SECOND, 1000, []],
    [7 * SECOND + 1, 1000, ['grafts or prunes still going on']],
    [9 * SECOND, 300, []],
    [0, 3000, []]
  ]))
    it(`${changedNs} ns of 10 s, at heartbeats of ${heartbeatMs} ms: ${lacks.join() || 'formed'}`, () => {
      const network = { ...LINE, heartbeatMs }
      const states = seenBy(network)
      // on one of the hosts
      states[1].lastChangeNs = changedNs
      states[0].lastChangeNs = 0
      assert.deepEqual(meshLacks(states, network), lacks)
    })
})
