import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GOSSIP_SETTINGS, gossipSettings } from '../../../src/network/real/gossip-node.js'

test('the settings of gossipsub are told with a reason each, and where nodes listen by their transport', () => {
  const settings = gossipSettings({ transport: 'websocket', pubsub: 'gossipsub' })
  assert.deepEqual(Object.keys(settings).sort(), Object.keys(GOSSIP_SETTINGS).sort())
  assert.deepEqual(settings['addresses.listen'].value, ['/ip4/127.0.0.1/tcp/0/ws'])
  assert.ok(Object.values(settings).every(({ why }) => why.length > 0))
  assert.deepEqual(gossipSettings({ transport: 'tcp', pubsub: 'gossipsub' })['addresses.listen'].value, [
    '/ip4/127.0.0.1/tcp/0'
  ])
})

test('floodsub is told what is set of it, and nothing of gossipsub, which it has none of', () => {
  const names = Object.keys(gossipSettings({ transport: 'tcp', pubsub: 'floodsub' }))
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

test('nodes on several machines are told to listen there, and to let in nobody but each other', () => {
  const settings = gossipSettings({ transport: 'tcp', pubsub: 'gossipsub' }, true)
  assert.equal(settings['addresses.listen'].value, 'an address of their machine')
  assert.equal(settings.connectionGater.value, 'the nodes of the run alone')
})
