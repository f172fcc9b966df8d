import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ExpiryHeap } from '../../../src/server/store/memory-store.js'
import {
  Column,
  HashIndex,
  hashBytes,
  IdPool,
  mixBits,
  OrderList,
  Slab
} from '../../../src/server/store/off-heap.js'
import { random } from './random.js'

describe('Column', () => {
  it('is 0 until set, over the borders of its chunks', () => {
    const column = new Column(Float64Array)
    for (const index of [0, 16_383, 16_384, 100_000]) {
      assert.equal(column.get(index), 0)
      column.set(index, index + 0.5)
    }
    for (const index of [0, 16_383, 16_384, 100_000]) assert.equal(column.get(index), index + 0.5)
    assert.equal(column.get(99_999), 0)
  })
})

describe('IdPool', () => {
  it('gives numbers given back before new ones', () => {
    const ids = new IdPool()
    assert.deepEqual([ids.take(), ids.take(), ids.take()], [0, 1, 2])
    ids.release(1)
    assert.equal(ids.used, 2)
    assert.deepEqual([ids.take(), ids.take()], [1, 3])
    assert.equal(ids.used, 4)
  })
})

describe('HashIndex', () => {
  /** @param {HashIndex} index @param {number} hash */
  const entriesAt = (index, hash) => {
    const entries = []
    for (let entry = index.first(hash); entry >= 0; entry = index.next(entry)) entries.push(entry)
    return entries
  }

  for (const hashes of [1, 7, 1 << 30]) {
    it(`finds what was added and not removed, with ${hashes} different hashes`, () => {
      const next = random(hashes)
      const index = new HashIndex()
      /** @type {Map<number, number>} */
      const model = new Map()
      for (let step = 0; step < 6000; step++) {
        const entry = next(2000)
        if (model.delete(entry)) {
          index.remove(entry)
        } else {
          const hash = mixBits(next(hashes))
          index.add(entry, hash)
          model.set(entry, hash)
        }
      }
      assert.equal(index.size, model.size)
      for (let entry = 0; entry < 2000; entry++) {
        const hash = model.get(entry) ?? mixBits(entry)
        assert.equal(entriesAt(index, hash).includes(entry), model.has(entry))
      }
    })
  }

  it('keeps its chains short however many entries there are', () => {
    const index = new HashIndex()
    for (let entry = 0; entry < 50_000; entry++) index.add(entry, mixBits(entry))
    let longest = 0
    for (let entry = 0; entry < 50_000; entry++)
      longest = Math.max(longest, entriesAt(index, mixBits(entry)).length)
    assert.ok(longest < 16, `a chain of ${longest}`)
  })
})

describe('hashBytes', () => {
  it('depends on each byte and on the seed', () => {
    const hashes = new Set([hashBytes(Uint8Array.of(1, 2), 1)])
    for (const bytes of [[2, 1], [1, 3], [0, 2], [1], [1, 2, 0]])
      hashes.add(hashBytes(Uint8Array.from(bytes), 1))
    hashes.add(hashBytes(Uint8Array.of(1, 2), 2))
    assert.equal(hashes.size, 7)
  })
})

describe('OrderList', () => {
  const make = () => {
    const seqs = new Column(Float64Array)
    return { seqs, list: new OrderList(seqs) }
  }
  /** @param {OrderList} list @param {number} after @param {number} limit */
  const read = (list, after, limit) => {
    /** @type {number[]} */
    const ids = []
    list.visitAfter(after, id => ids.push(id) < limit)
    return ids
  }

  it('returns what is left in the order of appending, after any sequence number', () => {
    const next = random(3)
    const { seqs, list } = make()
    /** @type {Array<{ id: number, seq: number }>} */
    let model = []
    for (let seq = 1, id = 0; seq < 20_000; seq++) {
      // long runs of additions and of removals, at both ends and between
      if (Math.floor(seq / 3000) % 2 === 0 || model.length === 0) {
        seqs.set(id, seq)
        list.append(id)
        model.push({ id: id++, seq })
      } else {
        const at = [0, model.length - 1, next(model.length)][next(3)]
        list.remove(model[at].id)
        model = [...model.slice(0, at), ...model.slice(at + 1)]
      }
      if (seq % 500 > 0) continue
      const after = next(seq)
      const expected = model.filter(entry => entry.seq > after).map(entry => entry.id)
      assert.deepEqual(read(list, after, 300), expected.slice(0, 300))
      assert.deepEqual(read(list, after, 1), expected.slice(0, 1))
      assert.equal(list.size, model.length)
    }
  })

  it('reads a page without passing over what was removed', () => {
    let reads = 0
    const seqs = new (class extends Column {
      /** @param {number} index */
      get(index) {
        reads++
        return super.get(index)
      }
    })(Float64Array)
    const list = new OrderList(seqs)
    for (let id = 0; id < 100_000; id++) {
      seqs.set(id, id + 1)
      list.append(id)
    }
    for (let id = 0; id < 99_990; id++) list.remove(id)
    reads = 0
    assert.equal(read(list, 0, 20).length, 10)
    assert.equal(read(list, 50_000, 20).length, 10)
    assert.ok(reads < 600, `${reads} reads`)
  })
})

describe('ExpiryHeap', () => {
  it('names what is due, the earliest first, and nothing that was removed', () => {
    const next = random(5)
    const heap = new ExpiryHeap()
    /** @type {Map<number, number>} */
    const model = new Map()
    for (let step = 0; step < 5000; step++) {
      const entry = next(1000)
      if (model.delete(entry)) {
        heap.remove(entry)
      } else {
        const time = next(500)
        heap.add(entry, time)
        model.set(entry, time)
      }
    }
    assert.equal(heap.size, model.size)
    for (const now of [0, 100, 250, 499, 600]) {
      for (let entry = heap.due(now), last = 0; entry >= 0; entry = heap.due(now)) {
        assert.equal(heap.timeOf(entry), model.get(entry))
        assert.ok(heap.timeOf(entry) >= last && heap.timeOf(entry) <= now)
        last = heap.timeOf(entry)
        heap.remove(entry)
        model.delete(entry)
      }
      assert.ok([...model.values()].every(time => time > now))
    }
    assert.equal(heap.due(Infinity), -1)
  })
})

describe('Slab', () => {
  /** A slab whose blocks are known by their owners. */
  function makeSlab() {
    /** @type {Map<number, number>} */
    const refs = new Map()
    const slab = new Slab((owner, ref) => refs.set(owner, ref))
    const refOf = (/** @type {number} */ owner) => /** @type {number} */ (refs.get(owner))
    return {
      slab,
      refOf,
      put(/** @type {number} */ owner, /** @type {Uint8Array} */ bytes) {
        const ref = slab.allocate(bytes.length, owner)
        slab.write(ref, 0, bytes)
        refs.set(owner, ref)
      },
      free: (/** @type {number} */ owner) => slab.free(refOf(owner)),
      read(/** @type {number} */ owner) {
        const bytes = Buffer.alloc(slab.length(refOf(owner)))
        assert.equal(slab.copyTo(refOf(owner), bytes, 0), bytes.length)
        return bytes
      }
    }
  }

  it('returns what was put, through any number of replacements', () => {
    const next = random(9)
    const { slab, refOf, put, free, read } = makeSlab()
    /** @type {Array<Buffer | undefined>} */
    const model = []
    const sizes = [0, 1, 24, 25, 38, 215, 1000, 40_000, 300_000]
    for (let step = 0; step < 8000; step++) {
      const at = next(1000)
      const old = model[at]
      if (old !== undefined) {
        assert.ok(slab.equals(refOf(at), old))
        free(at)
      }
      model[at] = Buffer.alloc(sizes[next(step % 100 === 0 ? sizes.length : 6)], next(256))
      put(at, model[at])
    }
    for (const [owner, bytes] of model.entries())
      if (bytes !== undefined) assert.deepEqual(read(owner), bytes)
  })

  it('tells different bytes apart', () => {
    const { slab, refOf, put } = makeSlab()
    put(0, Uint8Array.of(1, 2, 3))
    assert.equal(slab.equals(refOf(0), Uint8Array.of(1, 2, 3)), true)
    for (const other of [[1, 2], [1, 2, 4], [1, 2, 3, 4], []]) {
      assert.equal(slab.equals(refOf(0), Uint8Array.from(other)), false)
    }
  })

  it('wastes little and uses space again, for other sizes too', () => {
    const { slab, put, free } = makeSlab()
    const fill = (/** @type {number} */ length) => {
      for (let owner = 0; owner < 20_000; owner++) put(owner, Buffer.alloc(length))
    }
    fill(215)
    const reserved = slab.reservedBytes
    assert.ok(reserved < 20_000 * 215 * 1.15)
    for (let round = 0; round < 5; round++) {
      for (let owner = 0; owner < 20_000; owner++) free(owner)
      fill(round % 2 === 0 ? 180 : 215)
    }
    assert.ok(slab.reservedBytes <= reserved + (1 << 18), `${slab.reservedBytes} after ${reserved}`)
  })

  it('keeps no page for a few blocks of it, whichever are left', () => {
    const { slab, put, free, read } = makeSlab()
    for (let owner = 0; owner < 20_000; owner++) put(owner, Buffer.alloc(1000, owner % 251))
    for (let owner = 0; owner < 20_000; owner++) if (owner % 200 !== 0) free(owner)
    assert.ok(slab.reservedBytes <= 3 << 18, `${slab.reservedBytes} for 100 blocks of 1,000 bytes`)
    for (let owner = 0; owner < 20_000; owner += 200) assert.equal(read(owner)[999], owner % 251)
  })
})
