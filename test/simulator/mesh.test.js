import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GossipSub } from '../../node_modules/@libp2p/gossipsub/dist/src/gossipsub.js'
import { makeSubStream, shuffle } from '../../src/kit/random.js'
import { inSimulator } from '../acceptance/simulator.js'
import { simulate, simulatedPlan } from './simulation.js'

test('where no latency is asked for, those that dial last find mesh peers as on any real network', async context => {
  // before version 17 a heartbeat grafts, and some are without a mesh peer at whatever latency
  if (!('graftOnSubscribe' in GossipSub.prototype)) return context.skip('known of gossipsub 17')
  const topology = 'barabasi-albert:m=2,seed=42,networkx=2.4'
  const { mesh } = await simulate(
    simulatedPlan({ nodes: 95, topology, preset: 'study-2019', signing: false }),
    [],
    inSimulator,
    edges => shuffle(edges, makeSubStream(1, 'dial order'))
  )
  const lonely = mesh.filter(({ mesh }) => mesh.every(peers => peers.length === 0))
  const found = lonely.map(({ node }) => node)
  assert.deepEqual(found, [])
})

test('of study-2019 each node gossips to D_lazy peers at a heartbeat, however many it has: as in gossipsub v1.0', async () => {
  const nodes = 50
  const { counters } = await simulate(
    simulatedPlan({ nodes, topology: 'full', preset: 'study-2019', signing: false }),
    [{ node: 0, offsetNs: 0 }]
  )
  // a message is gossiped of at 3 heartbeats
  const most = nodes * 3 * 6
  assert.ok(counters.ihaveSent > most / 2, String(counters.ihaveSent))
  assert.ok(counters.ihaveSent <= most, String(counters.ihaveSent))
})
