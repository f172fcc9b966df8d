import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeConnectionGater } from '../../../src/libp2p/node-components.js'
import { readNodeSettings } from '../../../src/libp2p/node-settings.js'
import { makeCountingRegister } from '../../../src/network/gossipsub.js'
import { deriveGossipKey } from '../../../src/network/node-host.js'
import {
  createGossipNode,
  makeGossipReasons,
  NO_PINGS,
  stackPartsOf
} from '../../../src/network/real/gossip-node.js'
import { until } from '../../until.js'
import { gossipPlan } from '../gossip-plan.js'

/** @param {Partial<import('../../../src/scenarios/gossip/options.js').GossipPlan>} changes */
async function settingsOfNode(changes, overAgents = false) {
  const plan = gossipPlan(changes)
  const node = await createGossipNode({
    plan,
    privateKey: await deriveGossipKey(plan, 0),
    watchedBy: { metricsRegister: makeCountingRegister().register, metricsTopicStrToLabel: new Map() },
    ...(overAgents && { connectionGater: makeConnectionGater({ isPeer: () => true }) })
  })
  return readNodeSettings(node, stackPartsOf(plan), makeGossipReasons(overAgents))
}

test('settings are read from nodes, with a reason each, and where they listen by their transport', async () => {
  const settings = await settingsOfNode({ transport: 'websocket' })
  assert.deepEqual(settings['addresses.listen'].value, ['/ip4/127.0.0.1/tcp/0/ws'])
  assert.equal(settings['connectionManager.maxConnections'].value, 100_000)
  assert.equal(settings['gossipsub.scoreParams.IPColocationFactorWeight'].value, 0)
  assert.equal(settings['gossipsub.heartbeatInterval'].why, 'the plan asks for it')
  for (const [name, { why }] of Object.entries(settings)) assert.doesNotMatch(why, /no reason/, name)
  const { 'addresses.listen': listen } = await settingsOfNode({})
  assert.deepEqual(listen.value, ['/ip4/127.0.0.1/tcp/0'])
})

test('stock nodes ping as libp2p does by itself, and keep what one host needs', async () => {
  const [tuned, stock] = await Promise.all([settingsOfNode({}), settingsOfNode({ stock: true })])
  const gone = Object.keys(tuned).filter(name => !(name in stock))
  assert.deepEqual(gone.sort(), Object.keys(NO_PINGS).sort())
  const found = Object.keys(stock).filter(name => !(name in tuned))
  assert.deepEqual(found, [])
})

test('floodsub has its settings, and none of gossipsub', async () => {
  const names = Object.keys(await settingsOfNode({ pubsub: 'floodsub' }))
  const found = names.filter(name => name.startsWith('gossipsub'))
  assert.deepEqual(found, [])
  assert.ok(names.includes('services.gossipsub') && names.includes('connectionManager.maxConnections'))
})

test('settings of Yamux are those of nodes that have it', async () => {
  const has = await Promise.all(
    ['yamux', 'mplex,yamux', 'mplex'].map(
      async muxer => 'yamux.keepAliveInterval' in (await settingsOfNode({ muxer }))
    )
  )
  assert.deepEqual(has, [true, true, false])
})

test('nodes on several machines listen there, and take connections of nobody but each other', async () => {
  const settings = await settingsOfNode({}, true)
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
          ...{ plan, stack, privateKey: await deriveGossipKey(plan, number) },
          watchedBy: { metricsRegister: /** @type {any} */ (null) }
        })
      )
    )
    t.after(() => Promise.all(nodes.map(node => node.stop())))
    for (const node of nodes) await node.start()
    const delays = () => setTimer.mock.calls.map(({ arguments: [, ms] }) => ms)
    await nodes[0].dial(nodes[1].getMultiaddrs())
    const { value: never } = NO_PINGS['yamux.keepAliveInterval']
    await until(() => delays().filter(ms => ms === never).length === 2)
    assert.ok(!delays().includes(YAMUX_PINGS_EVERY_MS))
  })
