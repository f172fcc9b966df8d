import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fitLeastSquares } from '../../src/studies/statistics.js'

/** @param {number} actual @param {number} expected @param {number} [within] */
const near = (actual, expected, within = 1e-9) =>
  assert.ok(Math.abs(actual - expected) <= within, `${actual} instead of ${expected}`)

describe('leastSquares', () => {
  test('finds the line that points lie on, and leaves nothing', () => {
    const { slope, intercept, residuals, rms, r2 } = fitLeastSquares(
      [1, 2, 5].map(x => ({ x, y: 3 - 2 * x }))
    )
    for (const [actual, expected] of [
      [slope, -2],
      [intercept, 3],
      [rms, 0],
      [Number(r2), 1]
    ])
      near(actual, expected)
    assert.equal(residuals.length, 3)
  })

  test("has the published figures of Anscombe's first set (F. J. Anscombe, 1973)", () => {
    const x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5]
    const y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]
    const { slope, intercept, r2 } = fitLeastSquares(x.map((each, place) => ({ x: each, y: y[place] })))
    near(slope, 0.5, 0.001)
    near(intercept, 3, 0.001)
    near(Number(r2), 0.67, 0.005)
  })

  test('has no share of a variance that is not there', () => {
    const { slope, r2 } = fitLeastSquares([
      { x: 1, y: 4 },
      { x: 2, y: 4 }
    ])
    assert.deepEqual([slope, r2], [0, null])
  })
})
