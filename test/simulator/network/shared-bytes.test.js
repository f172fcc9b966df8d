import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Uint8ArrayList } from 'uint8arraylist'
import { ByteCache, SharedWrites } from '../../../src/simulator/network/shared-bytes.js'

const FULL = 1000
/** @param {number} bytes @param {number} value @param {number} [end] - what the last byte is */
const bytesOf = (bytes, value, end = value) => {
  const made = new Uint8Array(bytes).fill(value)
  made[bytes - 1] = end
  return made
}

/** Numbers what is made, from 0. */
function counting() {
  let made = 0
  return () => made++
}

describe('what was made of bytes', () => {
  it('is there again for the same bytes, and not for others', () => {
    const [known, make] = [new ByteCache(FULL), counting()]
    const all = [
      bytesOf(9, 1),
      bytesOf(9, 2),
      bytesOf(10, 1),
      bytesOf(9, 1),
      bytesOf(9, 2),
      new Uint8Array(0)
    ]
    const found = all.map(bytes => known.of(bytes, make))
    assert.deepEqual(found, [0, 1, 2, 0, 1, 3])
  })

  it('is not that of bytes that differ only at their end', () => {
    const [known, make] = [new ByteCache(FULL), counting()]
    const all = [bytesOf(200, 1, 2), bytesOf(200, 1, 3), bytesOf(200, 1, 3), bytesOf(200, 1, 2)]
    const found = all.map(bytes => known.of(bytes, make))
    assert.deepEqual(found, [0, 1, 1, 2])
  })

  it('is forgotten when there are too many, the oldest first', () => {
    const [known, make] = [new ByteCache(FULL), counting()]
    const [first, second, third] = [bytesOf(400, 1), bytesOf(400, 2), bytesOf(400, 3)]
    const all = [first, second, third, second, third, first]
    const found = all.map(bytes => known.of(bytes, make))
    assert.deepEqual(found, [0, 1, 2, 1, 2, 3])
  })

  it('is made for bytes that are too many by themselves, each time', () => {
    const [known, make] = [new ByteCache(FULL), counting()]
    const all = [bytesOf(10, 1), bytesOf(FULL + 1, 1), bytesOf(FULL + 1, 1), bytesOf(10, 1)]
    const found = all.map(bytes => known.of(bytes, make))
    assert.deepEqual(found, [0, 1, 2, 3])
  })
})

/** @param {number} bytes @param {number} value */
const rpc = (bytes, value) => new Uint8Array(bytes).fill(value)
/** As gossipsub writes it: its length, then itself. @param {Uint8Array} rpc */
const framed = rpc => new Uint8ArrayList(Uint8Array.of((rpc.length & 127) | 128, rpc.length >> 7), rpc)

describe('writes that are shared', () => {
  it('are the same bytes for the same contents, and those that were written', () => {
    const writes = new SharedWrites()
    const [first, again, other] = [1, 1, 2].map(value => writes.of(framed(rpc(1000, value))))
    assert.equal(first, again)
    assert.deepEqual(first.subarray(), framed(rpc(1000, 1)).subarray())
    assert.deepEqual(other.subarray(), framed(rpc(1000, 2)).subarray())
  })

  it('are other bytes than what the writer holds, which he may change', () => {
    const writes = new SharedWrites()
    const [mine, theirs] = [rpc(1000, 1), rpc(1000, 1)]
    const shared = writes.of(framed(mine)).slice()
    mine.fill(9)
    assert.deepEqual(writes.of(framed(theirs)).slice(), shared)
  })

  for (const [what, write] of /** @type {[string, Uint8ArrayList][]} */ ([
    ['small ones', framed(rpc(100, 1))],
    ['several RPCs at once', new Uint8ArrayList(...[1, 2].map(value => framed(rpc(1000, value))))],
    ['a part of one', new Uint8ArrayList(rpc(1000, 1))]
  ]))
    it(`are not ${what}`, () => {
      assert.equal(new SharedWrites().of(write), write)
    })

  it('are not the same when what stands before differs', () => {
    const writes = new SharedWrites()
    writes.of(new Uint8ArrayList(Uint8Array.of(1), rpc(1000, 1)))
    const other = new Uint8ArrayList(Uint8Array.of(2), rpc(1000, 1))
    assert.equal(writes.of(other), other)
    const longer = new Uint8ArrayList(Uint8Array.of(1, 1), rpc(1000, 1))
    assert.equal(writes.of(longer), longer)
  })
})
