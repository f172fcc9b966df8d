import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readOptionText } from '../../../../src/plan/options.js'
import { planCommandLine } from '../../../../src/report/run-report.js'
import { GOSSIP_OPTIONS } from '../../../../src/scenarios/gossip/options.js'
import { makePlanOf, planFlags, SCHEMAS, scenarioNamed } from '../../../scenarios.js'

/** @typedef {import('../../../../src/scenarios/gossip/options.js').GossipPlan} GossipPlan */

/** @param {Record<string, unknown>} options */
function planned(options) {
  const { plan, problems } = makePlanOf('gossip', { duration: '5m', ...options }, { cores: 2 })
  if (plan === undefined) throw new Error(JSON.stringify(problems))
  return /** @type {GossipPlan} */ (plan)
}

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
      const { options } = await readOptionText(planFlags(plan).join(' '), GOSSIP_OPTIONS)
      assert.deepEqual(planned(options), plan)
    })

  test('has what leaves', () =>
    assert.equal(
      planCommandLine(planned({ churn: GROUP }), scenarioNamed('gossip')),
      'node index.js gossip --churn 10,every=15000ms,away=5000ms,dials=6,settle=5000ms --workers 2 --duration 300000ms'
    ))
})

/** @type {[Record<string, unknown>, RegExp][]} */
const REFUSED = [
  [{ churn: '10,every=5m' }, /must have every below --duration 300s: nobody would leave/],
  [{ churn: '10,every=1s', duration: '4h' }, /at most 10,000 are started/],
  [{ churn: '1,every=15s,away=12s' }, /away and settle below every × 1, 15s/],
  [{ churn: '29,every=1s' }, /at least 2 stable of --nodes 30/],
  [{ churn: GROUP, duration: undefined, messages: 100 }, /with new peers needs --duration/],
  [{ churn: GROUP, topology: 'rendezvous:k=3' }, /another --topology than rendezvous/],
  [{ churn: '5%/min', topology: 'rendezvous:k=3' }, /another --topology than rendezvous/],
  [{ churn: '20,every=15s', nodes: 22, topics: 'a=0.1' }, /leaves each of 2 stable nodes without a topic/],
  [{ churn: GROUP, publishers: 'every' }, /0 to 19 are stable/],
  [{ churn: GROUP, publishers: 'node:25' }, /0 to 19 are stable/],
  [{ churn: GROUP, network: 'simulated' }, /must have as=itself with --network simulated/],
  [{ churn: GROUP, traces: true }, /must have as=itself with --traces/],
  [
    { churn: GROUP, network: 'namespaces', partition: 'hold@1s-2s:0-3|rest' },
    /must have as=itself with --partition/
  ],
  [{ churn: '5%/min,as=new' }, /must name a number of ephemeral nodes/]
]

describe('churn that cannot be run', () => {
  for (const [options, allowed] of REFUSED)
    test(JSON.stringify(options), () => {
      const given = Object.entries({ duration: '5m', ...options }).filter(([, value]) => value !== undefined)
      const { problems = [] } = makePlanOf('gossip', Object.fromEntries(given), { cores: 2 })
      const found = problems.filter(({ flag }) => flag === '--churn').map(problem => problem.allowed)
      assert.ok(
        found.some(text => allowed.test(text)),
        JSON.stringify(problems)
      )
    })
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
