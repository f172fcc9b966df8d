import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compared, orderOf } from '../../../../src/report/page/script/tables.js'

for (const [text, order] of /** @type {[string, number | null][]} */ ([
  ['1,552', 1552],
  ['> 380', 380],
  ['1.78*', 1.78],
  ['35 / 34 / 46', 35],
  ['−56.0 %', -56],
  ['+178 %', 178],
  ['250 ms', 250],
  ['1.5 s', 1500],
  ['2 min 25 s', 145_000],
  ['–', null],
  ['REGISTER', null]
]))
  test(`a table sorts ${text} by ${order}`, () => assert.equal(orderOf(text), order))

test('what says nothing comes last, up and down', () => {
  const cells = ['–', '10', '2', '250 ms']
  assert.deepEqual(
    cells.toSorted((a, b) => compared(a, b, 1)),
    ['2', '10', '250 ms', '–']
  )
  assert.deepEqual(
    cells.toSorted((a, b) => compared(a, b, -1)),
    ['250 ms', '10', '2', '–']
  )
  assert.deepEqual(
    ['b2', 'b10', 'a'].sort((a, b) => compared(a, b, 1)),
    ['a', 'b2', 'b10']
  )
})
