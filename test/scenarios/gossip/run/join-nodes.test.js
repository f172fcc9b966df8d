import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectNodes } from '../../../../src/scenarios/gossip/run/network-run.js'
import { gossipPlan } from '../../../network/gossip-plan.js'

/** @typedef {import('../../../../src/scenarios/gossip/options.js').GossipPlan} GossipPlan */

/** The dials that hosts are asked for, in their order. @param {Partial<GossipPlan>} changes */
async function dialsOf(changes) {
  /** @type {(readonly [number, number])[]} */
  let asked = []
  await connectNodes(
    /** @type {any} */ ({
      plan: gossipPlan({ nodes: 30, topology: { kind: 'full' }, ...changes }),
      peers: [],
      hosts: {
        connect: async (/** @type {[number, number][]} */ dials) => {
          asked = dials
          return []
        }
      }
    })
  )
  return asked.map(String)
}

test('connections are made in a random order from the seed, the same on every network', async () => {
  const ascending = await dialsOf({ dialOrder: 'ascending' })
  const random = await dialsOf({ dialOrder: 'random' })
  assert.notDeepEqual(random, ascending)
  assert.deepEqual(random.toSorted(), ascending.toSorted())
  assert.deepEqual(await dialsOf({ dialOrder: 'random', network: 'simulated', workers: 3 }), random)
  assert.notDeepEqual(await dialsOf({ dialOrder: 'random', seed: 8 }), random)
})

test('the numbers of nodes say nothing about who is connected first', async () => {
  const asked = await dialsOf({ dialOrder: 'random' })
  const first = asked.slice(0, 60).map(dial => dial.split(',').map(Number))
  const apart = first.map(([a, b]) => Math.min(Math.abs(a - b), 30 - Math.abs(a - b)))
  // evenly spread over 1 … 15 they are 7.8 apart on average; dialled by number the first 60 are at most 2 apart
  const mean = apart.reduce((sum, each) => sum + each) / apart.length
  assert.ok(mean > 5 && mean < 11, `${mean} apart on average`)
})
