import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  computeQuartiles,
  computeWindow,
  makeHandshakeRow,
  makeZerosRows,
  readHandshakeMedian,
  summarizeHandshakes
} from '../../../src/scenarios/transfer/figures.js'
import { SteadyRate } from '../../../src/scenarios/transfer/run/protocol.js'
import { aZerosResult, took } from './a-zeros-result.js'

const KIB = 1024

describe('what limits a way', () =>
  test('windows: of Yamux for each stream, of HTTP/2 for a connection, of others none', () => {
    const plan = { windowBytes: null, connections: 2, target: null }
    const yamux = /** @type {const} */ ({ protocol: 'perf', muxer: 'yamux' })
    assert.deepEqual(computeWindow(yamux, plan, 4), {
      windowBytes: 8 * (16 << 20),
      beginsBytes: 8 * 256 * KIB
    })
    assert.deepEqual(computeWindow(yamux, { ...plan, windowBytes: 256 * KIB }, 4), {
      windowBytes: 8 * 256 * KIB,
      beginsBytes: null
    })
    assert.equal(computeWindow(yamux, { ...plan, target: '/ip4/…' }, 4).windowBytes, null)
    assert.equal(computeWindow({ ...yamux, muxer: 'mplex' }, plan, 4).windowBytes, null)
    assert.equal(computeWindow({ protocol: 'http2' }, plan, 4).windowBytes, 2 * 65_535)
    assert.equal(computeWindow({ protocol: 'tcp' }, plan, 4).windowBytes, null)
  }))

test('quartiles lie between neighbours', () => {
  assert.deepEqual(computeQuartiles([4, 1, 3, 2]), {
    count: 4,
    min: 1,
    q1: 1.75,
    median: 2.5,
    q3: 3.25,
    max: 4
  })
  assert.equal(computeQuartiles([]), null)
})

describe('the steady state', () => {
  test('is the rate of the second half', () => {
    const receipts = new SteadyRate(1000)
    // a slow beginning: 500 bytes in a second, then 100 each 10 ms
    receipts.took(500, 1_000_000_000n)
    for (let i = 1; i <= 5; i++) receipts.took(100, 1_000_000_000n + BigInt(i) * 10_000_000n)
    assert.deepEqual([receipts.bytes, receipts.steadyBytesPerSecond], [1000, 10_000])
  })

  test('is not known of what came in one piece, or out of a buffer', () => {
    const receipts = new SteadyRate(10)
    receipts.took(5, 5n)
    assert.equal(receipts.steadyBytesPerSecond, null)
    receipts.took(5, 1_000_005n)
    assert.equal(receipts.steadyBytesPerSecond, null)
  })
})

test('handshakes are counted over the time they were due in, or took', () => {
  const plan = { clients: 2, handshakeRatePerSecond: 10, handshakeForMs: 1000 }
  // of those that were completed some tell their times
  const told = {
    ...{ due: 20, failed: 2, failure: 'refused', completed: 18, times: [took(110), took(110)] },
    cpuMicros: 36_000
  }
  const row = makeHandshakeRow(
    'TCP',
    [
      { ...told, elapsedMs: 960, activeMs: 480, serverCpuMicros: 18_000 },
      { ...told, elapsedMs: 2000, activeMs: 1000, serverCpuMicros: null }
    ],
    plan,
    50
  )
  assert.deepEqual([row.due, row.failed, row.failure, row.duePerSecond], [40, 4, 'refused', 20])
  assert.deepEqual([row.perSecond?.median, row.roundTrips, row.utilization], [(18 + 9) / 2, 2.2, 0.5])
  assert.deepEqual(row.cpuMsEach, { client: 2, server: null })
})

describe('times of handshakes', () => {
  /** @type {import('../../../src/scenarios/transfer/figures.js').HandshakeTime} */
  const refused = [1, 0, false]
  const medianIn = (/** @type {Parameters<typeof summarizeHandshakes>[0]} */ shaken) => {
    const { median, censored, count } = /** @type {any} */ (summarizeHandshakes(shaken))
    return [median, censored, count]
  }

  test('count those that failed, and are a lower bound where these reach into them', () => {
    const done = [10, 20, 30, 40, 50, 60].map(took)
    assert.deepEqual(medianIn(done), [35, false, 6])
    assert.deepEqual(medianIn([...done, refused, refused, refused, refused]), [15, true, 10])
    // whatever had become of the one that failed, the median would be the same
    assert.deepEqual(medianIn([...[20, 20, 20, 20].map(took), refused]), [20, false, 5])
  })

  test('are none where none was done', () =>
    assert.deepEqual([summarizeHandshakes([refused]), summarizeHandshakes([])], [null, null]))

  test('have the client overhead at their median: how much later than timers are the client was', () => {
    const overheadOf = (/** @type {Parameters<typeof summarizeHandshakes>[0]} */ shaken) =>
      Number(summarizeHandshakes(shaken)?.overheadMs)
    for (const [lateMs, expected] of [
      [4, 2.5],
      [9, 7.5],
      [1.4, 0]
    ]) {
      const found = overheadOf([[20, lateMs, true]])
      assert.ok(Math.abs(found - expected) <= 0.06 * expected, `${found} ms of ${lateMs} late`)
    }
    assert.ok(overheadOf([[2, 9, true]]) <= 2, 'never more than it took')
  })

  test('are no lower bounds, and have no overhead, in results from before there were any', () => {
    const times = { count: 1, min: 2, q1: 2, median: 2, q3: 2, max: 2 }
    assert.deepEqual(readHandshakeMedian(times), { ms: 2, censored: false })
  })
})

describe('the line of a way', () => {
  const OPTIONS = { streams: '4', connections: 2, protocols: 'perf,tcp,http2' }
  /** @param {Record<string, unknown>} more @param {number | null} [bytesPerSecond] */
  const modelOf = (more, bytesPerSecond = 10e6) => {
    const { plan } = aZerosResult(OPTIONS)
    const transfers = ['TCP', 'HTTP/2'].map(way => ({
      ...{ way, direction: 'upload', streams: 4, repeat: 0, bytes: 1e6, totalMs: 1000, bytesPerSecond: 1e6 },
      ...{
        steadyBytesPerSecond: null,
        clientCpuMs: 1,
        serverCpuMs: null,
        clientRssBytes: 1,
        serverRssBytes: null
      }
    }))
    const measured = { round: { latencyMs: 0, bytesPerSecond }, transfers, roundTrips: {} }
    const rows = makeZerosRows({ ...plan, ...more }, /** @type {any} */ (measured))
    return rows.map(({ modelBytesPerSecond }) => modelBytesPerSecond)
  }

  test('is that of each connection, and by TCP each stream is one', () =>
    assert.deepEqual(modelOf({}), [8 * 10e6, 2 * 10e6]))

  test('is one for all between namespaces', () =>
    assert.deepEqual(modelOf({ network: 'namespaces' }), [10e6, 10e6]))

  test('is none where no bandwidth was asked for', () => assert.deepEqual(modelOf({}, null), [null, null]))
})
