import '../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AB_STUDY } from '../../../src/studies/comparison/ab-study.js'
import { abSample } from './ab-sample.js'

const ab = abSample({ pairs: 2 })
const pairs = [
  { a: 'a/x-a01', b: 'b/x-b01' },
  { a: null, b: 'b/x-b02' }
]
const broken = { ...ab.document, pairs }

describe('a comparison of two plans as a study', () => {
  test('has the runs that are complete, and both plans', () => {
    assert.deepEqual(AB_STUDY.runs(broken), ['a/x-a01', 'b/x-b01', 'b/x-b02'])
    assert.deepEqual(AB_STUDY.plans?.(broken), [broken.arms.a.plan, broken.arms.b.plan])
    assert.deepEqual(AB_STUDY.shown(broken), [broken.arms.a.plan])
  })

  test('counts the pairs of which both runs are complete', () =>
    assert.deepEqual(AB_STUDY.inLine(broken), ['ab: plan.yaml against --inFlight 8', '1 of 2 pairs']))

  test('is neither failed nor undecided, and has no checks, before anything was measured', () => {
    const { brokenOff, notMet, undecided } = AB_STUDY.verdict(broken, null)
    assert.deepEqual([brokenOff, notMet, undecided], [false, false, false])
    assert.deepEqual(AB_STUDY.checks?.(broken, null), [])
  })

  test('that a threshold broke off did what was asked for', () => {
    const reason = { code: 'THRESHOLD_FAILED', message: 'p99' }
    assert.equal(AB_STUDY.verdict({ ...broken, reason }, ab).brokenOff, true)
  })
})
