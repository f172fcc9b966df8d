import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asMarkdown } from '../../../../src/kit/table.js'
import { operationTables } from '../../../../src/scenarios/rendezvous/view/operations-side-by-side.js'
import { sampleResult } from '../../../report/sample-result.js'
import { sideOf } from '../../../scenarios.js'

/** @param {string} label @param {'resident set' | 'container usage without page cache'} memoryCountedAs */
function side(label, memoryCountedAs) {
  const result = structuredClone(sampleResult())
  assert.ok(result.outcome.server)
  Object.assign(result.outcome.server, { memoryCountedAs })
  return sideOf(label, [result])
}

/** @param {ReturnType<typeof side>[]} sides */
function sideBySide(sides) {
  const { tables, notes } = operationTables(sides)
  return [...tables.map(asMarkdown), ...notes].join('\n')
}

/** @param {string} text */
const memoryRow = text => text.split('\n').find(line => line.includes('Server memory'))

describe('figures side by side', () => {
  test('have a ratio of memory when both sides count alike', () => {
    const text = sideBySide([side('a', 'resident set'), side('b', 'resident set')])
    assert.match(memoryRow(text) ?? '', /1\.000 \|$/)
    assert.doesNotMatch(text, /count differently/)
  })

  test('have no ratio of memory between a process and a container, and say so', () => {
    const text = sideBySide([side('a', 'resident set'), side('b', 'container usage without page cache')])
    assert.match(memoryRow(text) ?? '', /– \|$/)
    assert.match(text, /count differently and have no ratio\.$/)
  })
})
