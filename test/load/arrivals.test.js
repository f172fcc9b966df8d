import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeSubStream } from '../../src/kit/random.js'
import {
  countDueOperations,
  isPackedReplay,
  limitArrivals,
  makeArrivals,
  makeConstantArrivals,
  makePoissonArrivals,
  makeRampRate,
  makeRateShape,
  makeShapedArrivals,
  makeSineRate,
  makeStepRates,
  mergeArrivals,
  packReplay,
  parseReplay,
  takeWorkerShare,
  unpackReplay
} from '../../src/load/arrivals.js'

/** @param {number} count @param {Iterable<number>} arrivals */
const first = (count, arrivals) => [...limitArrivals(arrivals, { count })]

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
    it(`at ${rate}/s are evenly spaced`, () =>
      assert.deepEqual(first(4, makeConstantArrivals(rate)), expected))
  }

  it('do not drift: a million operations at 7,000/s take as long as they should', () => {
    let last = 0
    for (const offset of limitArrivals(makeConstantArrivals(7000), { count: 1_000_001 })) last = offset
    assert.equal(last, Math.round((1_000_000 * 1e9) / 7000))
  })
})

describe('schedules together', () => {
  it('come in the order in which they are due, the first one first where that is at once, each counted', () =>
    assert.deepEqual(
      [...mergeArrivals([[0, 20, 20], [], [0, 10, 30]])].map(({ offset, of, nth }) => [offset, of, nth]),
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
    const due = mergeArrivals([
      makeConstantArrivals(1000),
      limitArrivals(makeConstantArrivals(500), { count: 2 })
    ])
    const offsets = Array.from({ length: 5 }, () => due.next().value?.offset)
    assert.deepEqual(offsets, [0, 0, 1e6, 2e6, 2e6])
  })

  it('are none where there is none', () => assert.deepEqual([...mergeArrivals([])], []))
})

describe('Poisson arrivals', () => {
  const RATE = 800
  const offsets = first(40_000, makePoissonArrivals(RATE, makeSubStream(7, 'arrivals')))
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
    const again = first(100, makePoissonArrivals(RATE, makeSubStream(7, 'arrivals')))
    const other = first(100, makePoissonArrivals(RATE, makeSubStream(8, 'arrivals')))
    assert.deepEqual(again, offsets.slice(0, 100))
    assert.notDeepEqual(other, again)
  })

  it('stay in order and finite at the ends of the random numbers', () => {
    const draws = [0, 1 - 2 ** -53, 0, 0.5]
    let i = 0
    const found = first(
      4,
      makePoissonArrivals(1, () => draws[i++])
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
    it(name, () => assert.deepEqual([...limitArrivals(makeConstantArrivals(1e7), bounds)], expected))
  }
})

describe('a schedule dealt out to workers', () => {
  const random = makeSubStream(7, 'shares')
  for (const workers of [1, 2, 3, 7]) {
    for (const count of [0, 1, 2, 3, 100, 1000 + Math.floor(random() * 100)]) {
      it(`loses none of ${count} operations among ${workers}`, () => {
        const shares = sharesOfConstant(workers, count, 500)
        const all = shares.flat().sort((a, b) => a - b)
        assert.deepEqual(all, first(count, makeConstantArrivals(500)))
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
        ...takeWorkerShare(limitArrivals(makePoissonArrivals(500, makeSubStream(7, 'a')), { count: 500 }), {
          index,
          workers
        })
      ])
      const all = shares.flat().sort((a, b) => a - b)
      assert.deepEqual(all, first(500, makePoissonArrivals(500, makeSubStream(7, 'a'))))
    })

    it(`takes as many random numbers in each of ${workers}, so that the next round still fits together`, () => {
      const draws = Array.from({ length: workers }, (_, index) => {
        let drawn = 0
        const random = makeSubStream(7, 'a')
        const counted = () => {
          drawn++
          return random()
        }
        first(
          1000,
          takeWorkerShare(limitArrivals(makePoissonArrivals(500, counted), { count: 50 }), { index, workers })
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
    ...takeWorkerShare(limitArrivals(makeConstantArrivals(rate), { count }), { index, workers })
  ])

/** @typedef {import('../../src/load/arrivals.js').RateShape} RateShape */

/** @param {number} found @param {number} expected @param {string} [what] */
const near = (found, expected, what) =>
  assert.ok(
    Math.abs(found - expected) <= 1e-6 * Math.max(1, Math.abs(expected)),
    `${what}: ${found}, not ${expected}`
  )

describe('a rate that changes', () => {
  const [quarter, half] = [(80 * 40) / (2 * Math.PI), (160 * 40) / (2 * Math.PI)]
  /** @type {[string, RateShape, at: number[], rate: number[], due: number[]][]} */
  const cases = [
    [
      'rises, and stays',
      makeRampRate(100, 500, 10),
      [0, 5, 10, 12],
      [100, 300, 500, 500],
      [0, 1000, 3000, 4000]
    ],
    ['falls evenly', makeRampRate(500, 100, 10), [0, 5, 10], [500, 300, 100], [0, 2000, 3000]],
    [
      'does not change in a ramp to itself',
      makeRampRate(50, 50, 10),
      [0, 5, 10],
      [50, 50, 50],
      [0, 250, 500]
    ],
    [
      'goes by steps, each for as long',
      makeStepRates([100, 0, 400], 30),
      [5, 15, 25, 30, 31],
      [100, 0, 400, 400, 400],
      [500, 1000, 3000, 5000, 5400]
    ],
    [
      'swings about its mean, beginning there',
      makeSineRate(100, 0.8, 40),
      [0, 10, 20, 30, 40],
      [100, 180, 100, 20, 100],
      [0, 1000 + quarter, 2000 + half, 3000 + quarter, 4000]
    ]
  ]
  for (const [name, shape, times, rates, dues] of cases)
    it(name, () => {
      for (const [i, at] of times.entries()) {
        const [rate, due] = [rates[i], dues[i]]
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
    const { timeOf } = makeStepRates([10, 0, 10], 3)
    assert.equal(timeOf(9), 0.9)
    assert.equal(timeOf(10), 2)
    assert.equal(makeStepRates([0, 10], 2).timeOf(0), 1)
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
    assert.equal(countDueOperations(plan), 2000)
    const offsets = [...limitArrivals(makeArrivals(plan, Math.random), { durationNs: 10e9 })]
    assert.equal(offsets.length, 2000)
    assert.equal(between(0, 5, offsets), 750)
  })

  it('keep the shape when they are independent of each other', () => {
    const poisson = { ...plan, arrivals: { ...ramp, spacing: /** @type {const} */ ('poisson') } }
    const offsets = [...limitArrivals(makeArrivals(poisson, makeSubStream(7, 'a')), { durationNs: 10e9 })]
    // Poisson counts: the standard deviation is the root of the mean
    assert.ok(Math.abs(offsets.length - 2000) < 4 * Math.sqrt(2000), `${offsets.length}`)
    assert.ok(Math.abs(between(0, 5, offsets) - 750) < 4 * Math.sqrt(750))
    const gaps = offsets.slice(1).map((at, i) => at - offsets[i])
    assert.ok(new Set(gaps).size > 1900, 'they are not evenly spaced')
    assert.deepEqual(
      [...limitArrivals(makeArrivals(poisson, makeSubStream(7, 'a')), { durationNs: 10e9 })],
      offsets
    )
  })

  it('are dealt out to workers without a loss', () => {
    const whole = [...limitArrivals(makeShapedArrivals(makeRampRate(10, 90, 5).timeOf, null), { count: 250 })]
    const shares = [0, 1, 2].map(index => [
      ...takeWorkerShare(
        limitArrivals(makeShapedArrivals(makeRampRate(10, 90, 5).timeOf, null), { count: 250 }),
        { index, workers: 3 }
      )
    ])
    const all = shares.flat().sort((a, b) => a - b)
    assert.deepEqual(all, whole)
  })

  /** @type {[string, any, number][]} */
  const counts = [
    ['a constant rate', { arrivals: 'constant', ratePerSecond: 92, durationMs: 2000 }, 184],
    ['Poisson arrivals, on average', { arrivals: 'poisson', ratePerSecond: 92, durationMs: 2000 }, 184],
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
    it(`of ${name} are counted`, () => assert.equal(countDueOperations(offered), due))
})

describe('the rate of a plan', () => {
  it('stays where its arrivals have no shape', () => {
    const shape = makeRateShape({ arrivals: 'poisson', ratePerSecond: 4, durationMs: null })
    assert.deepEqual([shape?.rateAt(9), shape?.dueBy(9), shape?.timeOf(36)], [4, 36, 9])
  })

  it('is no function of time where it is replayed', () => {
    const arrivals = /** @type {any} */ ({ shape: 'replay', path: 'a.txt' })
    assert.equal(makeRateShape({ arrivals, ratePerSecond: 4, durationMs: 1000 }), null)
  })

  it('follows its shape over its time', () => {
    const arrivals = /** @type {any} */ ({ shape: 'ramp', toPerSecond: 30 })
    const shape = makeRateShape({ arrivals, ratePerSecond: 10, durationMs: 2000 })
    assert.deepEqual([shape?.rateAt(0), shape?.rateAt(1), shape?.rateAt(5)], [10, 20, 30])
  })
})

/** @typedef {import('../../src/load/arrivals.js').ReplayReading} ReplayReading */

/** @type {ReplayReading} */
const PLAIN = { unit: 'ms', column: null }

describe('a file of arrivals', () => {
  /** @type {[string, string, Partial<ReplayReading>, number[]][]} µs */
  const cases = [
    ['has an offset in each line', '0\n1.5\n20\n', {}, [0, 1500, 20_000]],
    ['may count in seconds', '0\n1.5\n20', { unit: 's' }, [0, 1_500_000, 20_000_000]],
    ['may have comments, empty lines and any line ends', '# a\r\n1\r\n\r\n 2 # b\r\n', {}, [1000, 2000]],
    ['may have a name above its only column', 'due\n1\n2', {}, [1000, 2000]],
    ['may be a column of a table', 'id,due\na,3\nb,3\n"c","4.25"\n', { column: 'due' }, [3000, 3000, 4250]],
    ['may have two at once', '5\n5\n5', {}, [5000, 5000, 5000]]
  ]
  for (const [name, text, reading, expected] of cases)
    it(name, () => assert.deepEqual([...parseReplay(text, { ...PLAIN, ...reading })], expected))

  /** @type {[string, string, Partial<ReplayReading>, RegExp][]} */
  const bad = [
    ['without arrivals', '# nothing\n', {}, /^contains no arrivals$/],
    ['whose offsets fall', '1\n3\n2\n', {}, /^line 3: 2 ms is before the line above it/],
    ['with a word', '1\n\n2\nfoo\n', {}, /^line 4: "foo" must be an offset in ms, such as 12\.5$/],
    ['with a negative number', '-1\n-1', {}, /^line 2: "-1" must be an offset/],
    ['without the column', 'a,b\n1,2', { column: 'due' }, /^line 1: has no column due, only a, b$/],
    ['of several columns, none chosen', '1,2\n3,4', {}, /^line 1: has several columns: say which/],
    ['with a row that is too short', 'a,due\n1,2\n3\n', { column: 'due' }, /^line 3: "" must be an offset/],
    ['of points in time', '1763630000\n', { unit: 's' }, /^line 1: .* more than 24 days after the start/]
  ]
  for (const [name, text, reading, message] of bad)
    it(`${name} is refused, with the line`, () =>
      assert.throws(() => parseReplay(text, { ...PLAIN, ...reading }), { message }))
})

describe('arrivals in a plan', () => {
  it('that cannot be unpacked, or are not as many as they say, are told from those that can', () => {
    const { gaps, count } = packReplay(Float64Array.of(0, 1000, 5000))
    assert.equal(isPackedReplay({ gaps, count }), true)
    assert.equal(isPackedReplay({ gaps, count: 4 }), false)
    for (const wrong of ['', 'no base64!', gaps.slice(0, 8)])
      assert.equal(isPackedReplay({ gaps: wrong, count }), false, wrong)
  })

  const offsets = Float64Array.from([0, 0, 1, 127, 128, 20_000, 5e9, 5e9 + 3e9])

  it('are the same when they are unpacked', () => {
    const packed = packReplay(offsets)
    assert.deepEqual(
      [...unpackReplay(packed)],
      [...offsets].map(us => us * 1000)
    )
    assert.deepEqual([packed.count, packed.spanMs], [8, 8e6])
  })

  it('are sooner at a higher speed', () =>
    assert.deepEqual(
      [...unpackReplay(packReplay(Float64Array.from([0, 1000, 3000]), 2))],
      [0, 500_000, 1_500_000]
    ))

  it('take little room', () => {
    const many = Float64Array.from({ length: 100_000 }, (_, i) => i * 1000 + (i % 7) * 20)
    assert.ok(packReplay(many).gaps.length < 100_000)
  })

  it('end with the duration', () => {
    const arrivals = /** @type {any} */ ({
      shape: 'replay',
      ...packReplay(Float64Array.from([0, 1000, 2000, 3000]))
    })
    assert.equal(countDueOperations({ arrivals, ratePerSecond: 1, durationMs: 3 }), 3)
    assert.equal([...makeArrivals({ arrivals, ratePerSecond: 1, durationMs: 3 }, Math.random)].length, 4)
  })
})
