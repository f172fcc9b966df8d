import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { parseThreshold } from '../../../src/plan/threshold.js'
import { TRIAL_FIGURES } from '../../../src/scenarios/rendezvous/saturation.js'
import {
  computeSecondsNeeded,
  findMissedConditions,
  isBarelyMissed,
  makeObjective,
  makeObjectiveFlags
} from '../../../src/studies/saturate/objective.js'
import { BLOCK_FACTORS, estimateSustainedRates } from '../../../src/studies/saturate/search.js'
import { aGossipPoint } from '../../scenarios/gossip/a-gossip-point.js'
import { aLoadPoint, times } from '../../scenarios/rendezvous/load-point.js'

const USUAL = ['p99 < 50ms', 'errorRate < 0.1%', 'achieved >= 99%']

describe('the objective', () => {
  const given = (/** @type {string[]} */ ...texts) =>
    makeObjective(
      'rendezvous',
      texts.map(text => ({ text }))
    )

  test('has a default: a time, few errors, and the offered load achieved', () => {
    assert.deepEqual(given(), USUAL)
    assert.deepEqual(makeObjective('gossip'), [
      'deliveryRatio > 99.9%',
      'publishedInTime >= 99%',
      'achieved >= 99%'
    ])
  })

  test('keeps the default of other figures; a time takes the place of its time', () => {
    assert.deepEqual(given('p50 < 5ms'), ['p50 < 5ms', 'errorRate < 0.1%', 'achieved >= 99%'])
    assert.deepEqual(given('errorRate < 5%'), ['errorRate < 5%', 'p99 < 50ms', 'achieved >= 99%'])
    assert.deepEqual(given('cpu.avg < 50%'), ['cpu.avg < 50%', ...USUAL])
    assert.deepEqual(given('REGISTER.p99 < 9ms', 'achieved >= 95%').slice(0, 3), [
      'REGISTER.p99 < 9ms',
      'achieved >= 95%',
      'errorRate < 0.1%'
    ])
  })

  test('is typed again where it is not the default, and means the same then', () => {
    assert.deepEqual(makeObjectiveFlags('rendezvous', USUAL), [])
    assert.deepEqual(makeObjectiveFlags('rendezvous', null), [])
    const own = given('p50 < 5ms')
    assert.deepEqual(makeObjectiveFlags('rendezvous', own)[0], '--slo "p50 < 5ms"')
    assert.deepEqual(given(...own), own)
  })

  test('is read as thresholds are', () => {
    assert.deepEqual(parseThreshold('P99<50ms', TRIAL_FIGURES, false), { value: { text: 'p99 < 50ms' } })
    assert.match(JSON.stringify(parseThreshold('p99 < 50', TRIAL_FIGURES, false)), /allowed/)
    assert.match(
      JSON.stringify(parseThreshold('p99 < 5ms, abortOnFail', TRIAL_FIGURES, false)),
      /abortOnFail/
    )
  })
})

describe('a load meets an objective', () => {
  /** @type {[what: string, parts: Parameters<typeof aLoadPoint>[0], missed: string[]][]} */
  const rows = [
    ['where every figure does', {}, []],
    ['but not where p99 is too high', { rt: times(30) }, ['p99 < 50ms']],
    ['but not with too many errors', { failed: 2 }, ['errorRate < 0.1%']],
    ['but not where less than 99 % was achieved', { achieved: 593 }, ['achieved >= 99%']],
    ['at just 99 %', { achieved: 594 }, []],
    ['but not with too few operations for p99', { rt: { ...times(5), p99: null } }, ['p99 < 50ms']],
    [
      'but not where operations without a reply reach into p99',
      { rt: { ...times(5), p99: { ms: 10, censored: true } } },
      ['p99 < 50ms']
    ],
    ['whatever waits in the meantime', { waiting: [5, 20, 40, 60, 80, 90] }, []]
  ]
  for (const [what, parts, missed] of rows)
    test(what, () => {
      const found = findMissedConditions('rendezvous', USUAL, { point: aLoadPoint(parts) })
      assert.deepEqual(
        found.map(({ text }) => text),
        missed
      )
    })

  test('of messages by what reached everyone in time, and was published in time', () => {
    const point = aGossipPoint({ achieved: 59, published: { planned: 60, inTime: 58 } })
    const outcome = { delivery: { ratio: 0.99 }, messages: { published: 60, skipped: 0, failed: 0 } }
    assert.deepEqual(
      findMissedConditions('gossip', makeObjective('gossip'), { point, outcome }).map(({ text, actual }) => [
        text,
        Math.round(Number(actual))
      ]),
      [
        ['deliveryRatio > 99.9%', 99],
        ['publishedInTime >= 99%', 97],
        ['achieved >= 99%', 98]
      ]
    )
  })

  test('barely or by far', () => {
    const missed = (/** @type {object} */ parts) =>
      findMissedConditions('rendezvous', USUAL, { point: aLoadPoint(parts) })
    assert.ok(isBarelyMissed(missed({ rt: times(27) })))
    assert.ok(!isBarelyMissed(missed({ rt: times(28) })))
    assert.ok(!isBarelyMissed(missed({ rt: { ...times(5), p99: null } })))
    assert.ok(!isBarelyMissed([{ code: 'ENDED' }]))
  })
})

describe('a trial is as long as the percentiles of its objective need', () => {
  const plan = {
    ...{ scenario: 'rendezvous', arrivals: 'constant', benchmarkType: 'REGISTER', mix: null },
    ...{ ratePerSecond: 100, durationMs: 10_000 }
  }
  /** @type {[what: string, objective: string[], parts: object, seconds: number, problem: RegExp | null][]} */
  const rows = [
    ['1,000 operations for p99', USUAL, {}, 10, null],
    ['at a lower rate it is longer', USUAL, { ratePerSecond: 25 }, 40, null],
    ['independent arrivals may be fewer', USUAL, { arrivals: 'poisson' }, 11, null],
    ['p50 needs few', ['p50 < 5ms'], { ratePerSecond: 2 }, 10, null],
    ['averages and shares need none', ['avg < 5ms', 'errorRate < 1%'], { ratePerSecond: 0.1 }, 10, null],
    ['p99.9 needs 10,000', ['p95 < 5ms', 'REGISTER.p999 < 5ms'], {}, 100, null],
    [
      'of one type of several',
      ['DISCOVER.p99 < 5ms'],
      { benchmarkType: 'MIXED', mix: { register: 0.5, discover: 0.5, unregister: 0 } },
      20,
      null
    ],
    [
      'more than ten times the duration is refused',
      USUAL,
      { ratePerSecond: 5 },
      200,
      /^p99 < 50ms needs 1000 samples, and 10 s at 5\/s have 50: give a higher rate, a --duration of 20s or more/
    ],
    ['deliveries', ['latency.p99 < 1s'], { scenario: 'gossip', ratePerSecond: 2, nodes: 11 }, 50, null],
    ['messages', ['dissemination.p90 < 1s'], { scenario: 'gossip', ratePerSecond: 2, nodes: 11 }, 50, null]
  ]
  for (const [what, objective, parts, seconds, problem] of rows)
    test(what, () => {
      const needed = computeSecondsNeeded(objective, { ...plan, ...parts })
      assert.equal(needed.seconds, seconds)
      if (problem === null) assert.equal(needed.problem, null)
      else assert.match(String(needed.problem), problem)
    })
})

describe('two searches of one setup that were each judged by their own first trial', () => {
  /** @type {Record<string, { perSecond: number, purpose: string, sustained: boolean, due: number, achieved: number, p50Ms: number, p99Ms: number }[]>} */
  const searches = JSON.parse(
    readFileSync(
      new URL('../../../fixtures/studies/searches-judged-by-first-trial.json', import.meta.url),
      'utf8'
    )
  )
  /** @param {string} name @param {string[]} objective */
  function answered(name, objective) {
    const blocks = searches[name].filter(({ purpose }) => purpose === 'block')
    const judged = blocks.map(({ perSecond, p50Ms, p99Ms, ...amounts }) => {
      const rt = { p50: { ms: p50Ms }, p99: { ms: p99Ms } }
      const missed = findMissedConditions('rendezvous', objective, { point: { ...amounts, failed: 0, rt } })
      return { perSecond, sustained: missed.length === 0 }
    })
    const estimate = estimateSustainedRates(
      Array.from({ length: judged.length / BLOCK_FACTORS.length }, (_, block) =>
        judged.slice(block * BLOCK_FACTORS.length, (block + 1) * BLOCK_FACTORS.length)
      )
    )
    const [nine] = estimate?.rates ?? []
    return {
      sustained: judged.filter(({ sustained }) => sustained).length,
      rate: nine === undefined ? null : [nine.perSecond, nine.low, nine.high].map(Math.round)
    }
  }
  const ONE = 'saturate-search'
  const OTHER = 'saturate-search-again'

  test('said 851/s by a limit of 1,860 ms, and 396/s by one of 18.4 ms: ten times the p50 of their first trials', () => {
    assert.deepEqual([searches[ONE][0].p50Ms, searches[OTHER][0].p50Ms], [186, 1.84])
  })

  test('with 18.4 ms for both they are 656/s and 396/s', () => {
    const objective = ['p50 < 18.4ms', 'errorRate < 0.1%', 'achieved >= 97%']
    assert.deepEqual(answered(ONE, objective).rate, [656, 554, 777])
    assert.deepEqual(answered(OTHER, objective).rate, [396, 339, 461])
  })

  test('with 1,860 ms for both they are 853/s, and more than was tried', () => {
    const objective = ['p50 < 1860ms', 'errorRate < 0.1%', 'achieved >= 97%']
    assert.deepEqual(answered(ONE, objective).rate, [853, 770, 944])
    assert.deepEqual(answered(OTHER, objective), { sustained: 39, rate: null })
  })

  test('by the default objective hardly a trial of either is sustained: all rates were too high for it', () => {
    assert.equal(answered(ONE, USUAL).sustained, 1)
    assert.equal(answered(OTHER, USUAL).sustained, 4)
  })
})
