import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeSubStream } from '../../../src/kit/random.js'
import { encodeHistogram } from '../../../src/measure/distribution.js'
import {
  compareMetrics,
  comparePairs,
  describeBaselineVerdict,
  measureSpread,
  readComparedFigures
} from '../../../src/studies/compare/comparison.js'
import { histogramOf } from '../../measure/samples.js'
import { operation, SERVER, sampleResult, summary, time } from '../../report/sample-result.js'
import { COMPARED, sideOf } from '../../scenarios.js'

/** @typedef {import('../../../src/report/schema.js').Result} Result */

/** @param {Result} result */
const primaryMetrics = result => readComparedFigures(result, COMPARED.figures)

/** @param {number[]} values µs */
const encoded = values => encodeHistogram(histogramOf(values))

/** @param {number} n @param {number} us */
const times = (n, us) => new Array(n).fill(us)

describe('the primary metrics of a run', () => {
  test('of one type are its own', () => {
    const REGISTER = operation({
      serverCpuMicrosPerOperation: 181.6,
      throughputPerSecond: 500,
      all: summary(2000, { p50: time(12), p99: time(99, { censored: true }) })
    })
    assert.deepEqual(primaryMetrics(sampleResult({ outcome: { operations: { REGISTER } } })), {
      throughput: { value: 500, atLeast: false },
      p50: { value: 12, atLeast: false },
      p99: { value: 99, atLeast: true },
      cpu: { value: 181.6, atLeast: false }
    })
  })

  test('of several types count all operations together, but connections, which are part of them', () => {
    const operations = {
      CONNECT: operation({
        count: 4000,
        throughputPerSecond: 2000,
        histograms: { OK: encoded(times(4000, 9)) }
      }),
      REGISTER: operation({
        count: 1000,
        outcomes: { OK: 1000 },
        throughputPerSecond: 500,
        histograms: { OK: encoded(times(1000, 2000)) }
      }),
      DISCOVER: operation({
        count: 3000,
        outcomes: { OK: 2970, TIMEOUT: 30 },
        throughputPerSecond: 1485,
        histograms: { OK: encoded(times(2970, 1000)), TIMEOUT: encoded(times(30, 10_000_000)) }
      })
    }
    const result = sampleResult({
      outcome: {
        operations,
        measuredMs: 2000,
        server: { ...SERVER, cpu: { ...SERVER.cpu, averagePercent: 40 } }
      }
    })
    const { throughput, p50, p99, cpu } = primaryMetrics(result)
    assert.equal(throughput?.value, 1985)
    assert.deepEqual([p50?.value, p50?.atLeast], [1, false])
    assert.deepEqual([p99?.value, p99?.atLeast], [2, false])
    // 40 % of 2 s, over 3,970 operations of the load that had a reply
    assert.ok(Math.abs(Number(cpu?.value) - 800_000 / 3970) < 1e-9)
  })

  test('are none where nothing was measured', () => {
    const nothing = { throughput: null, p50: null, p99: null, cpu: null }
    assert.deepEqual(primaryMetrics(sampleResult({ outcome: { operations: {} } })), nothing)
    assert.equal(primaryMetrics(sampleResult({ outcome: { server: null } })).cpu, null)
  })
})

/** @param {Record<string, unknown>} options @param {(run: Result['run']) => Partial<Result['run']>} [other] */
function side(options, other = () => ({})) {
  const result = sampleResult({ options })
  return sideOf('x', [{ ...result, run: { ...result.run, ...other(result.run) } }])
}

describe('a comparison', () => {
  test('names what differs in the plans, but for what changes nothing, and in machine and versions', () => {
    const { differences, pairs, metrics } = comparePairs(
      side({ nClients: 4, seed: 1 }),
      side({ nClients: 10, seed: 1, iOwnTheTarget: false }, ({ machine }) => ({
        machine: { ...machine, cores: 64, loadAverage: [9, 9, 9] },
        versions: { node: '24.1.0' }
      }))
    )
    assert.deepEqual(differences, {
      plan: [{ what: 'nClients', base: 4, candidate: 10 }],
      machine: [{ what: 'cores', base: 2, candidate: 64 }],
      versions: [{ what: 'node', base: '20.20.2', candidate: '24.1.0' }]
    })
    assert.equal(pairs, 1)
    for (const { verdict } of metrics) assert.match(verdict, /too few runs to tell|not measured/)
  })

  for (const [what, options, message] of /** @type {[string, Record<string, unknown>, RegExp][]} */ ([
    ['another type of operation', { benchmarkType: 'DISCOVER' }, /benchmarkType REGISTER and DISCOVER$/],
    ['another load model', { rate: '100/s' }, /load model closed and open$/],
    [
      'another mix',
      { benchmarkType: 'MIXED', mix: 'register=1' },
      /benchmarkType .*; mix none and register:1,/
    ]
  ]))
    test(`is refused with ${what}`, () =>
      assert.throws(() => comparePairs(side({}), side(options)), { code: 'INCOMPARABLE', message }))

  test('pairs runs as far as both sides have one, at most 20', () => {
    // without figures: to hold those of 20 pairs against one another takes seconds, and is not what is asked
    const one = sampleResult({ outcome: { operations: {}, server: null } })
    const runs = (/** @type {number} */ n) => sideOf('x', new Array(n).fill(one))
    assert.equal(comparePairs(runs(9), runs(8)).pairs, 8)
    assert.equal(comparePairs(runs(30), runs(25)).pairs, 20)
  })
})

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
  const random = makeSubStream(3, 'swap')
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
  const random = makeSubStream(4, 'A/A', name)
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

describe('a figure over runs', () => {
  test('has its median, the least and the greatest', () => {
    const { median, least, most, outliers, drift } = measureSpread([10, 10.2, 9.9, 10.1, 10, 9.8, 10.1, 10])
    assert.deepEqual([median, least, most, outliers, drift], [10, 9.8, 10.2, [], null])
  })

  test('names the run that lies far out', () =>
    assert.deepEqual(measureSpread([10, 10.2, 9.9, 20, 10, 9.8, 10.1, 10]).outliers, [3]))

  test('says by how much it drifts', () => {
    const { drift } = measureSpread([10, 11.1, 11.9, 13.2, 13.8, 15.1, 16, 17.1])
    assert.ok(Math.abs(Number(drift) - 1.7) < 0.1, `${drift}`)
  })

  test('of four runs, or of what is 0, has neither', () => {
    assert.deepEqual([measureSpread([1, 2, 3, 40]).outliers, measureSpread([1, 2, 3, 40]).drift], [[], null])
    assert.deepEqual(measureSpread([0, 0, 0, 0, 0, 5, 0, 0]).outliers, [])
  })

  test('that only scatters is said to drift in at most 2 of 100 series', () => {
    const random = makeSubStream(5, 'no drift')
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    const series = Array.from({ length: 1000 }, () =>
      measureSpread(Array.from({ length: 8 }, () => 10 * Math.exp(0.1 * normal())))
    )
    assert.ok(series.filter(({ drift }) => drift !== null).length <= 20)
  })
})

/** @type {import('../../../src/studies/compare/baseline.js').BaselineVerdict} */
const HELD = {
  verdict: 'UNDECIDED',
  baseline: { label: 'old/a', startedAt: '2026-11-01T07:12:00.000Z', version: null, runs: 1 },
  rules: []
}

test('how runs stand against a baseline is said with what it is, also where its version is not known', () => {
  const line = 'UNDECIDED against the baseline old/a (1 run, 2026-11-01, libp2p-loadtest unknown)'
  assert.equal(describeBaselineVerdict(HELD), line)
  const baseline = { ...HELD.baseline, version: '0.1.0', runs: 8 }
  assert.match(
    describeBaselineVerdict({ ...HELD, baseline }),
    /\(8 runs, 2026-11-01, libp2p-loadtest 0\.1\.0\)$/
  )
})
