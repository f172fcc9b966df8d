import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { conditionsOf } from '../../../bench/validation/conditions.js'
import { aGossipResult } from '../../scenarios/gossip/a-gossip-result.js'

/** @typedef {import('../../../src/scenarios/gossip/outcome.js').GossipOutcome} GossipOutcome */

const { outcome, ...result } = aGossipResult({ options: { nodes: '10', linkLatency: '100ms' } })

/** A quiet run: 1 ms of CPU time for each delivery, 2 ms a hop, 10 % of a core. @type {GossipOutcome} */
const QUIET = {
  ...outcome,
  cost: { ...outcome.cost, cpuMicrosPerDelivery: 1000 },
  hops: { ...outcome.hops, deliveries: [0, 50, 50] },
  latency: {
    ...outcome.latency,
    delivered: { ...outcome.latency.delivered, avg: { ms: 153, censored: false } }
  },
  delivery: { ...outcome.delivery, ratio: 1 },
  mesh: { ...outcome.mesh, formedAfterMs: 3000 },
  resources: [{ ...outcome.resources[0], cpu: { averagePercent: 10, maxPercent: 80 } }]
}

/** @param {Partial<GossipOutcome>} [changes] */
const run = changes => ({ ...result, outcome: { ...QUIET, ...changes } })

/** @param {ReturnType<typeof run>[]} runs @param {ReturnType<typeof run>[]} [simulated] */
const unmet = (runs, simulated = [run()]) =>
  conditionsOf(runs, simulated)
    .filter(({ met }) => !met)
    .map(({ name }) => name)

/** @type {[string, Partial<GossipOutcome>, string[]][]} */
const CASES = [
  ['a quiet machine', {}, []],
  ['5 ms of CPU time, a twentieth of L', { cost: { ...QUIET.cost, cpuMicrosPerDelivery: 5000 } }, []],
  ['6 ms of CPU time', { cost: { ...QUIET.cost, cpuMicrosPerDelivery: 6000 } }, ['links']],
  [
    'hops that take 6 ms more than their links',
    {
      latency: {
        ...QUIET.latency,
        delivered: { ...QUIET.latency.delivered, avg: { ms: 159, censored: false } }
      }
    },
    ['hops']
  ],
  [
    'a process that needs 26 % of its core',
    {
      resources: [...QUIET.resources, { ...QUIET.resources[0], cpu: { averagePercent: 26, maxPercent: 90 } }]
    },
    ['load']
  ],
  ['a delivery that did not come', { delivery: { ...QUIET.delivery, ratio: 0.999 } }, ['delivered']],
  ['a mesh that did not form', { mesh: { ...QUIET.mesh, formedAfterMs: null } }, ['mesh']],
  ['CPU time that is not known', { cost: { ...QUIET.cost, cpuMicrosPerDelivery: null } }, ['links']]
]

describe('real runs are worth comparing', () => {
  for (const [what, changes, names] of CASES)
    test(`with ${what}: ${names.length === 0 ? 'yes' : `no, ${names}`}`, () =>
      assert.deepEqual(unmet([run(), run(changes), run()]), names))
})

test('and no more than simulated ones of which something did not come', () => {
  const delivery = { ...QUIET.delivery, ratio: 0.999 }
  assert.deepEqual(unmet([run()], [run(), run({ delivery })]), ['delivered'])
})

describe('real runs between namespaces', () => {
  /** @param {object} plan @param {string[]} codes @param {Partial<GossipOutcome>} [changes] */
  const between = (plan, codes, changes) => ({
    ...run(changes),
    plan: { ...result.plan, network: /** @type {const} */ ('namespaces'), ...plan },
    run: {
      ...result.run,
      warnings: codes.map(code => /** @type {any} */ ({ code, values: {}, message: '' }))
    }
  })
  const late = CASES[3][1]

  test('have hops that wait for the later of two segments, where links have jitter', () => {
    const linkJitter = /** @type {const} */ ({ kind: 'share', share: 0.2 })
    assert.deepEqual(unmet([between({ linkJitter }, [], late)]), [], '106 ms are less than 100 + 20 / 3 + 5')
    const later = { ...QUIET.latency.delivered, avg: { ms: 168, censored: false } }
    const latency = { ...QUIET.latency, delivered: later }
    assert.deepEqual(unmet([between({ linkJitter }, [], { latency })]), ['hops'], '112 ms are not')
    const time = /** @type {const} */ ({ kind: 'time', ms: 30 })
    assert.deepEqual(unmet([between({ linkJitter: time }, [], { latency })]), [])
  })

  test('say themselves whether router and nodes were in time', () => {
    assert.deepEqual(unmet([between({}, [])]), [])
    const processes = { cost: { ...QUIET.cost, cpuMicrosPerDelivery: 27_000 } }
    assert.deepEqual(
      unmet([between({}, [], processes)]),
      [],
      'a process for each node has more to do than to deliver'
    )
    assert.deepEqual(unmet([between({}, []), between({}, ['ROUTER_LATE'])]), ['machine'])
  })

  test('have hops that take longer where that is what was asked of their links', () => {
    assert.deepEqual(unmet([between({}, [], late)]), ['hops'])
    const impairments = [
      { linkLossShare: 0.01 },
      { upBandwidthBytesPerSecond: 1e6 },
      { partitions: [{ kind: 'hold', fromMs: 0, toMs: 1, between: [] }] }
    ]
    for (const plan of impairments)
      assert.deepEqual(unmet([between(plan, [], late)]), [], JSON.stringify(plan))
  })
})
