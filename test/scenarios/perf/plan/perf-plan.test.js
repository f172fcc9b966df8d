import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { perfPlan } from '../../../../src/scenarios/perf/perf-plan.js'
import { estimateMs } from '../../../../src/scenarios/perf/plan/perf-kind.js'
import { waysOf } from '../../../../src/scenarios/perf/plan/ways.js'
import { makePlanOf, planFlags } from '../../../scenarios.js'

const PEER = '12D3KooWGDL7oNHzMG3KQAUhxFs1MzX8PoZLuh99JGs6NqwScPWt'

/** @param {Record<string, unknown>} options */
function planned(options) {
  const { plan, problems } = makePlanOf('perf', options)
  assert.deepEqual(problems, undefined)
  return perfPlan(plan)
}

/** @param {Record<string, unknown>} options */
const refused = options =>
  (makePlanOf('perf', options).problems ?? []).map(({ flag, allowed }) => `${flag} ${allowed}`)

describe('the plan of perf', () => {
  test('without flags measures all, over libp2p and four baselines', () => {
    const plan = planned({})
    assert.deepEqual(plan.measures, ['upload', 'download', 'latency', 'handshakes'])
    assert.deepEqual(plan.streams, [1, 4, 16])
    assert.deepEqual(
      waysOf(plan).map(({ name }) => name),
      ['libp2p-3 noise yamux', 'TCP', 'TLS', 'HTTP/1.1', 'HTTP/2']
    )
    assert.deepEqual(planFlags(/** @type {any} */ (plan)), [])
  })

  test('compares every stack with every security and muxer', () => {
    const plan = planned({
      stack: 'libp2p-2,libp2p-3',
      muxer: 'mplex,yamux',
      baselines: 'none',
      measures: 'upload'
    })
    assert.equal(waysOf(plan).length, 4)
    assert.deepEqual(planFlags(/** @type {any} */ (plan)), [
      '--measures upload',
      '--stack libp2p-3,libp2p-2',
      '--muxer yamux,mplex',
      '--baselines none'
    ])
  })

  test('reads rates of bytes: MB are a million, MiB are not', () => {
    const read = (/** @type {string} */ bandwidth) => planned({ bandwidth }).bandwidthBytesPerSecond
    assert.deepEqual(['10MB/s', '1.5 MiB/s', '512kb'].map(read), [10e6, 1_572_864, 512_000])
    assert.deepEqual(planFlags(/** @type {any} */ (planned({ bandwidth: '10MB/s' }))), [
      '--bandwidth 10000000B/s'
    ])
    assert.equal(planned({ bandwidth: '10000000B/s' }).bandwidthBytesPerSecond, 10e6)
  })

  test('has a line that slow machines carry, or none where none is asked for', () => {
    assert.equal(planned({}).bandwidthBytesPerSecond, 20e6)
    const plan = planned({ bandwidth: 'none' })
    assert.equal(plan.bandwidthBytesPerSecond, null)
    assert.deepEqual(planFlags(/** @type {any} */ (plan)), ['--bandwidth none'])
  })

  test('has no baselines where there is a target', () => {
    const plan = planned({ target: `/ip4/127.0.0.1/tcp/4001/p2p/${PEER}` })
    assert.deepEqual(plan.baselines, [])
    assert.deepEqual(planFlags(/** @type {any} */ (plan)), [`--target /ip4/127.0.0.1/tcp/4001/p2p/${PEER}`])
  })

  for (const [why, options, pattern] of /** @type {[string, Record<string, unknown>, RegExp][]} */ ([
    ['a measure that is none', { measures: 'upload,speed' }, /^--measures must be upload, download,/],
    ['no streams', { streams: '0' }, /^--streams must be whole numbers from 1 to 200/],
    ['a rate without a unit', { bandwidth: '10' }, /^--bandwidth must be a rate of bytes with its unit/],
    ['a muxer that is none', { muxer: 'quic' }, /^--muxer must be yamux or mplex/],
    [
      'baselines of a target',
      { baselines: 'tcp', target: `/ip4/127.0.0.1/tcp/4001/p2p/${PEER}` },
      /^--baselines must be none with --target/
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
    ['less than each stream moves', { size: '8KiB', streams: '16' }, /^--size must be at least 16KiB/],
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
    ['a line longer than the time', { latency: '1s', timeout: '5s' }, /^--timeout must be above 8000ms/],
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
      { measures: 'upload', baselines: 'tls', threshold: 'upload.overhead < 5' },
      /^--threshold asks for upload.overhead, which needs tcp among --baselines$/
    ],
    [
      'what TCP takes to a target, which speaks perf alone',
      { target: `/ip4/127.0.0.1/tcp/4001/p2p/${PEER}`, threshold: 'upload.overhead < 5' },
      /^--threshold asks for upload.overhead, which needs tcp among --baselines$/
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
  const ONE_WAY = { baselines: 'none', repeats: 1 }
  const lasts = (/** @type {Record<string, unknown>} */ options) =>
    Math.round(estimateMs(planned({ ...ONE_WAY, ...options })) - START_MS)

  test('goes by the bytes of each way, number of streams, direction and repeat, and the line', () => {
    const slow = { measures: 'upload', size: '1000KiB', bandwidth: '1MB/s', streams: '1' }
    assert.equal(lasts(slow), 1024)
    assert.equal(lasts({ ...slow, streams: '1,4' }), 2 * 1024)
    assert.equal(lasts({ ...slow, measures: 'upload,download', repeats: 2 }), 4 * 1024)
    assert.equal(lasts({ ...slow, baselines: 'tcp,http' }), 3 * 1024)
    assert.equal(lasts({ ...slow, bandwidth: '2MB/s', latency: '10ms' }), 512 + 40)
  })

  test('goes by the window where that is less than the line, and by what a machine moves without any', () => {
    const moving = { measures: 'upload', size: '10MiB', bandwidth: 'none', streams: '1' }
    assert.equal(lasts(moving), Math.round((10 << 20) / 40e3))
    // a window of 256 KiB in each 100 ms
    assert.equal(lasts({ ...moving, window: '256KiB', latency: '50ms' }), 40 * 100 + 200)
  })

  test('goes by exchanges, and by the time that handshakes are made for, which HTTP has none of', () => {
    assert.equal(lasts({ measures: 'latency', exchanges: 10, latency: '5ms' }), 10 * 21)
    const shaking = { measures: 'handshakes', handshakeFor: '2s' }
    assert.equal(lasts({ ...shaking, baselines: 'tcp,tls,http,http2' }), 3 * 2000)
  })
})
