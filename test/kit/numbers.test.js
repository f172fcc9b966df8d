import assert from 'node:assert/strict'
import { test } from 'node:test'
import { median } from '../../src/kit/collections.js'
import {
  convertToOwnUnit,
  findUnitProblem,
  formatCount,
  formatDuration,
  formatSignificant,
  formatSize,
  formatWhole,
  formatWithUnit,
  parseBytes,
  parseDecimal
} from '../../src/kit/numbers.js'

/** @type {[is: string, should: string][]} */
const ROWS = [
  [formatWhole(1234567.6), '1,234,568'],
  [formatCount(1, 'node'), '1 node'],
  [formatCount(2000, 'process', 'processes'), '2,000 processes'],
  [formatSignificant(0.0004), '0.000'],
  [formatSignificant(9.996), '10.0'],
  [formatSignificant(123.6), '124'],
  [formatSignificant(999.5), '1,000'],
  [formatDuration(59_949), '59.9 s'],
  [formatDuration(59_950), '1 min 0 s'],
  [formatDuration(3_600_000), '1 h 0 min'],
  [formatWithUnit(1500, ''), '1,500'],
  [formatWithUnit(12.34, '/s'), '12.3/s'],
  [formatWithUnit(12.34, 'ms'), '12.3 ms']
]

for (const [is, should] of ROWS) test(`a number is written ${should}`, () => assert.equal(is, should))

test('a decimal number is read, and nothing else is one', () => {
  assert.deepEqual(
    ['12', '.5', '5.', '-3', '1e-05', '1.10e+02'].map(parseDecimal),
    [12, 0.5, 5, -3, 0.00001, 110]
  )
  for (const text of ['', ' ', '0x10', '0b1', 'Infinity', 'NaN', '1e400', '1,5', '1_000', '5ms'])
    assert.ok(Number.isNaN(parseDecimal(text)), text)
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
    assert.equal(parseBytes(text), bytes, text)
    assert.equal(parseBytes(formatSize(bytes)), bytes, formatSize(bytes))
  }
  for (const text of ['', 'kB', '0x10', '1e3', '-1', '1kbit', '1 k B', '5ms', 'Infinity'])
    assert.ok(Number.isNaN(parseBytes(text)), text)
  assert.deepEqual([64_000, 524_288, 1500, 2 ** 31].map(formatSize), ['64kB', '512KiB', '1500', '2GiB'])
})

test('a limit is turned into the unit that figures are kept in; a foreign unit is refused', () => {
  assert.equal(convertToOwnUnit('time', 1.1, 's'), 1100)
  assert.equal(convertToOwnUnit('memory', 1, 'GiB'), 1073.741824)
  assert.equal(findUnitProblem('rate', '/MIN'), null)
  assert.match(String(findUnitProblem('number', 'ms')), /takes no unit/)
})
