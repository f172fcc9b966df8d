import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import {
  makeCases,
  makeProtocolKey,
  TRANSFER_COMPARED,
  TRANSFER_FIGURES
} from '../../../src/scenarios/transfer/figures.js'
import { validPlanOf } from '../../scenarios.js'

const OPTIONS = {
  ...{ protocols: 'http,stream', latencies: '50ms', bandwidths: '10mb' },
  ...{ noLatencyCase: false, unlimitedBandwidthCase: false, size: '1mb', repeats: 2 }
}
const ROUND = { latencyMs: 50, bytesPerSecond: 10e6 }
const NONE = { median: null, low: null, high: null }

/** @param {Record<string, unknown>} [options] */
const planned = options => validPlanOf('transfer', { ...OPTIONS, ...options })

/** @param {string} way @param {object} [more] */
const aCase = (way, more) => ({
  ...ROUND,
  ...{ way, batches: 2, transfers: 2, failed: 0, fairness: null, windowBytes: null },
  seconds: { median: 1234, low: 1200, high: 1300, slowest: 1400 },
  goodput: { median: 5e6, low: null, high: null },
  firstByteMs: { median: 110, slowest: 120 },
  waitMs: { median: null, slowest: null },
  ...{ connectMs: 200, roundTripMs: 100, factorToHttp: null, wirePerByte: 1.01, blocks: 1 },
  cpuSecondsPerGB: { provider: 10, requestors: 20 },
  peakBytes: { provider: 5e7, requestor: 2.5e9 },
  model: { bytesPerSecond: 10e6, limit: 'line' },
  verdict: { limit: 'line', text: 'the line: 50 % of it' },
  ...more
})

/** What is not known of a way, of which nothing arrived. */
const FAILED = {
  seconds: { ...NONE, slowest: null },
  ...{ goodput: NONE, wirePerByte: null, firstByteMs: { median: null, slowest: null } },
  cpuSecondsPerGB: { provider: null, requestors: 7 },
  peakBytes: { provider: null, requestor: null },
  model: { bytesPerSecond: null, limit: null },
  verdict: { limit: 'nothing', text: 'nothing arrived whole' }
}
const CASES = [aCase('http'), aCase('stream', { factorToHttp: { median: 2, low: 1.5, high: 3 } })]

/** @param {object} [outcome] @param {any} [plan] @returns {any} */
const resultOf = (outcome, plan = planned()) => ({
  ...{ id: 'run', status: 'complete', plan },
  outcome: {
    ...{ cases: CASES, transfers: [], files: [], leftOut: [], limits: null, blockTimes: null, memory: null },
    ...outcome
  }
})

/** @param {object} [more] */
const aTransfer = more => ({
  ...{ way: 'http', ...ROUND, repeat: 0, requestor: 0, file: 0, outcome: 'OK', error: null },
  ...more
})

describe('figures of transfers', () => {
  const read = (/** @type {string} */ name, /** @type {any} */ { outcome }) =>
    /** @type {any} */ (TRANSFER_FIGURES.find(figure => figure.name === name)).read(outcome)

  it('are those of the round where a way does worst', () => {
    const other = {
      seconds: { median: 2, low: null, high: null, slowest: 3 },
      goodput: { median: 4e6, low: null, high: null },
      ...{ firstByteMs: { median: 7, slowest: 8 }, waitMs: { median: 1, slowest: 9 }, wirePerByte: 1.5 },
      ...{ cpuSecondsPerGB: { provider: 30, requestors: 1 }, fairness: 0.5 },
      factorToHttp: { median: 6, low: null, high: null }
    }
    const result = resultOf({ cases: [...CASES, aCase('stream', other)] })
    const expected = {
      ...{ total: 1_234_000, slowest: 1_400_000, firstByte: 110, wait: 9, goodput: 4, factorToHttp: 6 },
      ...{ wirePerByte: 1.5, providerCpu: 30, requestorCpu: 20, fairness: 0.5 }
    }
    for (const [name, value] of Object.entries(expected))
      assert.equal(read(`${name}.stream`, result).value, value, name)
    assert.equal(read('total.stream', result).samples, 2)
  })

  it('are none of a way that was not measured, or never arrived', () => {
    assert.match(read('total.blocks', resultOf()).missing, /blocks was not measured/)
    const failed = resultOf({ cases: [aCase('http', FAILED)] })
    for (const name of ['total.http', 'slowest.http', 'goodput.http'])
      assert.match(read(name, failed).missing, /there is none of http/, name)
  })

  it('are none that no run has: http is no multiple of itself', () => {
    const names = TRANSFER_FIGURES.map(({ name }) => name)
    const actual = ['factorToHttp.http', 'factorToHttp.https'].map(name => names.includes(name))
    assert.deepEqual(actual, [false, true])
  })

  it('count transfers that failed', () => {
    const transfers = [aTransfer(), aTransfer({ outcome: 'TIMEOUT' })]
    assert.deepEqual(read('failedTransfers', resultOf({ transfers })), { value: 1, samples: 2 })
    assert.match(read('failedTransfers', resultOf()).missing, /nothing was transferred/)
  })

  it('are in runs that have the way, which are compared with others of the same ways', () => {
    assert.equal(makeProtocolKey('libp2p-http'), 'libp2pHttp')
    const { lacks } = /** @type {any} */ (TRANSFER_FIGURES.find(({ name }) => name === 'total.stream'))
    const actual = [lacks(planned()), lacks(planned({ protocols: 'http' }))]
    assert.deepEqual(actual, [null, 'stream among --protocols'])
    const lackOf = (/** @type {string} */ name, /** @type {object} */ more) =>
      /** @type {any} */ (TRANSFER_FIGURES.find(figure => figure.name === name)).lacks({
        ...planned(),
        ...more
      })
    // its bytes are not counted
    assert.equal(lackOf('wirePerByte.stream', { transport: 'quic' }), 'another --transport than quic')
    assert.equal(lackOf('wirePerByte.http', { transport: 'quic' }), null)
    assert.equal(lackOf('fairness.http', { requestors: 2 }), null)
    assert.deepEqual(/** @type {any} */ (TRANSFER_COMPARED.same).protocols(planned()), ['http', 'stream'])
  })
})

const SIDE = { cpuMs: 100, wallMs: 1000, peakBytes: 5e7 }

/** @param {import('../../../src/scenarios/transfer/plan/transfer-plan.js').Protocol} way @param {number} repeat @param {(number | null)[]} spans - of the requestors @param {object} [more] */
const batch = (way, repeat, spans, more) => ({
  way,
  ...ROUND,
  repeat,
  payloadBytes: 1e6,
  provider: { ...SIDE, wallMs: Math.max(...spans.map(Number)) },
  requestors: spans.map(spanMs => ({
    ...SIDE,
    ...{ wallMs: Number(spanMs), connectMs: 300, roundTripMs: 100, spanMs, wireBytes: 1.1e6 }
  })),
  ...more
})

/** @param {any[]} batches */
const casesIn = batches =>
  makeCases({ rounds: [ROUND], ways: ['http', 'stream'], transport: 'tcp' }, { batches, transfers: [] })

describe('the cases of a run', () => {
  test('hold each way against http in the same repeat, with an interval from six repeats on', () => {
    // seconds that are exact in binary
    const times = [125, 250, 500, 1000, 2000, 4000]
    const batches = times.flatMap((ms, repeat) => [
      batch('http', repeat, [ms]),
      batch('stream', repeat, [3 * ms])
    ])
    const [http, stream] = casesIn(batches)
    assert.deepEqual([http.factorToHttp, stream.factorToHttp], [null, { median: 3, low: 3, high: 3 }])
    assert.deepEqual(http.seconds, { median: 0.75, low: 0.125, high: 4, slowest: 4 })
    assert.deepEqual(casesIn(batches.slice(0, 10))[1].factorToHttp, { median: 3, low: null, high: null })
  })

  test('of several requestors last as long as the slowest; goodput is of each, and its fairness Jain’s', () => {
    const [http] = casesIn([batch('http', 0, [1000, 500])])
    assert.deepEqual([http.seconds.median, http.goodput.median], [1, 1.5e6])
    assert.equal(http.fairness, (1 + 2) ** 2 / (2 * (1 + 4)))
    // 2 MB in all
    assert.deepEqual(http.cpuSecondsPerGB, { provider: 50, requestors: 100 })
  })

  test('of which a repeat did not end count what did', () => {
    const [http] = casesIn([batch('http', 0, [null]), batch('http', 1, [400])])
    assert.deepEqual([http.batches, http.seconds.median], [2, 0.4])
    const [none] = casesIn([batch('http', 0, [null])])
    assert.deepEqual([none.seconds.median, none.verdict.limit], [null, 'nothing'])
  })

  /** @type {[string, import('../../../src/scenarios/transfer/plan/transfer-plan.js').Protocol, number, object, string][]} */
  const LIMITED = [
    ['95 % of the line', 'http', 105, {}, 'line'],
    ['three round trips', 'stream', 290, {}, 'round trips'],
    ['more than a first window under way', 'stream', 420, {}, 'growing window'],
    ['no window, four round trips, idle sides', 'http', 420, {}, 'waiting'],
    [
      'a busy requestor',
      'stream',
      420,
      {
        requestors: [
          { ...SIDE, cpuMs: 400, wallMs: 420, connectMs: 300, roundTripMs: 100, spanMs: 420, wireBytes: 1 }
        ]
      },
      'CPU of the requestor'
    ]
  ]
  for (const [what, way, ms, more, limit] of LIMITED)
    test(`are limited, with ${what}, by: ${limit}`, () => {
      const measured = casesIn([batch(way, 0, [ms], more)])
      assert.equal(measured[0].verdict.limit, limit, measured[0].verdict.text)
      assert.equal(measured[0].model.bytesPerSecond, 10e6)
    })

  test('in which most of the time was over when the first byte came are limited by round trips', () => {
    const transfers = /** @type {any[]} */ ([
      { way: 'stream', ...ROUND, repeat: 0, outcome: 'OK', firstByteMs: 220 }
    ])
    const [, stream] = makeCases(
      { rounds: [ROUND], ways: ['http', 'stream'], transport: 'tcp' },
      { batches: /** @type {any[]} */ ([batch('http', 0, [420]), batch('stream', 0, [420])]), transfers }
    )
    const actual = stream.verdict.text
    assert.match(actual, /^round trips: it took 4\.20 of them, the first byte came after 220 ms$/)
  })

  test('of many files at once have a window for each stream', () => {
    const transfers = Array.from({ length: 10 }, (_, file) => ({
      way: 'stream',
      ...ROUND,
      ...{ repeat: 0, file, firstByteMs: 100 }
    }))
    const [stream] = makeCases(
      { rounds: [ROUND], ways: ['stream'], transport: 'tcp' },
      {
        batches: /** @type {any[]} */ ([batch('stream', 0, [420])]),
        transfers: /** @type {any[]} */ (transfers)
      }
    )
    assert.equal(stream.windowBytes, 10 * (16 << 20))
    // 240 kB under way are little for ten windows of 256 KiB
    assert.equal(stream.verdict.limit, 'waiting')
  })
})
