import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { median } from '../../src/kit/collections.js'
import { makeSubStream } from '../../src/kit/random.js'
import { computeSubsetMeans, estimateHodgesLehmann, testSignFlip } from '../../src/measure/statistics.js'
import { adjustByHolm } from '../../src/studies/statistics.js'

/** @param {number} actual @param {number} expected */
const near = (actual, expected) =>
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`)

/**
 * Differences in height of Darwin's 15 pairs of Zea mays, in eighths of an inch: R. A. Fisher, The Design of Experiments
 * (1935), §17, and §21 for the test: 1,726 of the 32,768 ways are as far out, 5.267 %.
 */
const DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]

/**
 * Hamilton depression scale factor IV of nine patients before and after: M. Hollander, D. A. Wolfe, Nonparametric Statistical
 * Methods (1973), pp. 27–33, also the example of wilcox.test in R. Their estimate of the shift: −0.46.
 */
const BEFORE = [1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3]
const AFTER = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]

describe('published values', () => {
  test("sign-flip: Fisher's, for Darwin's plants", () => near(testSignFlip(DARWIN).p, 1726 / 32_768))

  test("Hodges–Lehmann: Hollander's and Wolfe's, for nine patients", () =>
    near(estimateHodgesLehmann(AFTER.map((after, i) => after - BEFORE[i])), -0.46))

  test('Holm: the example of the article on the method in Wikipedia, in which the 4th and the 1st are found', () => {
    const adjusted = adjustByHolm([0.01, 0.04, 0.03, 0.005])
    for (const [i, p] of [0.03, 0.06, 0.06, 0.02].entries()) near(adjusted[i], p)
  })
})

/** @param {string} name @param {number} n @param {number} [centre] */
function draw(name, n, centre = 0) {
  const random = makeSubStream(1, 'statistics', name)
  return Array.from({ length: n }, () => centre + Math.tan(3 * (random() - 0.5)))
}

/** Every way to set the signs, one after the other. @param {number[]} values */
function pByCounting(values) {
  const sum = (/** @type {number[]} */ list) => list.reduce((total, value) => total + value, 0)
  const seen = Math.abs(sum(values))
  const ways = Array.from({ length: 2 ** values.length }, (_, way) =>
    Math.abs(sum(values.map((value, place) => ((way >> place) & 1 ? -value : value))))
  )
  return ways.filter(far => far >= seen - 1e-9).length / ways.length
}

describe('the sign-flip test', () => {
  for (const n of [1, 2, 5, 8, 11])
    test(`of ${n} values is what counting all ways gives`, () => {
      for (let i = 0; i < 10; i++) {
        const values = draw(`count ${n} ${i}`, n, i / 5)
        near(testSignFlip(values).p, pByCounting(values))
      }
    })

  test('of values all on one side is the least there is: 2 of 2^n', () => {
    near(testSignFlip([1, 2, 3, 4, 5, 6, 7, 8]).p, 2 / 256)
    near(testSignFlip([-1, -2, -3, -4, -5, -6, -7, -8]).p, 2 / 256)
  })

  test('of no difference at all finds none', () => near(testSignFlip([0, 0, 0, 0, 0, 0]).p, 1))

  test('mirrors when the sides are swapped, and shifts with the values', () => {
    const values = draw('mirror', 10, 0.5)
    const { p, interval } = testSignFlip(values)
    const mirrored = testSignFlip(values.map(value => -value))
    near(mirrored.p, p)
    near(mirrored.interval.low, -interval.high)
    const shifted = testSignFlip(values.map(value => value + 7))
    near(shifted.interval.low, interval.low + 7)
    near(shifted.interval.high, interval.high + 7)
  })

  test('rejects the centres outside its interval and no others', () => {
    for (let i = 0; i < 20; i++) {
      const values = draw(`interval ${i}`, 9)
      const { low, high } = testSignFlip(values).interval
      const p = (/** @type {number} */ centre) => testSignFlip(values.map(value => value - centre)).p
      assert.ok(p(low + 1e-6) > 0.05 && p(high - 1e-6) > 0.05)
      assert.ok(p(low - 1e-6) <= 0.05 && p(high + 1e-6) <= 0.05)
    }
  })

  test('has no bounds below six values', () => {
    assert.deepEqual(testSignFlip([1, 2, 3, 4, 5]).interval, {
      low: Number.NEGATIVE_INFINITY,
      high: Number.POSITIVE_INFINITY
    })
    assert.ok(Number.isFinite(testSignFlip([1, 2, 3, 4, 5, 6]).interval.low))
  })

  test('holds what is known only to be at least something for nothing more', () => {
    const known = [0.1, 0.12, 0.09, 0.11, 0.1, 0.13, 0.1, 0.12]
    const open = known.map((_, i) => (i < 2 ? Number.POSITIVE_INFINITY : known[i]))
    const { p, interval } = testSignFlip(known, open)
    near(p, testSignFlip(known).p)
    near(interval.low, testSignFlip(known).interval.low)
    assert.equal(interval.high, Number.POSITIVE_INFINITY)
    assert.equal(
      testSignFlip(
        known.map(Math.abs).map(() => Number.NEGATIVE_INFINITY),
        known
      ).p,
      1
    )
  })

  test('contains the true centre as often as it says', () => {
    let inside = 0
    for (let i = 0; i < 1000; i++) {
      const { low, high } = testSignFlip(draw(`cover ${i}`, 8, 3)).interval
      if (low <= 3 && 3 <= high) inside++
    }
    assert.ok(inside >= 940 && inside <= 980, `${inside} of 1,000`)
  })

  test('is not asked for more than 20 values', () =>
    assert.throws(() => computeSubsetMeans(new Array(21).fill(0)), RangeError))
})

test('the Hodges–Lehmann estimate lies in the interval, moves with the values, and one far out moves it little', () => {
  for (const n of [6, 8, 13])
    for (let i = 0; i < 50; i++) {
      const values = draw(`estimate ${n} ${i}`, n)
      const { low, high } = testSignFlip(values).interval
      const estimate = estimateHodgesLehmann(values)
      assert.ok(low <= estimate && estimate <= high, `${low} ${estimate} ${high}`)
      near(estimateHodgesLehmann(values.map(value => value - 2)), estimate - 2)
    }
  assert.ok(estimateHodgesLehmann([1, 1.1, 0.9, 1, 1.05, 0.95, 1, 1e9]) < 1.1)
})

test('Holm adjusts to no less than p, no more than Bonferroni, and keeps the order', () => {
  for (let i = 0; i < 100; i++) {
    const random = makeSubStream(2, 'holm', i)
    const ps = Array.from({ length: 4 }, () => random() ** 3)
    const adjusted = adjustByHolm(ps)
    for (const [place, p] of ps.entries()) {
      assert.ok(adjusted[place] >= p && adjusted[place] <= Math.min(1, 4 * p) + 1e-12)
      for (const [other, q] of ps.entries()) if (p < q) assert.ok(adjusted[place] <= adjusted[other])
    }
    near(Math.min(...adjusted), Math.min(1, 4 * Math.min(...ps)))
  }
  assert.deepEqual(adjustByHolm([]), [])
})

test('the median is the middle, or between the two in the middle', () => {
  assert.deepEqual([median([3, 1, 2]), median([4, 1, 3, 2]), median([5])], [2, 2.5, 5])
  assert.ok(Number.isNaN(median([])))
})
