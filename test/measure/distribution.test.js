import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deflateSync } from 'node:zlib'
import { build } from 'hdr-histogram-js'
import { makeSubStream } from '../../src/kit/random.js'
import {
  decodeHistogram,
  encodeHistogram,
  findClockError,
  isEncodedHistogram,
  removeTimesBelow
} from '../../src/measure/distribution.js'
import { Histogram, MAX_VALUE, QUANTILES, quantize, SIGNIFICANT_DIGITS } from '../../src/measure/histogram.js'
import { histogramOf, range, SHAPES } from './samples.js'

const SHARES = [...Object.values(QUANTILES), 0.01, 0.25, 0.75, 1]

describe('the resolution of times', () => {
  for (const digits of /** @type {const} */ ([1, 2, 3])) {
    it(`of ${digits} digits is that of an HDR histogram`, () => {
      const hdr = /** @type {import('hdr-histogram-js').JsHistogram} */ (
        build({ numberOfSignificantValueDigits: digits, highestTrackableValue: MAX_VALUE })
      )
      const random = makeSubStream(7, 'quantize', digits)
      const powers = range(0, 31).flatMap(k => [2 ** k - 1, 2 ** k, 2 ** k + 1])
      const anywhere = range(1, 2000).map(() => Math.floor(2 ** (random() * 31.7)))
      for (const value of [...range(0, 5000), ...powers, ...anywhere, MAX_VALUE]) {
        assert.equal(quantize(value, digits), hdr.lowestEquivalentValue(value), `${value}`)
      }
    })
  }

  it('is at most 0.1 % off', () => {
    for (let value = 1; value < MAX_VALUE; value = Math.ceil(value * 1.01)) {
      const bucket = quantize(value, SIGNIFICANT_DIGITS)
      assert.ok(bucket <= value && value - bucket < value / 1000, `${value}`)
      assert.equal(quantize(bucket, SIGNIFICANT_DIGITS), bucket)
    }
  })
})

describe('a stored histogram', () => {
  it('that cannot be read is told from one that can', () => {
    const good = encodeHistogram(histogramOf([1, 2, 3]))
    assert.equal(isEncodedHistogram(good), true)
    const bomb = Buffer.concat([
      Buffer.from(good, 'base64').subarray(0, 8),
      deflateSync(Buffer.alloc(1 << 24))
    ])
    for (const text of [
      '',
      'no base64!',
      'AAAA',
      good.slice(0, 40),
      `${good.slice(0, -8)}AAAAAAA=`,
      bomb.toString('base64')
    ])
      assert.equal(isEncodedHistogram(text), false, text.slice(0, 40))
  })

  it('gives the same percentiles when it is read again', () => {
    const random = makeSubStream(7, 'stored')
    const histogram = histogramOf(range(1, 5000).map(() => SHAPES['heavy-tailed'](random)))
    const again = decodeHistogram(encodeHistogram(histogram))
    assert.equal(again.count, 5000)
    for (const share of SHARES) {
      assert.ok(Math.abs(again.quantile(share) / histogram.quantile(share) - 1) <= 0.001)
    }
    assert.ok(Math.abs(again.sum / histogram.sum - 1) <= 0.001)
    assert.ok(Math.abs(again.max / histogram.max - 1) <= 0.001)
    assert.equal(encodeHistogram(again), encodeHistogram(histogram))
  })

  it('may be empty', () => {
    const again = decodeHistogram(encodeHistogram(new Histogram()))
    assert.deepEqual([again.count, again.sum, again.max], [0, 0, 0])
  })
})

const at = (/** @type {number} */ ms) => ({ ms, censored: false })

describe('times between machines', () => {
  it('are off by as much as the two clocks that are known least', () => {
    const machines = [0.2, 0.5, 0.3].map(errorMs => ({ clock: { errorMs } }))
    assert.equal(findClockError(machines), 0.8)
    assert.equal(findClockError(machines.slice(0, 1)), 0)
    assert.equal(findClockError([]), 0)
    assert.equal(findClockError([...machines, { clock: null }]), Number.POSITIVE_INFINITY)
  })

  it('are left out where they are less than that', () => {
    const times = {
      count: 90,
      avg: at(2),
      p50: at(0.7),
      p90: at(0.8),
      p95: at(3),
      p99: null,
      p999: null,
      max: at(9)
    }
    assert.deepEqual(removeTimesBelow(times, 0.8), { ...times, p50: null })
  })
})
