import '../../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { judgeFigures } from '../../../../../src/studies/validation/result/judge-measures.js'
import { validationPage } from '../../../../../src/studies/validation/view/page/validation-page.js'
import { aValidationDocument, sideResult } from '../../a-validation-document.js'

const REAL = Array.from({ length: 10 }, (_, i) => 2 + i / 1000)
/** @param {number} ratio */
const measure = ratio =>
  judgeFigures(
    { name: 'p50', real: REAL, simulated: REAL.map((x, i) => ratio * x * (1 + (i % 3) / 1000)) },
    0.05
  )

const VERDICT = {
  passed: false,
  conditions: [
    { name: /** @type {const} */ ('mesh'), figure: 0, limit: 0, met: true },
    { name: /** @type {const} */ ('load'), figure: 30, limit: 25, met: false }
  ],
  measures: [measure(1), { ...measure(1.5), name: /** @type {const} */ ('p99') }],
  counter: []
}
const NONE = { real: [], simulated: [], slower: [] }
const ALL = { real: [sideResult('real')], simulated: [sideResult('simulated')], slower: [] }

/** @param {Parameters<typeof aValidationDocument>[0]} parts @param {any} results @param {[string, string][]} [links] */
async function textOf(parts, results, links = []) {
  const page = await validationPage(aValidationDocument(parts), { results, links: new Map(links) })
  const text = page.replace(/<(style|svg|script)[\s\S]*?<\/\1>/g, '').replace(/<[^>]+>/g, ' ')
  return { page, text: text.replace(/[\s\u00a0]+/g, ' ') }
}

describe('the page of a validation', () => {
  test('says what agrees and what is met, and shows times of both sides', async () => {
    const { page, text } = await textOf({ verdict: VERDICT }, ALL, [['real/1', 'real/1/report.html']])
    for (const said of [
      'Complete: every run came to its end.',
      '1 of 2 measures agree.',
      '1 of 2 conditions of a comparison are met.',
      'p50, real',
      'p99, simulated',
      'Every parameter of the first simulated run'
    ])
      assert.ok(text.includes(said), said)
    assert.doesNotMatch(text, /p50, slower|Measures that agree/)
    assert.match(page, /<a href="real\/1\/report\.html">real, seed 7<\/a>/)
    assert.doesNotMatch(page, /<a href="[^"]*">simulated, seed/)
  })

  test('of which no run can be read any more says how many measures agree', async () => {
    const { text } = await textOf({ verdict: VERDICT }, NONE)
    assert.match(text, /Measures that agree 1 of 2/)
    assert.doesNotMatch(text, /p50, real/)
  })

  test('that did not end says why, or that it did not', async () => {
    const reason = { code: 'X', message: 'interrupted by SIGINT' }
    const { text } = await textOf({ status: 'partial', reason }, NONE)
    assert.match(text, /Not all runs are complete: interrupted by SIGINT\./)
    assert.doesNotMatch(text, /measures agree|Can it be compared/)
    const { text: killed } = await textOf({ status: 'running' }, { ...ALL, simulated: [] })
    assert.match(killed, /Not all runs are complete: the validation did not end\./)
    assert.doesNotMatch(killed, /Every parameter of the first simulated run/)
  })

  test('has a row for each run, with a dash where it was not made', async () => {
    const document = aValidationDocument()
    const pending = { ...document.runs.real[0], status: /** @type {const} */ ('pending'), run: null }
    const { text } = await textOf({ runs: { ...document.runs, real: [...document.runs.real, pending] } }, ALL)
    assert.match(text, /real, seed 7 complete .*real, seed 7 pending –/)
  })
})
