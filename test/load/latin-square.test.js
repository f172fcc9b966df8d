import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { subStream } from '../../src/kit/random.js'
import { balancedOrders, balancedRows } from '../../src/load/trials.js'

/** @param {number} seed */
const random = seed => subStream(seed, 'order')

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
        const rows = balancedOrders(items, random(seed))
        assert.equal(rows.length, balancedRows(length))
        for (let first = 0; first < rows.length; first += length) {
          const square = rows.slice(first, first + length)
          const columns = items.map((_, place) => square.map(row => row[place]))
          for (const line of [...square, ...columns]) assert.deepEqual(line.toSorted(), items)
        }
      }
    })

    it(`of ${length} have each item right after each other one, as often`, () => {
      for (let seed = 1; seed <= 20; seed++) {
        const counts = followers(balancedOrders(items, random(seed)))
        assert.deepEqual(
          Object.values(counts),
          new Array(length * (length - 1)).fill(balancedRows(length) / length)
        )
      }
    })
  }

  it('follows from the seed, and is another one for another seed', () => {
    const items = [...'abcd']
    const of = (/** @type {number} */ seed) => JSON.stringify(balancedOrders(items, random(seed)))
    assert.equal(of(3), of(3))
    assert.ok(new Set(Array.from({ length: 20 }, (_, seed) => of(seed))).size > 10)
  })

  it('leaves what it is given as it is', () => {
    const items = Object.freeze(['x', 'y', 'z'])
    balancedOrders(items, random(1))
    assert.deepEqual(items, ['x', 'y', 'z'])
  })
})
