import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { subStream } from '../../src/kit/random.js'
import { medianInterval } from '../../src/measure/statistics.js'

const upTo = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => n - i)

describe('the interval of a median', () => {
  // ranks of Hollander and Wolfe, table A.2 (sign test): the k-th value from either end
  for (const [n, k] of [
    [6, 1],
    [7, 1],
    [8, 1],
    [9, 2],
    [10, 2],
    [12, 3],
    [15, 4],
    [20, 6],
    [25, 8]
  ]) {
    it(`of ${n} values lies between the ${k}. from either end`, () => {
      const { low, high, median } = medianInterval(upTo(n))
      assert.deepEqual([low, high, median], [k, n + 1 - k, (n + 1) / 2])
    })
  }

  it('is none for fewer than 6 values', () => {
    for (let n = 1; n < 6; n++)
      assert.deepEqual(medianInterval(upTo(n)), { median: (n + 1) / 2, low: null, high: null })
    assert.deepEqual(medianInterval([]), { median: null, low: null, high: null })
  })

  it('holds the median at least 95 times of 100, of a skewed distribution too', () => {
    const random = subStream(1, 'median-interval')
    let held = 0
    for (let i = 0; i < 2000; i++) {
      const { low, high } = medianInterval(Array.from({ length: 8 }, () => -Math.log(1 - random())))
      if (Number(low) <= Math.LN2 && Number(high) >= Math.LN2) held++
    }
    // 99.2 % by the binomial distribution
    assert.ok(held >= 1970 && held <= 1998, `${held} of 2000`)
  })
})
