import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gossipKeyOf } from '../../../src/network/gossip/identity.js'
import { createGossipNode, GOSSIP_SETTINGS, gossipSettings } from '../../../src/network/real/gossip-node.js'
import { until } from '../../until.js'
import { gossipPlan } from '../gossip/gossip-plan.js'

test('the settings of gossipsub are told with a reason each, and where nodes listen by their transport', () => {
  const settings = gossipSettings({ transport: 'websocket', pubsub: 'gossipsub', muxer: 'yamux' })
  assert.deepEqual(Object.keys(settings).sort(), Object.keys(GOSSIP_SETTINGS).sort())
  assert.deepEqual(settings['addresses.listen'].value, ['/ip4/127.0.0.1/tcp/0/ws'])
  assert.ok(Object.values(settings).every(({ why }) => why.length > 0))
  assert.deepEqual(
    gossipSettings({ transport: 'tcp', pubsub: 'gossipsub', muxer: 'yamux' })['addresses.listen'].value,
    ['/ip4/127.0.0.1/tcp/0']
  )
})

test('floodsub is told what is set of it, and nothing of gossipsub, which it has none of', () => {
  const names = Object.keys(gossipSettings({ transport: 'tcp', pubsub: 'floodsub', muxer: 'yamux' }))
  assert.deepEqual(
    names.filter(name => name.startsWith('gossipsub.')),
    []
  )
  assert.deepEqual(names.filter(name => name.startsWith('floodsub.')).sort(), [
    'floodsub.components.registrar',
    'floodsub.topicValidators'
  ])
  assert.ok(names.includes('connectionManager.maxConnections'))
})

test('settings of Yamux are told of nodes that have it', () => {
  const told = (/** @type {string} */ muxer) =>
    'yamux.keepAliveInterval' in gossipSettings({ transport: 'tcp', pubsub: 'gossipsub', muxer })
  assert.deepEqual(['yamux', 'mplex,yamux', 'mplex'].map(told), [true, true, false])
})

test('nodes on several machines are told to listen there, and to let in nobody but each other', () => {
  const settings = gossipSettings({ transport: 'tcp', pubsub: 'gossipsub', muxer: 'yamux' }, true)
  assert.equal(settings['addresses.listen'].value, 'an address of their machine')
  assert.equal(settings.connectionGater.value, 'the nodes of the run alone')
})

/** What Yamux waits before it pings a connection for a second time, by default. */
const YAMUX_PINGS_EVERY_MS = 30_000

for (const stack of ['libp2p-3', 'libp2p-2'])
  test(`nodes on ${stack} do not ping each other beside what is measured, over and over`, async t => {
    const setTimer = t.mock.method(globalThis, 'setTimeout')
    const plan = gossipPlan({ nodes: 2 })
    const nodes = await Promise.all(
      [0, 1].map(async number =>
        createGossipNode({
          ...{ plan, stack, privateKey: await gossipKeyOf(plan, number) },
          watchedBy: { metricsRegister: /** @type {any} */ (null) }
        })
      )
    )
    t.after(() => Promise.all(nodes.map(node => node.stop())))
    for (const node of nodes) await node.start()
    const delays = () => setTimer.mock.calls.map(({ arguments: [, ms] }) => ms)
    await nodes[0].dial(nodes[1].getMultiaddrs())
    const { value: never } = GOSSIP_SETTINGS['yamux.keepAliveInterval']
    await until(() => delays().filter(ms => ms === never).length === 2)
    assert.ok(!delays().includes(YAMUX_PINGS_EVERY_MS))
  })
