import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operation, SERVER, summary, time } from '../../report/sample-result.js'
import { LiveThresholds } from '../../scenarios.js'
import { thresholdOf } from './threshold-of.js'

/** @param {Parameters<typeof operation>[0] & { measuredMs?: number }} [parts] */
const figures = ({ measuredMs = 5000, ...parts } = {}) => ({
  operations: { DISCOVER: operation(parts) },
  server: SERVER,
  measuredMs
})

/** @type {[string, string, ReturnType<typeof figures>, string[]][]} figures, and what is judged of a threshold */
const CASES = [
  ['passes so far', 'DISCOVER.p90 < 50ms', figures(), ['passed']],
  ['fails so far', 'DISCOVER.p90 < 20ms', figures(), ['failed']],
  ['waits for enough samples of a percentile', 'DISCOVER.p999 < 20ms', figures(), []],
  ['waits for 100 operations of an average', 'DISCOVER.avg < 1ms', figures({ all: summary(99) }), []],
  ['takes 100 operations of an average', 'DISCOVER.avg < 1ms', figures({ all: summary(100) }), ['failed']],
  [
    'waits for 100 operations of a share',
    'errorRate < 1%',
    figures({ count: 99, errors: 9, outcomes: { OK: 90, TIMEOUT: 9 } }),
    []
  ],
  ['waits for 2 s of throughput', 'throughput > 500/s', figures({ measuredMs: 1900 }), []],
  ['takes 2 s of throughput', 'throughput > 500/s', figures({ measuredMs: 2000 }), ['failed']],
  ['leaves what can only grow to the end', 'DISCOVER.count >= 1000', figures(), []],
  ['but not its upper bound', 'DISCOVER.count < 100', figures(), ['failed']],
  [
    'nor that of a maximum',
    'DISCOVER.max < 10ms',
    figures({ all: summary(3, { max: time(11) }) }),
    ['failed']
  ],
  ['leaves what was not measured yet', 'REGISTER.p50 < 10ms', figures(), []]
]

describe('while a run goes on, a threshold', () => {
  for (const [what, text, soFar, expected] of CASES)
    test(`${what}: ${text}`, () => {
      const { results } = new LiveThresholds([thresholdOf(text)]).look(soFar, 0)
      assert.deepEqual(
        results.map(({ passed }) => (passed ? 'passed' : 'failed')),
        expected
      )
    })
})

describe('a threshold with abortOnFail', () => {
  const good = figures()
  const bad = figures({ all: summary(500, { p50: time(30) }) })

  /** @param {string} text @param {[number, ReturnType<typeof figures>][]} looks @returns {(string | undefined)[]} */
  function brokeOff(text, looks) {
    const live = new LiveThresholds([thresholdOf('DISCOVER.p90 < 1ms'), thresholdOf(text)])
    return looks.map(([nowMs, soFar]) => live.look(soFar, nowMs).brokeOff?.reason)
  }

  test('breaks off the run at once without a grace time; others never do', () => {
    assert.deepEqual(
      brokeOff('DISCOVER.p50 < 20ms, abortOnFail', [
        [0, good],
        [1000, bad]
      ]),
      [undefined, 'broke off the run']
    )
  })

  test('does so when it has failed for its grace time without a break', () => {
    assert.deepEqual(
      brokeOff('DISCOVER.p50 < 20ms, abortOnFail, grace=2s', [
        [1000, bad],
        [2000, bad],
        [2900, good],
        [4000, bad],
        [5999, bad],
        [6000, bad]
      ]),
      [undefined, undefined, undefined, undefined, undefined, 'broke off the run after 2 s of failing']
    )
  })

  test('keeps what else is to be known of the figure', () => {
    const censored = figures({ all: summary(500, { p50: time(30, { censored: true }) }) })
    const [reason] = brokeOff('DISCOVER.p50 < 20ms, abortOnFail', [[0, censored]])
    assert.match(String(reason), /^at least this: .*; broke off the run$/)
  })
})
