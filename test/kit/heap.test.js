import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Heap } from '../../src/kit/collections.js'
import { subStream } from '../../src/kit/random.js'

/** @typedef {{ key: number, name: number }} Entry */

/** @param {Entry} a @param {Entry} b */
const inOrder = (a, b) => a.key - b.key || a.name - b.name

/** Entries of which many have the same key. @param {number} count @param {number} keys @returns {Entry[]} */
function entries(count, keys) {
  const random = subStream('heap', 'keys')
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
