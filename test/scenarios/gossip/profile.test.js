import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseOptionText } from '../../../src/plan/options.js'
import { makePlanOf, planFlags, SCHEMAS, scenarioNamed, validPlanOf } from '../../scenarios.js'

/** @param {Record<string, unknown>} options @returns {import('../../../src/scenarios/gossip/options.js').GossipPlan} */
const planned = (options, cores = 2) => validPlanOf('profile', options, { cores })

test('few nodes have as many neighbours as there are, unless others are asked for', () =>
  assert.deepEqual(planned({ nodes: 10 }).topology, { kind: 'random-degree', k: 9, seed: 1 }))

test('by default it is the network of the profiling study, until its user ends it', () => {
  const { scenario, nodes, topology, topics, publishers, loadModel, intervalMs, messageBytes, ...plan } =
    planned({})
  assert.deepEqual(
    { scenario, nodes, topology, publishers, loadModel, intervalMs, messageBytes },
    {
      ...{ scenario: 'gossip', nodes: 30, topology: { kind: 'random-degree', k: 10, seed: 1 } },
      ...{ publishers: 'every', loadModel: 'closed', intervalMs: { min: 800, max: 2400 } },
      messageBytes: { min: 10, max: 10 }
    }
  )
  const actual = topics.flatMap(({ name, chance }) => [name, chance])
  assert.deepEqual(actual, ['foo', 0.7, 'bar', 0.4, 'quix', 0.8])
  assert.deepEqual([plan.messages, plan.durationMs, plan.ratePerSecond], [null, null, null])
  assert.equal(plan.signing, true)
})

test("nodes publish as often as the study's hosts where there are cores enough for that, else as often as there are", () => {
  /** @param {Record<string, unknown>} options @param {number} cores */
  const interval = (options, cores) => {
    const { min, max } = planned(options, cores).intervalMs
    return [min, max]
  }
  const actual = [interval({}, 1), interval({}, 4)]
  assert.deepEqual(actual, [
    [1600, 4800],
    [400, 1200]
  ])
  assert.deepEqual(
    [interval({}, 16), interval({}, 64)],
    [
      [100, 300],
      [100, 300]
    ]
  )
  assert.deepEqual(interval({ nodes: 15 }, 2), [200, 600])
  assert.deepEqual(interval({ nodes: 15, topology: 'ring', interval: '1s-2s' }, 2), [1000, 2000])
})

/** Options, and the flags of their plan. @type {[Record<string, unknown>, string][]} */
const FLAGS = [
  [
    {},
    '--topology random-degree:k=10 --linkLatency 0ms --workers 2 --publishers every,interval=800ms-2400ms --loadModel closed --messageBytes 10 --topics foo=0.7,bar=0.4,quix=0.8 --maxBacklog 16KiB --cooldown 10000ms --profile cpu'
  ],
  [
    { duration: '20s', signing: 'off' },
    '--topology random-degree:k=10 --linkLatency 0ms --workers 2 --duration 20000ms --publishers every,interval=800ms-2400ms --loadModel closed --messageBytes 10 --topics foo=0.7,bar=0.4,quix=0.8 --maxBacklog 16KiB --signing off --cooldown 10000ms --profile cpu'
  ],
  [
    { publishers: 'random', rate: '3/s', messages: 50, messageBytes: 1000 },
    '--topology random-degree:k=10 --linkLatency 0ms --workers 2 --messages 50 --topics foo=0.7,bar=0.4,quix=0.8 --maxBacklog 16KiB --cooldown 10000ms --profile cpu'
  ],
  [
    { messageBytes: '8192-16384', muxer: 'mplex' },
    '--topology random-degree:k=10 --linkLatency 0ms --workers 2 --publishers every,interval=800ms-2400ms --loadModel closed --messageBytes 8192-16384 --topics foo=0.7,bar=0.4,quix=0.8 --maxBacklog 16KiB --muxer mplex --cooldown 10000ms --profile cpu'
  ]
]

describe('the flags of a profile plan', () => {
  for (const [options, flags] of FLAGS)
    test(`${JSON.stringify(options)} are ${flags}, and make it again on a machine of 64 cores`, async () => {
      const plan = planned(options)
      assert.equal(planFlags(plan).join(' '), flags)
      const { options: again } = await parseOptionText(flags, scenarioNamed('gossip').options)
      assert.deepEqual(makePlanOf('gossip', again, { cores: 64 }).plan, plan)
    })
})

test('the schema admits plans, with and without an end', () => {
  for (const options of [{}, { duration: '5s' }, { publishers: 'random', messages: 5 }]) {
    const plan = planned(options)
    assert.deepEqual(SCHEMAS.gossip.plan.parse(JSON.parse(JSON.stringify(plan))), { ...plan })
  }
})
