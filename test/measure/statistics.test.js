import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { makeSubStream } from '../../src/kit/random.js'
import {
  computeJainIndex,
  computeMedianInterval,
  computeShareInterval,
  estimateTheilSen,
  findSlopeChange
} from '../../src/measure/statistics.js'

const upTo = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => n - i)

describe('the interval of a median', () => {
  // ranks of Hollander and Wolfe, table A.2 (sign test): the k-th value from either end
  for (const [n, k] of Object.entries({ 6: 1, 7: 1, 8: 1, 9: 2, 10: 2, 12: 3, 15: 4, 20: 6, 25: 8 })) {
    it(`of ${n} values lies between the ${k}. from either end`, () => {
      const { low, high, median } = computeMedianInterval(upTo(+n))
      assert.deepEqual([low, high, median], [k, +n + 1 - k, (+n + 1) / 2])
    })
  }

  it('is none for fewer than 6 values', () => {
    for (let n = 1; n < 6; n++)
      assert.deepEqual(computeMedianInterval(upTo(n)), { median: (n + 1) / 2, low: null, high: null })
    assert.deepEqual(computeMedianInterval([]), { median: null, low: null, high: null })
  })

  it('holds the median at least 95 times of 100, of a skewed distribution too', () => {
    const random = makeSubStream(1, 'median-interval')
    let held = 0
    for (let i = 0; i < 2000; i++) {
      const { low, high } = computeMedianInterval(Array.from({ length: 8 }, () => -Math.log(1 - random())))
      if (Number(low) <= Math.LN2 && Number(high) >= Math.LN2) held++
    }
    // 99.2 % by the binomial distribution
    assert.ok(held >= 1970 && held <= 1998, `${held} of 2000`)
  })
})

/** @param {number} actual @param {number} expected */
const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 5e-5, `${actual}, not ${expected}`)

describe('what a count in a sample says of all', () => {
  it('is the rule of three where nothing was found', () => {
    assert.equal(computeShareInterval(0, 10_000).low, 0)
    assert.equal(computeShareInterval(0, 10_000).high.toPrecision(2), (3 / 10_000).toPrecision(2))
    // of a single one nothing much can be said: 95 % of all coins that fall so once
    near(computeShareInterval(0, 1).high, 0.95)
  })

  // Wilson's interval without continuity correction, as in Newcombe, Statistics in Medicine 17 (1998), table I
  for (const [count, of, low, high] of [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [1, 29, 0.0061, 0.1718]
  ])
    it(`is Wilson's interval for ${count} of ${of}`, () => {
      const interval = computeShareInterval(count, of)
      near(interval.low, low)
      near(interval.high, high)
    })

  it('ends at everything where all were found', () => {
    near(computeShareInterval(40, 40).low, 0.9124)
    assert.equal(computeShareInterval(40, 40).high, 1)
  })
})

/** @param {number[]} ys @param {number[]} [xs] */
const points = (ys, xs = ys.map((_, i) => i)) => ys.map((y, i) => ({ x: xs[i], y }))

/** @param {() => number} random - uniform @returns {number} normal, mean 0, variance 1 */
const normal = random => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** A series in which each value keeps 0.7 of the one before. @param {number} n @param {string} name */
function autocorrelated(n, name) {
  const random = makeSubStream(7, name)
  let before = 0
  return points(
    Array.from({ length: n }, () => {
      before = 0.7 * before + normal(random)
      return before
    })
  )
}

describe('the Theil–Sen slope', () => {
  it('is that of the example in Sen (1968), with its interval of 93 %', () => {
    const found = estimateTheilSen(points([9, 15, 19, 20, 45, 55, 78], [1, 2, 3, 4, 10, 12, 18]), {
      z: 1.811911,
      independent: true
    })
    assert.equal(found?.slope, 4)
    assert.equal(found?.low.toFixed(2), '3.71')
    assert.equal(found?.high.toFixed(2), '4.38')
  })

  it('is that of the rainfall in Hollander and Wolfe (1973), table 9.1', () =>
    assert.equal(estimateTheilSen(points([1.26, 1.27, 1.12, 1.16, 1.03]))?.slope.toFixed(5), '-0.05625'))

  it('is exact for a line, however steep', () =>
    assert.deepEqual(estimateTheilSen(points([5, 2, -1, -4, -7, -10])), { slope: -3, low: -3, high: -3 }))

  it('is not moved by outliers', () => {
    const line = Array.from({ length: 20 }, (_, i) => 2 * i)
    assert.equal(estimateTheilSen(points(line.with(3, 900).with(17, -5000)))?.slope, 2)
  })

  it('is 0 for values that are all the same', () =>
    assert.deepEqual(estimateTheilSen(points([3, 3, 3, 3, 3])), { slope: 0, low: 0, high: 0 }))

  for (const few of [[], [1], [1, 2, 3]])
    it(`is not known of ${few.length} points`, () => assert.equal(estimateTheilSen(points(few)), null))

  it('is not known where all is at one time', () =>
    assert.equal(estimateTheilSen(points([1, 2, 3, 4], [5, 5, 5, 5])), null))
})

describe('its interval', () => {
  const series = Array.from({ length: 200 }, (_, i) => autocorrelated(60, `series ${i}`))
  /** @param {boolean} independent */
  const falseAlarms = independent =>
    series.filter(each => {
      const { low, high } = estimateTheilSen(each, { independent }) ?? assert.fail()
      return low > 0 || high < 0
    }).length

  it('gives far fewer false alarms than it would, were values taken to know nothing of each other', () => {
    const [corrected, plain] = [falseAlarms(false), falseAlarms(true)]
    assert.ok(corrected <= 0.6 * plain, `${corrected} and ${plain} of ${series.length}`)
  })

  it('holds the truth in 95 of 100 cases where they do know nothing of each other', () => {
    const apart = Array.from({ length: 400 }, (_, i) => {
      const random = makeSubStream(7, 'apart', i)
      return points(Array.from({ length: 40 }, () => normal(random)))
    })
    const alarms = apart.filter(each => {
      const { low, high } = estimateTheilSen(each) ?? assert.fail()
      return low > 0 || high < 0
    })
    assert.ok(alarms.length <= 32, `${alarms.length} of 400`)
  })

  it('finds a slope all the same', () => {
    const rising = series.map(each => each.map(({ x, y }) => ({ x, y: y + 0.15 * x })))
    const found = rising.filter(each => (estimateTheilSen(each)?.low ?? 0) > 0)
    assert.ok(found.length > 180, `${found.length} of 200`)
  })
})

/** @param {number} count @param {(x: number) => number} of */
const pointsSlopeChange = (count, of) => Array.from({ length: count }, (_, x) => ({ x, y: of(x) }))

/** The same on every machine, between −1 and 1. @param {number} x */
const wiggle = x => Math.sin(12.9898 * x) * Math.cos(78.233 * x)

describe('a change of slope', () => {
  test('is found where a run carries less from some second on', () => {
    const found = findSlopeChange(
      pointsSlopeChange(60, x => (x < 40 ? 100 * x : 4000 + 50 * (x - 40)) + 20 * wiggle(x))
    )
    assert.ok(found !== null && Math.abs(found.at - 40) <= 2, JSON.stringify(found))
    assert.ok(Math.abs(found.before - 100) < 5 && Math.abs(found.after - 50) < 5)
  })

  test('is none in what grows evenly, however it wiggles', () => {
    assert.equal(findSlopeChange(pointsSlopeChange(60, x => 100 * x + 80 * wiggle(x))), null)
    assert.equal(findSlopeChange(pointsSlopeChange(60, () => 5)), null)
  })

  test('is none within a tenth', () =>
    assert.equal(
      findSlopeChange(pointsSlopeChange(60, x => (x < 30 ? 100 * x : 3000 + 95 * (x - 30)))),
      null
    ))

  test('is none of fewer points than two lines need', () =>
    assert.equal(findSlopeChange(pointsSlopeChange(5, x => (x < 3 ? x : 100 * x))), null))
})

describe("Jain's index", () => {
  for (const [values, expected] of /** @type {[number[], number | null][]} */ ([
    [[], null],
    [[5], 1],
    [[3, 3, 3, 3], 1],
    [[1, 0, 0, 0], 1 / 4],
    [[2, 1], 9 / 10],
    // of the report that defines it: half of all get as much, the others nothing
    [[4, 4, 0, 0], 1 / 2],
    [[0, 0], 1]
  ])) {
    it(`of ${JSON.stringify(values)} is ${expected}`, () => {
      const index = computeJainIndex(values)
      if (expected === null || index === null) assert.equal(index, expected)
      else assert.ok(Math.abs(index - expected) < 1e-12, `${index}`)
    })
  }

  it('does not depend on the unit', () => {
    assert.equal(computeJainIndex([1, 2, 3]), computeJainIndex([10, 20, 30]))
  })
})
