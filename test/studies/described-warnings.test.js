import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runWarnings } from '../../src/studies/study-views.js'
import { sampleResult } from '../report/sample-result.js'

test('warnings of several runs are said once for each code, those of most runs first', () => {
  const busy = { code: 'GENERATOR_LIMITED', values: { busy: null, overheads: [] } }
  const sampled = { code: 'SERVER_NOT_SAMPLED', values: {}, message: '' }
  const results = [[sampled], [busy, sampled], [sampled], []].map(warnings =>
    sampleResult({ warnings: /** @type {any} */ (warnings) })
  )
  const warnings = runWarnings(results)
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['SERVER_NOT_SAMPLED', 'GENERATOR_LIMITED']
  )
  assert.match(warnings[0].text, /^3 of 4 runs: CPU and memory of the server are not known/)
})

test('a warning of a later version is shown by its code', () => {
  const later = { code: 'OF_A_LATER_VERSION', values: { count: 3 }, message: '' }
  const [{ text }] = runWarnings([sampleResult({ warnings: /** @type {any} */ ([later]) })])
  assert.equal(text, '1 of 1 runs: OF_A_LATER_VERSION {"count":3}')
})
