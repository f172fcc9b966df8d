import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  asTransferPlan,
  estimateTransferMs,
  listProtocols,
  listRounds
} from '../../../src/scenarios/transfer/plan/transfer-plan.js'
import { expandMatrices, makePlanOf, planFlags, readMatrixFile } from '../../scenarios.js'

const PEER = '12D3KooWGDL7oNHzMG3KQAUhxFs1MzX8PoZLuh99JGs6NqwScPWt'

/** @param {Record<string, unknown>} options */
function planned(options) {
  const { plan, problems } = makePlanOf('perf', options)
  assert.deepEqual(problems, undefined)
  return asTransferPlan(plan)
}

/** @param {Record<string, unknown>} options */
const refused = options =>
  (makePlanOf('perf', options).problems ?? []).map(({ flag, allowed }) => `${flag} ${allowed}`)

describe('the plan of perf', () => {
  test('without flags measures all, over libp2p and four others', () => {
    const plan = planned({})
    assert.deepEqual(plan.measures, ['upload', 'download', 'latency', 'handshakes'])
    assert.deepEqual(plan.streams, [1, 4, 16])
    assert.deepEqual(
      listProtocols(plan).map(({ name }) => name),
      ['libp2p-3 noise yamux', 'TCP', 'TLS', 'HTTP/1.1', 'HTTP/2']
    )
    assert.deepEqual(planFlags(/** @type {any} */ (plan)), [
      '--measures upload,download,latency,handshakes',
      '--protocols perf,tcp,tls,http,http2',
      '--size 4MiB',
      '--latencies none',
      '--bandwidths 20MB',
      '--no-unlimitedBandwidthCase',
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
    assert.deepEqual(
      planned({ latency: '25ms', bandwidth: 'none' }),
      planned({ latencies: '25ms', bandwidths: 'none' })
    )
    assert.match(refused({ baselines: 'none' })[0], /^--baselines is gone: --protocols names/)
  })

  test('is that of a row of a matrix of perf, by whichever name of an option', () => {
    const document = {
      ...{ scenario: 'perf', title: 'Bytes', defaults: { measures: 'upload' } },
      rows: [{ size: '64KiB', latency: '5ms' }]
    }
    const { matrix } = readMatrixFile('bytes.yaml', document)
    const named = { id: 'bytes', file: 'bytes.yaml', matrix: /** @type {any} */ (matrix) }
    const [{ rows }] = expandMatrices([named], { cores: 2 }).tables
    assert.deepEqual(
      rows.map(({ id, plan }) => [id, /** @type {any} */ (plan).latenciesMs]),
      [['bytes/size65536-s1_4_16-latency=5ms', [5]]]
    )
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

  for (const [why, options, pattern] of /** @type {[string, Record<string, unknown>, RegExp][]} */ ([
    ['a measure that is none', { measures: 'upload,speed' }, /^--measures must be files, upload, download,/],
    ['no streams', { streams: '0' }, /^--streams must be whole numbers from 1 to 200/],
    ['a rate without a unit', { bandwidths: '10' }, /^--bandwidths must be bytes per second/],
    ['files beside zeros', { measures: 'files,upload', repeats: 4 }, /^--measures must be files alone/],
    [
      'a protocol of files',
      { protocols: 'perf,blocks' },
      /^--protocols cannot have blocks without --measures files/
    ],
    ['what is of files', { store: 'disk' }, /^--store has no use without files among --measures/],
    [
      'WebSocket of the generation before',
      { transport: 'websocket', stack: 'libp2p-2' },
      /^--transport must be tcp on libp2p-2/
    ],
    ['a muxer that is none', { muxer: 'quic' }, /^--muxer must be yamux or mplex/],
    [
      'TCP to a target',
      { protocols: 'tcp', target: `/ip4/127.0.0.1/tcp/4001/p2p/${PEER}` },
      /^--protocols must be perf with --target/
    ],
    [
      'a public target without its owner',
      { target: `/ip4/8.8.8.8/tcp/4001/p2p/${PEER}` },
      /^--target is a public address/
    ],
    ['an owner without a target', { iOwnTheTarget: true }, /^--iOwnTheTarget needs --target/],
    ['a window of mplex', { muxer: 'mplex', window: '256KiB', measures: 'upload' }, /^--window is of yamux/],
    ['a window below that of the specification', { window: '128KiB' }, /^--window must be/],
    ['TLS of the generation before', { security: 'tls', stack: 'libp2p-2' }, /^--security cannot have tls/],
    ['less than a byte of each stream', { size: '15', streams: '16' }, /^--size must be at least 16/],
    ['exchanges without latency', { measures: 'upload', exchanges: 5 }, /^--exchanges has no use/],
    ['clients without handshakes', { measures: 'upload', clients: 5 }, /^--clients has no use/],
    ['streams without transfers', { measures: 'latency', streams: '4' }, /^--streams has no use/],
    [
      'more handshakes than a machine makes',
      { clients: 200, handshakeRate: 100 },
      /^--handshakeRate with --clients 200 makes 20,000/
    ],
    [
      'no handshake at all',
      { clients: 1, handshakeRate: '1/s', handshakeFor: '500ms' },
      /^--handshakeRate makes no connection/
    ],
    [
      'more handshakes than are kept of a repeat',
      { clients: 50, handshakeRate: 100, handshakeFor: '30s' },
      /^--handshakeRate makes 150,000 connections in --handshakeFor: at most 100,000/
    ],
    [
      'a namespace around a target',
      { network: 'namespaces', target: `/ip4/127.0.0.1/tcp/4001/p2p/${PEER}` },
      /^--target cannot be given with --network namespaces/
    ],
    [
      'two agents for one client',
      { agents: 2, bus: 'nats://127.0.0.1:4222' },
      /^--agents must be 1: it holds the client/
    ],
    ['a line longer than the time', { latencies: '1s', timeout: '5s' }, /^--timeout must be above 8000ms/],
    [
      'a figure of what is not measured',
      { measures: 'upload', threshold: 'latency.median < 5ms' },
      /^--threshold asks for latency.median, which needs latency among --measures$/
    ],
    [
      'handshakes that are not made',
      { measures: 'upload', threshold: 'handshakes.failed < 1' },
      /^--threshold asks for handshakes.failed, which needs handshakes among --measures$/
    ],
    [
      'what TCP takes, where it is not measured',
      { measures: 'upload', protocols: 'perf,tls', threshold: 'upload.overhead < 5' },
      /^--threshold asks for upload.overhead, which needs tcp among --protocols$/
    ],
    [
      'what TCP takes to a target, which speaks perf alone',
      { target: `/ip4/127.0.0.1/tcp/4001/p2p/${PEER}`, threshold: 'upload.overhead < 5' },
      /^--threshold asks for upload.overhead, which needs tcp among --protocols$/
    ],
    [
      'to end early by figures that are known at the end',
      { threshold: 'upload.rate > 1MB, abortOnFail' },
      /^--threshold has no use for abortOnFail here/
    ],
    ['a figure that is none', { threshold: 'upload.speed > 1MB' }, /^--threshold upload.speed is no metric/]
  ]))
    test(`refuses ${why}`, () => {
      const problems = refused(options)
      assert.equal(problems.length, 1, problems.join('\n'))
      assert.match(problems[0], pattern)
    })
})

describe('about how long a run takes', () => {
  const START_MS = 3000
  const ONE_WAY = { protocols: 'perf', repeats: 1 }
  const lasts = (/** @type {Record<string, unknown>} */ options) =>
    Math.round(estimateTransferMs(planned({ ...ONE_WAY, ...options })) - START_MS)

  test('goes by the bytes of each way, number of streams, direction and repeat, and the line', () => {
    const slow = { measures: 'upload', size: '1000KiB', bandwidths: '1MB', streams: '1' }
    assert.equal(lasts(slow), 1024)
    assert.equal(lasts({ ...slow, streams: '1,4' }), 2 * 1024)
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
