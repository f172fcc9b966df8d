import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { subStream } from '../../src/kit/random.js'
import { Histogram, merged } from '../../src/measure/histogram.js'
import { MAX_VALUE } from '../../src/measure/sparse-histogram.js'
import { QUANTILES } from '../../src/measure/summary.js'
import { exactQuantile, histogramOf, range, SHAPES } from './samples.js'

/** @type {Histogram[]} */
const made = []
after(() => {
  for (const histogram of made) histogram.destroy()
})

/** @param {Histogram} histogram */
const kept = histogram => {
  made.push(histogram)
  return histogram
}

const SHARES = [...Object.values(QUANTILES), 0.01, 0.25, 0.75, 1]

describe('percentiles', () => {
  for (const [shape, draw] of Object.entries(SHAPES)) {
    for (const count of [1, 7, 1060, 20_000]) {
      it(`of ${count} ${shape} times are within 0.1 % of the exact ones`, () => {
        const random = subStream(7, shape, count)
        const values = range(1, count).map(() => draw(random))
        const histogram = kept(histogramOf(values))
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
      const histogram = kept(histogramOf(range(1, count)))
      for (const share of SHARES) {
        assert.equal(histogram.quantile(share), exactQuantile(range(1, count), share), `${share} of ${count}`)
      }
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
    it(name, () => assert.equal(kept(histogramOf(values)).quantile(share), expected))
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
    encoded: histogram.encode()
  })

  for (const workers of [1, 2, 3, 5]) {
    it(`of ${workers} workers gives what one would have measured`, () => {
      const values = range(1, 3000).map(draw)
      const shares = range(1, workers).map((_, w) => values.filter((_, i) => i % workers === w))
      const all = kept(merged(shares.map(share => kept(histogramOf(share)))))
      assert.deepEqual(told(all), told(kept(histogramOf(values))))
    })
  }

  it('is the same in any grouping', () => {
    const [a, b, c] = [900, 1, 50].map(n => kept(histogramOf(range(1, n).map(draw))))
    const left = kept(merged([kept(merged([a, b])), c]))
    const right = kept(merged([a, kept(merged([b, c]))]))
    assert.deepEqual(told(left), told(right))
  })

  it('of none is empty', () => {
    const none = kept(merged([]))
    assert.deepEqual([none.count, none.sum, none.max], [0, 0, 0])
  })
})

describe('a stored histogram', () => {
  it('gives the same percentiles when it is read again', () => {
    const random = subStream(7, 'stored')
    const histogram = kept(histogramOf(range(1, 5000).map(() => SHAPES['heavy-tailed'](random))))
    const again = kept(Histogram.decode(histogram.encode()))
    assert.equal(again.count, 5000)
    for (const share of SHARES) {
      assert.ok(Math.abs(again.quantile(share) / histogram.quantile(share) - 1) <= 0.001)
    }
    assert.ok(Math.abs(again.sum / histogram.sum - 1) <= 0.001)
    assert.ok(Math.abs(again.max / histogram.max - 1) <= 0.001)
    assert.equal(again.encode(), histogram.encode())
  })

  it('may be empty', () => {
    const again = kept(Histogram.decode(kept(new Histogram()).encode()))
    assert.deepEqual([again.count, again.sum, again.max], [0, 0, 0])
  })
})
