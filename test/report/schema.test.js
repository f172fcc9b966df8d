import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { GOSSIP_OPTIONS } from '../../src/scenarios/gossip/options.js'
import { RENDEZVOUS_OPTIONS } from '../../src/scenarios/rendezvous/options.js'
import { jsonSchemas, makePlan, PLAN_SCHEMA, RESULT_SCHEMA, SCENARIOS } from '../scenarios.js'
import { operation, SERVER, sampleResult, summary } from './sample-result.js'

/**
 * @typedef {typeof import('../../src/scenarios/rendezvous/schema.js').operationsOutcome} OfOperations
 * @typedef {typeof import('../../src/scenarios/gossip/schema.js').outcome} OfDeliveries
 * @typedef {import('../../src/scenarios/gossip/outcome.js').GossipResult} GossipResult
 */

// the compiler holds the two against each other; a part that only one of them knows does not compile
/** @type {(outcome: import('../../src/report/schema.js').Result['outcome']) => import('zod').output<OfOperations>} */
export const operationsAdmitted = outcome => outcome
/** @type {(outcome: import('zod').output<OfOperations>) => import('../../src/report/schema.js').Result['outcome']} */
export const operationsTyped = outcome => outcome
/** @type {(outcome: GossipResult['outcome']) => import('zod').output<OfDeliveries>} */
export const deliveriesAdmitted = outcome => outcome
/** @type {(outcome: import('zod').output<OfDeliveries>) => GossipResult['outcome']} */
export const deliveriesTyped = outcome => outcome

/** @type {Record<string, unknown>[]} */
const PLANS = [
  {},
  { duration: '5s', rate: '100/s', arrivals: 'poisson' },
  { benchmarkType: 'MIXED' },
  { inFlight: 4, cpus: 0.5, memory: '512mb' },
  { target: `/ip4/127.0.0.1/tcp/8000/p2p/12D3KooWGVUVzFyjUmaD3c4yGL3PCGqTj7UKBLdJYYBKjBHxFtdk`, targetPid: 7 }
]

describe('the schema of the plan', () => {
  for (const options of PLANS)
    test(`admits the plan of ${JSON.stringify(options)}`, () => {
      const { plan, problems } = makePlan(options)
      assert.ok(plan, JSON.stringify(problems))
      assert.deepEqual(PLAN_SCHEMA.parse(JSON.parse(JSON.stringify(plan))), { ...plan })
    })

  test('knows every key of a plan, with its unit, and refuses one that is wrong or missing', () => {
    const { plan } = makePlan({})
    for (const key of Object.keys(/** @type {object} */ (plan))) {
      const { success } = PLAN_SCHEMA.safeParse({ ...plan, [key]: Symbol('wrong') })
      assert.equal(success, false, key)
      const { [/** @type {'seed'} */ (key)]: _, ...rest } = /** @type {any} */ (plan)
      assert.equal(PLAN_SCHEMA.safeParse(rest).success, false, key)
    }
  })
})

describe('the schema of the result', () => {
  test('admits a result, whole and partial, and what later versions add to it', () => {
    const whole = sampleResult({
      outcome: {
        operations: { DISCOVER: operation({ lag: summary(5), service: summary(5) }) },
        server: { ...SERVER, durations: /** @type {any} */ ({ DISCOVER: summary(4) }) },
        perSecond: [{ second: 0, type: 'DISCOVER', outcome: 'OK', histogram: [[1200, 3]] }]
      }
    })
    const more = { ...whole, verdicts: [], outcome: { ...whole.outcome, extra: 1 } }
    assert.deepEqual(RESULT_SCHEMA.parse(more), { ...more, plan: { ...whole.plan } })
    const partial = sampleResult({
      outcome: { server: null, operations: {} },
      result: { status: 'partial', reason: { code: 'X', message: 'x' } }
    })
    assert.ok(RESULT_SCHEMA.safeParse(partial).success)
  })

  for (const [what, parts] of /** @type {[string, any][]} */ ([
    ['another status', { status: 'done' }],
    ['no outcome', { outcome: undefined }],
    ['a time without marks', { outcome: { operations: { REGISTER: { rt: { all: { avg: { ms: 1 } } } } } } }]
  ]))
    test(`refuses ${what}`, () =>
      assert.equal(RESULT_SCHEMA.safeParse({ ...sampleResult(), ...parts }).success, false))
})

test('both are published as JSON Schema, with units in the keys and words from the options', async () => {
  const { result, plan } = /** @type {any} */ (await jsonSchemas())
  assert.match(result.$schema, /2020-12/)
  assert.deepEqual(
    result.oneOf.map((/** @type {any} */ { properties }) => properties.scenario.const),
    SCENARIOS
  )
  for (const { properties, required } of result.oneOf) {
    assert.equal(properties.schemaVersion.const, 2)
    assert.ok(required.includes('outcome'))
  }
  assert.equal(plan.anyOf[0].properties.timeoutMs.description, RENDEZVOUS_OPTIONS.timeout.describe)
  assert.equal(plan.anyOf[1].properties.linkLatencyMs.description, GOSSIP_OPTIONS.linkLatency.describe)
  for (const { properties, required } of plan.anyOf) {
    assert.ok(required.includes('seed'))
    assert.equal(properties.outputDir, undefined)
  }
})
