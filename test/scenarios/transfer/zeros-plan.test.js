import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  asTransferPlan,
  estimateTransferMs,
  listProtocols,
  listRounds
} from '../../../src/scenarios/transfer/plan/transfer-plan.js'
import { expandMatrices, planFlags, readMatrixFile, validPlanOf } from '../../scenarios.js'

const PEER = '12D3KooWGDL7oNHzMG3KQAUhxFs1MzX8PoZLuh99JGs6NqwScPWt'

/** @param {Record<string, unknown>} options */
const planned = options => asTransferPlan(validPlanOf('perf', options))

describe('the plan of perf', () => {
  test('without flags measures all, over libp2p and four others', () => {
    const plan = planned({})
    assert.deepEqual(plan.measures, ['upload', 'download', 'latency', 'handshakes'])
    assert.deepEqual(plan.streams, [1, 4, 16])
    const actual = listProtocols(plan).map(({ name }) => name)
    assert.deepEqual(actual, ['libp2p-3 noise yamux', 'TCP', 'TLS', 'HTTP/1.1', 'HTTP/2'])
    assert.deepEqual(planFlags(/** @type {any} */ (plan)), [
      ...['--measures upload,download,latency,handshakes', '--protocols perf,tcp,tls,http,http2'],
      ...['--size 4MiB', '--latencies none', '--bandwidths 20MB,unlimited=false'],
      '--repeats 6'
    ])
  })

  test('compares every stack with every security and muxer', () => {
    const plan = planned({
      stack: 'libp2p-2,libp2p-3',
      muxer: 'mplex,yamux',
      protocols: 'perf',
      measures: 'upload'
    })
    assert.equal(listProtocols(plan).length, 4)
    const flags = planFlags(/** @type {any} */ (plan))
    for (const flag of ['--protocols perf', '--stack libp2p-3,libp2p-2', '--muxer yamux,mplex'])
      assert.ok(flags.includes(flag), flag)
  })

  test('reads rates of bytes: MB are a million, MiB are not', () => {
    const read = (/** @type {string} */ bandwidth) => planned({ bandwidth }).bandwidths
    assert.deepEqual(['10MB/s', '1.5 MiB/s', '512kb'].map(read), [[10e6], [1_572_864], [512_000]])
  })

  test('has one network, with a line that slow machines carry, or without one where none is asked for', () => {
    const networks = (/** @type {object} */ options) => listRounds(planned({ ...options }))
    assert.deepEqual(networks({}), [{ latencyMs: 0, bytesPerSecond: 20e6 }])
    assert.deepEqual(networks({ bandwidths: 'none' }), [{ latencyMs: 0, bytesPerSecond: null }])
    assert.deepEqual(networks({ latencies: '25ms' }), [{ latencyMs: 25, bytesPerSecond: 20e6 }])
    assert.equal(networks({ latencies: '25ms', noLatencyCase: true, bandwidths: '1MB,2MB' }).length, 4)
  })

  test('takes the names that options had when they were of perf alone', () => {
    const actual = planned({ latency: '25ms', bandwidth: 'none' })
    assert.deepEqual(actual, planned({ latencies: '25ms', bandwidths: 'none' }))
  })

  test('is that of a row of a matrix of perf, by whichever name of an option', () => {
    const document = {
      ...{ scenario: 'perf', title: 'Bytes', defaults: { measures: 'upload' } },
      rows: [{ size: '64KiB', latency: '5ms' }]
    }
    const { matrix } = readMatrixFile('bytes.yaml', document)
    const named = { id: 'bytes', file: 'bytes.yaml', matrix: /** @type {any} */ (matrix) }
    const [{ rows }] = expandMatrices([named], { cores: 2 }).tables
    const actual = rows.map(({ id, plan }) => [id, /** @type {any} */ (plan).latenciesMs])
    assert.deepEqual(actual, [['bytes/size65536-s1_4_16-latency=5ms', [5]]])
  })

  test('is of every transport of libp2p, and of bytes as few as there are streams', () => {
    const [{ name }] = listProtocols(planned({ transport: 'websocket', streams: '1', size: '1' }))
    assert.equal(name, 'libp2p-3 noise yamux websocket')
  })

  test('goes over perf alone where there is a target', () => {
    const plan = planned({ target: `/ip4/127.0.0.1/tcp/4001/p2p/${PEER}` })
    assert.deepEqual(plan.ways, ['perf'])
    const flags = planFlags(/** @type {any} */ (plan))
    assert.ok(flags.includes(`--target /ip4/127.0.0.1/tcp/4001/p2p/${PEER}`))
    assert.ok(!flags.some(flag => flag.startsWith('--protocols')))
  })
})

describe('about how long a run takes', () => {
  const START_MS = 3000
  const ONE_WAY = { protocols: 'perf', repeats: 1 }
  const lasts = (/** @type {Record<string, unknown>} */ options) =>
    Math.round(estimateTransferMs(planned({ ...ONE_WAY, ...options })) - START_MS)

  test('goes by the bytes of each way, number of streams, direction and repeat, and the line', () => {
    const slow = { measures: 'upload', size: '1000KiB', bandwidths: '1MB', streams: '1' }
    assert.deepEqual([lasts(slow), lasts({ ...slow, streams: '1,4' })], [1024, 2 * 1024])
    assert.equal(lasts({ ...slow, measures: 'upload,download', repeats: 2 }), 4 * 1024)
    assert.equal(lasts({ ...slow, protocols: 'perf,tcp,http' }), 3 * 1024)
    assert.equal(lasts({ ...slow, bandwidths: '2MB', latencies: '10ms' }), 512 + 40)
  })

  test('goes by the window where that is less than the line, and by what a machine moves without any', () => {
    const moving = { measures: 'upload', size: '10MiB', bandwidths: 'none', streams: '1' }
    assert.equal(lasts(moving), Math.round((10 << 20) / 40e3))
    // a window of 256 KiB in each 100 ms
    assert.equal(lasts({ ...moving, window: '256KiB', latencies: '50ms' }), 40 * 100 + 200)
  })

  test('goes by exchanges, and by the time that handshakes are made for, which HTTP has none of', () => {
    assert.equal(lasts({ measures: 'latency', exchanges: 10, latencies: '5ms' }), 10 * 21)
    const shaking = { measures: 'handshakes', handshakeFor: '2s' }
    assert.equal(lasts({ ...shaking, protocols: 'perf,tcp,tls,http,http2' }), 3 * 2000)
  })
})
