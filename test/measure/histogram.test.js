import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeSubStream } from '../../src/kit/random.js'
import { Overheads } from '../../src/measure/client-overhead.js'
import { encodeHistogram } from '../../src/measure/distribution.js'
import {
  Histogram,
  MAX_VALUE,
  mergeHistograms,
  packHistogram,
  QUANTILES,
  quantize,
  readPercentile,
  summarize,
  unpackHistogram
} from '../../src/measure/histogram.js'
import { exactQuantile, histogramOf, range, SHAPES } from './samples.js'

const SHARES = [...Object.values(QUANTILES), 0.01, 0.25, 0.75, 1]

describe('percentiles', () => {
  for (const [shape, draw] of Object.entries(SHAPES)) {
    for (const count of [1, 7, 1060, 20_000]) {
      it(`of ${count} ${shape} times are within 0.1 % of the exact ones`, () => {
        const random = makeSubStream(7, shape, count)
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
  const random = makeSubStream(7, 'merge')
  const draw = () => Math.floor(2 ** (random() * 31))
  /** @param {Histogram} histogram */
  const told = histogram => ({
    quantiles: SHARES.map(share => histogram.quantile(share)),
    count: histogram.count,
    sum: histogram.sum,
    max: histogram.max,
    encoded: encodeHistogram(histogram)
  })

  for (const workers of [1, 2, 3, 5]) {
    it(`of ${workers} workers gives what one would have measured`, () => {
      const values = range(1, 3000).map(draw)
      const shares = range(1, workers).map((_, w) => values.filter((_, i) => i % workers === w))
      const all = mergeHistograms(shares.map(share => histogramOf(share)))
      assert.deepEqual(told(all), told(histogramOf(values)))
    })
  }

  it('is the same in any grouping', () => {
    const [a, b, c] = [900, 1, 50].map(n => histogramOf(range(1, n).map(draw)))
    const left = mergeHistograms([mergeHistograms([a, b]), c])
    const right = mergeHistograms([a, mergeHistograms([b, c])])
    assert.deepEqual(told(left), told(right))
  })

  it('of none is empty', () => {
    const none = mergeHistograms([])
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
    const total = coarse.reduce((sum, [, count]) => sum + count, 0)
    assert.equal(total, 3002)
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
  const random = makeSubStream(7, 'merge')
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

/** @typedef {keyof typeof QUANTILES | 'avg' | 'max'} Figure */

const FIGURES = /** @type {Figure[]} */ (['avg', ...Object.keys(QUANTILES), 'max'])

const times = (/** @type {number[]} */ values) => histogramOf(values)

/** Summarizes times that were answered and the elapsed times of those that were not, in µs. @param {number[]} answered @param {number[]} censored */
const withCensored = (answered, censored) => {
  const known = times(answered)
  return summarize(mergeHistograms([known, times(censored)]), { answered: known })
}

/** @param {import('../../src/report/schema.js').Summary} summary */
const lowerBounds = summary => FIGURES.filter(name => summary[name]?.censored)

/** @param {import('../../src/report/schema.js').Summary} summary */
const shown = summary => FIGURES.filter(name => summary[name] != null)

describe('a summary shows a percentile', () => {
  for (const [count, expected] of /** @type {[number, Figure[]][]} */ ([
    [0, []],
    [1, ['avg', 'max']],
    [19, ['avg', 'max']],
    [20, ['avg', 'p50', 'max']],
    [99, ['avg', 'p50', 'max']],
    [100, ['avg', 'p50', 'p90', 'max']],
    [199, ['avg', 'p50', 'p90', 'max']],
    [200, ['avg', 'p50', 'p90', 'p95', 'max']],
    [999, ['avg', 'p50', 'p90', 'p95', 'max']],
    [1000, ['avg', 'p50', 'p90', 'p95', 'p99', 'max']],
    [9999, ['avg', 'p50', 'p90', 'p95', 'p99', 'max']],
    [10_000, FIGURES]
  ])) {
    it(`only with ten operations beyond it: ${expected.join(' ') || 'none'} of ${count}`, () => {
      const summary = summarize(times(range(1, count)))
      assert.deepEqual(shown(summary), expected)
      assert.equal(summary.count, count)
    })
  }

  it('in ms', () => {
    const { avg, p50, p99, max } = summarize(times(range(1, 2000)))
    assert.deepEqual([avg?.ms, p50?.ms, p99?.ms, max?.ms], [1.0005, 1, 1.98, 2])
  })

  it('as it is when nothing is wrong', () =>
    assert.deepEqual(lowerBounds(summarize(times(range(1, 10_000)))), []))
})

describe('operations without a reply', () => {
  const answered = range(1, 10_000).map(i => 1000 + i)
  const timeouts = (/** @type {number} */ n) => Array(n).fill(10_000_000)
  /** @type {[string, number[], number[], Figure[]][]} */
  const cases = [
    ['leave all figures alone when there are none', answered, [], []],
    ['make average and maximum lower bounds, be it one', answered, timeouts(1), ['avg', 'max']],
    ['do not reach below p99.9 when they are 1 in 1,001', answered, timeouts(10), ['avg', 'max']],
    ['reach into p99.9 when they are 12 in 10,012', answered, timeouts(12), ['avg', 'p999', 'max']],
    ['reach into p99', answered, timeouts(102), ['avg', 'p99', 'p999', 'max']],
    ['do not reach into p95 when they are 4.9 %', answered, timeouts(515), ['avg', 'p99', 'p999', 'max']],
    ['reach into p50 when they are more than half', answered, timeouts(10_001), FIGURES],
    ['are all there is', [], timeouts(10_000), FIGURES],
    ['count as longer even when they broke off at once', answered, Array(5000).fill(3), FIGURES],
    [
      'that broke off at once make lower bounds of what would be higher without them',
      [...Array(9000).fill(1000), ...Array(990).fill(50_000)],
      Array(110).fill(3),
      ['avg', 'p90', 'p99', 'p999', 'max']
    ],
    [
      'that change a figure by less than 1 % do not mark it',
      answered.map(us => us + 500_000),
      Array(50).fill(3),
      ['avg', 'p999', 'max']
    ]
  ]
  for (const [name, known, lost, expected] of cases) {
    it(name, () => assert.deepEqual(lowerBounds(withCensored(known, lost)), expected))
  }

  it('count at the time that had elapsed', () => {
    const { p999, max, count } = withCensored(answered, timeouts(102))
    assert.deepEqual([p999?.ms, max?.ms, count], [10_000, 10_000, 10_102])
  })

  it('mark exactly the figures that would change if they took for ever', () => {
    const random = makeSubStream(7, 'censored')
    for (let round = 0; round < 60; round++) {
      const known = range(1, 1 + Math.floor(random() * 3000)).map(() => 500 + Math.floor(random() * 10_000))
      const lost = range(1, Math.floor(random() * 400)).map(() => 1 + Math.floor(random() * 20_000))
      const summary = withCensored(known, lost)
      const never = [...known, ...lost.map(() => Number.POSITIVE_INFINITY)]
      for (const [name, share] of Object.entries(QUANTILES)) {
        const figure = summary[/** @type {Figure} */ (name)]
        if (figure == null) continue
        const change = exactQuantile(never, share) / exactQuantile([...known, ...lost], share) - 1
        if (Math.abs(change - 0.01) < 0.003) continue
        assert.equal(figure.censored, change > 0.01, `${name}: ${known.length} + ${lost.length}, ${change}`)
      }
    }
  })
})

describe('the client overhead at a percentile', () => {
  /** @param {[us: number, overheadUs: number, times: number][]} operations */
  function summaryOf(operations) {
    const overheads = new Overheads()
    for (const [us, overheadUs, times] of operations) overheads.record(us, overheadUs, times)
    return summarize(times(operations.flatMap(([us, , times]) => Array(times).fill(us))), { overheads })
  }

  it('is that of operations that took as long: what short ones waited is not at p99', () => {
    const { p50, p99 } = summaryOf([
      [1000, 900, 9800],
      [50_000, 0, 200]
    ])
    assert.ok(Math.abs(Number(p50?.overheadMs) - 0.9) < 0.06 * 0.9, JSON.stringify(p50))
    assert.equal(p99?.overheadMs, 0)
  })

  it('is at every percentile that is shown, and not at average and maximum', () => {
    const summary = summaryOf([[10_000, 2000, 10_000]])
    const known = FIGURES.filter(name => summary[name]?.overheadMs !== undefined)
    assert.deepEqual(known, Object.keys(QUANTILES))
    const few = summaryOf([[10_000, 2000, 50]])
    assert.deepEqual([few.p50?.overheadMs === undefined, few.p99], [false, null])
  })

  it('is never more than the percentile', () => {
    const { p50 } = summaryOf([[10_000, 10_000, 100]])
    assert.ok(Number(p50?.overheadMs) <= 10, JSON.stringify(p50))
  })

  it('is not there where nobody counted it, or where it is of other operations', () => {
    const overheads = new Overheads()
    overheads.record(10_000, 100, 99)
    const all = times(Array(100).fill(10_000))
    for (const { p50 } of [summarize(all), summarize(all, { overheads })])
      assert.deepEqual(p50, { ms: 10, censored: false })
  })
})

describe('another percentile of a distribution', () => {
  it('is read with as many samples beyond it as any, and is in no document', () => {
    const summary = summarize(times(range(1, 1000)))
    assert.ok(Math.abs(Number(readPercentile(summary, 0.75)?.ms) - 0.75) < 0.01)
    assert.ok(Number(readPercentile(summary, 0)?.ms) <= 0.001)
    assert.equal(readPercentile(summary, 0.995), null)
    assert.equal(readPercentile(JSON.parse(JSON.stringify(summary)), 0.75), undefined)
  })
})

/** @param {import('../../src/measure/histogram.js').HistogramData} data */
const inOrder = ({ values, counts, ...totals }) => ({
  ...totals,
  pairs: Array.from(values, (value, i) => [value, counts[i]]).sort((a, b) => a[0] - b[0])
})

describe('a packed histogram', () => {
  for (const [name, shape] of Object.entries(SHAPES))
    it(`holds what it did: ${name}`, () => {
      const random = makeSubStream(1, 'packed', name)
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
