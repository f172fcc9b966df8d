import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnsOf, roomOf, withWidth } from '../../src/kit/text-layout.js'

test('a terminal of 0 columns has 80, now and after it was resized', () => {
  const terminal = withWidth({ isTTY: true, columns: 0 })
  assert.equal(terminal.columns, 80)
  terminal.columns = 20
  assert.equal(terminal.columns, 20)
  terminal.columns = 0
  assert.equal(terminal.columns, 80)
})

test('a file keeps that it has no width', () => {
  assert.deepEqual(withWidth({}), {})
  assert.equal(columnsOf({}), 80)
})

test('a line beside a mark has room for a letter in the narrowest terminal', () => {
  assert.deepEqual(
    [1, 5, 6, 20].map(columns => roomOf({ columns })),
    [1, 1, 1, 15]
  )
})
