import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { measureRound } from '../../../../src/load/rounds.js'
import { latencyPlan, latencyRateOf } from '../../../../src/scenarios/rendezvous/plan/latency.js'
import { planned } from '../../../plan/planned.js'
import { makePlan } from '../../../scenarios.js'

/** @typedef {Record<string, unknown>} Options */

describe('whether a run asks for latency beside its capacity', () => {
  for (const [name, options, rate] of /** @type {[string, Options, unknown][]} */ ([
    ['by default, at a third of the capacity', {}, 'auto'],
    ['at the rate that is given', { latencyRate: '200/s' }, 200],
    ['not with --latencyRate 0', { latencyRate: 0 }, 0],
    ['not in the open model, which asks for nothing else', { rate: 50 }, null],
    ['not of a capacity of less than 5 s', { minDuration: '4999ms' }, null],
    ['not of a capacity of one round', { minDuration: 0 }, null],
    ['of one of 5 s', { duration: '5s' }, 'auto'],
    ['at a rate that is given, however short the capacity', { duration: '1s', latencyRate: 5 }, 5],
    ['not where clients think', { thinkTime: '5ms' }, null],
    [
      'not where the server is held up',
      { fault: 'at=5s pause=1s', duration: '20s', benchmarkType: 'DISCOVER' },
      null
    ]
  ]))
    it(name, () => assert.equal(planned(options).latencyRate, rate))

  it('an auto that nothing can be a third of is refused, with what to do', () => {
    for (const options of [{ duration: '1s' }, { thinkTime: '5ms' }]) {
      const [problem] = makePlan({ ...options, latencyRate: 'auto' }, { cores: 2 }).problems ?? []
      assert.equal(problem.flag, '--latencyRate')
      assert.match(problem.allowed, /5 s or more of --duration or --minDuration.*Else give a rate/)
    }
  })

  it('thresholds on latency need a run that asks for it', () => {
    const threshold = 'latency.REGISTER.p99 < 50ms'
    assert.equal(makePlan({ threshold }, { cores: 2 }).problems, undefined)
    const { problems = [] } = makePlan({ threshold, rate: 20, duration: '5s' }, { cores: 2 })
    assert.match(problems[0].allowed, /asks for latency.REGISTER.p99, and this run has no part/)
  })
})

describe('the rate', () => {
  /** @param {number} throughputPerSecond */
  const measured = throughputPerSecond => /** @type {any} */ ({ throughputPerSecond })

  it('is a third of what all operations together came to; connecting is part of them', () => {
    const operations = { REGISTER: measured(100), DISCOVER: measured(801), CONNECT: measured(901) }
    assert.equal(latencyRateOf({ latencyRate: 'auto' }, { operations }), 300)
  })

  it('is the one that was asked for, or none', () => {
    const operations = { DISCOVER: measured(900) }
    assert.equal(latencyRateOf({ latencyRate: 42 }, { operations }), 42)
    for (const latencyRate of [0, null]) assert.equal(latencyRateOf({ latencyRate }, { operations }), null)
    assert.equal(latencyRateOf({ latencyRate: 'auto' }, { operations: { DISCOVER: measured(0) } }), null)
  })
})

/** Operations and seconds of the rounds of a plan, where each lasts as long as its operations are due in. @param {import('../../../../src/plan/plan.js').Plan} plan */
function roundsOf(plan) {
  const rounds = []
  let ms = 0
  for (let round = measureRound(plan, 0); round !== null; round = measureRound(plan, ms)) {
    rounds.push(round.operations ?? 0)
    ms += ((round.operations ?? 0) * 1000) / (plan.ratePerSecond ?? 1)
  }
  return { rounds, all: rounds.reduce((sum, n) => sum + n, 0), seconds: ms / 1000 }
}

describe('the part that asks for latency', () => {
  const at = (/** @type {Options} */ options, /** @type {number} */ rate) =>
    roundsOf(latencyPlan(planned(options), rate))

  it('has 2,000 operations, however long they take', () => {
    assert.deepEqual(at({ benchmarkType: 'DISCOVER' }, 20), { rounds: [2000], all: 2000, seconds: 100 })
    assert.equal(at({ benchmarkType: 'REGISTER' }, 20).all, 2000)
  })

  it('lasts 5 s where that is more', () =>
    assert.deepEqual(at({ benchmarkType: 'DISCOVER' }, 1000), { rounds: [5000], all: 5000, seconds: 5 }))

  it('has 2,000 of the rarest type of a mix, and chance does not make them fewer', () => {
    const { all } = at({ benchmarkType: 'MIXED', mix: 'register=1,discover=8,unregister=1' }, 100)
    assert.ok(all >= 21_000 && all < 23_000, String(all))
  })

  it('is made in rounds of equal size where a client can register no more', () => {
    const { rounds, all } = at({ nClients: 1, benchmarkType: 'REGISTER' }, 1000)
    assert.deepEqual([rounds, all], [Array(5).fill(1000), 5000])
    assert.deepEqual(at({ nClients: 3 }, 1400).rounds, [2334, 2334, 2334])
  })

  it('is of the open model, without what only the capacity has', () => {
    const plan = latencyPlan(planned({ inFlight: 4, threshold: 'count > 5' }), 70)
    assert.deepEqual(
      [plan.ratePerSecond, plan.arrivals, plan.inFlight, plan.faults, plan.latencyRate],
      [70, 'constant', 1, [], null]
    )
  })
})
