import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { shareInterval } from '../../src/measure/statistics.js'

/** @param {number} actual @param {number} expected */
const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 5e-5, `${actual}, not ${expected}`)

describe('what a count in a sample says of all', () => {
  it('is the rule of three where nothing was found', () => {
    assert.equal(shareInterval(0, 10_000).low, 0)
    assert.equal(shareInterval(0, 10_000).high.toPrecision(2), (3 / 10_000).toPrecision(2))
    // of a single one nothing much can be said: 95 % of all coins that fall so once
    near(shareInterval(0, 1).high, 0.95)
  })

  // Wilson's interval without continuity correction, as in Newcombe, Statistics in Medicine 17 (1998), table I
  for (const [count, of, low, high] of [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [1, 29, 0.0061, 0.1718]
  ])
    it(`is Wilson's interval for ${count} of ${of}`, () => {
      const interval = shareInterval(count, of)
      near(interval.low, low)
      near(interval.high, high)
    })

  it('ends at everything where all were found', () => {
    near(shareInterval(40, 40).low, 0.9124)
    assert.equal(shareInterval(40, 40).high, 1)
  })
})
