import assert from 'node:assert/strict'
import { test } from 'node:test'
import { thresholdChecks } from '../../../src/report/checks.js'

/** @type {import('../../../src/report/schema.js').ThresholdResult} */
const HELD = {
  ...{ text: 'REGISTER.p50 < 13ms', metric: 'REGISTER.p50', limit: 13, unit: 'ms' },
  ...{ operator: '<', actual: 12, passed: true }
}

test('each threshold of a run is a check, with what was found', () => {
  const failed = { ...HELD, actual: 15, passed: false }
  assert.deepEqual(thresholdChecks('run 1', { outcome: { thresholds: [HELD, failed] } }), [
    { group: 'run 1', name: 'REGISTER.p50 < 13ms', verdict: 'pass', found: '12.0 ms' },
    { group: 'run 1', name: 'REGISTER.p50 < 13ms', verdict: 'fail', found: '15.0 ms' }
  ])
})

test('a run without thresholds, or of before there were any, has no such checks', () => {
  assert.deepEqual(thresholdChecks('run 1', { outcome: { thresholds: [] } }), [])
  assert.deepEqual(thresholdChecks('run 1', { outcome: {} }), [])
})
