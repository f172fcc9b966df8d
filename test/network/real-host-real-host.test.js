import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { RealHost } from '../../src/network/real-host.js'
import { until } from '../until.js'
import { gossipPlan } from './gossip-plan.js'
import { full, line, startNetwork } from './network.js'

/** @typedef {Awaited<ReturnType<typeof startNetwork>>} Network */

/** @type {Network[]} */
const running = []
afterEach(() => Promise.all(running.splice(0).map(network => network.stop())))

/** @param {Parameters<typeof startNetwork>} args */
async function network(...args) {
  const started = await startNetwork(...args)
  running.push(started)
  return started
}

/** How far each delivery has come, by the chain of peers it came from. @param {Network} network */
function hopsOf({ received, published }) {
  const publisher = new Map(published.map(({ message, node }) => [message, node]))
  const from = new Map(received.map(row => [`${row.message}/${row.node}`, row.from]))
  const hops = (/** @type {number} */ message, /** @type {number} */ node) => {
    let count = 0
    for (let at = node; at !== publisher.get(message); count++)
      at = from.get(`${message}/${at}`) ?? Number.NaN
    return count
  }
  return received.map(({ message, node }) => ({
    hops: hops(message, node),
    distance: Math.abs(node - (publisher.get(message) ?? Number.NaN))
  }))
}

/** @param {Network} network */
const pairsOf = ({ received }) => received.map(({ message, node }) => `${message}>${node}`).sort()

/** Every message at every node but its publisher. @param {Network} network */
const allPairsOf = ({ plan, published }) =>
  published
    .flatMap(({ message, node }) =>
      Array.from({ length: plan.nodes }, (_, other) => (other === node ? [] : [`${message}>${other}`])).flat()
    )
    .sort()

/** Nodes of one process are handed the same message one after the other. @param {Network['received']} received */
function assertWaited(received) {
  assert.ok(received.every(({ waitedUs }) => waitedUs >= 0))
  assert.ok(
    received.some(({ waitedUs }) => waitedUs > 0),
    'some waited'
  )
}

describe('a network of real nodes', () => {
  /** @type {[string, Partial<import('../../src/scenarios/gossip/options.js').GossipPlan>, { processes?: boolean }][]} */
  const kinds = [
    ['as libp2p comes', {}, {}],
    ['unsigned, over mplex, with fast message ids', { signing: false, muxer: 'mplex', fastMsgId: true }, {}],
    [
      'over WebSockets, with two muxers to choose from, and secp256k1 keys',
      { transport: 'websocket', muxer: 'mplex,yamux', keyType: 'secp256k1' },
      {}
    ],
    [
      'in plain text, with fast message ids, and a validator that takes time',
      { security: 'plaintext', fastMsgId: true, validationDelayMs: 5 },
      {}
    ],
    [
      'by the preset of the study',
      { preset: 'study-2019', gossipsub: { heartbeatInterval: 200, floodPublish: false } },
      {}
    ],
    ['on two processes, with latency on its links', { workers: 2, linkLatencyMs: 10 }, { processes: true }]
  ]
  for (const [name, changes, options] of kinds) {
    it(`${name} delivers every message to every node once, and on a line each hop is one link`, async () => {
      const net = await network(gossipPlan(changes), { dials: line(6), ...options })
      await net.meshed(nodes => nodes.every(({ node, mesh }) => mesh[0].length === (node % 5 === 0 ? 1 : 2)))
      const ends = await net.publish([0, 3, 5, 2].map((node, i) => ({ node, atMs: i * 20, bytes: 600 + i })))
      await net.arrived(20)
      assert.equal(
        ends.reduce((sum, end) => sum + end.published, 0),
        4
      )
      assert.deepEqual(pairsOf(net), allPairsOf(net))
      for (const { hops, distance } of hopsOf(net)) assert.equal(hops, distance)
      for (const { atNs, message } of net.received) {
        const publication = net.published.find(row => row.message === message)
        assert.ok(publication != null && atNs > publication.atNs, 'received after it was published')
      }
    })
  }

  it('counts further copies as duplicates, every copy as received, and tells what their bytes waited in the process', async () => {
    const net = await network(gossipPlan(), { dials: full(6) })
    await net.meshed(nodes => nodes.every(({ mesh }) => mesh[0].length >= 4))
    const before = await net.counters()
    await net.publish(Array.from({ length: 5 }, (_, i) => ({ node: i, atMs: i * 20, bytes: 200 })))
    assertWaited(await net.arrived(25))
    const counters = await net.settled()
    assert.equal(before.messagesReceived, 0)
    assert.equal(counters.messagesReceived - counters.duplicates, 25)
    assert.ok(counters.duplicates > 0, 'a full mesh gives every message more than once')
    assert.equal(counters.messagesSent, counters.messagesReceived)
    assert.ok(counters.bytesReceived >= counters.messagesReceived * 200)
    assert.equal(counters.rpcsSent, counters.rpcsReceived)
  })

  it('tells what the bytes of each delivery waited in its process over WebSockets, too', async () => {
    const net = await network(gossipPlan({ transport: 'websocket' }), { dials: full(6) })
    await net.meshed(nodes => nodes.every(({ mesh }) => mesh[0].length >= 1))
    await net.publish(Array.from({ length: 5 }, (_, i) => ({ node: 0, atMs: i * 50, bytes: 200 })))
    assertWaited(await net.arrived(25))
  })

  it('delivers to those who subscribe only', async () => {
    const plan = gossipPlan({
      topics: [
        { name: 'one', chance: 0.5 },
        { name: 'two', chance: 0.5 }
      ]
    })
    const subscriptions = [[0, 1], [0], [1], [0], [], [0, 1]]
    const net = await network(plan, { dials: full(6), subscriptions })
    const { nodes } = await net.meshed(nodes =>
      nodes.every(({ node, mesh }) => subscriptions[node].every(topic => mesh[topic].length > 0))
    )
    assert.deepEqual(nodes[4], { node: 4, subscribers: [[], []], mesh: [[], []] })
    assert.deepEqual(
      nodes[1].subscribers.map(peers => peers.sort()),
      [[0, 3, 5], []]
    )
    await net.publish([
      { node: 0, topic: 0 },
      { node: 5, topic: 1 }
    ])
    await net.arrived(5)
    assert.deepEqual(pairsOf(net), ['0>1', '0>3', '0>5', '1>0', '1>2'])
  })

  for (const loadModel of /** @type {const} */ (['open', 'closed'])) {
    it(`of nodes that publish in their own time delivers everything, ${loadModel}`, async () => {
      const plan = gossipPlan({ workers: 2, publishers: 'every', messages: null, loadModel })
      const net = await network(plan, { dials: full(6) })
      await net.meshed(nodes => nodes.every(({ mesh }) => mesh[0].length >= 4))
      const startNs = net.now() + 10e6
      const start = { publications: null, startNs, endNs: startNs + 1e9 }
      const ends = await Promise.all(net.hosts.map(host => host.schedule(start)))
      const published = ends[0].published + ends[1].published
      await net.arrived(published * 5)
      assert.ok(published > 0)
      assert.equal(new Set(net.published.map(({ message }) => message)).size, published)
      assert.deepEqual(pairsOf(net), allPairsOf(net))
      assert.deepEqual(
        ends.map(({ endedBy }) => endedBy),
        ['time', 'time']
      )
    })
  }

  it('sees its mesh, and when it last changed', async () => {
    const net = await network(gossipPlan({ nodes: 3 }), { dials: line(3) })
    const { nodes, states } = await net.meshed()
    assert.deepEqual(
      nodes.map(({ subscribers, mesh }) => [subscribers[0].sort(), mesh[0].sort()]),
      [
        [[1], [1]],
        [
          [0, 2],
          [0, 2]
        ],
        [[1], [1]]
      ]
    )
    const [{ atNs, lastChangeNs }] = states
    assert.ok(lastChangeNs > 0 && lastChangeNs < atNs)
    const later = await net.meshed()
    const { withoutMesh, connections } = await net.evidence()
    assert.ok(later.states[0].atNs > atNs)
    assert.deepEqual(withoutMesh.map(({ node }) => node).sort(), [0, 1, 2])
    for (const { fromNs, toNs } of withoutMesh)
      assert.ok(toNs != null && fromNs < toNs && toNs <= lastChangeNs + 1e9)
    assert.deepEqual(
      connections.sort((a, b) => a.node - b.node),
      [
        { node: 0, degree: 1, connections: 1 },
        { node: 1, degree: 2, connections: 2 },
        { node: 2, degree: 1, connections: 1 }
      ]
    )
    assert.deepEqual(net.intervals.at(-1)?.meshDegree, { min: 1, max: 2, sum: 4, count: 3 })
  })

  it('tells which nodes never had a mesh peer', async () => {
    const net = await network(gossipPlan({ nodes: 3 }), { dials: line(2) })
    await net.meshed(nodes => nodes[0].mesh[0].length === 1)
    const { withoutMesh } = await net.evidence()
    assert.deepEqual(
      withoutMesh.flatMap(({ node, toNs }) => (toNs === null ? [node] : [])),
      [2]
    )
  })

  it('has the same peers for the same seed, and others for another', async () => {
    const ids = async (/** @type {Parameters<typeof gossipPlan>[0]} */ changes) =>
      (await network(gossipPlan({ nodes: 2, ...changes }), { dials: [] })).peers.map(({ peerId }) => peerId)
    const [first, again, other, secp] = await Promise.all([
      ids({}),
      ids({}),
      ids({ seed: 8 }),
      ids({ keyType: 'secp256k1' })
    ])
    assert.deepEqual(first, again)
    assert.equal(new Set([...first, ...other, ...secp]).size, 6)
  })

  it('says which dial failed, and goes on', async () => {
    const net = await network(gossipPlan({ nodes: 2 }), { dials: [] })
    const [host] = net.hosts
    const gone = { node: 1, peerId: net.peers[1].peerId, multiaddr: '/ip4/127.0.0.1/tcp/1' }
    const failed = await host.connect([{ from: 0, to: 1 }], [net.peers[0], gone])
    assert.match(String(failed[0].error), /ECONNREFUSED|refused|dialed/)
    const [{ from, to, error, ms }] = await host.connect([{ from: 1, to: 0 }], net.peers)
    assert.deepEqual({ from, to, error }, { from: 1, to: 0, error: null })
    assert.ok(ms > 0)
  })

  it('ignores and rejects by the shares of the plan', async () => {
    const plan = gossipPlan({ nodes: 4, validation: { accept: 0.5, ignore: 0.25, reject: 0.25 } })
    const net = await network(plan, { dials: full(4) })
    await net.meshed(nodes => nodes.every(({ mesh }) => mesh[0].length === 3))
    await net.publish(Array.from({ length: 40 }, (_, i) => ({ node: i % 4, atMs: i * 2 })))
    let counts = await net.counters()
    for (
      let patience = 0;
      counts.accepted + counts.ignored + counts.rejected < 120 && patience < 50;
      patience++
    ) {
      await net.drain(100)
      counts = await net.counters()
    }
    const { accepted, ignored, rejected } = counts
    assert.equal(net.received.length, accepted)
    // flood publishing brings each message to all three others, whatever they do with it
    assert.equal(accepted + ignored + rejected, 120)
    for (const [count, share] of [
      [accepted, 60],
      [ignored, 30],
      [rejected, 30]
    ]) {
      assert.ok(Math.abs(count - share) <= 25, `${count}, where about ${share} are due`)
    }
  })
})

describe('nodes that are on several machines', () => {
  it('take connections of the nodes of their network alone', async t => {
    const plan = gossipPlan({ nodes: 2, workers: 2 })
    const hosts = [0, 1].map(worker => {
      const setup = {
        ...{ plan, worker, nodes: [worker], subscriptions: [[0], [0]], runNonce: 1 },
        originNs: process.hrtime.bigint(),
        address: '127.0.0.1'
      }
      return new RealHost(setup, { onInterval: () => {} })
    })
    t.after(() => Promise.all(hosts.map(host => host.stop())))
    const peers = (await Promise.all(hosts.map(host => host.provision()))).flat()
    const dial = () => hosts[0].connect([{ from: 0, to: 1 }], peers)
    const degree = async () => (await hosts[1].collect()).connections[0].degree
    await dial()
    assert.equal(await degree(), 0)
    await hosts[1].admit(peers)
    // who dialled knows a moment later that it was not heard
    await until(async () => (await dial()) !== null && (await degree()) === 1, { everyMs: 50 })
  })
})

describe('a host that a run listens to', () => {
  it('tells every second that it is there, unless it hands something over, which says so', async t => {
    const setup = {
      ...{ plan: gossipPlan({ nodes: 1 }), worker: 0, nodes: [0], subscriptions: [[0]], runNonce: 1 },
      originNs: process.hrtime.bigint()
    }
    let told = 0
    const host = new RealHost(setup, { onInterval: () => {}, onAlive: () => void told++ })
    t.after(() => host.stop())
    await host.provision()
    await until(() => told > 0)
    const before = told
    await host.drain({ stepMs: 3000 })
    // the first second is over before anything is handed over
    assert.ok(told - before <= 1, `${told - before} times while it handed over`)
    const between = told
    await until(() => told > between)
  })
})
