import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { subStream } from '../../src/kit/random.js'
import { latinSquare } from '../../src/load/latin-square.js'

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

describe('a Latin square', () => {
  for (const items of ['a', 'ab', 'abc', 'abcd', 'abcde', 'abcdef', 'abcdefg'].map(text => [...text])) {
    it(`of ${items.length} has each item once in every row and every place`, () => {
      for (let seed = 1; seed <= 20; seed++) {
        const rows = latinSquare(items, random(seed))
        assert.equal(rows.length, items.length)
        const columns = items.map((_, place) => rows.map(row => row[place]))
        for (const line of [...rows, ...columns]) assert.deepEqual(line.toSorted(), items)
      }
    })

    if (items.length % 2 === 0) {
      it(`of ${items.length} has each item right after each other one, once`, () => {
        const counts = followers(latinSquare(items, random(7)))
        assert.deepEqual(Object.values(counts), new Array(items.length * (items.length - 1)).fill(1))
      })
    }
  }

  it('follows from the seed, and is another one for another seed', () => {
    const items = [...'abcd']
    const of = (/** @type {number} */ seed) => JSON.stringify(latinSquare(items, random(seed)))
    assert.equal(of(3), of(3))
    assert.ok(new Set(Array.from({ length: 20 }, (_, seed) => of(seed))).size > 10)
  })

  it('leaves what it is given as it is', () => {
    const items = Object.freeze(['x', 'y', 'z'])
    latinSquare(items, random(1))
    assert.deepEqual(items, ['x', 'y', 'z'])
  })
})
