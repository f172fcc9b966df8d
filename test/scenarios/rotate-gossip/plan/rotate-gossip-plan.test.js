import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readOptionText } from '../../../../src/plan/option-text.js'
import { planCommandLine } from '../../../../src/report/repeat.js'
import { ROTATE_GOSSIP_OPTIONS } from '../../../../src/scenarios/rotate-gossip/plan/rotate-gossip-options.js'
import { makePlanOf, planFlags, SCHEMAS, scenarioNamed } from '../../../scenarios.js'

/** @typedef {import('../../../../src/scenarios/rotate-gossip/plan/rotate-gossip-options.js').RotateGossipPlan} RotateGossipPlan */

/** @param {Record<string, unknown>} options */
function planned(options) {
  const { plan, problems } = makePlanOf('rotation', options, { cores: 2 })
  if (plan === undefined) throw new Error(JSON.stringify(problems))
  return /** @type {RotateGossipPlan} */ (plan)
}

test('by default 10 ephemeral nodes rotate among 20 stable ones for 5 minutes', () => {
  const plan = planned({})
  assert.deepEqual(
    [plan.scenario, plan.stable, plan.ephemeral, plan.nodes, plan.durationMs, plan.ratePerSecond],
    ['rotation', 20, 10, 30, 300_000, 2]
  )
  assert.deepEqual(
    [plan.rotateEveryMs, plan.downForMs, plan.settleMs, plan.dials, plan.messages],
    [15_000, 5000, 5000, 6, null]
  )
  assert.deepEqual(
    [plan.network, plan.publishers, plan.loadModel, plan.traces, plan.linkLossShare],
    ['loopback', 'random', 'open', false, null]
  )
  assert.equal(SCHEMAS.rotation.plan.safeParse(structuredClone(plan)).error, undefined)
})

test('few nodes have as many neighbours as there are, unless others are asked for', () => {
  assert.deepEqual(planned({ stable: 3, ephemeral: 2 }).topology, { kind: 'random-degree', k: 4, seed: 1 })
  const asked = { stable: 3, ephemeral: 2, topology: 'random-degree:k=6' }
  assert.throws(() => planned(asked), /with 5 nodes needs k to be a whole number from 1 to 4, not 6/)
})

test('fewer stable nodes are not dialled more often than once', () => {
  assert.equal(planned({ stable: 4 }).dials, 4)
})

/** @type {[Record<string, unknown>, string][]} */
const FLAGS = [
  [{}, 'node index.js rotate gossip --workers 2'],
  [
    { stable: 6, ephemeral: 3, rotateEvery: '4s', downFor: '2s', settle: '3s', duration: '20s', rate: '5/s' },
    'node index.js rotate gossip --stable 6 --ephemeral 3 --rotateEvery 4000ms --downFor 2000ms --settle 3000ms --workers 2 --duration 20000ms --rate 5/s'
  ]
]

describe('the command line of a plan', () => {
  for (const [options, line] of FLAGS)
    test(line, async () => {
      const plan = planned(options)
      assert.equal(planCommandLine(plan, scenarioNamed(plan.scenario)), line)
      const { options: again } = await readOptionText(planFlags(plan).join(' '), ROTATE_GOSSIP_OPTIONS)
      assert.deepEqual(planned(again), plan)
    })

  for (const [purpose, line] of scenarioNamed('rotation').command.examples)
    test(`the example "${purpose}" can be run`, async () => {
      const { options, words } = await readOptionText(line, scenarioNamed('rotation').options)
      assert.deepEqual(words, ['rotate', 'gossip'])
      assert.equal(makePlanOf('rotation', options).problems, undefined)
    })
})

/** @type {[Record<string, unknown>, string, RegExp][]} */
const REFUSED = [
  [{ rotateEvery: '5m' }, '--rotateEvery', /less than --duration 300s: nothing would rotate/],
  [{ rotateEvery: '1s', duration: '4h' }, '--rotateEvery', /at least 1440ms.*10,000 nodes are started/],
  [{ ephemeral: 1, downFor: '12s' }, '--downFor', /less than --rotateEvery × --ephemeral, 15s/],
  [{ topology: 'rendezvous:k=3' }, '--topology', /not rendezvous/],
  [{ stable: 3, dials: 4 }, '--dials', /at most --stable 3/],
  [
    { stable: 2, ephemeral: 20, topics: 'a=0.1' },
    '--topics',
    /leaves each of 2 stable nodes without a topic/
  ],
  [{ rate: 'auto' }, '--rate', /must be/],
  [{ stable: 2, ephemeral: 2, topology: 'regular:k=6' }, '--topology', /6/],
  [{ workers: 31 }, '--workers', /30/],
  [{ publishers: 'every' }, '--publishers', /./],
  [{ network: 'simulated' }, '--network', /^must be loopback, namespaces or docker$/],
  [{ nodes: 30 }, '--nodes', /./]
]

describe('what cannot be run', () => {
  for (const [options, flag, allowed] of REFUSED)
    test(JSON.stringify(options), () => {
      const { problems = [] } = makePlanOf('rotation', options, { cores: 2 })
      const found = problems.find(problem => problem.flag === flag)
      assert.ok(found, JSON.stringify(problems))
      assert.match(found.allowed, allowed)
    })
})
