import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { judge, readThreshold } from '../../scenarios.js'
import { aChurnedResult } from './a-churned-result.js'

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
