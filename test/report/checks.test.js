import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { summarize } from '../../src/measure/histogram.js'
import { findFigure } from '../../src/plan/threshold.js'
import { formatThreshold, listFailedThresholds, makeThresholdChecks } from '../../src/report/checks.js'
import { histogramOf, range } from '../measure/samples.js'
import { EVERY_FIGURE, judge, judgeAll, LiveThresholds, metricNames } from '../scenarios.js'
import { collector, operation, SERVER, sampleResult, summary, time } from './sample-result.js'
import { terminalReport } from './shown.js'
import { thresholdOf } from './threshold-of.js'

/** @typedef {import('../../src/report/schema.js').Figures} Figures */

/** @type {Figures} */
const FIGURES = { operations: { DISCOVER: operation() }, server: SERVER, measuredMs: 2000 }

/** @param {Parameters<typeof operation>[0]} parts @returns {Figures} */
const withDiscover = parts => ({ ...FIGURES, operations: { DISCOVER: operation(parts) } })

const CENSORED = withDiscover({
  errors: 20,
  outcomes: { OK: 480, TIMEOUT: 20 },
  all: summary(500, {
    p50: time(15),
    p99: time(10_000, { censored: true }),
    max: time(10_000, { censored: true })
  })
})
const MEASURED = withDiscover({ all: summarize(histogramOf(range(1, 1000).map(us => us * 1000))) })
const RECEIVED = withDiscover({ receivedBytesPerSecond: 2_500_000 })
const OVERHEAD = withDiscover({ all: summary(500, { p50: time(15, { overheadMs: 0.4 }), p99: time(26) }) })
const MIXED = {
  ...FIGURES,
  operations: {
    CONNECT: operation({ count: 1000, errors: 500, outcomes: { OK: 500, REFUSED: 500 } }),
    DISCOVER: operation({ count: 300, errors: 3, outcomes: { OK: 297, TIMEOUT: 3 } }),
    REGISTER: operation({ count: 101, errors: 1, outcomes: { OK: 100, INTERRUPTED: 1 } })
  }
}
const LOOKED_UP = { ...FIGURES, lookUp: { registrations: 40, drawn: 40, lookedUp: 40, missing: 0 } }
const LOST = { ...FIGURES, lookUp: { ...LOOKED_UP.lookUp, missing: 1 } }
const NOTHING = { operations: {}, server: null, measuredMs: 0 }
const FEW_SAMPLES = {
  ...FIGURES,
  server: {
    cpu: { averagePercent: 30, medianPercent: null, maxPercent: null, samples: 4 },
    memory: { averageBytes: null, medianBytes: null, maxBytes: null, samples: 0 }
  }
}

/** @type {[string, Figures, string, boolean, number | null, RegExp | undefined][]} */
const CASES = [
  ['below an upper bound', FIGURES, 'DISCOVER.p99 < 26ms', true, 25.96, undefined],
  ['above it', FIGURES, 'DISCOVER.p99 < 25ms', false, 25.96, undefined],
  ['at it', FIGURES, 'DISCOVER.p50 < 15ms', false, 15, undefined],
  ['at it, inclusive', FIGURES, 'DISCOVER.p50 <= 15ms', true, 15, undefined],
  ['above a lower bound', FIGURES, 'throughput > 249/s', true, 249.6, undefined],
  ['below it', FIGURES, 'DISCOVER.throughput > 250/s', false, 249.6, undefined],
  ['at it', FIGURES, 'DISCOVER.count > 500', false, 500, undefined],
  ['at it, inclusive', FIGURES, 'DISCOVER.count >= 500', true, 500, undefined],
  ['another percentile', MEASURED, 'DISCOVER.p75 < 760ms', true, 750.079, undefined],
  ['the least', MEASURED, 'DISCOVER.min > 2s', false, 1, undefined],
  [
    'one with too few samples',
    MEASURED,
    'DISCOVER.p99.5 < 5s',
    false,
    null,
    /too few samples: 1,000, and 2,000 are needed/
  ],
  ['CPU', FIGURES, 'cpu.max < 61.5%', true, 61, undefined],
  ['memory, in MB of 1,000,000', FIGURES, 'memory.median < 98MB', false, 98.4, undefined],
  ['memory in another unit', FIGURES, 'memory.max < 1.2GB', true, 1106, undefined],
  ['bytes received', RECEIVED, 'DISCOVER.received > 2MB', true, 2.5, undefined],
  ['too few bytes received', RECEIVED, 'DISCOVER.received > 3MB', false, 2.5, undefined],
  ['no reply came', FIGURES, 'DISCOVER.received > 1kB', false, null, /no reply to DISCOVER was measured/],
  ['no error', FIGURES, 'errorRate <= 0%', true, 0, undefined],
  ['nothing missing at the end', LOOKED_UP, 'missing <= 0%', true, 0, undefined],
  ['something missing at the end', LOST, 'missing < 2%', false, 2.5, undefined],
  ['nothing looked up', FIGURES, 'missing <= 0%', false, null, /no registration was looked up/],
  ['errors of one type', CENSORED, 'DISCOVER.errorRate < 5%', true, 4, undefined],
  ['errors of all but CONNECT and what was broken off', MIXED, 'errorRate <= 0.75%', true, 0.75, undefined],
  ['operations of all but CONNECT, without what was broken off', MIXED, 'count >= 400', true, 400, undefined],
  ['CONNECT by itself', MIXED, 'CONNECT.errorRate < 10%', false, 50, undefined],
  ['throughput of all but CONNECT', MIXED, 'throughput > 499/s', true, 499.2, undefined],

  ['censored above upper bound', CENSORED, 'DISCOVER.p99 < 5s', false, 10_000, /^at least this: operations/],
  ['censored below upper bound: not shown', CENSORED, 'DISCOVER.p99 < 20s', false, 10_000, /^at least this/],
  ['censored above a lower bound: shown', CENSORED, 'DISCOVER.p99 > 5s', true, 10_000, /^at least this/],
  ['censored below lower bound: not shown', CENSORED, 'DISCOVER.p99 > 20s', false, 10_000, /^at least this/],
  ['a maximum that is a lower bound', CENSORED, 'DISCOVER.max < 10ms', false, 10_000, /^at least this: /],
  ['client overhead, met', OVERHEAD, 'DISCOVER.p50.overhead < 1ms', true, 0.4, undefined],
  ['client overhead, not met', OVERHEAD, 'DISCOVER.p50.overhead < 100us', false, 0.4, undefined],
  [
    'client overhead that was not measured',
    OVERHEAD,
    'DISCOVER.p99.overhead < 1ms',
    false,
    null,
    /client overhead was not measured/
  ],
  ['client overhead of too few samples', OVERHEAD, 'DISCOVER.p999.overhead < 1ms', false, null, /too few/],

  ['too few', FIGURES, 'DISCOVER.p999 < 50ms', false, null, /^too few samples: 500, and 10,000 are needed/],
  ['a type that was not measured', FIGURES, 'REGISTER.avg < 50ms', false, null, /^no REGISTER was measured/],
  ['its lower bound', FIGURES, 'REGISTER.max > 0ms', false, null, /^no REGISTER was measured/],
  ['its count', FIGURES, 'REGISTER.count >= 0', false, null, /^no REGISTER was measured/],
  ['its error rate', FIGURES, 'REGISTER.errorRate < 5%', false, null, /^no REGISTER was measured/],
  ['its throughput', FIGURES, 'REGISTER.throughput < 5/s', false, null, /^no REGISTER was measured/],
  ['nothing measured', NOTHING, 'errorRate < 5%', false, null, /^no operation was measured/],
  ['no server known', NOTHING, 'cpu.avg < 5%', false, null, /^CPU and memory of the server are not known/],
  ['CPU from 4 samples', FEW_SAMPLES, 'cpu.median < 5%', false, null, /^too few samples: 4, and 5/],
  ['its average needs none', FEW_SAMPLES, 'cpu.avg < 50%', true, 30, undefined],
  ['memory without a sample', FEW_SAMPLES, 'memory.avg < 5MB', false, null, /^too few samples: 0, and 1 /]
]

describe('a threshold is judged:', () => {
  for (const [what, figures, text, passed, actual, reason] of CASES)
    test(`${what}: ${text} ${passed ? 'passes' : 'fails'}`, () => {
      const result = judge(thresholdOf(text), figures)
      assert.deepEqual([result.passed, result.actual], [passed, actual])
      if (reason === undefined) assert.equal(result.reason, undefined)
      else assert.match(String(result.reason), reason)
    })

  test('the result tells of the threshold, and not how the run would have been broken off', () => {
    assert.deepEqual(judge(thresholdOf('DISCOVER.p50 < 0.02s, abortOnFail, grace=5s'), FIGURES), {
      text: 'DISCOVER.p50 < 0.02s',
      metric: 'DISCOVER.p50',
      operator: '<',
      limit: 20,
      unit: 'ms',
      actual: 15,
      passed: true
    })
  })

  test('every metric has a figure or says why not', () => {
    for (const name of metricNames('rendezvous'))
      for (const figures of [FIGURES, CENSORED, OVERHEAD, MIXED, NOTHING, FEW_SAMPLES]) {
        const { value, missing } = findFigure(EVERY_FIGURE, name).read(figures)
        assert.equal(value === null, missing !== undefined, name)
        assert.ok(value === null || value >= 0, name)
      }
  })
})

test('the threshold that broke off a run has failed, whatever was measured after', () => {
  const thresholds = ['DISCOVER.p50 < 20ms', 'DISCOVER.p90 < 30ms'].map(thresholdOf)
  const brokeOff = {
    ...judge(thresholds[1], FIGURES),
    passed: false,
    actual: 31,
    reason: 'broke off the run'
  }
  const results = judgeAll(thresholds, FIGURES, brokeOff)
  assert.deepEqual(results, [judge(thresholds[0], FIGURES), brokeOff])
  assert.deepEqual(listFailedThresholds(sampleResult({ outcome: { thresholds: results } })), [brokeOff])
})

test('a result without thresholds has none that failed', () => {
  const { outcome } = sampleResult()
  assert.deepEqual(
    listFailedThresholds({ outcome: { ...outcome, thresholds: /** @type {any} */ (undefined) } }),
    []
  )
})

/** @param {Parameters<typeof operation>[0] & { measuredMs?: number }} [parts] */
const figures = ({ measuredMs = 5000, ...parts } = {}) => ({
  operations: { DISCOVER: operation(parts) },
  server: SERVER,
  measuredMs
})

/** @type {[string, string, ReturnType<typeof figures>, string[]][]} figures, and what is judged of a threshold */
const CASESLive = [
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
  ['nor of a maximum', 'DISCOVER.max < 10ms', figures({ all: summary(3, { max: time(11) }) }), ['failed']],
  ['leaves what was not measured yet', 'REGISTER.p50 < 10ms', figures(), []]
]

describe('while a run goes on, a threshold', () => {
  for (const [what, text, soFar, expected] of CASESLive)
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

/** @typedef {import('../../src/report/schema.js').ThresholdResult} ThresholdResult */

/** @param {Partial<ThresholdResult>} parts @returns {ThresholdResult} */
const threshold = parts => ({
  text: 'DISCOVER.p99 < 50ms',
  metric: 'DISCOVER.p99',
  operator: '<',
  limit: 50,
  unit: 'ms',
  actual: 12.34,
  passed: true,
  ...parts
})

/** @type {[Partial<ThresholdResult>, string][]} */
const CASESThresholdLines = [
  [{}, '✔ DISCOVER.p99 < 50ms: 12.3 ms'],
  [{ actual: 83.1, passed: false }, '✖ DISCOVER.p99 < 50ms: 83.1 ms'],
  [{ actual: 50.0123, passed: false }, '✖ DISCOVER.p99 < 50ms: 50.0123 ms'],
  [{ actual: 50, passed: false }, '✖ DISCOVER.p99 < 50ms: 50.0 ms'],
  [{ reason: 'at least this: so' }, '✔ DISCOVER.p99 < 50ms: 12.3 ms, at least this: so'],
  [
    { actual: null, passed: false, reason: 'too few samples: 5, and 1,000 are needed' },
    '✖ DISCOVER.p99 < 50ms: too few samples: 5, and 1,000 are needed'
  ],
  [{ text: 'throughput > 500/s', unit: '/s', limit: 500, actual: 1240.2 }, '✔ throughput > 500/s: 1,240/s'],
  [
    { text: 'throughput > 500/s', unit: '/s', limit: 500, actual: 499.97, passed: false },
    '✖ throughput > 500/s: 499.97/s'
  ],
  [{ text: 'errorRate <= 0%', unit: '%', limit: 0, actual: 0 }, '✔ errorRate <= 0%: 0 %'],
  [{ text: 'count > 5', unit: '', limit: 5, actual: 12_000 }, '✔ count > 5: 12,000'],
  [{ text: 'memory.max < 100MB', unit: 'MB', limit: 100, actual: 98.4 }, '✔ memory.max < 100MB: 98.4 MB']
]

describe('a threshold in a line:', () => {
  for (const [parts, line] of CASESThresholdLines)
    test(line, () => {
      assert.equal(formatThreshold(threshold(parts)), line)
    })
})

const RESULT = sampleResult({
  outcome: { thresholds: [threshold({}), threshold({ actual: 83.1, passed: false })] }
})

describe('where their table is not shown, those that failed are told on stderr', () => {
  for (const output of [
    { json: true, quiet: false },
    { json: false, quiet: true }
  ])
    test(JSON.stringify(output), async () => {
      const [stdout, stderr] = [collector(), collector()]
      const terminal = await terminalReport({ stdout, stderr, output, version: '1', folder: null })
      terminal.add({ type: 'result', result: RESULT })
      terminal.close()
      assert.equal(stderr.text(), '✖ DISCOVER.p99 < 50ms: 83.1 ms\n')
      assert.doesNotMatch(stdout.text(), /^✖/m)
    })
})

/** @type {import('../../src/report/schema.js').ThresholdResult} */
const HELD = {
  ...{ text: 'REGISTER.p50 < 13ms', metric: 'REGISTER.p50', limit: 13, unit: 'ms' },
  ...{ operator: '<', actual: 12, passed: true }
}

test('each threshold of a run is a check, with what was found', () => {
  const failed = { ...HELD, actual: 15, passed: false }
  assert.deepEqual(makeThresholdChecks('run 1', { outcome: { thresholds: [HELD, failed] } }), [
    { group: 'run 1', name: 'REGISTER.p50 < 13ms', verdict: 'pass', observed: '12.0 ms' },
    { group: 'run 1', name: 'REGISTER.p50 < 13ms', verdict: 'fail', observed: '15.0 ms' }
  ])
})

test('a run without thresholds, or of before there were any, has no such checks', () => {
  assert.deepEqual(makeThresholdChecks('run 1', { outcome: { thresholds: [] } }), [])
  assert.deepEqual(makeThresholdChecks('run 1', { outcome: {} }), [])
})
