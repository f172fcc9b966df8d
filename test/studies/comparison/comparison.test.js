import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { encodedHistogram } from '../../../src/measure/distribution.js'
import { compare, comparedFigures } from '../../../src/studies/compare/comparison.js'
import { histogramOf } from '../../measure/samples.js'
import { operation, SERVER, sampleResult, summary, time } from '../../report/sample-result.js'
import { COMPARED, sideOf } from '../../scenarios.js'

/** @typedef {import('../../../src/report/schema.js').Result} Result */

/** @param {Result} result */
const primaryMetrics = result => comparedFigures(result, COMPARED.figures)

/** @param {number[]} values µs */
const encoded = values => encodedHistogram(histogramOf(values))

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
    const nothing = {
      throughput: null,
      p50: null,
      p99: null,
      cpu: null
    }
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
    const { differences, pairs, metrics } = compare(
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
      assert.throws(() => compare(side({}), side(options)), { code: 'INCOMPARABLE', message }))

  test('pairs runs as far as both sides have one, at most 20', () => {
    // without figures: to hold those of 20 pairs against one another takes seconds, and is not what is asked
    const one = sampleResult({ outcome: { operations: {}, server: null } })
    const runs = (/** @type {number} */ n) => sideOf('x', new Array(n).fill(one))
    assert.equal(compare(runs(9), runs(8)).pairs, 8)
    assert.equal(compare(runs(30), runs(25)).pairs, 20)
  })
})
