import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { subStream } from '../../../src/kit/random.js'
import { compareMetrics } from '../../../src/studies/compare/comparison.js'
import { COMPARED } from '../../scenarios.js'

/**
 * @typedef {import('../../../src/studies/compare/comparison.js').Pair} Pair
 * @typedef {import('../../../src/studies/compare/comparison.js').ComparedFigures} ComparedFigures
 */

/** @param {number} value @param {{ atLeast?: boolean }} [more] */
const figure = (value, { atLeast = false } = {}) => ({ value, atLeast })

/** @param {Partial<ComparedFigures>} [metrics] @returns {ComparedFigures} */
const run = metrics => ({
  throughput: figure(1000),
  p50: figure(10),
  p99: figure(30),
  cpu: figure(200),
  ...metrics
})

/** @param {number} n @param {(place: number) => Pair} of */
const pairs = (n, of) => Array.from({ length: n }, (_, place) => of(place))

/** @param {Pair[]} list @param {string} metric */
function only(list, metric) {
  const found = compareMetrics(list, COMPARED.figures).find(comparison => comparison.metric === metric)
  assert.ok(found)
  return found
}

/** A p50 that is larger by some share, and scatters a little. @param {number} share @param {number} [n] */
const slower = (share, n = 8) =>
  pairs(n, place => ({
    base: run(),
    candidate: run({ p50: figure(10 * (1 + share) * (1 + (place - n / 2) / 1000)) })
  }))

describe('the verdict', () => {
  test('is different for more than 5 % in all of eight pairs', () => {
    const { ratio, interval, p, adjustedP, verdict } = only(slower(0.2), 'p50')
    assert.ok(Math.abs(Number(ratio) - 1.2) < 0.01)
    assert.ok(interval && interval.low > 1.19 && interval.high < 1.21)
    assert.deepEqual([p, adjustedP, verdict], [2 / 256, 8 / 256, 'different'])
  })

  test('is none for what chance shows as well, and for less than 5 %, however sure', () => {
    assert.equal(only(slower(0), 'p99').verdict, 'same within 5 %')
    const little = only(slower(0.04), 'p50')
    assert.ok(Number(little.adjustedP) < 0.05)
    assert.equal(little.verdict, 'same within 5 %')
  })

  test('is the same for less as for more', () => {
    assert.equal(only(slower(-0.2), 'p50').verdict, 'different')
  })

  test('is too few runs to tell below eight pairs, with the ratio all the same', () => {
    for (const n of [1, 2, 7]) {
      const { ratio, interval, p, verdict } = only(slower(0.5, n), 'p50')
      assert.ok(Math.abs(Number(ratio) - 1.5) < 0.05)
      assert.deepEqual([interval, p, verdict], [null, null, 'too few runs to tell'])
    }
  })

  test('is not measured where a figure is missing, and the other metrics are not held to account for it', () => {
    const list = slower(0.2).map(({ base, candidate }) => ({
      base: { ...base, p99: null, cpu: null },
      candidate: { ...candidate, p99: null, cpu: null }
    }))
    const { figure: what, ...found } = only(list, 'p99')
    assert.equal(what.title, 'p99')
    assert.deepEqual(found, {
      metric: 'p99',
      pairs: pairs(8, () => /** @type {any} */ ({ base: null, candidate: null })),
      ratio: null,
      interval: null,
      seen: null,
      same: false,
      p: null,
      adjustedP: null,
      verdict: 'not measured'
    })
    assert.equal(only(list, 'p50').adjustedP, 4 / 256)
  })

  test('is not measured when one run of many lacks the figure: it may do so for a reason', () => {
    const list = slower(0.2, 9)
    list[3].candidate = run({ p50: null })
    assert.equal(only(list, 'p50').verdict, 'not measured')
  })
})

describe('a figure that is only known to be at least something', () => {
  test('shows that the candidate is slower', () => {
    const list = pairs(8, () => ({ base: run(), candidate: run({ p99: figure(10_000, { atLeast: true }) }) }))
    const { interval, verdict } = only(list, 'p99')
    assert.equal(verdict, 'different')
    assert.ok(interval && interval.low > 300 && interval.high === Number.POSITIVE_INFINITY)
  })

  test('does not show that it is faster', () => {
    const list = pairs(8, () => ({ base: run(), candidate: run({ p99: figure(15, { atLeast: true }) }) }))
    const { interval, p, verdict } = only(list, 'p99')
    assert.deepEqual([p, verdict], [1, 'undecided'])
    assert.ok(interval && interval.low < 0.51)
  })

  test('on both sides shows nothing', () => {
    const both = run({ p99: figure(10_000, { atLeast: true }) })
    const { interval } = only(
      pairs(8, () => ({ base: both, candidate: both })),
      'p99'
    )
    assert.deepEqual(interval, { low: 0, high: Number.POSITIVE_INFINITY })
  })
})

test('swapping the sides gives the reciprocal ratio and interval', () => {
  const random = subStream(3, 'swap')
  const list = pairs(10, () => ({
    base: run({ p50: figure(10 + random()) }),
    candidate: run({ p50: figure(11 + random()) })
  }))
  const there = only(list, 'p50')
  const back = only(
    list.map(({ base, candidate }) => ({ base: candidate, candidate: base })),
    'p50'
  )
  assert.ok(Math.abs(Number(there.ratio) * Number(back.ratio) - 1) < 1e-9)
  assert.ok(Math.abs(Number(there.interval?.low) * Number(back.interval?.high) - 1) < 1e-9)
  assert.equal(there.p, back.p)
})

/**
 * Two series of runs of the same thing, in ABBA blocks, on a machine that drifts: the four metrics of a run go up and down
 * together, the tail more than the median, and now and then something else wants the machine.
 *
 * @param {string} name
 * @param {{ scatter: number, drift: number }} machine
 */
function sameTwice(name, { scatter, drift }) {
  const random = subStream(4, 'A/A', name)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const slope = drift * normal()
  const measured = (/** @type {number} */ place) => {
    const shared = scatter * normal() + slope * place + (random() < 0.05 ? 3 * scatter : 0)
    const of = (/** @type {number} */ level, /** @type {number} */ weight) =>
      figure(level * Math.exp(weight * shared + scatter * normal()))
    return { throughput: of(1000, -1), p50: of(10, 1), p99: of(30, 2), cpu: of(200, 0.5) }
  }
  return pairs(8, pair => {
    const [first, second] = [measured(2 * pair), measured(2 * pair + 1)]
    return pair % 2 === 0 ? { base: first, candidate: second } : { base: second, candidate: first }
  })
}

describe('1,000 comparisons of a thing with itself find a difference in at most 6 %', () => {
  for (const machine of [
    { scatter: 0.05, drift: 0 },
    { scatter: 0.2, drift: 0 },
    { scatter: 0.1, drift: 0.05 }
  ])
    test(`on a machine that scatters by ${machine.scatter} and drifts by ${machine.drift}`, () => {
      let alarms = 0
      for (let i = 0; i < 1000; i++) {
        const metrics = compareMetrics(sameTwice(`${i}`, machine), COMPARED.figures)
        assert.equal(metrics.length, COMPARED.figures.length)
        if (metrics.some(({ verdict }) => verdict === 'different')) alarms++
      }
      assert.ok(alarms <= 60, `${alarms} false alarms`)
    })
})
