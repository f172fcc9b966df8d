import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { blocksIn, fittedTable } from '../../src/report/terminal-blocks.js'

/** @type {import('../../src/kit/table.js').Table} */
const TABLE = {
  headings: ['Name', 'Rate', 'Why'],
  align: ['l', 'r', 'l'],
  rows: [
    ['one', '250', 'a reason of several words'],
    ['two', '', 'x']
  ]
}

describe('a table at a terminal', () => {
  test('is as it is where there is room', () => {
    const [head, , row] = fittedTable(TABLE, 80).split('\n')
    assert.match(head, /^\| Name +\| +Rate \| Why +\|$/)
    assert.match(row, /^\| one +\| +250 \| a reason of several words \|$/)
  })

  test('is a block for each row where there is none, with its headings and without what is empty', () => {
    const text = fittedTable(TABLE, 42)
    assert.equal(text, 'Name one\n  Rate 250   Why a reason of several words\n\nName two\n  Why x')
    assert.equal(blocksIn(TABLE, 42), text)
    assert.equal(
      fittedTable(TABLE, 42, () => undefined),
      text
    )
  })

  test('breaks what is longer than a line between words, further in', () => {
    const lines = fittedTable(TABLE, 20).split('\n')
    assert.ok(
      lines.every(line => line.length <= 20),
      lines.join('\n')
    )
    assert.deepEqual(lines.slice(0, 3), ['Name one', '  Rate 250', '  Why a reason of'])
    assert.match(lines[3], /^ {4,}several words$/)
  })

  test('has better blocks where there are some', () =>
    assert.equal(
      fittedTable(TABLE, 42, () => [{ name: 'all', parts: [['a 1', 'b 2'], ['c 3']] }]),
      'all\n  a 1   b 2\n  c 3'
    ))
})
