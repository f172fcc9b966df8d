import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enumerated, grouping, largestOf, present, spread, sumOf } from '../../src/kit/collections.js'

test('a list leaves out what is not there, and keeps what is nothing but there', () => {
  assert.deepEqual(present(['a', null, undefined, false, 0, '']), ['a', 0, ''])
})

test('sums and largest are of numbers, or of what is read from items; of none they are 0', () => {
  assert.equal(sumOf([1, 2, 3.5]), 6.5)
  assert.equal(sumOf(new Uint8Array([200, 100])), 300)
  assert.equal(
    sumOf([{ n: 2 }, { n: 3 }], ({ n }) => n),
    5
  )
  assert.equal(largestOf([3, 7, 5]), 7)
  assert.equal(
    largestOf([{ n: 2 }, { n: 1 }], ({ n }) => n),
    2
  )
  assert.deepEqual([sumOf([]), largestOf([])], [0, 0])
})

test('a list in a sentence has commas, and an and before the last', () => {
  assert.deepEqual(
    [[], ['A'], ['A', 'B'], ['A', 'B', 'C']].map(items => enumerated(items)),
    ['', 'A', 'A and B', 'A, B and C']
  )
})

test('neighbours are put together until there are few enough groups', () => {
  assert.deepEqual(grouping([1, 2, 3, 4, 5], 2), [
    [1, 2, 3],
    [4, 5]
  ])
  assert.deepEqual(grouping([1, 2], 5), [[1], [2]])
  assert.deepEqual(grouping([], 3), [])
})

test('items that are spread come from all of a list, in order, and are all of a short one', () => {
  const ten = Array.from({ length: 10 }, (_, i) => i)
  assert.deepEqual(spread(ten, 10), ten)
  assert.deepEqual(spread(ten, 4), [0, 2, 5, 7])
  assert.deepEqual(spread([], 4), [])
})
