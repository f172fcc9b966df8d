import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { planned } from '../../plan/planned.js'
import { makePlan, PLAN_SCHEMA, scalePlan } from '../../scenarios.js'

/** @typedef {Record<string, unknown>} Options */

const ROLES = { providers: '2', discoverers: '4' }
const OPEN = { ...ROLES, providerRate: '10/s', discovererRate: '300/s' }

/** @param {Options} options @param {Options} [config] */
const problemsOf = (options, config) =>
  makePlan(options, { cores: 4, ...(config && { config: { file: 'load.yaml', options: config } }) })
    .problems ?? []

describe('a plan with roles', () => {
  it('has as many clients as both together, and nothing else that clients could send', () => {
    const { nClients, providers, discoverers, mix, benchmarkType, registerMode } = planned(ROLES)
    assert.deepEqual([nClients, providers, discoverers], [6, 2, 4])
    assert.deepEqual([benchmarkType, mix, registerMode], ['MIXED', null, 'refresh'])
  })

  it('goes on for 10 s in closed loops', () => {
    const { ratePerSecond, durationMs, benchmarkRuns } = planned(ROLES)
    assert.deepEqual([ratePerSecond, durationMs, benchmarkRuns], [null, 10_000, null])
    assert.equal(planned({ ...ROLES, duration: '3s' }).durationMs, 3000)
  })

  it('has a rate for each role, and that of both together', () => {
    const { ratePerSecond, providerRatePerSecond, discovererRatePerSecond } = planned(OPEN)
    assert.deepEqual([ratePerSecond, providerRatePerSecond, discovererRatePerSecond], [310, 10, 300])
  })

  it('is what its schema describes, and so is one of the most that roles can be', () => {
    const rates = { providerRate: 500_000, discovererRate: 500_000 }
    const most = { providers: 50_000, discoverers: 50_000, ...rates, server: 'docker', workers: 1000 }
    for (const options of [ROLES, OPEN, most]) PLAN_SCHEMA.parse(planned(options))
  })

  it('can be scaled, each rate alike', () => {
    const { ratePerSecond, providerRatePerSecond, discovererRatePerSecond } = scalePlan(planned(OPEN), {
      scaleRate: 0.5
    })
    assert.deepEqual([ratePerSecond, providerRatePerSecond, discovererRatePerSecond], [155, 5, 150])
  })

  it('can be asked for over a file that has clients who all send the same', () =>
    assert.deepEqual(problemsOf(ROLES, { nClients: 9, benchmarkType: 'DISCOVER', rate: 50 }), []))

  it('can have what does not depend on who sends what', () => {
    const others = { servers: 3, store: 'postgres', failover: true, workers: 6 }
    assert.deepEqual(problemsOf({ ...OPEN, ...others, arrivals: 'sine:amplitude=0.2,period=1s' }), [])
    assert.deepEqual(problemsOf({ ...ROLES, thinkTime: '10ms', discoverInexistentNamespaces: true }), [])
    assert.deepEqual(problemsOf({ ...ROLES, registerMode: 'refresh' }), [])
    const thresholds = [
      'REGISTER.p99 < 1s',
      'DISCOVER.p99 < 1s',
      'fairness.providers > 0.9',
      'fairness.types > 0.9'
    ]
    assert.deepEqual(problemsOf({ ...OPEN, threshold: thresholds }), [])
    assert.deepEqual(problemsOf({ ...OPEN, fault: 'at=2s kill' }), [])
  })
})
