import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { planLoad, planValidLoad } from '../../../src/studies/saturate/plan.js'

const LOAD = { perSecond: 50, size: 3, seconds: 6 }

describe('the plan of a trial', () => {
  test('has the options that were given, under the load of the trial', () => {
    const { plan, problems } = planLoad('rendezvous', { seed: 7, benchmarkType: 'DISCOVER' }, LOAD)
    assert.deepEqual(problems, [])
    assert.deepEqual(
      [plan.seed, plan.benchmarkType, plan.nClients, plan.ratePerSecond, plan.durationMs],
      [7, 'DISCOVER', 3, 50, 6000]
    )
    assert.deepEqual(planValidLoad('rendezvous', { seed: 7, benchmarkType: 'DISCOVER' }, LOAD), plan)
  })

  test('of a network has as many nodes', () => {
    const { plan } = planLoad('gossip', { network: 'simulated' }, { ...LOAD, size: 12 })
    assert.deepEqual([plan.nodes, plan.ratePerSecond, plan.durationMs], [12, 50, 6000])
  })

  test('holds its load: arrivals by chance are fine, a rate that changes is refused', () => {
    assert.equal(planLoad('rendezvous', { arrivals: 'poisson' }, LOAD).plan.arrivals, 'poisson')
    const { plan, problems } = planLoad('rendezvous', { arrivals: 'ramp:to=100/s' }, LOAD)
    assert.equal(plan, undefined)
    assert.deepEqual(problems, [
      {
        flag: '--arrivals',
        value: 'ramp:to=100/s',
        allowed: 'must be constant or poisson here: each load is constant'
      }
    ])
  })

  test('that was right before and is not any more throws all that is wrong', () => {
    assert.throws(
      () => planValidLoad('rendezvous', { seed: 'x', benchmarkType: 'NOTHING' }, LOAD),
      ({ message }) =>
        /--seed x must/.test(message) && /; /.test(message) && /--benchmarkType NOTHING/.test(message)
    )
    assert.throws(
      () => planValidLoad('rendezvous', { arrivals: 'ramp:to=100/s' }, LOAD),
      /^Error: --arrivals ramp/
    )
  })
})
