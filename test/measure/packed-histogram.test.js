import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { subStream } from '../../src/kit/random.js'
import { Histogram, MAX_VALUE, packHistogram, unpackHistogram } from '../../src/measure/histogram.js'
import { histogramOf, SHAPES } from './samples.js'

/** @param {import('../../src/measure/histogram.js').HistogramData} data */
const inOrder = ({ values, counts, ...totals }) => ({
  ...totals,
  pairs: Array.from(values, (value, i) => [value, counts[i]]).sort((a, b) => a[0] - b[0])
})

describe('a packed histogram', () => {
  for (const [name, shape] of Object.entries(SHAPES))
    it(`holds what it did: ${name}`, () => {
      const random = subStream(1, 'packed', name)
      const data = histogramOf(Array.from({ length: 5000 }, () => shape(random))).toData()
      const packed = packHistogram(data)
      assert.deepEqual(inOrder(unpackHistogram(packed)), inOrder(data))
      assert.ok(packed.length <= 20 + 4 * data.values.length, `${packed.length} bytes`)
    })

  it('holds nothing, and what is largest', () => {
    assert.deepEqual(unpackHistogram(packHistogram(histogramOf([]).toData())), histogramOf([]).toData())
    const most = new Histogram()
    const counts = Uint32Array.of(1, 2 ** 32 - 1)
    const data = {
      values: Float64Array.of(MAX_VALUE, 0),
      counts,
      count: 2 ** 32,
      sum: 2 ** 52 + 1,
      max: MAX_VALUE
    }
    most.merge(unpackHistogram(packHistogram(data)))
    assert.deepEqual(inOrder(most.toData()), inOrder(data))
  })

  it('that was cut off, or that has more to it, is refused', () => {
    const packed = packHistogram(histogramOf([1, 500, 500, 70_000]).toData())
    for (let length = 0; length < packed.length; length++)
      assert.throws(() => unpackHistogram(packed.slice(0, length)), RangeError, `${length} bytes`)
    assert.throws(() => unpackHistogram(Uint8Array.of(...packed, 0)), RangeError)
  })

  it('asks for no more memory than it gives', () => {
    // a count of 2^40 values in ten bytes
    const claims = Uint8Array.of(1, 1, 1, 128, 128, 128, 128, 128, 32, 1)
    assert.throws(() => unpackHistogram(claims), RangeError)
  })
})
