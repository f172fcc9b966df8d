import '../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REPETITION_STUDY } from '../../../src/studies/repetition/repetition-study.js'
import { sampleResult } from '../../report/sample-result.js'

test('runs of which one is doubtful are, for --strict', () => {
  const verdictOf = (/** @type {any[]} */ warnings) =>
    REPETITION_STUDY.verdict(
      /** @type {any} */ ({ reason: null, held: null }),
      /** @type {any} */ ({ results: [sampleResult(), sampleResult({ warnings })] })
    )
  const late = { code: 'GENERATOR_BUSY', values: { workers: 1 }, message: '' }
  assert.equal(verdictOf([]).doubtful, false)
  assert.equal(verdictOf([late]).doubtful, true)
})
