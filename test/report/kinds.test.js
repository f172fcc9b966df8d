import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCell, formatPlainCell, readCell } from '../../src/report/kinds.js'

/** @typedef {import('../../src/report/schema.js').Cell} Cell */

/** @type {readonly [cell: Cell, kind: Parameters<typeof formatCell>[1], people: string, programs: string, value: string | number | null][]} */
const CELLS = [
  [29_480, 'count', '29,480', '29480', 29_480],
  [-29_480, 'count', '-29,480', '-29480', -29_480],
  [4.9123, 'ms', '4.91', '4.912', 4.9123],
  [12_345.67, 'ms', '12,346', '12346', 12_345.67],
  [0.1 + 0.2, 'number', '0.300', '0.3', 0.3],
  [{ atLeast: 10_000 }, 'ms', '> 10,000', '10000', 10_000],
  [{ value: 82, kind: 'percent' }, 'text', '82.0 %', '82 %', 82],
  [{ value: { atLeast: 5 }, kind: 'ms' }, 'text', '> 5.00 ms', '5 ms', 5],
  [{ value: null, kind: 'ms' }, 'text', '–', '–', null],
  [100, 'percent', '100', '100', 100],
  [99.996, 'percent', '99.99', '100', 99.996],
  ['in a process', 'ms', 'in a process', 'in a process', 'in a process'],
  ['', 'text', '–', '–', ''],
  [null, 'ms', '–', '–', null],
  [Number.NaN, 'ms', '–', '–', null]
]

for (const [cell, kind, people, programs, value] of CELLS)
  test(`${JSON.stringify(cell)} of ${kind} is ${people} for people and ${programs} for programs`, () => {
    assert.equal(formatCell(cell, kind), people)
    assert.equal(formatPlainCell(cell, kind), programs)
    assert.equal(readCell(cell), value)
  })

test('a unit stands behind a number that no heading names one for', () => {
  const written = /** @type {const} */ (['ms', 's', 'percent', 'MB', 'perSecond', 'count', 'number']).map(
    kind => formatCell(5, kind, { withUnit: true })
  )
  assert.deepEqual(written, ['5.00 ms', '5.00 s', '5.00 %', '5.00 MB', '5.00/s', '5', '5.00'])
  assert.equal(formatCell(null, 'ms', { withUnit: true }), '–')
})
