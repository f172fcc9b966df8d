import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeFailRules, judgeRule, makeBaselineRules, parseFailRule } from '../../src/plan/fail-rules.js'
import { COMPARED } from '../scenarios.js'

/** @param {string} text */
function rule(text) {
  const read = parseFailRule(text, COMPARED)
  assert.ok('value' in read, text)
  return read.value
}

describe('a rule is read', () => {
  for (const [text, normal, metric, operator, ratio] of /** @type {const} */ ([
    ['p99 > +10%', 'p99 > +10%', 'p99', '>', 1.1],
    ['P50>5 %', 'p50 > +5%', 'p50', '>', 1.05],
    [' throughput < -2.5% ', 'throughput < -2.5%', 'throughput', '<', 0.975],
    ['cpu < 0%', 'cpu < +0%', 'cpu', '<', 1]
  ]))
    test(text, () => {
      const read = rule(text)
      assert.deepEqual([read.text, read.metric, read.operator], [normal, metric, operator])
      assert.ok(Math.abs(read.ratio - ratio) < 1e-12)
    })

  for (const text of [
    'p99 > 10',
    'p90 > 10%',
    'p99 = 10%',
    'p99',
    '',
    'p99 > 10ms',
    'p99 < -100%',
    'p99 >= 10%',
    true
  ])
    test(`${text || 'nothing'} is refused`, () =>
      assert.deepEqual(parseFailRule(text, COMPARED), { allowed: describeFailRules(COMPARED) }))

  test('on a figure that is gone, and it says what to do instead', () =>
    assert.deepEqual(parseFailRule('latency.p99 > 10%', COMPARED), {
      allowed: 'latency.p99 was removed: a run measures one load; use --rate and p99'
    }))
})

/** @param {{ low: number, high: number } | null} interval @returns {any} */
const metrics = interval => [
  { metric: 'p50', ratio: null, interval: null, verdict: 'not measured' },
  {
    metric: 'p99',
    ratio: 1.2,
    interval,
    seen: null,
    verdict: interval === null ? 'too few runs to tell' : 'different'
  }
]

describe('a rule is decided by the interval and only by it', () => {
  const NONE = Number.POSITIVE_INFINITY
  for (const [text, interval, verdict] of /** @type {const} */ ([
    ['p99 > +10%', { low: 1.11, high: 1.3 }, 'FAIL'],
    ['p99 > +10%', { low: 1.11, high: NONE }, 'FAIL'],
    ['p99 > +10%', { low: 1.02, high: 1.3 }, 'UNDECIDED'],
    ['p99 > +10%', { low: 1.02, high: 1.09 }, 'PASS'],
    ['p99 > +10%', { low: 0, high: NONE }, 'UNDECIDED'],
    ['p99 < -10%', { low: 0.5, high: 0.89 }, 'FAIL'],
    ['p99 < -10%', { low: 0.5, high: 0.95 }, 'UNDECIDED'],
    ['p99 < -10%', { low: 0.91, high: 1.2 }, 'PASS']
  ]))
    test(`${text} with ${interval.low} to ${interval.high}: ${verdict}`, () => {
      const judged = judgeRule(rule(text), metrics(interval))
      assert.equal(judged.verdict, verdict)
      assert.equal(judged.why, verdict === 'UNDECIDED' ? 'the interval is too wide to tell' : null)
    })

  test('without an interval it is undecided, and says why', () => {
    assert.deepEqual(judgeRule(rule('p99 > +10%'), metrics(null)), {
      text: 'p99 > +10%',
      metric: 'p99',
      ratio: 1.2,
      interval: null,
      seen: null,
      verdict: 'UNDECIDED',
      why: 'too few runs to tell'
    })
    assert.equal(judgeRule(rule('p50 > +10%'), metrics(null)).why, 'not measured')
    const partly = /** @type {any} */ ([
      { metric: 'p99', ratio: 1.2, interval: null, verdict: 'not measured' }
    ])
    assert.equal(judgeRule(rule('p99 > +10%'), partly).why, 'but not in every run')
  })
})

test('a baseline must not be missed by more than what counts as a difference', () => {
  assert.deepEqual(
    makeBaselineRules(COMPARED, {}).map(({ text }) => text),
    ['throughput < -5%', 'p50 > +5%', 'p99 > +5%', 'cpu > +5%']
  )
})
