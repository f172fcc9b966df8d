import assert from 'node:assert/strict'
import { test } from 'node:test'
import { median } from '../../src/kit/collections.js'
import {
  bytesIn,
  counted,
  decimal,
  grouped,
  inOwnUnit,
  significant,
  sizeText,
  spell,
  unitProblem,
  withUnit
} from '../../src/kit/numbers.js'

/** @type {[is: string, should: string][]} */
const ROWS = [
  [grouped(1234567.6), '1,234,568'],
  [counted(1, 'node'), '1 node'],
  [counted(2000, 'process', 'processes'), '2,000 processes'],
  [significant(0.0004), '0.000'],
  [significant(9.996), '10.0'],
  [significant(123.6), '124'],
  [significant(999.5), '1,000'],
  [spell(59_949), '59.9 s'],
  [spell(59_950), '1 min 0 s'],
  [spell(3_600_000), '1 h 0 min'],
  [withUnit(1500, ''), '1,500'],
  [withUnit(12.34, '/s'), '12.3/s'],
  [withUnit(12.34, 'ms'), '12.3 ms']
]

for (const [is, should] of ROWS) test(`a number is written ${should}`, () => assert.equal(is, should))

test('a decimal number is read, and nothing else is one', () => {
  assert.deepEqual(['12', '.5', '5.', '-3', '1e-05', '1.10e+02'].map(decimal), [12, 0.5, 5, -3, 0.00001, 110])
  for (const text of ['', ' ', '0x10', '0b1', 'Infinity', 'NaN', '1e400', '1,5', '1_000', '5ms'])
    assert.ok(Number.isNaN(decimal(text)), text)
})

test('the median is the value in the middle, or the mean of the two in the middle', () => {
  assert.equal(median([3, 1, 2]), 2)
  assert.equal(median([4, 1, 2, 3]), 2.5)
  assert.ok(Number.isNaN(median([])))
})

test('a size is read with its unit, or as bytes, and written so that it is read again', () => {
  /** @type {[string, number][]} */
  const sizes = [
    ['1048576', 1_048_576],
    ['64kB', 64_000],
    ['64 KB', 64_000],
    ['1KiB', 1024],
    ['1.1kb', 1100],
    ['10M', 10_000_000],
    ['1.5MiB', 1_572_864],
    ['2 GiB', 2 ** 31],
    ['1tb', 1e12],
    ['0', 0]
  ]
  for (const [text, bytes] of sizes) {
    assert.equal(bytesIn(text), bytes, text)
    assert.equal(bytesIn(sizeText(bytes)), bytes, sizeText(bytes))
  }
  for (const text of ['', 'kB', '0x10', '1e3', '-1', '1kbit', '1 k B', '5ms', 'Infinity'])
    assert.ok(Number.isNaN(bytesIn(text)), text)
  assert.deepEqual([64_000, 524_288, 1500, 2 ** 31].map(sizeText), ['64kB', '512KiB', '1500', '2GiB'])
})

test('a limit is turned into the unit that figures are kept in; a foreign unit is refused', () => {
  assert.equal(inOwnUnit('time', 1.1, 's'), 1100)
  assert.equal(inOwnUnit('memory', 1, 'GiB'), 1073.741824)
  assert.equal(unitProblem('rate', '/MIN'), null)
  assert.match(String(unitProblem('number', 'ms')), /takes no unit/)
})
