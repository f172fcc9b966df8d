import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TRANSFER_COMPARED, TRANSFER_FIGURES, wayKey } from '../../../src/scenarios/transfer/figures.js'
import { makePlanOf } from '../../scenarios.js'

const OPTIONS = {
  ...{ protocols: 'http,stream', latencies: '50ms', bandwidths: '10mb' },
  ...{ noLatencyCase: false, unlimitedBandwidthCase: false, size: '1mb', repeats: 2 }
}
const ROUND = { latencyMs: 50, bytesPerSecond: 10e6 }
const NONE = { median: null, low: null, high: null }

/** @param {Record<string, unknown>} [options] @returns {any} */
const planned = options => {
  const { plan, problems } = makePlanOf('transfer', { ...OPTIONS, ...options })
  assert.equal(problems, undefined)
  return plan
}

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
    assert.deepEqual(
      ['factorToHttp.http', 'factorToHttp.https'].map(name => names.includes(name)),
      [false, true]
    )
  })

  it('count transfers that failed', () => {
    const transfers = [aTransfer(), aTransfer({ outcome: 'TIMEOUT' })]
    assert.deepEqual(read('failedTransfers', resultOf({ transfers })), { value: 1, samples: 2 })
    assert.match(read('failedTransfers', resultOf()).missing, /nothing was transferred/)
  })

  it('are in runs that have the way, which are compared with others of the same ways', () => {
    assert.equal(wayKey('libp2p-http'), 'libp2pHttp')
    const { lacks } = /** @type {any} */ (TRANSFER_FIGURES.find(({ name }) => name === 'total.stream'))
    assert.deepEqual(
      [lacks(planned()), lacks(planned({ protocols: 'http' }))],
      [null, 'stream among --protocols']
    )
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
