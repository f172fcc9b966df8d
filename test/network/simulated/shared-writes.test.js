import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Uint8ArrayList } from 'uint8arraylist'
import { SharedWrites } from '../../../src/simulator/network/shared-bytes.js'

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
