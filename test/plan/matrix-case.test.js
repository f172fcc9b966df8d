import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { makeArrivalRules } from '../../src/plan/arrivals.js'
import { UNPARSED_FAIL_RULES } from '../../src/plan/fail-rules.js'
import { scaleArrivals, scalePlan } from '../../src/plan/matrix-case.js'
import { targetAddresses } from '../../src/plan/values.js'

test('arrivals of part of a plan have part of its rates, in part of its time', () => {
  for (const [arrivals, scaled] of /** @type {[any, any][]} */ ([
    ['poisson', 'poisson'],
    [
      { shape: 'ramp', toPerSecond: 300 },
      { shape: 'ramp', toPerSecond: 30 }
    ],
    [
      { shape: 'steps', ratesPerSecond: [10, 20] },
      { shape: 'steps', ratesPerSecond: [1, 2] }
    ],
    [
      { shape: 'sine', amplitude: 1, periodMs: 4000 },
      { shape: 'sine', amplitude: 1, periodMs: 2000 }
    ],
    [
      { shape: 'replay', path: 'a.txt', speed: 2 },
      { shape: 'replay', path: 'a.txt', speed: 0.2 }
    ]
  ]))
    assert.deepEqual(scaleArrivals(arrivals, { rate: 0.1, time: 0.5 }), scaled)
})

test('a plan that is not scaled is the same, whatever digits its rate has', () => {
  const plan = /** @type {any} */ ({ ratePerSecond: 10 / 18.107 })
  const scenario = /** @type {any} */ ({ options: {}, scaled: () => ({ ratePerSecond: 0.552272602861 }) })
  assert.equal(scalePlan(scenario, plan, {}), plan)
  assert.equal(scalePlan(scenario, plan, { scaleRate: 0.5 }).ratePerSecond, 0.552272602861)
})

test('a number of operations has no use with a replay, and with no other shape is it refused', () => {
  const rule = makeArrivalRules('operations').find(({ flag }) => flag === 'operations')
  const given = /** @type {Map<string, any>} */ (new Map([['operations', 5]]))
  const refused = (/** @type {any} */ arrivals, of = given) =>
    rule?.refuse(/** @type {any} */ ({ arrivals }), of)
  assert.match(String(refused({ shape: 'replay' })), /^does not apply to a replay/)
  assert.ok(!refused({ shape: 'ramp' }))
  assert.ok(!refused({ shape: 'replay' }, new Map()))
})

test('targets are given with commas between, or as a list; two at least, and each once', () => {
  const { schema, write } = targetAddresses()
  const addresses = /** @type {any} */ ({
    isTcpPeerAddress: (/** @type {string} */ text) => text.startsWith('/ip4')
  })
  const read = (/** @type {unknown} */ value) => schema(z, addresses).safeParse(value)
  assert.deepEqual(read('/ip4/a, /ip4/b').data, ['/ip4/a', '/ip4/b'])
  assert.deepEqual(read([' /ip4/a', '/ip4/b ']).data, ['/ip4/a', '/ip4/b'])
  assert.equal(write(['/ip4/a', '/ip4/b']), '/ip4/a,/ip4/b')
  for (const wrong of ['/ip4/a', '/ip4/a,/ip4/a', ['/ip4/a', '/dns/b'], 7]) assert.ok(!read(wrong).success)
})

test('rules are kept as they were typed as long as it is not known what runs they are about', () => {
  assert.deepEqual(UNPARSED_FAIL_RULES.item?.('p99 > +10%'), { value: 'p99 > +10%' })
  assert.match(JSON.stringify(UNPARSED_FAIL_RULES.item?.('slow')), /"allowed":"must be a metric, > or </)
  const read = UNPARSED_FAIL_RULES.schema(z, /** @type {any} */ ({}))
  assert.ok(read.safeParse(['p99 > +10%']).success)
  assert.ok(!read.safeParse('p99 > +10%').success)
})
