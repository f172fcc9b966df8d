import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { subStream } from '../../src/kit/random.js'
import {
  boundedArrivals,
  dueIn,
  offeredLoad,
  rampRate,
  rateShapeOf,
  shapedArrivals,
  shareOf,
  sineRate,
  stepRates
} from '../../src/load/arrivals.js'

/** @typedef {import('../../src/load/arrivals.js').RateShape} RateShape */

/** @param {number} found @param {number} expected @param {string} [what] */
const near = (found, expected, what) =>
  assert.ok(
    Math.abs(found - expected) <= 1e-6 * Math.max(1, Math.abs(expected)),
    `${what}: ${found}, not ${expected}`
  )

describe('a rate that changes', () => {
  /** @type {[string, RateShape, [at: number, rate: number, due: number][]][]} */
  const cases = [
    [
      'rises evenly, and stays',
      rampRate(100, 500, 10),
      [
        [0, 100, 0],
        [5, 300, 1000],
        [10, 500, 3000],
        [12, 500, 4000]
      ]
    ],
    [
      'falls evenly',
      rampRate(500, 100, 10),
      [
        [0, 500, 0],
        [5, 300, 2000],
        [10, 100, 3000]
      ]
    ],
    [
      'does not change in a ramp to itself',
      rampRate(50, 50, 10),
      [
        [0, 50, 0],
        [5, 50, 250],
        [10, 50, 500]
      ]
    ],
    [
      'goes by steps, each for as long',
      stepRates([100, 0, 400], 30),
      [
        [5, 100, 500],
        [15, 0, 1000],
        [25, 400, 3000],
        [30, 400, 5000],
        [31, 400, 5400]
      ]
    ],
    [
      'swings about its mean, beginning there',
      sineRate(100, 0.8, 40),
      [
        [0, 100, 0],
        [10, 180, 1000 + (80 * 40) / (2 * Math.PI)],
        [20, 100, 2000 + (160 * 40) / (2 * Math.PI)],
        [30, 20, 3000 + (80 * 40) / (2 * Math.PI)],
        [40, 100, 4000]
      ]
    ]
  ]
  for (const [name, shape, points] of cases)
    it(name, () => {
      for (const [at, rate, due] of points) {
        near(shape.rateAt(at), rate, `rate at ${at}`)
        near(shape.dueBy(at), due, `due by ${at}`)
        if (rate > 0) near(shape.timeOf(due), at, `time of ${due}`)
      }
    })

  it('is never due before what came before it, to the last one', () => {
    for (const [, { timeOf, dueBy }] of cases) {
      let before = 0
      for (let due = 0; due < 4000; due += 7.3) {
        const at = timeOf(due)
        assert.ok(at >= before)
        near(dueBy(at), due, 'its own inverse')
        before = at
      }
    }
  })

  it('lets a step of no rate pass without an arrival', () => {
    const { timeOf } = stepRates([10, 0, 10], 3)
    assert.equal(timeOf(9), 0.9)
    assert.equal(timeOf(10), 2)
    assert.equal(stepRates([0, 10], 2).timeOf(0), 1)
  })
})

describe('arrivals of a rate that changes', () => {
  const ramp = {
    shape: /** @type {const} */ ('ramp'),
    toPerSecond: 300,
    spacing: /** @type {const} */ ('constant')
  }
  const plan = { arrivals: ramp, ratePerSecond: 100, durationMs: 10_000 }
  /** @param {number} from @param {number} to @param {number[]} offsets - s */
  const between = (from, to, offsets) => offsets.filter(at => at >= from * 1e9 && at < to * 1e9).length

  it('are as many as are due, the last before the end', () => {
    assert.equal(dueIn(plan), 2000)
    const offsets = [...boundedArrivals(offeredLoad(plan, Math.random), { durationNs: 10e9 })]
    assert.equal(offsets.length, 2000)
    assert.equal(between(0, 5, offsets), 750)
  })

  it('keep the shape when they are independent of each other', () => {
    const poisson = { ...plan, arrivals: { ...ramp, spacing: /** @type {const} */ ('poisson') } }
    const offsets = [...boundedArrivals(offeredLoad(poisson, subStream(7, 'a')), { durationNs: 10e9 })]
    // Poisson counts: the standard deviation is the root of the mean
    assert.ok(Math.abs(offsets.length - 2000) < 4 * Math.sqrt(2000), `${offsets.length}`)
    assert.ok(Math.abs(between(0, 5, offsets) - 750) < 4 * Math.sqrt(750))
    const gaps = offsets.slice(1).map((at, i) => at - offsets[i])
    assert.ok(new Set(gaps).size > 1900, 'they are not evenly spaced')
    assert.deepEqual(
      [...boundedArrivals(offeredLoad(poisson, subStream(7, 'a')), { durationNs: 10e9 })],
      offsets
    )
  })

  it('are dealt out to workers without a loss', () => {
    const whole = [...boundedArrivals(shapedArrivals(rampRate(10, 90, 5).timeOf, null), { count: 250 })]
    const shares = [0, 1, 2].map(index => [
      ...shareOf(boundedArrivals(shapedArrivals(rampRate(10, 90, 5).timeOf, null), { count: 250 }), {
        index,
        workers: 3
      })
    ])
    assert.deepEqual(
      shares.flat().sort((a, b) => a - b),
      whole
    )
  })

  /** @type {[string, any, number][]} */
  const counts = [
    ['a constant rate', { arrivals: 'constant', ratePerSecond: 92, durationMs: 2000 }, 184],
    [
      'Poisson arrivals: the expected number',
      { arrivals: 'poisson', ratePerSecond: 92, durationMs: 2000 },
      184
    ],
    [
      'steps',
      {
        arrivals: { shape: 'steps', ratesPerSecond: [10, 20], spacing: 'constant' },
        ratePerSecond: 15,
        durationMs: 4000
      },
      60
    ],
    [
      'a whole wave',
      {
        arrivals: { shape: 'sine', amplitude: 1, periodMs: null, spacing: 'constant' },
        ratePerSecond: 50,
        durationMs: 4000
      },
      200
    ]
  ]
  for (const [name, offered, due] of counts)
    it(`of ${name} are counted`, () => assert.equal(dueIn(offered), due))
})

describe('the rate of a plan', () => {
  it('stays where its arrivals have no shape', () => {
    const shape = rateShapeOf({ arrivals: 'poisson', ratePerSecond: 4, durationMs: null })
    assert.deepEqual([shape?.rateAt(9), shape?.dueBy(9), shape?.timeOf(36)], [4, 36, 9])
  })

  it('is no function of time where it is replayed', () => {
    const arrivals = /** @type {any} */ ({ shape: 'replay', path: 'a.txt' })
    assert.equal(rateShapeOf({ arrivals, ratePerSecond: 4, durationMs: 1000 }), null)
  })

  it('follows its shape over its time', () => {
    const arrivals = /** @type {any} */ ({ shape: 'ramp', toPerSecond: 30 })
    const shape = rateShapeOf({ arrivals, ratePerSecond: 10, durationMs: 2000 })
    assert.deepEqual([shape?.rateAt(0), shape?.rateAt(1), shape?.rateAt(5)], [10, 20, 30])
  })
})
