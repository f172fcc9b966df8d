import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { build } from 'hdr-histogram-js'
import { subStream } from '../../src/kit/random.js'
import {
  MAX_VALUE,
  quantize,
  SIGNIFICANT_DIGITS,
  SparseHistogram
} from '../../src/measure/sparse-histogram.js'
import { range, sparseOf } from './samples.js'

describe('the resolution of times', () => {
  for (const digits of /** @type {const} */ ([1, 2, 3])) {
    it(`of ${digits} digits is that of an HDR histogram`, () => {
      const hdr = /** @type {import('hdr-histogram-js').JsHistogram} */ (
        build({ numberOfSignificantValueDigits: digits, highestTrackableValue: MAX_VALUE })
      )
      const random = subStream(7, 'quantize', digits)
      const powers = range(0, 31).flatMap(k => [2 ** k - 1, 2 ** k, 2 ** k + 1])
      const anywhere = range(1, 2000).map(() => Math.floor(2 ** (random() * 31.7)))
      for (const value of [...range(0, 5000), ...powers, ...anywhere, MAX_VALUE]) {
        assert.equal(quantize(value, digits), hdr.lowestEquivalentValue(value), `${value}`)
      }
    })
  }

  it('is at most 0.1 % off', () => {
    for (let value = 1; value < MAX_VALUE; value = Math.ceil(value * 1.01)) {
      const bucket = quantize(value, SIGNIFICANT_DIGITS)
      assert.ok(bucket <= value && value - bucket < value / 1000, `${value}`)
      assert.equal(quantize(bucket, SIGNIFICANT_DIGITS), bucket)
    }
  })
})

describe('a sparse histogram', () => {
  for (const [name, value, bucket] of /** @type {[string, number, number][]} */ ([
    ['nothing', 0, 0],
    ['whole µs', 7, 7],
    ['parts of a µs, rounded', 7.6, 8],
    ['a time below zero as none', -3, 0],
    ['the longest time', MAX_VALUE, quantize(MAX_VALUE, 3)],
    ['a longer time as the longest', MAX_VALUE * 5, quantize(MAX_VALUE, 3)],
    ['an endless time as the longest', Number.POSITIVE_INFINITY, quantize(MAX_VALUE, 3)]
  ])) {
    it(`counts ${name}`, () => {
      const { counts, count } = sparseOf([value])
      assert.deepEqual([...counts], [[bucket, 1]])
      assert.equal(count, 1)
    })
  }

  it('keeps count, sum and maximum exactly', () => {
    const { count, sum, max } = sparseOf([1, 10_001, 100_003])
    assert.deepEqual([count, sum, max], [3, 110_005, 100_003])
  })

  it('is empty at first', () => {
    assert.deepEqual(new SparseHistogram().toData(), {
      values: new Float64Array(),
      counts: new Uint32Array(),
      count: 0,
      sum: 0,
      max: 0
    })
  })

  it('gives a coarser one for plots, ascending and complete', () => {
    const sparse = sparseOf([...range(1, 3000), 900_000, 5])
    const coarse = sparse.coarse(2)
    const values = coarse.map(([value]) => value)
    assert.deepEqual(
      values,
      values.toSorted((a, b) => a - b)
    )
    assert.ok(values.every(value => quantize(value, 2) === value))
    assert.equal(
      coarse.reduce((sum, [, count]) => sum + count, 0),
      3002
    )
    assert.ok(coarse.length < sparse.counts.size / 3)
  })
})

/** @param {SparseHistogram[]} parts */
function mergedOf(parts) {
  const all = new SparseHistogram()
  for (const part of parts) all.merge(part.toData())
  return all
}

/** What a histogram says, in one order. @param {SparseHistogram} histogram */
const told = ({ counts, count, sum, max }) => ({
  counts: [...counts].sort((a, b) => a[0] - b[0]),
  count,
  sum,
  max
})

describe('merging sparse histograms', () => {
  const random = subStream(7, 'merge')
  const draw = () => Math.floor(2 ** (random() * 30))
  for (let round = 0; round < 20; round++) {
    const parts = Array.from({ length: 3 }, () => Array.from({ length: Math.floor(random() * 300) }, draw))
    const [a, b, c] = parts.map(sparseOf)

    it(`is the same in any grouping and order, and as if there were one (${round})`, () => {
      const expected = told(sparseOf(parts.flat()))
      assert.deepEqual(told(mergedOf([mergedOf([a, b]), c])), expected)
      assert.deepEqual(told(mergedOf([a, mergedOf([b, c])])), expected)
      assert.deepEqual(told(mergedOf([c, a, b])), expected)
      assert.deepEqual(told(mergedOf([a, new SparseHistogram(), b, c])), expected)
    })
  }
})
