import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { changesState } from '../../../../src/load/rounds.js'
import { probePlan } from '../../../../src/scenarios/rendezvous/plan/probe.js'
import { planned } from '../../../plan/planned.js'

describe('the probe', () => {
  for (const [options, type] of /** @type {[Record<string, unknown>, string][]} */ ([
    [{ benchmarkType: 'REGISTER' }, 'REGISTER'],
    [{ benchmarkType: 'REGISTER', registerMode: 'refresh' }, 'REGISTER'],
    [{ benchmarkType: 'DISCOVER' }, 'DISCOVER'],
    [{ benchmarkType: 'UNREGISTER' }, 'DISCOVER'],
    [{ benchmarkType: 'MIXED' }, 'DISCOVER']
  ])) {
    const plan = probePlan(planned({ nClients: 50, workers: 3, ...options }))

    it(`sends ${type} beside ${Object.values(options).join(' ')}, and leaves registrations as they are`, () => {
      assert.equal(plan.benchmarkType, type)
      assert.equal(plan.mix, null)
      assert.equal(changesState(plan), false)
    })
  }

  it('is one client with one operation at a time, at its own low rate and random times', () => {
    const load = planned({
      nClients: 50,
      workers: 3,
      streamPerOperation: false,
      inFlight: 1,
      rate: 900,
      probeRate: 12
    })
    const { nClients, workers, inFlight, ratePerSecond, arrivals } = probePlan(load)
    assert.deepEqual(
      { nClients, workers, inFlight, ratePerSecond, arrivals },
      { nClients: 1, workers: 1, inFlight: 1, ratePerSecond: 12, arrivals: 'poisson' }
    )
  })

  it('is otherwise like the load', () => {
    const load = planned({
      seed: 9,
      benchmarkType: 'DISCOVER',
      discoverLimit: 7,
      timeout: '3s',
      nNamespaces: 11
    })
    const probe = probePlan(load)
    for (const key of /** @type {const} */ ([
      'seed',
      'discoverLimit',
      'timeoutMs',
      'nNamespaces',
      'ttlSeconds'
    ]))
      assert.equal(probe[key], load[key])
  })
})
