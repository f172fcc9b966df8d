import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { subStream } from '../../src/kit/random.js'
import {
  boundedArrivals,
  constantArrivals,
  mergedArrivals,
  poissonArrivals,
  shareOf
} from '../../src/load/arrivals.js'

/** @param {number} count @param {Iterable<number>} arrivals */
const first = (count, arrivals) => [...boundedArrivals(arrivals, { count })]

/** @param {number[]} offsets */
const gapsOf = offsets => offsets.slice(1).map((offset, i) => offset - offsets[i])

describe('constant arrivals', () => {
  for (const [rate, expected] of /** @type {[number, number[]][]} */ ([
    [1, [0, 1e9, 2e9, 3e9]],
    [1000, [0, 1e6, 2e6, 3e6]],
    [3, [0, 333_333_333, 666_666_667, 1e9]],
    [0.5, [0, 2e9, 4e9, 6e9]],
    [1_000_000, [0, 1000, 2000, 3000]]
  ])) {
    it(`at ${rate}/s are evenly spaced`, () => assert.deepEqual(first(4, constantArrivals(rate)), expected))
  }

  it('do not drift: a million operations at 7,000/s take as long as they should', () => {
    let last = 0
    for (const offset of boundedArrivals(constantArrivals(7000), { count: 1_000_001 })) last = offset
    assert.equal(last, Math.round((1_000_000 * 1e9) / 7000))
  })
})

describe('schedules together', () => {
  it('come in the order in which they are due, the first one first where that is at once, each counted', () =>
    assert.deepEqual(
      [...mergedArrivals([[0, 20, 20], [], [0, 10, 30]])].map(({ offset, of, nth }) => [offset, of, nth]),
      [
        [0, 0, 0],
        [0, 2, 0],
        [10, 2, 1],
        [20, 0, 1],
        [20, 0, 2],
        [30, 2, 2]
      ]
    ))

  it('may go on for ever, beside one that does not', () => {
    const due = mergedArrivals([constantArrivals(1000), boundedArrivals(constantArrivals(500), { count: 2 })])
    const offsets = Array.from({ length: 5 }, () => due.next().value?.offset)
    assert.deepEqual(offsets, [0, 0, 1e6, 2e6, 2e6])
  })

  it('are none where there is none', () => assert.deepEqual([...mergedArrivals([])], []))
})

describe('Poisson arrivals', () => {
  const RATE = 800
  const offsets = first(40_000, poissonArrivals(RATE, subStream(7, 'arrivals')))
  const gaps = gapsOf([0, ...offsets])
  const mean = offsets[offsets.length - 1] / offsets.length

  it('come at the rate asked for', () => {
    // standard error of the mean of 40,000 exponential gaps: 0.5 %
    assert.ok(Math.abs(mean / (1e9 / RATE) - 1) < 0.02, `mean gap ${mean}`)
  })

  for (const [multiple, share] of [0.1, 0.5, 1, 2, 4].map(m => [m, Math.exp(-m)])) {
    it(`have a gap longer than ${multiple} × the mean in ${(100 * share).toFixed(1)} % of cases`, () => {
      const longer = gaps.filter(gap => gap > (multiple * 1e9) / RATE).length / gaps.length
      assert.ok(Math.abs(longer - share) < 0.01, `${longer}`)
    })
  }

  it('know nothing of each other', () => {
    const pairs = gaps.slice(1).map((gap, i) => (gap - mean) * (gaps[i] - mean))
    const correlation = pairs.reduce((sum, x) => sum + x, 0) / pairs.length / mean ** 2
    assert.ok(Math.abs(correlation) < 0.03, `${correlation}`)
  })

  it('are the same for the same seed, and others for another', () => {
    const again = first(100, poissonArrivals(RATE, subStream(7, 'arrivals')))
    const other = first(100, poissonArrivals(RATE, subStream(8, 'arrivals')))
    assert.deepEqual(again, offsets.slice(0, 100))
    assert.notDeepEqual(other, again)
  })

  it('stay in order and finite at the ends of the random numbers', () => {
    const draws = [0, 1 - 2 ** -53, 0, 0.5]
    let i = 0
    const found = first(
      4,
      poissonArrivals(1, () => draws[i++])
    )
    assert.equal(found[0], 0)
    for (const gap of gapsOf(found)) assert.ok(gap >= 0 && Number.isSafeInteger(gap))
  })
})

describe('a schedule ends', () => {
  /** @type {[string, { count?: number, durationNs?: number }, number[]][]} */
  const cases = [
    ['after a number of operations', { count: 3 }, [0, 100, 200]],
    ['at once for no operations', { count: 0 }, []],
    ['before the offset, what is due on it is late', { durationNs: 200 }, [0, 100]],
    ['at once for no time', { durationNs: 0 }, []],
    ['by whichever comes first, the number', { count: 2, durationNs: 1000 }, [0, 100]],
    ['by whichever comes first, the time', { count: 20, durationNs: 201 }, [0, 100, 200]],
    ['after one operation in a very short time', { count: 20, durationNs: 1 }, [0]]
  ]
  for (const [name, bounds, expected] of cases) {
    it(name, () => assert.deepEqual([...boundedArrivals(constantArrivals(1e7), bounds)], expected))
  }
})

describe('a schedule dealt out to workers', () => {
  const random = subStream(7, 'shares')
  for (const workers of [1, 2, 3, 7]) {
    for (const count of [0, 1, 2, 3, 100, 1000 + Math.floor(random() * 100)]) {
      it(`loses none of ${count} operations among ${workers}`, () => {
        const shares = sharesOfConstant(workers, count, 500)
        const all = shares.flat().sort((a, b) => a - b)
        assert.deepEqual(all, first(count, constantArrivals(500)))
      })
    }

    it(`is evenly spaced for each of ${workers} and together keeps the rate`, () => {
      for (const share of sharesOfConstant(workers, 999, 300)) {
        const due = workers * (1e9 / 300)
        for (const gap of gapsOf(share)) assert.ok(Math.abs(gap - due) <= 1, `${gap}`)
      }
    })

    it(`is one Poisson process among ${workers} whose random numbers are the same`, () => {
      const shares = Array.from({ length: workers }, (_, index) => [
        ...shareOf(boundedArrivals(poissonArrivals(500, subStream(7, 'a')), { count: 500 }), {
          index,
          workers
        })
      ])
      const all = shares.flat().sort((a, b) => a - b)
      assert.deepEqual(all, first(500, poissonArrivals(500, subStream(7, 'a'))))
    })

    it(`takes as many random numbers in each of ${workers}, so that the next round still fits together`, () => {
      const draws = Array.from({ length: workers }, (_, index) => {
        let drawn = 0
        const random = subStream(7, 'a')
        const counted = () => {
          drawn++
          return random()
        }
        first(
          1000,
          shareOf(boundedArrivals(poissonArrivals(500, counted), { count: 50 }), { index, workers })
        )
        return drawn
      })
      assert.deepEqual(new Set(draws), new Set([50]))
    })
  }
})

/** @param {number} workers @param {number} count @param {number} rate */
const sharesOfConstant = (workers, count, rate) =>
  Array.from({ length: workers }, (_, index) => [
    ...shareOf(boundedArrivals(constantArrivals(rate), { count }), { index, workers })
  ])
