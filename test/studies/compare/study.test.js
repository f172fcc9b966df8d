import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { COMPARISON_STUDY } from '../../../src/studies/compare/study.js'
import { sampleResult } from '../../report/sample-result.js'
import { sideOf } from '../../scenarios.js'
import { comparisonSample } from './comparison-sample.js'

const { document } = comparisonSample({ runs: 2 })
const [a, b] = document.sides
const broken = {
  ...document,
  sides: [
    { ...a, runs: ['a/x-a01', null] },
    { ...b, runs: ['b/x-b01', 'b/x-b02'] }
  ]
}

describe('a comparison as a study', () => {
  test('has the runs that are complete in the order they were run, and the plan of each side', () => {
    assert.deepEqual(COMPARISON_STUDY.runs(broken), ['a/x-a01', 'b/x-b01', 'b/x-b02'])
    assert.deepEqual(COMPARISON_STUDY.plans?.(broken), [a.plan, b.plan])
    assert.deepEqual(COMPARISON_STUDY.shown(broken), [a.plan])
  })

  test('counts the pairs of which both runs are complete, or the runs of one plan', () => {
    assert.deepEqual(COMPARISON_STUDY.inLine(broken), ['ab: plan.yaml against --inFlight 8', '1 of 2 pairs'])
    assert.deepEqual(COMPARISON_STUDY.inLine({ ...broken, sides: [broken.sides[0]] }), [
      'runs of rendezvous',
      '2 runs'
    ])
  })

  test('is neither failed nor undecided, and has no checks, before anything was measured', () => {
    const { brokenOff, notMet, undecided } = COMPARISON_STUDY.verdict(broken, null)
    assert.deepEqual([brokenOff, notMet, undecided], [false, undefined, undefined])
    assert.deepEqual(COMPARISON_STUDY.checks?.(broken, null), [])
  })

  test('that a threshold broke off did what was asked for', () => {
    const reason = { code: 'THRESHOLD_FAILED', message: 'p99' }
    assert.equal(COMPARISON_STUDY.verdict({ ...broken, reason }, comparisonSample()).brokenOff, true)
  })

  test('is generator-limited where one of its runs is, for --strict', () => {
    const loaded = comparisonSample({ runs: 2, slower: [] })
    const verdictOf = (/** @type {any[]} */ warnings) => {
      const sides = [sideOf('x', [sampleResult(), sampleResult({ warnings })])]
      return COMPARISON_STUDY.verdict(loaded.document, {
        ...loaded,
        comparison: { ...loaded.comparison, sides }
      })
    }
    assert.equal(verdictOf([]).generatorLimited, false)
    const limited = { code: 'GENERATOR_LIMITED', values: { busy: null, overheads: [] } }
    assert.equal(verdictOf([limited]).generatorLimited, true)
  })
})
