import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import {
  computeRewarmMs,
  computeWarmUpStretchMs,
  countWaitingOverTime,
  findDrift,
  isWarmUpOver,
  readMedian,
  summarizeWarmUp
} from '../../src/measure/steady-state.js'

/**
 * A stretch whose operations all took as long.
 *
 * @param {number} p50Ms
 * @param {{ type?: string, operations?: number }} [of]
 * @returns {import('../../src/measure/steady-state.js').WarmUpStretch}
 */
const stretch = (p50Ms, { type = 'DISCOVER', operations = 1000 } = {}) => ({
  operations,
  times: { [type]: [[p50Ms * 1000, operations]] }
})

/**
 * How long a warm-up of 3 s takes where successive seconds have these medians.
 *
 * @param {number[]} medians
 */
function lastsFor(medians) {
  for (let seconds = 0; seconds <= medians.length; seconds++) {
    const stretches = medians.slice(0, seconds).map(p50 => stretch(p50))
    if (isWarmUpOver({ warmupMs: 3000, ms: seconds * 1000, stretches })) return seconds
  }
  throw new Error('it does not end')
}

/** @param {import('../../src/measure/steady-state.js').WarmUpStretch[]} stretches */
const found = stretches => {
  const { lastMove, settled } = summarizeWarmUp({ ms: 3000, stretches }) ?? {}
  return [lastMove, settled]
}

describe('a warm-up of 3 s', () => {
  for (const [name, medians, seconds] of /** @type {[string, number[], number][]} */ ([
    ['takes 3 s when nothing moves', [1, 1, 1, 1], 3],
    ['takes 3 s when p50 moves by less than 10 %', [1, 0.95, 0.91], 3],
    ['goes on while p50 falls by more', [10, 8, 6.4, 6.3, 6.3, 6.2], 5],
    ['goes on while p50 grows', [1, 1.06, 1.12, 1.14, 1.15], 4],
    ['takes 15 s at most', Array.from({ length: 20 }, (_, i) => 0.8 ** i), 15]
  ]))
    it(name, () => assert.equal(lastsFor(medians), seconds))
})

describe('what a warm-up goes by', () => {
  it('are three stretches: fewer say nothing of moving', () => {
    const [one, two] = [[stretch(1)], [stretch(1), stretch(1)]]
    assert.equal(isWarmUpOver({ warmupMs: 1000, ms: 1200, stretches: two }), false)
    assert.equal(isWarmUpOver({ warmupMs: 1000, ms: 1200, stretches: [...one, ...two] }), true)
    assert.deepEqual(found(two), [null, false])
  })

  it('is the type of operation that moves most', () => {
    const both = (/** @type {number} */ ms) => ({
      operations: 2000,
      times: { ...stretch(1).times, ...stretch(ms, { type: 'REGISTER' }).times }
    })
    assert.deepEqual(found([both(2), both(2), both(2)]), [0, true])
    assert.deepEqual(found([both(2), both(2), both(1.5)]), [0.25, false])
  })

  it('is none with --warmup 0', () => assert.equal(isWarmUpOver({ warmupMs: 0, ms: 0, stretches: [] }), true))

  it('is the rate alone where all is warm: a second at most, whatever moves', () => {
    const all = [10_000, 1000, 300, 0].map(warmupMs => computeRewarmMs({ warmupMs }))
    assert.deepEqual(all, [1000, 1000, 300, 0])
    const moving = { warmupMs: 1000, ms: 1000, stretches: [stretch(10), stretch(7), stretch(5)] }
    assert.deepEqual([isWarmUpOver(moving), isWarmUpOver({ ...moving, again: true })], [false, true])
    assert.equal(isWarmUpOver({ ...moving, ms: 700, again: true }), false)
  })

  it('is not known where there were next to no operations: more time would not show it either', () => {
    const few = [1, 2, 3].map(ms => stretch(ms, { operations: 2 }))
    assert.equal(isWarmUpOver({ warmupMs: 2000, ms: 2000, stretches: few }), true)
    assert.deepEqual(found(few), [null, false])
    assert.deepEqual(found([1, 2, 3].map(() => ({ operations: 0, times: {} }))), [null, false])
  })

  it('is at full load 5,000 operations, too: until then code is not compiled, whatever p50 shows', () => {
    const stretches = [1, 1, 1, 1].map(ms => stretch(ms))
    const soFar = { warmupMs: 3000, ms: 4000, stretches }
    assert.deepEqual([isWarmUpOver(soFar), isWarmUpOver({ ...soFar, fullLoad: true })], [true, false])
    assert.equal(isWarmUpOver({ ...soFar, stretches: [...stretches, stretch(1)], fullLoad: true }), true)
    assert.equal(isWarmUpOver({ ...soFar, ms: 15_000, fullLoad: true }), true)
  })

  it('is p50 of stretches of a second, of a third of a shorter warm-up', () =>
    assert.deepEqual([10_000, 3000, 1500, 1000, 0].map(computeWarmUpStretchMs), [
      1000,
      1000,
      500,
      1000 / 3,
      50
    ]))
})

/** @typedef {[second: number, us: number, count?: number]} Row */

/** @param {Row[]} rows */
function drift(rows) {
  const found = findDrift(rows.map(([second, us, count = 200]) => ({ second, histogram: [[us, count]] })))
  if (found === null) return 'too little'
  const { settled, ...moved } = found
  return settled ? 'settled' : moved
}

/** The p50 of seconds, one after the other. @param {number[]} medians @param {number[]} [counts] @param {number} [from] */
const seconds = (medians, counts = [], from = 0) =>
  medians.map((us, i) => /** @type {Row} */ ([from + i, us, counts[i]]))

describe('a run whose response times', () => {
  /** @type {[string, Row[], ReturnType<typeof drift>][]} */
  const cases = [
    ['stay the same does not drift', seconds([1000, 1000, 1000]), 'settled'],
    ['grow by half drifts', seconds([1000, 1200, 1500]), { firstMs: 1, lastMs: 1.5 }],
    ['shrink by half drifts', seconds([1000, 800, 500]), { firstMs: 1, lastMs: 0.5 }],
    ['grow by 10 % does not drift', seconds([200, 200, 220]), 'settled'],
    ['grow by 12 % drifts', seconds([200, 200, 224]), { firstMs: 0.2, lastMs: 0.224 }],
    ['are odd only in the middle does not drift', seconds([1000, 9000, 1000]), 'settled'],
    ['were measured for less than three seconds is too short to tell', seconds([1000, 9000]), 'too little'],
    ['were never measured is too short to tell', [], 'too little'],
    ['are few at first is too short to tell', seconds([1000, 1000, 9000], [19]), 'too little'],
    ['are few at last is too short to tell', seconds([1000, 1000, 9000], [200, 200, 19]), 'too little'],
    ['are just enough tells', seconds([1000, 1000, 9000], [20, 200, 20]), { firstMs: 1, lastMs: 9 }],
    ['are all nothing does not drift', seconds([0, 0, 0]), 'settled'],
    ['begin late is compared from there', seconds([1000, 1000, 2000], [], 7), { firstMs: 1, lastMs: 2 }],
    [
      'are missing in between is compared by time, not by seconds measured',
      [...seconds([1000, 1000, 1000]), [8, 2000]],
      { firstMs: 1, lastMs: 2 }
    ],
    ['are divided into thirds', seconds([1000, 1000, 9000, 9000, 3008, 3008]), { firstMs: 1, lastMs: 3.008 }],
    [
      'fall, drift',
      seconds([130, 128, 125, 122, 118, 115, 111, 108, 105]),
      { firstMs: 0.128, lastMs: 0.108 }
    ],
    ['move as much in a third settled', seconds([130, 105, 128, 120, 118, 115, 111, 108, 102]), 'settled']
  ]
  for (const [name, rows, expected] of cases) it(name, () => assert.deepEqual(drift(rows), expected))

  it('are told of several seconds at once are divided into thirds of whole ones', () => {
    const points = [0, 8, 16, 24].map(second => ({
      second,
      histogram: /** @type {[number, number][]} */ ([[second < 8 ? 1000 : 2000, 200]])
    }))
    assert.deepEqual(findDrift(points, 8), { firstMs: 1, lastMs: 2, settled: false })
    assert.equal(findDrift(points.slice(1), 8)?.settled, true)
  })

  it('differ within a second are compared by their median', () => {
    const second = (/** @type {number} */ s, /** @type {number} */ slow) => ({
      second: s,
      histogram: /** @type {[number, number][]} */ ([
        [1000, 100 - slow],
        [8000, slow]
      ])
    })
    assert.equal(findDrift([second(0, 0), second(1, 0), second(2, 49)])?.settled, true)
    assert.deepEqual(findDrift([second(0, 0), second(1, 0), second(2, 80)]), {
      firstMs: 1,
      lastMs: 8,
      settled: false
    })
  })
})

it('the interval of a median holds 95 % of those of samples, and is narrow where there are many', () => {
  /** Uniform times from 0 to 2 ms. @param {number} count */
  const uniform = count => readMedian({ count, bucketAt: share => share * 2000 })
  assert.deepEqual(uniform(1e6).ms, 1)
  assert.ok(uniform(1e6).highMs - uniform(1e6).lowMs < 0.01)
  // the 40th and the 60th of 100: https://online.stat.psu.edu/stat415/lesson/19
  assert.ok(Math.abs(uniform(100).lowMs - 0.804) < 1e-9 && Math.abs(uniform(100).highMs - 1.196) < 1e-9)
  assert.deepEqual(uniform(1), { ms: 1, lowMs: 0, highMs: 2 })
})

test('what waits is what was due and has not ended, at the end of each second', () => {
  const ended = [
    { second: 0, count: 100 },
    { second: 2, count: 50 },
    { second: 1, count: 50 },
    { second: 3, count: 100 }
  ]
  assert.deepEqual(countWaitingOverTime(ended, 300, 3), [0, 50, 100])
})

test('operations that ended early, as they may with independent arrivals, leave nothing that waits', () => {
  assert.deepEqual(countWaitingOverTime([{ second: 0, count: 120 }], 200, 2), [0, 80])
})
