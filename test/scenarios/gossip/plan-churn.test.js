import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseOptionText } from '../../../src/plan/options.js'
import { makePlanCommandLine } from '../../../src/report/run-report.js'
import { GOSSIP_OPTIONS } from '../../../src/scenarios/gossip/options.js'
import { makePlanOf, planFlags, SCHEMAS, scenarioNamed, validPlanOf } from '../../scenarios.js'

/** @typedef {import('../../../src/scenarios/gossip/options.js').GossipPlan} GossipPlan */

/** @param {Record<string, unknown>} options @returns {GossipPlan} */
const planned = options => validPlanOf('gossip', { duration: '5m', ...options }, { cores: 2 })

const GROUP = '10,every=15s,away=5s'

test('ephemeral nodes are replaced by new ones unless they return as themselves', () => {
  const plan = planned({ churn: GROUP })
  const group = { peers: 10, everyMs: 15_000, atRandom: false, awayMs: 5000 }
  assert.deepEqual(plan.churn, { ...group, asNew: true, dials: 6, settleMs: 5000 })
  assert.deepEqual(planned({ churn: `${GROUP},as=itself` }).churn, group)
  for (const one of [plan, planned({ churn: '5%/min' })])
    assert.equal(SCHEMAS.gossip.plan.safeParse(structuredClone(one)).error, undefined)
})

describe('the command line of a plan', () => {
  for (const churn of [
    GROUP,
    '3,every=4s,away=2s,settle=3s,dials=2',
    `${GROUP},as=itself,order=random`,
    '5%/min,away=10s'
  ])
    test(`with --churn ${churn} makes it again`, async () => {
      const plan = planned({ churn })
      const { options } = await parseOptionText(planFlags(plan).join(' '), GOSSIP_OPTIONS)
      assert.deepEqual(planned(options), plan)
    })

  test('has what leaves', () =>
    assert.equal(
      makePlanCommandLine(planned({ churn: GROUP }), scenarioNamed('gossip')),
      'node index.js gossip --churn 10,every=15000ms,away=5000ms,dials=6,settle=5000ms --workers 2 --duration 300000ms'
    ))
})

describe('churn that can be run', () => {
  for (const options of [
    { churn: '5%/min' },
    { churn: '5%/min', network: 'simulated', publishers: 'every' },
    { churn: `${GROUP},as=itself`, network: 'simulated', traces: true },
    { churn: GROUP, publishers: 'node:3' },
    { churn: GROUP, stack: 'libp2p-3,libp2p-2' },
    { churn: GROUP, pubsub: 'floodsub' }
  ])
    test(JSON.stringify(options), () => assert.notEqual(planned(options).churn, null))
})

test('churn with new peers is refused between namespaces that are partitioned', () => {
  const { problems = [] } = makePlanOf('gossip', {
    ...{ duration: '5m', churn: GROUP, network: 'namespaces', partition: 'hold@1s-2s:0-3|rest' }
  })
  assert.ok(problems.some(({ allowed }) => /must have as=itself with --partition/.test(allowed)))
})
