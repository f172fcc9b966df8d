import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KnownBytes } from '../../../src/simulator/network/shared-bytes.js'

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
    const [known, make] = [new KnownBytes(FULL), counting()]
    const all = [
      bytesOf(9, 1),
      bytesOf(9, 2),
      bytesOf(10, 1),
      bytesOf(9, 1),
      bytesOf(9, 2),
      new Uint8Array(0)
    ]
    assert.deepEqual(
      all.map(bytes => known.of(bytes, make)),
      [0, 1, 2, 0, 1, 3]
    )
  })

  it('is not that of bytes that differ only at their end', () => {
    const [known, make] = [new KnownBytes(FULL), counting()]
    const all = [bytesOf(200, 1, 2), bytesOf(200, 1, 3), bytesOf(200, 1, 3), bytesOf(200, 1, 2)]
    assert.deepEqual(
      all.map(bytes => known.of(bytes, make)),
      [0, 1, 1, 2]
    )
  })

  it('is forgotten when there are too many, the oldest first', () => {
    const [known, make] = [new KnownBytes(FULL), counting()]
    const [first, second, third] = [bytesOf(400, 1), bytesOf(400, 2), bytesOf(400, 3)]
    const all = [first, second, third, second, third, first]
    assert.deepEqual(
      all.map(bytes => known.of(bytes, make)),
      [0, 1, 2, 1, 2, 3]
    )
  })

  it('is made for bytes that are too many by themselves, each time', () => {
    const [known, make] = [new KnownBytes(FULL), counting()]
    const all = [bytesOf(10, 1), bytesOf(FULL + 1, 1), bytesOf(FULL + 1, 1), bytesOf(10, 1)]
    assert.deepEqual(
      all.map(bytes => known.of(bytes, make)),
      [0, 1, 2, 3]
    )
  })
})
