import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sumUp } from '../../../../src/scenarios/abuse/measure/answers.js'
import { caseRow, ratioOf } from '../../../../src/scenarios/abuse/measure/case-row.js'
import {
  intervalMsOf,
  intervalsOf,
  quietMostMs,
  recoveredMs
} from '../../../../src/scenarios/abuse/measure/recovery.js'
import { scenarioNamed } from '../../../scenarios.js'

/** @param {number[]} times */
const answers = times => ({
  dueMs: Float64Array.from(times.keys()),
  tookMs: Float64Array.from(times),
  failures: {}
})

/** @param {number | null} ms - of both percentiles @param {object} [more] */
const stretch = (ms, more = {}) => ({
  ...{ asked: 1000, failed: 0, failures: {}, p50Ms: ms, p99Ms: ms, censored: { p50: false, p99: false } },
  ...{ longestTurnMs: 5, rssBytes: 100e6, cpuPercent: 10, notSent: 0, recoveryMs: 0 },
  ...more
})

/** @param {[quiet: number | null, abused: number | null][]} times */
const pairsOf = times => times.map(([quiet, abused]) => ({ quiet: stretch(quiet), abused: stretch(abused) }))

const CASE = { name: 'frames×10', kind: 'frames', times: 10 }

/** @param {string} name @param {object} outcome */
const figure = (name, outcome) => {
  const found = scenarioNamed('abuse').figures.find(each => each.name === name)
  return found?.read(/** @type {any} */ (outcome))
}

describe('answers of a stretch', () => {
  test('have percentiles with ten of them beyond', () => {
    const thousand = answers(Array.from({ length: 1000 }, (_, i) => i + 1))
    assert.deepEqual([sumUp(thousand).p50Ms, sumUp(thousand).p99Ms], [500, 990])
    const fewer = answers(Array.from({ length: 999 }, (_, i) => i + 1))
    assert.deepEqual([sumUp(fewer).p50Ms, sumUp(fewer).p99Ms], [500, null])
  })

  test('count as lower bounds where what failed reaches into them', () => {
    const tenth = answers(Array.from({ length: 1000 }, (_, i) => (i < 100 ? Infinity : 2)))
    const { failed, p50Ms, p99Ms, censored } = sumUp(tenth)
    assert.deepEqual({ failed, p50Ms, p99Ms }, { failed: 100, p50Ms: 2, p99Ms: 5000 })
    assert.deepEqual(censored, { p50: false, p99: true })
  })
})

describe('the ratio of honest times', () => {
  test('is that of pairs, whatever one of them was like, with the interval that the pairs allow', () => {
    const ratio = ratioOf(
      pairsOf([
        [1, 2],
        [2, 4.1],
        [1, 1.9],
        [1.5, 3],
        [1, 2.2],
        [3, 5.8]
      ]),
      'p99'
    )
    assert.ok(ratio !== null && ratio.low !== null && ratio.high !== null)
    assert.ok(Math.abs(ratio.ratio - 2) < 0.1, String(ratio.ratio))
    assert.ok(ratio.low > 1.8 && ratio.high < 2.3, `${ratio.low} to ${ratio.high}`)
    assert.equal(ratio.atLeast, false)
  })

  test('has no interval of five pairs', () => {
    const ratio = ratioOf(pairsOf(Array(5).fill([1, 2])), 'p50')
    assert.deepEqual([ratio?.ratio.toFixed(6), ratio?.low, ratio?.high], ['2.000000', null, null])
  })

  test('is not known where a stretch has too few requests, or failed without any abuse', () => {
    assert.equal(ratioOf([], 'p50'), null)
    assert.equal(
      ratioOf(
        pairsOf([
          [1, 2],
          [1, null]
        ]),
        'p99'
      ),
      null
    )
    const censored = stretch(5000, { censored: { p50: false, p99: true } })
    assert.equal(ratioOf([{ quiet: censored, abused: stretch(1) }], 'p99'), null)
    const failed = ratioOf([{ quiet: stretch(1), abused: censored }], 'p99')
    assert.deepEqual([failed?.ratio.toFixed(3), failed?.atLeast], ['5000.000', true])
  })
})

describe('honest clients are served as before', () => {
  const QUIET = 3

  /** @param {number[]} times - ms of intervals of 250 ms */
  const since = times => times.map((ms, i) => ({ beganMs: 250 * i, ms }))

  for (const [why, times, expected] of /** @type {[string, number[], number | null][]} */ ([
    ['at once', [2, 3], 0],
    ['once two intervals are', [40, 2, 9, 2, 3], 750],
    ['not by one interval alone', [40, 2, 9, 2], null],
    ['not as long as nothing is answered', [Infinity, Infinity], null],
    ['not before anything was looked at', [], null]
  ]))
    test(why, () => assert.equal(recoveredMs(since(times), QUIET), expected))

  test('by the slowest of nine in ten requests of each interval', () => {
    const took = [...Array(9).fill(1), 50, ...Array(8).fill(2), 60, 60]
    const times = { dueMs: Float64Array.from(took.keys()).map(i => 25 * i), tookMs: Float64Array.from(took) }
    assert.deepEqual(intervalsOf(times, 250, 1000), [
      { beganMs: 1000, ms: 1 },
      { beganMs: 1250, ms: 60 }
    ])
    assert.equal(quietMostMs(intervalsOf(times, 250)), 60)
    assert.equal(quietMostMs([]), null)
  })

  test('intervals hold ten requests at least', () => {
    assert.deepEqual([1000, 40, 10].map(intervalMsOf), [250, 250, 1000])
  })
})

describe('the figures of a run', () => {
  const mild = caseRow({ ...CASE, name: 'slow', kind: 'slow' }, pairsOf(Array(6).fill([2, 2])))
  const hard = caseRow(CASE, [
    ...pairsOf(Array(5).fill([2, 6])),
    {
      quiet: stretch(2, { rssBytes: 110e6 }),
      abused: stretch(6, { rssBytes: 150e6, longestTurnMs: 44, failed: 3, recoveryMs: 750, notSent: 0.2 })
    }
  ])

  test('are those of the kind that did worst', () => {
    const outcome = { cases: [mild, hard] }
    const read = (/** @type {string} */ name) => figure(name, outcome)?.value
    assert.equal(read('ratio.p99')?.toFixed(6), '3.000000')
    assert.equal(read('ratio.p99.high')?.toFixed(6), '3.000000')
    assert.deepEqual(['errors.abused', 'recovery', 'longestTurn', 'memory.added'].map(read), [3, 750, 44, 40])
    assert.equal(hard.notSent, 0.2)
  })

  test('are not known where one of a kind is not: that may be the worst', () => {
    const untold = caseRow(CASE, [
      {
        quiet: stretch(null, { rssBytes: null }),
        abused: stretch(null, { longestTurnMs: null, recoveryMs: null })
      }
    ])
    const outcome = { cases: [mild, untold] }
    for (const name of [
      'ratio.p50',
      'ratio.p99',
      'ratio.p99.high',
      'recovery',
      'longestTurn',
      'memory.added'
    ])
      assert.deepEqual([name, figure(name, outcome)?.value], [name, null])
    assert.equal(figure('errors.abused', outcome)?.value, 0)
  })

  test('say that more is meant where requests were not answered', () => {
    const failed = stretch(5000, { censored: { p50: true, p99: true } })
    const outcome = { cases: [caseRow(CASE, [{ quiet: stretch(1), abused: failed }])] }
    assert.match(String(figure('ratio.p99', outcome)?.atLeast), /not answered/)
  })
})
