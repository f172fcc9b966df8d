import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readOptionText } from '../../../../src/plan/option-text.js'
import { GOSSIP_OPTIONS } from '../../../../src/scenarios/gossip/plan/gossip-options.js'
import { PROFILE_OPTIONS } from '../../../../src/scenarios/profile/plan/profile-options.js'
import { makePlanOf, planFlags, SCHEMAS, scenarioNamed } from '../../../scenarios.js'

/** @typedef {import('../../../../src/scenarios/profile/plan/profile-options.js').ProfilePlan} ProfilePlan */

/** @param {Record<string, unknown>} options @param {number} [cores] */
function planned(options, cores = 2) {
  const { plan, problems } = makePlanOf('profile', options, { cores })
  if (plan === undefined) throw new Error(JSON.stringify(problems))
  return /** @type {ProfilePlan} */ (plan)
}

test('few nodes have as many neighbours as there are, unless others are asked for', () => {
  assert.deepEqual(planned({ nodes: 10 }).topology, { kind: 'random-degree', k: 9, seed: 1 })
  assert.throws(() => planned({ nodes: 10, topology: 'random-degree:k=10' }), /from 1 to 9, not 10/)
})

test('by default it is the network of the profiling study, until its user ends it', () => {
  const { scenario, nodes, topology, topics, publishers, loadModel, intervalMs, messageBytes, ...plan } =
    planned({})
  assert.deepEqual(
    { scenario, nodes, topology, publishers, loadModel, intervalMs, messageBytes },
    {
      scenario: 'profile',
      nodes: 30,
      topology: { kind: 'random-degree', k: 10, seed: 1 },
      publishers: 'every',
      loadModel: 'closed',
      intervalMs: { min: 800, max: 2400 },
      messageBytes: { min: 10, max: 10 }
    }
  )
  assert.deepEqual(
    topics.map(({ name, chance }) => [name, chance]),
    [
      ['foo', 0.7],
      ['bar', 0.4],
      ['quix', 0.8]
    ]
  )
  assert.deepEqual([plan.messages, plan.durationMs, plan.ratePerSecond], [null, null, null])
  assert.equal(plan.signing, true)
})

test("nodes publish as often as the study's hosts where there are cores enough for that, else as often as there are", () => {
  /** @param {Record<string, unknown>} options @param {number} cores */
  const interval = (options, cores) => {
    const { min, max } = planned(options, cores).intervalMs
    return [min, max]
  }
  assert.deepEqual(interval({}, 1), [1600, 4800])
  assert.deepEqual(interval({}, 4), [400, 1200])
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
  [{}, '--workers 2 --interval 800ms-2400ms'],
  [
    { duration: '20s', signing: 'off' },
    '--workers 2 --duration 20000ms --interval 800ms-2400ms --signing off'
  ],
  [
    { publishers: 'random', rate: '3/s', messages: 50, messageBytes: 1000 },
    '--workers 2 --messages 50 --publishers random --messageBytes 1000'
  ],
  [
    { messageBytes: '8192-16384', muxer: 'mplex' },
    '--workers 2 --interval 800ms-2400ms --messageBytes 8192-16384 --muxer mplex'
  ]
]

describe('the flags of a profile plan', () => {
  for (const [options, flags] of FLAGS)
    test(`${JSON.stringify(options)} are ${flags}, and make it again on a machine of 64 cores`, async () => {
      const plan = planned(options)
      assert.equal(planFlags(plan).join(' '), flags)
      const { options: again } = await readOptionText(flags, scenarioNamed('profile').options)
      assert.deepEqual(planned(again, 64), plan)
    })
})

/** @type {[Record<string, unknown>, string, RegExp][]} */
const REFUSED = [
  [{ profile: 'disk' }, '--profile', /^must be cpu, heap or cpu,heap$/],
  [{ profileWorkers: '0' }, '--profileWorkers', /^is gone: all worker processes are sampled$/],
  [{ samplingInterval: '1ms' }, '--samplingInterval', /^is gone: /],
  [{ muxers: 'mplex' }, '--muxers', /did you mean --muxer/],
  [{ linkLoss: '1%' }, '--linkLoss', /^has no use here: gossip alone has it$/],
  [{ publishers: 'random' }, '--publishers', /^needs --duration or --messages/],
  [{ messages: 10 }, '--messages', /^has no use with --publishers every/],
  [{ network: 'simulated' }, '--network', /^must be loopback, namespaces or docker$/],
  [{ publishers: 'random', rate: 'auto', duration: '5s' }, '--rate', /^must be a rate/],
  [{ nodes: 8, topology: 'random-degree:k=10' }, '--topology', /10/],
  [{ threshold: 'p99 < 1s' }, '--threshold', /p99 is no metric/]
]

describe('what cannot be profiled is refused', () => {
  for (const [options, flag, allowed] of REFUSED)
    test(JSON.stringify(options), () => {
      const { problems = [] } = makePlanOf('profile', options, { cores: 2 })
      const problem = problems.find(problem => problem.flag === flag)
      assert.match(problem?.allowed ?? '', allowed, JSON.stringify(problems))
    })
})

test('the schema admits plans, with and without an end', () => {
  for (const options of [{}, { duration: '5s' }, { publishers: 'random', messages: 5 }]) {
    const plan = planned(options)
    assert.deepEqual(SCHEMAS.profile.plan.parse(JSON.parse(JSON.stringify(plan))), { ...plan })
  }
})

test('every option of gossip is one of profile', () => {
  assert.deepEqual(
    Object.keys(GOSSIP_OPTIONS).filter(key => !Object.hasOwn(PROFILE_OPTIONS, key)),
    []
  )
})
