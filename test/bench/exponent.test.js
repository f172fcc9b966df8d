import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exponentOf, growthWords } from '../../bench/parts/exponent.js'

/** @param {number} exponent @param {number[]} [noise] */
const curve = (exponent, noise = [1]) =>
  [1, 10, 100, 1000].map((x, i) => /** @type {const} */ ([x, 7 * x ** exponent * noise[i % noise.length]]))

describe('growth', () => {
  it('finds the power of an exact curve', () => {
    for (const power of [0, 0.5, 1, 2]) {
      const { exponent, low, high } = exponentOf(curve(power))
      for (const found of [exponent, low, high]) assert.ok(Math.abs(found - power) < 1e-9)
    }
  })

  it('has an interval that scatter widens', () => {
    const { low, high, exponent } = exponentOf(curve(0.2, [1, 1.3, 0.8]))
    assert.ok(low < 0.2 && high > 0.2 && high - exponent > 0.05)
  })

  it('is flat where the whole interval is below 0.05, and open where it is not known', () => {
    assert.equal(growthWords(exponentOf(curve(0.01))), 'flat')
    assert.equal(growthWords(exponentOf(curve(-0.2))), 'falls or flat')
    assert.equal(growthWords(exponentOf(curve(0.9))), 'grows')
    assert.equal(growthWords(exponentOf(curve(0.05, [1, 1.3, 0.8]))), 'open')
  })
})
