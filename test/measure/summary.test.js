import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { subStream } from '../../src/kit/random.js'
import { doubtfulFigures } from '../../src/measure/doubt.js'
import { merged } from '../../src/measure/histogram.js'
import { percentileAt, QUANTILES, summarize } from '../../src/measure/summary.js'
import { exactQuantile, histogramOf, range } from './samples.js'

/** @typedef {import('../../src/measure/histogram.js').Histogram} Histogram */
/** @typedef {keyof typeof QUANTILES | 'avg' | 'max'} Figure */

const FIGURES = /** @type {Figure[]} */ (['avg', ...Object.keys(QUANTILES), 'max'])

const times = (/** @type {number[]} */ values) => histogramOf(values)

/** Summarizes times that were answered and the elapsed times of those that were not, in µs. @param {number[]} answered @param {number[]} censored */
const withCensored = (answered, censored) => {
  const known = times(answered)
  return summarize(merged([known, times(censored)]), { answered: known })
}

/** @param {import('../../src/result/types.js').Summary} summary @param {'censored' | 'doubtful'} mark */
const marked = (summary, mark) => FIGURES.filter(name => summary[name]?.[mark])

/** @param {import('../../src/result/types.js').Summary} summary */
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

  it('without marks when nothing is wrong', () => {
    const summary = summarize(times(range(1, 10_000)))
    assert.deepEqual([marked(summary, 'censored'), marked(summary, 'doubtful')], [[], []])
  })
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
    it(name, () => assert.deepEqual(marked(withCensored(known, lost), 'censored'), expected))
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

describe('the bracket of a figure', () => {
  const rt = () => times(Array(10_000).fill(10_000))
  /** @param {number[]} least @param {number[]} [lessMachine] */
  const less = (least, lessMachine = range(1, least.length).map(() => 10_000)) => ({
    least: times(least),
    lessMachine: times(lessMachine)
  })
  /** @type {Figure[]} */
  const all = ['avg', 'p50', 'p90', 'p95', 'p99', 'p999']

  for (const [added, expected] of /** @type {[number, Figure[]][]} */ ([
    [0, []],
    [990, []],
    [1000, []],
    [1010, all],
    [9000, all]
  ])) {
    it(`makes it ${expected.length > 0 ? 'doubtful' : 'no doubt'} when ${added / 1000} of 10 ms were added to each operation`, () => {
      const summary = summarize(rt(), { less: less(Array(10_000).fill(10_000 - added)) })
      assert.deepEqual(marked(summary, 'doubtful'), expected)
      assert.ok(Math.abs(Number(summary.p99?.lowMs) - (10_000 - added) / 1000) < 0.01)
    })
  }

  it('is of the same operations: what was added to short ones makes no long one doubtful', () => {
    const took = [...Array(9800).fill(1000), ...Array(200).fill(50_000)]
    const least = [...Array(9800).fill(100), ...Array(200).fill(49_900)]
    const summary = summarize(times(took), { less: less(least, took) })
    assert.deepEqual(marked(summary, 'doubtful'), ['avg', 'p50', 'p90', 'p95'])
  })

  for (const [cause, lessMachine] of /** @type {const} */ ([
    ['generator', 9000],
    ['machine', 8000],
    ['machine', 7000]
  ]))
    it(`was made wide by the ${cause} when it added ${10 - lessMachine / 1000} of 3 ms, or the rest`, () => {
      const summary = summarize(rt(), {
        less: less(Array(10_000).fill(7000), Array(10_000).fill(lessMachine))
      })
      assert.deepEqual([summary.p50?.doubtful, summary.p50?.cause], [true, cause])
      assert.deepEqual(doubtfulFigures(summary, cause), ['p50', 'p90', 'p95', 'p99', 'p999'])
      assert.deepEqual(doubtfulFigures(summary, cause === 'machine' ? 'generator' : 'machine'), [])
    })

  it('is wide only where something was added', () => {
    const least = [...Array(9_700).fill(9990), ...Array(300).fill(1000)]
    const took = [...Array(9_700).fill(10_000), ...Array(300).fill(10_010)]
    const least2 = least.map((us, i) => Math.min(us, took[i]))
    assert.deepEqual(marked(summarize(times(took), { less: less(least2) }), 'doubtful'), [])
    const late = summarize(times(least.map(us => (us === 1000 ? 20_000 : 10_000))), { less: less(least) })
    assert.deepEqual(marked(late, 'doubtful'), ['p99', 'p999'])
  })

  it('is not there when nothing is known of the generator', () => {
    assert.deepEqual(marked(summarize(rt()), 'doubtful'), [])
    assert.equal('lowMs' in Object(summarize(rt()).p50), false)
  })

  it('is not known where what was added is of other operations: a mark says so', () => {
    const { p50 } = summarize(rt(), { less: less(Array(9999).fill(100)) })
    assert.deepEqual([p50?.doubtful, p50?.cause, p50?.lowMs], [true, 'unknown', undefined])
  })

  it('is that of figures that are shown', () => {
    const few = summarize(times(Array(50).fill(1000)), { less: less(Array(50).fill(100)) })
    assert.deepEqual(doubtfulFigures(few), ['p50'])
    assert.deepEqual(doubtfulFigures(summarize(times([]))), [])
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
