import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filled } from '../../../src/scenarios/gossip/scenario.js'
import { gossipPlanned } from './gossip-planned.js'

/** As it stood in results before there were these options. @param {Record<string, unknown>} options */
function olderPlan(options) {
  const { dialOrder, warmupMs, transport, pubsub, ...plan } = gossipPlanned(options)
  return plan
}

test('an older plan dialled in ascending order, and had gossipsub, TCP, and no warm-up of its own', () => {
  const { plan } = filled({ plan: olderPlan({}) })
  const actual = [plan.dialOrder, plan.warmupMs, plan.transport, plan.pubsub]
  assert.deepEqual(actual, ['ascending', null, 'tcp', 'gossipsub'])
})

test('its random topology without a seed has that of the plan, and is the same', () => {
  for (const topology of ['random-degree:k=3', 'regular:k=4', 'small-world:k=4,p=0.5']) {
    const plan = olderPlan({ topology, seed: 9, nodes: 20 })
    const { seed, ...unseeded } = /** @type {{ seed: number }} */ (plan.topology)
    assert.deepEqual(filled({ plan: { ...plan, topology: unseeded } }).plan.topology, {
      ...unseeded,
      seed: 9
    })
  }
  const ring = { kind: 'ring' }
  assert.deepEqual(filled({ plan: { ...olderPlan({}), topology: ring } }).plan.topology, ring)
})

test('its links and parameters have the names they have now, and what was not asked of links is asked of none', () => {
  const plan = { ...olderPlan({}), linkJitter: undefined, linkLossShare: undefined }
  const named = (/** @type {Record<string, unknown>} */ older) => {
    const { linkJitter, linkLossShare, upBandwidthBytesPerSecond, preset } = filled({
      plan: JSON.parse(JSON.stringify({ ...plan, upBandwidthBytesPerSecond: undefined, ...older }))
    }).plan
    return [linkJitter, linkLossShare, upBandwidthBytesPerSecond, preset]
  }
  assert.deepEqual(named({}), [null, null, null, 'default'])
  assert.deepEqual(named({ linkJitterMs: 0, preset: 'none' }), [null, null, null, 'default'])
  const actual = named({ linkJitterMs: 5, lossShare: 0.01, bandwidthBytesPerSecond: 1e6, preset: 'eth2' })
  assert.deepEqual(actual, [{ kind: 'time', ms: 5 }, 0.01, 1e6, 'eth2'])
})

test('a plan that is missing stays so', () =>
  assert.deepEqual(filled({ outcome: 1 }), { outcome: 1, plan: undefined }))
