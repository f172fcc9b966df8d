import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { subStream } from '../../src/kit/random.js'
import { Overheads } from '../../src/measure/client-overhead.js'
import { mergedHistogram, percentileAt, QUANTILES, summarize } from '../../src/measure/histogram.js'
import { exactQuantile, histogramOf, range } from './samples.js'

/** @typedef {import('../../src/measure/histogram.js').Histogram} Histogram */
/** @typedef {keyof typeof QUANTILES | 'avg' | 'max'} Figure */

const FIGURES = /** @type {Figure[]} */ (['avg', ...Object.keys(QUANTILES), 'max'])

const times = (/** @type {number[]} */ values) => histogramOf(values)

/** Summarizes times that were answered and the elapsed times of those that were not, in µs. @param {number[]} answered @param {number[]} censored */
const withCensored = (answered, censored) => {
  const known = times(answered)
  return summarize(mergedHistogram([known, times(censored)]), { answered: known })
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
    const random = subStream(7, 'censored')
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
    assert.ok(Math.abs(Number(percentileAt(summary, 0.75)?.ms) - 0.75) < 0.01)
    assert.ok(Number(percentileAt(summary, 0)?.ms) <= 0.001)
    assert.equal(percentileAt(summary, 0.995), null)
    assert.equal(percentileAt(JSON.parse(JSON.stringify(summary)), 0.75), undefined)
  })
})
