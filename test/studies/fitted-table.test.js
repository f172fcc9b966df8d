import assert from 'node:assert/strict'
import { test } from 'node:test'
import { table } from '../../src/report/description.js'
import { fittedTable } from '../../src/studies/study-views.js'

/** @param {number} width - of its first cell */
const aTable = width =>
  table(
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
  fittedTable(aTable(width), [['Low', 'High'], ['Middle']]).columns.flatMap(([heading, , where]) =>
    where === 'wide' ? [] : heading
  )

test('a table leaves out the named columns, one group after the other, until it fits 80 columns', () => {
  // indent 2, gaps of 2, columns of 4, 4 and 6
  assert.deepEqual(shown(58), ['Name', 'Low', 'High', 'Middle'])
  assert.deepEqual(shown(59), ['Name', 'Middle'])
  assert.deepEqual(shown(70), ['Name', 'Middle'])
  assert.deepEqual(shown(71), ['Name'])
})
