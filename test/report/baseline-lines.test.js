import assert from 'node:assert/strict'
import { test } from 'node:test'
import { baselineLine } from '../../src/studies/compare/comparison.js'

/** @type {import('../../src/studies/compare/baseline.js').BaselineVerdict} */
const HELD = {
  verdict: 'UNDECIDED',
  baseline: { label: 'old/a', startedAt: '2026-11-01T07:12:00.000Z', version: null, runs: 1 },
  rules: []
}

test('how runs stand against a baseline is said with what it is, also where its version is not known', () => {
  const line = 'UNDECIDED against the baseline old/a (1 run, 2026-11-01, libp2p-loadtest unknown)'
  assert.equal(baselineLine(HELD), line)
  const baseline = { ...HELD.baseline, version: '0.1.0', runs: 8 }
  assert.match(baselineLine({ ...HELD, baseline }), /\(8 runs, 2026-11-01, libp2p-loadtest 0\.1\.0\)$/)
})
