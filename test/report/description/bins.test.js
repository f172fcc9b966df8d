import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { subStream } from '../../../src/kit/random.js'
import { binned, binnedToDraw, countUpTo } from '../../../src/report/description.js'
import { histogramOf } from '../../measure/samples.js'

describe('bins', () => {
  const random = subStream(3, 'values')

  for (const [what, values] of Object.entries({
    one: [5000],
    'all alike': Array.from({ length: 40 }, () => 100_000),
    spread: Array.from({ length: 500 }, () => Math.floor(200_000 * random())),
    'with a tail': [...Array.from({ length: 300 }, () => 1000 + Math.floor(500 * random())), 4e6, 9e6],
    'in two heaps': [
      ...Array.from({ length: 50 }, (_, i) => 100 + i),
      ...Array.from({ length: 50 }, (_, i) => 9e5 + i)
    ]
  }))
    test(`${what}: hold every value once, each between its edges`, () => {
      const { bins, beyond } = binned(histogramOf(values))
      const total = bins.reduce((sum, { count }) => sum + count, 0)
      assert.equal(total + beyond, values.length)
      assert.ok(bins.length <= 60, `${bins.length}`)
      for (const { from, to, count } of bins) {
        // the histogram itself is exact to a thousandth
        const slack = 0.002 * to * 1000
        const inside = values.filter(us => us >= from * 1000 - slack && us <= to * 1000 + slack).length
        assert.ok(count <= inside, `${from}–${to}: ${count} of ${inside}`)
      }
    })

  test('values up to a limit are counted as by hand', () => {
    const values = Array.from({ length: 999 }, () => Math.floor(2000 * random()))
    const histogram = histogramOf(values)
    for (const limit of [0, 1, 17, 500, 1234, 1999, 5000])
      assert.equal(countUpTo(histogram, limit), values.filter(value => value <= limit).length, `${limit}`)
  })

  test('to be drawn are few where there are few values', () => {
    const values = Array.from({ length: 40 }, () => Math.floor(200_000 * random()))
    assert.ok(binnedToDraw(histogramOf(values)).bins.length <= 14)
  })

  test('nothing has none', () => assert.deepEqual(binned(histogramOf([])), { bins: [], beyond: 0 }))
})
