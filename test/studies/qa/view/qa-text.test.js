import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { heldParts } from '../../../../src/studies/qa/result/held-parts.js'
import { qaText } from '../../../../src/studies/qa/view/qa-text.js'
import { aQaDocument } from '../a-qa-document.js'

describe('a quality report in words', () => {
  test('is a baseline where it was held against nothing', () => {
    const text = qaText(aQaDocument())
    assert.match(text, /^\*\*Result: N\/A, this is a baseline\.\*\*$/m)
    assert.match(text, /^\| Saturation +\| N\/A +\| nothing to hold it against/m)
    assert.doesNotMatch(text, /Quick:/)
  })

  test('says the verdict and of which baseline, part by part', () => {
    const before = aQaDocument({ id: 'old' })
    const held = heldParts(before, aQaDocument(), [])
    const text = qaText(aQaDocument({ held }))
    assert.match(text, new RegExp(`^\\*\\*Result: ${held.verdict} against old\\.\\*\\*$`, 'm'))
    assert.match(text, /^\| Saturation +\| PASS +\| all 1 cells/m)
  })

  test('warns of a quick one', () =>
    assert.match(
      qaText(aQaDocument({ quick: true })),
      /^- Quick: runs of seconds .* too short to hold releases/m
    ))

  test('has a row for each cell and each run', () => {
    const text = qaText(aQaDocument())
    for (const name of ['examined-1', 'examined-2', 'examined-3', 'steady'])
      assert.match(text, new RegExp(`^\\| ${name} `, 'm'))
    assert.match(text, /✗ 300 of 600/)
  })
})
