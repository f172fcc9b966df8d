import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeSubStream } from '../../src/kit/random.js'
import {
  computeLeadInMs,
  computePairMs,
  countBalancedRows,
  countIntervalSlots,
  estimateHostileMs,
  findFirstSlot,
  findRecovery,
  findSlowestTenth,
  getPairOrder,
  makeBalancedOrders,
  searchRate
} from '../../src/load/trials.js'
import { Histogram } from '../../src/measure/histogram.js'

/** A system that carries up to a rate, and what it was asked for. @param {number} capacity */
function systemOf(capacity) {
  /** @type {number[]} */
  const tried = []
  const carries = async (/** @type {number} */ rate) => {
    tried.push(rate)
    return rate <= capacity
  }
  return { tried, carries }
}

describe('the search for a rate that is carried', () => {
  /** @type {[string, number, Parameters<typeof searchRate>[1], Awaited<ReturnType<typeof searchRate>>, number[]][]} */
  const rows = [
    [
      'doubles, then halves what lies between',
      11.2,
      { from: 1 },
      { carried: 11, notCarried: 12 },
      [1, 2, 4, 8, 16, 12, 10, 11]
    ],
    ['is done when the first rate is too much', 0.5, { from: 1 }, { carried: null, notCarried: 1 }, [1]],
    [
      'stops at the most asked for',
      1e9,
      { from: 3, maxRate: 10 },
      { carried: 10, notCarried: null },
      [3, 6, 10]
    ],
    ['tries no rate above it', 50, { from: 20, maxRate: 10 }, { carried: 10, notCarried: null }, [10]],
    [
      'takes a finer tolerance',
      5,
      { from: 4, tolerance: 0.05 },
      { carried: 5, notCarried: 5.25 },
      [4, 8, 6, 5, 5.5, 5.25]
    ],
    [
      'ends where rates can no longer be told apart',
      100.4,
      { from: 100, tolerance: 0 },
      { carried: 100, notCarried: 101 },
      [100, 200, 150, 125, 113, 107, 104, 102, 101]
    ]
  ]
  for (const [what, capacity, options, expected, tried] of rows) {
    it(what, async () => {
      const system = systemOf(capacity)
      assert.deepEqual(await searchRate(system.carries, options), expected)
      assert.deepEqual(system.tried, tried)
    })
  }

  it('brings the capacity of any system between two rates a tenth apart', async () => {
    for (let capacity = 0.3; capacity < 5000; capacity *= 1.37) {
      const { carried, notCarried } = await searchRate(systemOf(capacity).carries, { from: 0.1 })
      assert.ok(carried !== null && notCarried !== null)
      assert.ok(carried <= capacity && capacity < notCarried, `${carried} ${capacity} ${notCarried}`)
      assert.ok(notCarried - carried <= 0.1 * notCarried + 1e-9, `${carried} to ${notCarried}`)
    }
  })

  it('fails when a trial does', async () => {
    const broken = searchRate(() => Promise.reject(new Error('a worker died')), { from: 1 })
    await assert.rejects(broken, /a worker died/)
  })
})

describe('stretches with and without hostile peers', () => {
  it('take turns, and who comes first does, too', () => {
    assert.deepEqual([0, 1, 2].map(getPairOrder), [
      [false, true],
      [true, false],
      [false, true]
    ])
  })

  it('have a lead-in each, as long as a short stretch, or 1.5 s', () => {
    assert.deepEqual([500, 10_000].map(computeLeadInMs), [500, 1500])
    assert.deepEqual([500, 10_000].map(computePairMs), [2000, 23_000])
    assert.equal(estimateHostileMs(6, 10_000), 156_000)
  })

  it('begin with a whole slot', () => {
    assert.deepEqual([0, 1, 250, 251].map(findFirstSlot), [0, 1, 1, 2])
  })
})

describe('recovery', () => {
  for (const [
    since,
    maxQuiet,
    expected
  ] of /** @type {[(number | null)[], number | null, number | null][]} */ ([
    [[5, 4], 5, 0],
    [[9, 5, 9, 5, 5], 5, 3],
    [[9, 5], 5, null],
    [[Infinity, Infinity], 5, null],
    [[null, 5, 5], 5, 1],
    [[], 5, null],
    [[1, 1], null, null]
  ]))
    it(`of ${JSON.stringify(since)} beside ${maxQuiet} is ${expected}`, () =>
      assert.equal(findRecovery(since, maxQuiet), expected))

  it('is read from intervals of ten operations', () => {
    assert.deepEqual([50, 10, 4, 2.5].map(countIntervalSlots), [1, 1, 3, 4])
  })

  it('is that of nine in ten operations of an interval, where there are enough', () => {
    const operations = new Histogram()
    operations.addPairs([
      [1, 9],
      [Infinity, 1]
    ])
    assert.equal(findSlowestTenth(operations), 1)
    operations.addPairs([[Infinity, 1]])
    assert.equal(findSlowestTenth(operations), Infinity)
    assert.equal(findSlowestTenth(new Histogram()), null)
  })
})

/** @param {number} seed */
const random = seed => makeSubStream(seed, 'order')

/** How often each item comes right after each other one. @param {string[][]} rows */
function followers(rows) {
  /** @type {Record<string, number>} */
  const counts = {}
  for (const row of rows) {
    for (const [place, item] of row.slice(1).entries()) {
      const pair = `${row[place]}${item}`
      counts[pair] = (counts[pair] ?? 0) + 1
    }
  }
  return counts
}

describe('orders', () => {
  for (const items of ['a', 'ab', 'abc', 'abcd', 'abcde', 'abcdef', 'abcdefg'].map(text => [...text])) {
    const { length } = items

    it(`of ${length} have each item once in every row, and in every place in each ${length} of them`, () => {
      for (let seed = 1; seed <= 20; seed++) {
        const rows = makeBalancedOrders(items, random(seed))
        assert.equal(rows.length, countBalancedRows(length))
        for (let first = 0; first < rows.length; first += length) {
          const square = rows.slice(first, first + length)
          const columns = items.map((_, place) => square.map(row => row[place]))
          for (const line of [...square, ...columns]) assert.deepEqual(line.toSorted(), items)
        }
      }
    })

    it(`of ${length} have each item right after each other one, as often`, () => {
      for (let seed = 1; seed <= 20; seed++) {
        const counts = followers(makeBalancedOrders(items, random(seed)))
        assert.deepEqual(
          Object.values(counts),
          new Array(length * (length - 1)).fill(countBalancedRows(length) / length)
        )
      }
    })
  }

  it('follows from the seed, and is another one for another seed', () => {
    const items = [...'abcd']
    const of = (/** @type {number} */ seed) => JSON.stringify(makeBalancedOrders(items, random(seed)))
    assert.equal(of(3), of(3))
    assert.ok(new Set(Array.from({ length: 20 }, (_, seed) => of(seed))).size > 10)
  })

  it('leaves what it is given as it is', () => {
    const items = Object.freeze(['x', 'y', 'z'])
    makeBalancedOrders(items, random(1))
    assert.deepEqual(items, ['x', 'y', 'z'])
  })
})
