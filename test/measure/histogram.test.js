import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { subStream } from '../../src/kit/random.js'
import { encodedHistogram } from '../../src/measure/distribution.js'
import { Histogram, MAX_VALUE, mergedHistogram, QUANTILES, quantize } from '../../src/measure/histogram.js'
import { exactQuantile, histogramOf, range, SHAPES } from './samples.js'

const SHARES = [...Object.values(QUANTILES), 0.01, 0.25, 0.75, 1]

describe('percentiles', () => {
  for (const [shape, draw] of Object.entries(SHAPES)) {
    for (const count of [1, 7, 1060, 20_000]) {
      it(`of ${count} ${shape} times are within 0.1 % of the exact ones`, () => {
        const random = subStream(7, shape, count)
        const values = range(1, count).map(() => draw(random))
        const histogram = histogramOf(values)
        for (const share of SHARES) {
          const exact = exactQuantile(values, share)
          const found = histogram.quantile(share)
          assert.ok(Math.abs(found / exact - 1) <= 0.001, `${share}: ${found} instead of ${exact}`)
        }
      })
    }
  }

  it('take the very operation that a share of all does not exceed', () => {
    for (const count of [10, 20, 999, 1000, 1001, 1060, 1999]) {
      const histogram = histogramOf(range(1, count))
      for (const share of SHARES) {
        assert.equal(histogram.quantile(share), exactQuantile(range(1, count), share), `${share} of ${count}`)
      }
    }
  })

  it('take the one of that rank for each share of a count, whatever floats make of it', () => {
    for (const count of [3, 18, 36, 650, 1453]) {
      const histogram = histogramOf(range(1, count))
      for (const rank of range(1, count)) assert.equal(histogram.quantile(rank / count), rank, `of ${count}`)
    }
  })

  for (const [name, values, share, expected] of /** @type {[string, number[], number, number][]} */ ([
    ['of nothing are not a number', [], 0.5, Number.NaN],
    ['never exceed the largest time', [10_001], 0.5, 10_001],
    ['above all are endless', [5, 6], 1.01, Number.POSITIVE_INFINITY],
    ['of the largest share are the largest time', [5, 700_001], 1, 700_001],
    ['of the smallest share are the smallest time', [5, 700_001], 0, 5],
    ['of times beyond an hour are an hour', [MAX_VALUE * 3, MAX_VALUE * 2], 0.5, MAX_VALUE],
    ['of no time at all are none', [0, 0, 0], 0.99, 0]
  ])) {
    it(name, () => assert.equal(histogramOf(values).quantile(share), expected))
  }
})

describe('merging histograms', () => {
  const random = subStream(7, 'merge')
  const draw = () => Math.floor(2 ** (random() * 31))
  /** @param {Histogram} histogram */
  const told = histogram => ({
    quantiles: SHARES.map(share => histogram.quantile(share)),
    count: histogram.count,
    sum: histogram.sum,
    max: histogram.max,
    encoded: encodedHistogram(histogram)
  })

  for (const workers of [1, 2, 3, 5]) {
    it(`of ${workers} workers gives what one would have measured`, () => {
      const values = range(1, 3000).map(draw)
      const shares = range(1, workers).map((_, w) => values.filter((_, i) => i % workers === w))
      const all = mergedHistogram(shares.map(share => histogramOf(share)))
      assert.deepEqual(told(all), told(histogramOf(values)))
    })
  }

  it('is the same in any grouping', () => {
    const [a, b, c] = [900, 1, 50].map(n => histogramOf(range(1, n).map(draw)))
    const left = mergedHistogram([mergedHistogram([a, b]), c])
    const right = mergedHistogram([a, mergedHistogram([b, c])])
    assert.deepEqual(told(left), told(right))
  })

  it('of none is empty', () => {
    const none = mergedHistogram([])
    assert.deepEqual([none.count, none.sum, none.max], [0, 0, 0])
  })
})

describe('a histogram', () => {
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
      const { counts, count } = histogramOf([value])
      assert.deepEqual([...counts], [[bucket, 1]])
      assert.equal(count, 1)
    })
  }

  it('keeps count, sum and maximum exactly', () => {
    const { count, sum, max } = histogramOf([1, 10_001, 100_003])
    assert.deepEqual([count, sum, max], [3, 110_005, 100_003])
  })

  it('is empty at first', () => {
    assert.deepEqual(new Histogram().toData(), {
      values: new Float64Array(),
      counts: new Uint32Array(),
      count: 0,
      sum: 0,
      max: 0
    })
  })

  it('gives a coarser one for plots, ascending and complete', () => {
    const sparse = histogramOf([...range(1, 3000), 900_000, 5])
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

/** @param {Histogram[]} parts */
function mergedOf(parts) {
  const all = new Histogram()
  for (const part of parts) all.merge(part.toData())
  return all
}

/** What a histogram says, in one order. @param {Histogram} histogram */
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
    const [a, b, c] = parts.map(histogramOf)

    it(`is the same in any grouping and order, and as if there were one (${round})`, () => {
      const expected = told(histogramOf(parts.flat()))
      assert.deepEqual(told(mergedOf([mergedOf([a, b]), c])), expected)
      assert.deepEqual(told(mergedOf([a, mergedOf([b, c])])), expected)
      assert.deepEqual(told(mergedOf([c, a, b])), expected)
      assert.deepEqual(told(mergedOf([a, new Histogram(), b, c])), expected)
    })
  }
})
