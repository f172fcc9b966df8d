import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { multiaddr } from '@multiformats/multiaddr'
import { PeerNumbers } from '../../../src/network/node-host.js'
import { makeServerClient, RendezvousNodes } from '../../../src/network/real/rendezvous-nodes.js'

/**
 * @typedef {import('@libp2p/interface').PeerId} PeerId
 *
 * @typedef {object} Calls
 * @property {string[]} registered - node, namespace
 * @property {string[]} dialled - node, first address
 */

const NODES = 6
const SERVER = '/ip4/127.0.0.1/tcp/8000'
const NAMESPACES = ['ns-a', 'ns-b']
const MS = 1e6

/** @type {PeerId[]} of the nodes, then of one that is not of the network */
let ids
before(async () => {
  ids = await Promise.all(
    Array.from({ length: NODES + 1 }, async () => peerIdFromPrivateKey(await generateKeyPair('Ed25519')))
  )
})

/** @param {number} node */
const addressOf = node => `/ip4/127.0.0.1/tcp/${9000 + node}`

/**
 * Each step takes 1 ms.
 *
 * @param {object} [how]
 * @param {number[][]} [how.subscriptions]
 * @param {(node: number, what: string) => void} [how.fail] - throws what is to go wrong
 * @param {number} [how.inboundFrom] - the node whose connection to others is one that they had made
 */
function network({ subscriptions = Array(NODES).fill([0]), fail = () => {}, inboundFrom } = {}) {
  /** @type {Calls} */
  const calls = { registered: [], dialled: [] }
  /** @type {number[]} */
  const progress = []
  let nowNs = 0
  const libp2pOf = (/** @type {number} */ node) => ({
    dial: async (/** @type {unknown} */ address) => {
      nowNs += MS
      const first = String(Array.isArray(address) ? address[0] : address)
      fail(node, first)
      calls.dialled.push(`${node} ${first}`)
      return { direction: node === inboundFrom ? 'inbound' : 'outbound' }
    },
    services: {
      rendezvous: {
        register: async (/** @type {unknown} */ server, /** @type {string} */ ns) => {
          assert.equal(String(server), SERVER)
          nowNs += MS
          fail(node, ns)
          calls.registered.push(`${node} ${ns}`)
        },
        async *discoverAll(/** @type {unknown} */ _server, /** @type {{ ns: string }} */ { ns }) {
          nowNs += MS
          fail(node, ns)
          const registrations = ids.map((peerId, of) => ({ peerId, addresses: [multiaddr(addressOf(of))] }))
          yield { registrations: registrations.slice(0, 3) }
          yield { registrations: registrations.slice(3) }
        }
      }
    }
  })
  const peers = new PeerNumbers()
  peers.add(Array.from({ length: NODES }, (_, node) => ({ node, peerId: ids[node].toString() })))
  const made = new Map(subscriptions.map((_, node) => [node, /** @type {any} */ (libp2pOf(node))]))
  const nodes = new RendezvousNodes({
    nodes: made,
    clientOf: node => makeServerClient(made.get(node), SERVER),
    subscriptions,
    seed: 1,
    peers,
    now: () => nowNs,
    onProgress: done => progress.push(done)
  })
  return { nodes, calls, progress }
}

const K = 2

describe('nodes that register at a rendezvous server', () => {
  it('connect to it and register under the namespace of each of their topics', async () => {
    const { nodes, calls } = network({ subscriptions: [[0], [0, 1]] })
    const { connects, registers } = await nodes.register(NAMESPACES)
    const rows = connects.flatMap(({ node, error }) => [node, error])
    assert.deepEqual(rows, [0, null, 1, null])
    const found = registers.flatMap(({ node, topic, error }) => [node, topic, error])
    assert.deepEqual(found, [0, 0, null, 1, 0, null, 1, 1, null])
    assert.deepEqual(calls.registered.sort(), ['0 ns-a', '1 ns-a', '1 ns-b'])
    assert.deepEqual(calls.dialled.sort(), [`0 ${SERVER}`, `1 ${SERVER}`])
  })

  it('tell how long each step took, and why one failed, while the others go on', async () => {
    const fail = (/** @type {number} */ _, /** @type {string} */ what) => {
      if (what === 'ns-a') throw new Error('E_NOT_AUTHORIZED')
    }
    const { nodes } = network({ subscriptions: [[0, 1]], fail })
    const { connects, registers } = await nodes.register(NAMESPACES)
    assert.deepEqual(connects, [{ node: 0, ms: 1, error: null }])
    assert.deepEqual(registers, [
      { node: 0, ms: 1, error: 'E_NOT_AUTHORIZED', topic: 0 },
      { node: 0, ms: 1, error: null, topic: 1 }
    ])
  })
})

describe('nodes that meet at a rendezvous server', () => {
  it('each dial k of the others that they found, at the addresses of their records, never themselves or strangers', async () => {
    const { nodes, calls, progress } = network({ inboundFrom: 4 })
    const { discovers, dials } = await nodes.meet(NAMESPACES, K)
    assert.deepEqual(
      discovers.map(({ node, topic, found, foreign, error }) => [node, topic, found, foreign, error]),
      Array.from({ length: NODES }, (_, node) => [node, 0, NODES - 1, 1, null])
    )
    for (let node = 0; node < NODES; node++) {
      const to = dials.flatMap(dial => (dial.from === node ? [dial.to] : []))
      assert.equal(new Set(to).size, 2)
      assert.ok(to.every(peer => peer !== node && peer < NODES))
    }
    assert.deepEqual(
      calls.dialled.sort(),
      dials.map(({ from, to }) => `${from} ${addressOf(to)}/p2p/${ids[to]}`).sort()
    )
    assert.ok(dials.every(({ from, inbound, error }) => inbound === (from === 4) && error === null))
    assert.deepEqual(
      progress,
      dials.map((_, index) => index + 1)
    )
  })

  it('choose the same ones again, and not all alike', async () => {
    const [first, again] = await Promise.all(
      [network(), network()].map(({ nodes }) => nodes.meet(NAMESPACES, K))
    )
    const pairs = (/** @type {typeof first} */ { dials }) => dials.map(({ from, to }) => `${from}-${to}`)
    assert.deepEqual(pairs(first), pairs(again))
    assert.ok(new Set(first.dials.map(({ to }) => to)).size > 2)
  })

  it('dial all that they found where there are fewer than k, and one of two topics once', async () => {
    const { nodes } = network({ subscriptions: [[0, 1]] })
    const { discovers, dials } = await nodes.meet(NAMESPACES, 50)
    assert.equal(discovers.length, 2)
    assert.deepEqual(dials.map(({ to }) => to).sort(), [1, 2, 3, 4, 5])
  })

  it('tell of a discovery and of dials that failed', async () => {
    const fail = (/** @type {number} */ node, /** @type {string} */ what) => {
      if (node === 0 && what === 'ns-a') throw new Error('no such namespace')
      if (node === 1 && what.startsWith('/ip4')) throw new Error('refused')
    }
    const { nodes, progress } = network({ subscriptions: [[0], [0]], fail })
    const { discovers, dials } = await nodes.meet(NAMESPACES, K)
    const rows = discovers.flatMap(({ node, found, error }) => [node, found, error])
    assert.deepEqual(rows, [0, 0, 'no such namespace', 1, 5, null])
    const all = dials.flatMap(({ from, error, inbound }) => [from, error, inbound])
    assert.deepEqual(all, [1, 'refused', false, 1, 'refused', false])
    assert.deepEqual(progress, [1, 2])
  })
})

describe('nodes that refresh', () => {
  it('register and discover again in each of their topics, until that is ended, and tell what failed', async () => {
    const fail = (/** @type {number} */ node, /** @type {string} */ what) => {
      if (node === 1 && what === 'ns-a') throw new Error('gone')
    }
    const { nodes } = network({ subscriptions: [[0, 1], [0]], fail })
    /** @type {import('../../../src/network/node-host.js').RefreshStep[]} */
    const steps = []
    const ending = new AbortController()
    const { signal } = ending
    const onStep = (/** @type {typeof steps[number]} */ step) => {
      steps.push(step)
      if (steps.length === 20) ending.abort()
    }
    await nodes.refresh(NAMESPACES, { everyMs: 5, signal, onStep })
    const kinds = steps.map(({ node, type, error }) => `${node} ${type} ${error}`)
    assert.deepEqual([...new Set(kinds)].sort(), [
      ...['0 DISCOVER null', '0 REGISTER null', '1 DISCOVER gone', '1 REGISTER gone']
    ])
  })
})
