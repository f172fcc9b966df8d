import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { thresholdLine } from '../../src/report/checks.js'
import { collector, sampleResult } from './sample-result.js'
import { terminalReport } from './shown.js'

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
const CASES = [
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
  for (const [parts, line] of CASES)
    test(line, () => {
      assert.equal(thresholdLine(threshold(parts)), line)
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
