import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { findFigure } from '../../../src/plan/threshold.js'
import { OPERATION_FIGURES } from '../../../src/scenarios/rendezvous/figures.js'
import { operation, SERVER, sampleResult, summary } from '../../report/sample-result.js'
import { judge, readThreshold } from '../../scenarios.js'
import { aChurnedResult } from './a-churned-result.js'

const cpu = /** @type {import('../../../src/measure/figure.js').Figure} */ (
  findFigure(OPERATION_FIGURES, 'cpu')
)

/** 100 % of a core for 2 s. */
const server = { ...SERVER, cpu: { ...SERVER.cpu, averagePercent: 100 } }

/** @param {Partial<import('../../../src/report/schema.js').Result['outcome']>} outcome */
const microsOf = outcome => cpu.read(sampleResult({ outcome: { server, ...outcome } }).outcome).value

describe('server CPU per operation of a mix', () => {
  const operations = {
    REGISTER: operation({
      count: 500,
      outcomes: { OK: 300, E_NOT_AUTHORIZED: 100, TIMEOUT: 60, DROPPED: 40 }
    }),
    DISCOVER: operation({ count: 300, outcomes: { OK: 90, BAD_REPLY: 10, REFUSED: 150, INTERRUPTED: 50 } }),
    CONNECT: operation({ count: 800, outcomes: { OK: 800 } })
  }

  it('is of what the server served, errors too, and not of what had no reply', () =>
    assert.equal(microsOf({ operations }), 2e6 / (400 + 100)))

  it('is none where nothing was served', () => {
    const outcomes = { REFUSED: 500 }
    assert.equal(microsOf({ operations: { REGISTER: operation({ outcomes, errors: 500 }) } }), null)
  })
})

it('a threshold can be set on staleness, which is known at the end', () => {
  const read = readThreshold('staleness.p50 < 50ms', 'rendezvous')
  assert.ok('value' in read, JSON.stringify(read))
  const passed = (/** @type {object} */ outcome) =>
    judge(read.value, sampleResult({ outcome }).outcome).passed
  const staleness = { ...summary(100), notSeen: 0, histogram: '' }
  assert.deepEqual([passed({ staleness }), passed({})], [true, false])
  const p50 = { ms: 15, censored: true }
  assert.equal(passed({ staleness: { ...staleness, p50 } }), false)
})

/** @param {string} text @param {any} figures */
function judged(text, figures = aChurnedResult().outcome) {
  const read = readThreshold(text, 'rendezvous')
  if (!('value' in read)) throw new Error(read.allowed)
  return judge(read.value, figures)
}

describe('thresholds of churn', () => {
  for (const [text, passed] of /** @type {[string, boolean][]} */ ([
    ['staleShare < 50%', true],
    ['staleShare < 1%', false],
    ['staleShare.withoutDuplicates <= 0%', true],
    ['visibleDelay.max < 71ms', true],
    ['visibleDelay.max < 69ms', false],
    ['firstDiscovery.avg < 41ms', true],
    ['overdue <= 0', true],
    ['DISCOVER.p99 < 1s', true],
    ['errorRate <= 0%', true]
  ]))
    test(`${text} ${passed ? 'holds' : 'fails'}`, () => assert.equal(judged(text).passed, passed))

  test('a registration that nobody saw makes a delay a lower bound', () => {
    const { outcome } = aChurnedResult()
    const { churn } = outcome
    if (churn.visible.delay.all.max == null) throw new Error('nothing was seen')
    churn.visible.delay.all.max.censored = true
    assert.match(String(judged('visibleDelay.max < 1s', outcome).reason), /nobody saw/)
    assert.equal(judged('visibleDelay.max < 1s', outcome).passed, false)
  })

  test('a new peer that discovered nobody makes a time from its start a lower bound', () => {
    const { outcome } = aChurnedResult()
    const max = outcome.churn.firstDiscovery.max
    if (max == null) throw new Error('nobody discovered anybody')
    max.censored = true
    const { reason, passed } = judged('firstDiscovery.max < 1s', outcome)
    assert.match(String(reason), /peers that discovered nobody/)
    assert.equal(passed, false)
  })

  test('fail where nothing was measured', () => {
    const figures = { ...aChurnedResult().outcome, churn: undefined }
    for (const text of ['staleShare < 50%', 'visibleDelay.max < 1s', 'overdue <= 0'])
      assert.equal(judged(text, figures).passed, false)
  })

  test('are named to those who ask for another', () => {
    const read = readThreshold('nonsense < 1', 'rendezvous')
    assert.match('allowed' in read ? read.allowed : '', /staleShare/)
  })
})
