import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { describeMissingPackages } from '../../src/libp2p/stacks.js'
import { makeCountingRegister } from '../../src/network/gossipsub.js'
import { deriveGossipKey, PeerNumbers } from '../../src/network/node-host.js'
import { OutboundStreamObserver } from '../../src/network/node-observer.js'
import { createGossipNode } from '../../src/network/real/gossip-node.js'
import { gossipPlan } from '../network/gossip-plan.js'
import { line, startNetwork } from '../network/network.js'
import { until } from '../until.js'

const skip = describeMissingPackages('libp2p-2') ?? false
const TIMEOUT = { timeout: 300_000, skip }

/** @type {{ stop: () => unknown }[]} */
const running = []
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop()
})

describe('a gossip network', TIMEOUT, () => {
  for (const [name, changes] of /** @type {[string, object][]} */ ([
    ['on libp2p-2', { stack: ['libp2p-2'] }],
    [
      'of both generations in turn, with mplex, without encryption and signatures',
      { stack: ['libp2p-2', 'libp2p-3'], muxer: 'mplex', security: 'plaintext', signing: false }
    ],
    [
      'of both, with latency on its links, fast ids and secp256k1',
      { stack: ['libp2p-3', 'libp2p-2'], linkLatencyMs: 10, fastMsgId: true, keyType: 'secp256k1' }
    ]
  ]))
    it(`${name} delivers every message to every node once`, async () => {
      const net = await startNetwork(gossipPlan(changes), { dials: line(6) })
      running.push(net)
      await net.meshed(nodes => nodes.every(({ node, mesh }) => mesh[0].length === (node % 5 === 0 ? 1 : 2)))
      await net.publish([0, 3, 5, 2].map((node, i) => ({ node, atMs: i * 20, bytes: 600 + i })))
      const received = await net.arrived(20)
      assert.equal(new Set(received.map(({ message, node }) => `${message}/${node}`)).size, 20)
      assert.equal(received.length, 20)
      const counters = await net.settled()
      assert.equal(counters.messagesReceived - counters.duplicates, 20)
      assert.equal(counters.messagesSent, counters.messagesReceived)
      const { abortedStreams, backlog, meshWithoutStream, connections } = await net.evidence()
      assert.deepEqual([abortedStreams, backlog, meshWithoutStream], [[], [], []])
      const degrees = connections.sort((a, b) => a.node - b.node).map(({ degree }) => degree)
      assert.deepEqual(degrees, [1, 2, 2, 2, 2, 1])
    })
})

/** Two nodes, the first of which is on libp2p-2 and observed. @param {string} [other] - stack of the second */
async function pair(other = 'libp2p-2') {
  const plan = gossipPlan({ nodes: 2, gossipsub: { heartbeatInterval: 100 } })
  const nodes = await Promise.all(
    [0, 1].map(async node => {
      const { register } = makeCountingRegister()
      const privateKey = await deriveGossipKey(plan, node)
      return createGossipNode({
        plan,
        privateKey,
        watchedBy: { metricsRegister: register, metricsTopicStrToLabel: new Map([['load', 'load']]) },
        stack: node === 0 ? 'libp2p-2' : other
      })
    })
  )
  for (const node of nodes) {
    await node.start()
    running.push(node)
    node.services.gossipsub.subscribe('load')
  }
  const peers = new PeerNumbers()
  peers.add(nodes.map((node, i) => ({ node: i, peerId: String(node.peerId), multiaddr: '' })))
  const streams = new OutboundStreamObserver({ now: () => performance.now() * 1e6, peers })
  streams.watch(0, nodes[0])
  await nodes[0].dial(nodes[1].getMultiaddrs())
  await until(() => nodes.every(({ services }) => services.gossipsub.getMeshPeers('load').length > 0))
  streams.look(0)
  return { nodes, streams }
}

describe('what is observed of gossip streams on libp2p-2', TIMEOUT, () => {
  it('is what waits in them for a peer that does not read', async () => {
    const { nodes, streams } = await pair()
    assert.deepEqual([...streams.peersWithStream(0)], [1])
    assert.equal(streams.backlogOf(0), 0)
    // nobody reads in a process that publishes without a pause: nothing is sent before it ends
    const published = Array.from({ length: 3 }, () =>
      nodes[0].services.gossipsub.publish(
        'load',
        new Uint8Array(900_000).map(() => Math.random() * 256)
      )
    )
    await Promise.all(published)
    let most = 0
    for (let turn = 0; turn < 200; turn++) {
      most = Math.max(most, streams.backlogOf(0))
      await new Promise(resolve => setImmediate(resolve))
    }
    assert.ok(most >= 900_000, `${most} bytes waited for the window of the peer`)
    await until(() => streams.backlogOf(0) === 0)
    assert.equal(streams.abortedCount, 0)
  })

  it('is their end while the connection is open', async () => {
    const { nodes, streams } = await pair('libp2p-3')
    const [connection] = nodes[1].getConnections()
    const inbound = connection.streams.find(
      ({ direction, protocol }) => direction === 'inbound' && protocol.startsWith('/meshsub/')
    )
    inbound?.abort(new Error('enough of it'))
    await until(() => streams.abortedCount > 0)
    const rows = streams.aborted().map(({ from, to }) => [from, to])
    assert.deepEqual(rows, [[0, 1]])
  })

  it('is not the end that the end of a connection brings', async () => {
    const { nodes, streams } = await pair()
    await nodes[1].stop()
    await until(() => nodes[0].getConnections().length === 0)
    await until(() => streams.peersWithStream(0).size === 0)
    assert.equal(streams.abortedCount, 0, 'the connection ended, and its streams with it')
  })
})
