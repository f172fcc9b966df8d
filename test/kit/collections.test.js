import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import {
  computeSum,
  dealIndices,
  findLargest,
  findSnakeHand,
  groupNeighbours,
  Heap,
  joinWords,
  omitMissing,
  pickEvenly,
  splitEvenly
} from '../../src/kit/collections.js'
import { makeSubStream } from '../../src/kit/random.js'

test('a list leaves out what is not there, and keeps what is nothing but there', () => {
  assert.deepEqual(omitMissing(['a', null, undefined, false, 0, '']), ['a', 0, ''])
})

test('sums and largest are of numbers, or of what is read from items; of none they are 0', () => {
  assert.equal(computeSum([1, 2, 3.5]), 6.5)
  assert.equal(computeSum(new Uint8Array([200, 100])), 300)
  assert.equal(
    computeSum([{ n: 2 }, { n: 3 }], ({ n }) => n),
    5
  )
  assert.equal(findLargest([3, 7, 5]), 7)
  assert.equal(
    findLargest([{ n: 2 }, { n: 1 }], ({ n }) => n),
    2
  )
  assert.deepEqual([computeSum([]), findLargest([])], [0, 0])
})

test('a list in a sentence has commas, and an and before the last', () => {
  assert.deepEqual(
    [[], ['A'], ['A', 'B'], ['A', 'B', 'C']].map(items => joinWords(items)),
    ['', 'A', 'A and B', 'A, B and C']
  )
})

test('neighbours are put together until there are few enough groups', () => {
  assert.deepEqual(groupNeighbours([1, 2, 3, 4, 5], 2), [
    [1, 2, 3],
    [4, 5]
  ])
  assert.deepEqual(groupNeighbours([1, 2], 5), [[1], [2]])
  assert.deepEqual(groupNeighbours([], 3), [])
})

test('items that are spread come from all of a list, in order, and are all of a short one', () => {
  const ten = Array.from({ length: 10 }, (_, i) => i)
  assert.deepEqual(pickEvenly(ten, 10), ten)
  assert.deepEqual(pickEvenly(ten, 4), [0, 2, 5, 7])
  assert.deepEqual(pickEvenly([], 4), [])
})

const random = makeSubStream(7, 'shares')
const totals = [0, 1, 2, 3, 5, 999, 1000, 2 ** 31 + 1, Math.floor(random() * 1e6)]

describe('a total shared out', () => {
  for (const parts of [1, 2, 3, 7, 100]) {
    it(`among ${parts} loses nothing and differs by at most one`, () => {
      for (const total of totals) {
        const shares = splitEvenly(total, parts)
        assert.equal(shares.length, parts)
        assert.equal(
          shares.reduce((sum, n) => sum + n, 0),
          total
        )
        assert.ok(Math.max(...shares) - Math.min(...shares) <= 1)
        assert.ok(shares.every(share => Number.isInteger(share) && share >= 0))
      }
    })
  }

  it('gives the first ones what is left over', () => assert.deepEqual(splitEvenly(8, 3), [3, 3, 2]))
})

describe('indices dealt like cards', () => {
  for (const [total, hands, expected] of /** @type {[number, number, number[][]][]} */ ([
    [5, 1, [[0, 1, 2, 3, 4]]],
    [
      5,
      2,
      [
        [0, 2, 4],
        [1, 3]
      ]
    ],
    [2, 3, [[0], [1], []]],
    [0, 2, [[], []]]
  ])) {
    it(`are ${JSON.stringify(expected)} for ${total} among ${hands}`, () => {
      assert.deepEqual(
        expected.map((_, hand) => dealIndices(total, hand, hands)),
        expected
      )
    })
  }

  for (const hands of [1, 2, 3, 7]) {
    it(`reach each of ${hands} hands evenly, every index once`, () => {
      for (const total of [1, 6, 1000, Math.floor(random() * 5000)]) {
        const all = Array.from({ length: hands }, (_, hand) => dealIndices(total, hand, hands))
        assert.deepEqual(
          all.flat().sort((a, b) => a - b),
          Array.from({ length: total }, (_, i) => i)
        )
        assert.deepEqual(
          all.map(hand => hand.length),
          splitEvenly(total, hands)
        )
      }
    })
  }

  it('give each client of a worker as many operations as it was prepared for', () => {
    // the open loop sends a worker's operations to its clients in turn
    for (const [operations, workers, clients] of [
      [100, 3, 4],
      [7, 2, 5],
      [1, 3, 2]
    ]) {
      for (let worker = 0; worker < workers; worker++) {
        const own = dealIndices(operations, worker, workers)
        const sent = Array(clients).fill(0)
        for (let arrival = 0; arrival < own.length; arrival++) sent[arrival % clients]++
        assert.deepEqual(splitEvenly(own.length, clients), sent)
      }
    }
  })
})

describe('indices dealt back and forth', () => {
  it('begin each round where the last one ended', () => {
    assert.deepEqual(
      Array.from({ length: 8 }, (_, index) => findSnakeHand(index, 3)),
      [0, 1, 2, 2, 1, 0, 0, 1]
    )
  })

  it('make hands alike of what gets less and less', () => {
    const sums = [0, 0]
    for (let index = 0; index < 100; index += 1) sums[findSnakeHand(index, 2)] += 100 - index
    assert.equal(sums[0], sums[1])
  })
})

/** @typedef {{ key: number, name: number }} Entry */

/** @param {Entry} a @param {Entry} b */
const inOrder = (a, b) => a.key - b.key || a.name - b.name

/** Entries of which many have the same key. @param {number} count @param {number} keys @returns {Entry[]} */
function entries(count, keys) {
  const random = makeSubStream('heap', 'keys')
  return Array.from({ length: count }, (_, name) => ({ key: Math.floor(random() * keys) * 1e12, name }))
}

describe('a heap', () => {
  it('gives entries in the order of their keys, and of those with one key in the order asked for', () => {
    for (const count of [0, 1, 2, 4, 5, 6, 64, 65, 1000]) {
      const all = entries(count, 20)
      const heap = /** @type {Heap<Entry>} */ (new Heap({ isBefore: (a, b) => a.name < b.name }))
      for (const entry of all) heap.add(entry, entry.key)
      assert.equal(heap.size, count)
      const taken = []
      while (heap.size > 0) {
        assert.equal(heap.firstKey, heap.first()?.key)
        taken.push(heap.take())
      }
      assert.deepEqual(taken, all.toSorted(inOrder))
      assert.equal(heap.take(), undefined)
      assert.equal(heap.firstKey, Infinity)
    }
  })

  it('stays in order while entries come and go', () => {
    const heap = /** @type {Heap<Entry>} */ (new Heap({ isBefore: (a, b) => a.name < b.name }))
    /** @type {Entry[]} */
    const there = []
    for (const entry of entries(3000, 500)) {
      heap.add(entry, entry.key)
      there.push(entry)
      if (entry.name % 3 === 0) continue
      there.sort(inOrder)
      assert.equal(heap.take(), there.shift())
    }
  })

  it('tells where entries stand, so that each can be taken out', () => {
    /** @type {Map<Entry, number>} */
    const places = new Map()
    const heap = /** @type {Heap<Entry>} */ (new Heap({ placed: (entry, place) => places.set(entry, place) }))
    const all = entries(500, 1000)
    for (const entry of all) heap.add(entry, entry.key)
    const [gone, left] = [all.filter(({ name }) => name % 3 > 0), all.filter(({ name }) => name % 3 === 0)]
    for (const entry of gone) {
      const place = /** @type {number} */ (places.get(entry))
      assert.equal(heap.keyAt(place), entry.key)
      heap.removeAt(place)
    }
    const taken = Array.from(left, () => heap.take()?.key)
    assert.deepEqual(
      taken,
      left.map(({ key }) => key).sort((a, b) => a - b)
    )
    assert.equal(heap.size, 0)
  })

  it('is empty when it was cleared, and works again', () => {
    const heap = /** @type {Heap<string>} */ (new Heap())
    for (let i = 0; i < 100; i++) heap.add('old', i)
    heap.clear()
    assert.deepEqual([heap.size, heap.first(), heap.firstKey], [0, undefined, Infinity])
    heap.add('late', 2)
    heap.add('early', 1)
    assert.equal(heap.take(), 'early')
  })
})
