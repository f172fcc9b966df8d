import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { subStream } from '../../src/kit/random.js'
import { theilSen } from '../../src/measure/statistics.js'

/** @param {number[]} ys @param {number[]} [xs] */
const points = (ys, xs = ys.map((_, i) => i)) => ys.map((y, i) => ({ x: xs[i], y }))

/** @param {() => number} random - uniform @returns {number} normal, mean 0, variance 1 */
const normal = random => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** A series in which each value keeps 0.7 of the one before. @param {number} n @param {string} name */
function autocorrelated(n, name) {
  const random = subStream(7, name)
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
    const found = theilSen(points([9, 15, 19, 20, 45, 55, 78], [1, 2, 3, 4, 10, 12, 18]), {
      z: 1.811911,
      independent: true
    })
    assert.equal(found?.slope, 4)
    assert.equal(found?.low.toFixed(2), '3.71')
    assert.equal(found?.high.toFixed(2), '4.38')
  })

  it('is that of the rainfall in Hollander and Wolfe (1973), table 9.1', () =>
    assert.equal(theilSen(points([1.26, 1.27, 1.12, 1.16, 1.03]))?.slope.toFixed(5), '-0.05625'))

  it('is exact for a line, however steep', () =>
    assert.deepEqual(theilSen(points([5, 2, -1, -4, -7, -10])), { slope: -3, low: -3, high: -3 }))

  it('is not moved by outliers', () => {
    const line = Array.from({ length: 20 }, (_, i) => 2 * i)
    assert.equal(theilSen(points(line.with(3, 900).with(17, -5000)))?.slope, 2)
  })

  it('is 0 for values that are all the same', () =>
    assert.deepEqual(theilSen(points([3, 3, 3, 3, 3])), { slope: 0, low: 0, high: 0 }))

  for (const few of [[], [1], [1, 2, 3]])
    it(`is not known of ${few.length} points`, () => assert.equal(theilSen(points(few)), null))

  it('is not known where all is at one time', () =>
    assert.equal(theilSen(points([1, 2, 3, 4], [5, 5, 5, 5])), null))
})

describe('its interval', () => {
  const series = Array.from({ length: 200 }, (_, i) => autocorrelated(60, `series ${i}`))
  /** @param {boolean} independent */
  const falseAlarms = independent =>
    series.filter(each => {
      const { low, high } = theilSen(each, { independent }) ?? assert.fail()
      return low > 0 || high < 0
    }).length

  it('gives far fewer false alarms than it would, were values taken to know nothing of each other', () => {
    const [corrected, plain] = [falseAlarms(false), falseAlarms(true)]
    assert.ok(corrected <= 0.6 * plain, `${corrected} and ${plain} of ${series.length}`)
  })

  it('holds the truth in 95 of 100 cases where they do know nothing of each other', () => {
    const apart = Array.from({ length: 400 }, (_, i) => {
      const random = subStream(7, 'apart', i)
      return points(Array.from({ length: 40 }, () => normal(random)))
    })
    const alarms = apart.filter(each => {
      const { low, high } = theilSen(each) ?? assert.fail()
      return low > 0 || high < 0
    })
    assert.ok(alarms.length <= 32, `${alarms.length} of 400`)
  })

  it('finds a slope all the same', () => {
    const rising = series.map(each => each.map(({ x, y }) => ({ x, y: y + 0.15 * x })))
    const found = rising.filter(each => (theilSen(each)?.low ?? 0) > 0)
    assert.ok(found.length > 180, `${found.length} of 200`)
  })
})
