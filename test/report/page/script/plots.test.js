import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areasOf, said, share, ticks } from '../../../../src/report/page/script/chart.js'
import { covered } from '../../../../src/report/page/script/flames.js'
import { csvOf, fileName } from '../../../../src/report/page/script/parts.js'
import { joined, nearest } from '../../../../src/report/page/script/plots.js'

/** @param {(readonly [number, number | null])[]} values */
const line = values => ({ label: '', colour: '', values })

test('series of other times stand on the same ones, a step keeps both its values', () => {
  const { xs, columns } = joined(
    [
      line([
        [0, 1],
        [2, 1],
        [2, 5]
      ]),
      line([[1, 7]])
    ],
    [0, 4]
  )
  assert.deepEqual(
    xs.map(x => Number(x.toFixed(3))),
    [0, 1, 2, 2, 4]
  )
  assert.deepEqual(columns[0], [1, undefined, 1, 5, undefined])
  assert.deepEqual(columns[1], [undefined, 7, undefined, undefined, undefined])
})

test('a level from end to end holds everywhere', () => {
  const { columns } = joined(
    [
      line([
        [0, 3],
        [4, 3]
      ]),
      line([[1, 7]])
    ],
    [0, 4]
  )
  assert.deepEqual(columns[0], [3, 3, 3])
})

test('points in no order stay where they are, a level of a part ends with it', () => {
  const { xs, columns } = joined(
    [
      line([
        [3, 30],
        [1, 10],
        [2, 20]
      ]),
      line([
        [1, 5],
        [2, 5]
      ])
    ],
    [0, 4]
  )
  assert.deepEqual(xs, [0, 1, 2, 3, 4])
  assert.deepEqual(columns[0], [undefined, 10, 20, 30, undefined])
  assert.deepEqual(columns[1], [undefined, 5, 5, undefined, undefined])
})

test('what is pointed at is the nearest value, and none beyond the ends of a series', () => {
  const column = [undefined, 4, undefined, undefined, null, 6, undefined]
  assert.deepEqual(
    column.map((_, at) => nearest(column, at)),
    [null, 1, 1, 1, 5, 5, null]
  )
})

test('values have three digits, shares as many nines as they need', () => {
  assert.deepEqual([0, 0.12345, 12.345, 1234.5, 1e6].map(said), ['0', '0.123', '12.3', '1,235', '1,000,000'])
  assert.deepEqual([0, Math.log10(2), 1, 2, 3, 4].map(share), ['0', '50', '90', '99', '99.9', '99.99'])
})

test('an axis keeps its numbers, and has round ones once they are out of sight', () => {
  const axis = { title: '', domain: null, log: true, values: [1, 10, 100] }
  assert.deepEqual(ticks(1, 100, axis), [1, 10, 100])
  assert.deepEqual(ticks(2, 8, axis), [2, 3, 4, 5, 6, 7, 8])
  assert.deepEqual(ticks(0, 50, { title: '', domain: null }), [0, 10, 20, 30, 40, 50])
  assert.deepEqual(ticks(200, 90_000, { ...axis, values: [] }), [1000, 10_000])
})

test('what was found in a flame graph counts once, however deep', () => {
  assert.equal(
    covered([
      { from: 0.5, to: 0.75 },
      { from: 0, to: 0.25 },
      { from: 0.125, to: 0.25 }
    ]),
    0.5
  )
})

test('CSV quotes what it must, files have plain names', () => {
  assert.equal(
    csvOf([
      ['a,b', 'say "x"'],
      [1, '']
    ]),
    '"a,b","say ""x"""\n1,\n'
  )
  assert.equal(fileName('CPU, % of one core'), 'cpu-of-one-core')
})

test('an area is between a series and the one before it', () => {
  const one = line([[0, 1]])
  const areas = areasOf([one, one, { ...one, below: true }, one], () => 'rgb(1, 2, 3)')
  assert.deepEqual(
    areas.map(({ series, fill }) => [series, fill()]),
    // the first of uPlot is x
    [[[2, 3], 'rgba(1, 2, 3, 0.2)']]
  )
})
