import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeTable } from '../../src/report/description.js'
import { collectRunWarnings, fitTable } from '../../src/studies/study-views.js'
import { sampleResult } from '../report/sample-result.js'

test('warnings of several runs are said once for each code, those of most runs first', () => {
  const busy = { code: 'GENERATOR_LIMITED', values: { busy: null, overheads: [] } }
  const sampled = { code: 'SERVER_NOT_SAMPLED', values: {}, message: '' }
  const results = [[sampled], [busy, sampled], [sampled], []].map(warnings =>
    sampleResult({ warnings: /** @type {any} */ (warnings) })
  )
  const warnings = collectRunWarnings(results)
  assert.equal(warnings.map(({ code }) => code).join(' '), 'SERVER_NOT_SAMPLED GENERATOR_LIMITED')
  assert.match(warnings[0].text, /^3 of 4 runs: CPU and memory of the server are not known/)
})

test('a warning of a later version is shown by its code', () => {
  const later = { code: 'OF_A_LATER_VERSION', values: { count: 3 }, message: '' }
  const [{ text }] = collectRunWarnings([sampleResult({ warnings: /** @type {any} */ ([later]) })])
  assert.equal(text, '1 of 1 runs: OF_A_LATER_VERSION {"count":3}')
})

/** @param {number} width - of its first cell */
const aTable = width =>
  makeTable(
    't',
    'T',
    [{ name: 'x'.repeat(width) }],
    [
      ['Name', ({ name }) => name, 'text'],
      ['Low', () => 1, 'number'],
      ['High', () => 2, 'number'],
      ['Middle', () => 1.5, 'number']
    ]
  )

/** @param {number} width */
const shown = width =>
  fitTable(aTable(width), [['Low', 'High'], ['Middle']]).columns.flatMap(([heading, , where]) =>
    where === 'wide' ? [] : heading
  )

test('a table leaves out the named columns, one group after the other, until it fits 80 columns', () => {
  // indent 2, gaps of 2, columns of 4, 4 and 6
  assert.deepEqual(shown(58), ['Name', 'Low', 'High', 'Middle'])
  assert.deepEqual(shown(59), ['Name', 'Middle'])
  assert.deepEqual(shown(70), ['Name', 'Middle'])
  assert.deepEqual(shown(71), ['Name'])
})
