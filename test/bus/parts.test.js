import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Joining, partsOf } from '../../src/bus/parts.js'

const VALUE = {
  at: 12n,
  rows: Float64Array.from({ length: 5000 }, (_, i) => i),
  ends: Number.POSITIVE_INFINITY
}
const received = (/** @type {import('../../src/bus/parts.js').Part} */ { payload, headers }) => ({
  data: Uint8Array.from(payload),
  headers
})

describe('a value on the bus', () => {
  it('goes in one message where it fits', () => {
    for (const value of [VALUE, { short: true }, null]) {
      const [part, ...more] = partsOf(value, 'a')
      assert.equal(more.length, 0)
      assert.deepEqual(new Joining().add(received(part))?.value, value)
    }
  })

  it('goes in parts that none is larger of than may be, each of which counts once', () => {
    const parts = partsOf(VALUE, 'a', 1000)
    assert.ok(parts.length > 4 && parts.every(({ payload }) => payload.length <= 1000))
    const joining = new Joining()
    const found = [parts[0], ...parts].map(part => joining.add(received(part)))
    assert.deepEqual(found.at(-1)?.value, VALUE)
    assert.ok(found.slice(0, -1).every(one => one === null))
  })

  it('is told from what is no message of ours', () => {
    assert.throws(() => new Joining().add({ data: new Uint8Array(3) }), /no message of ours/)
  })

  it('is refused where few bytes unpack into more than a value may have', () => {
    const [part] = partsOf(new Uint8Array(100_000), 'a')
    assert.ok(part.payload.length < 1000)
    assert.throws(() => new Joining(50_000).add(received(part)), RangeError)
    assert.ok(new Joining(200_000).add(received(part)))
  })
})
