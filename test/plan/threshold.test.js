import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findFigure, parseCondition } from '../../src/plan/threshold.js'
import { EVERY_FIGURE, makePlan, metricNames, readThreshold, SCENARIOS } from '../scenarios.js'

/** @typedef {import('../../src/plan/threshold.js').Threshold} Threshold */

/** @type {[unknown, Record<string, unknown>][]} */
const READ = [
  [
    'DISCOVER.p99 < 50ms',
    {
      text: 'DISCOVER.p99 < 50ms',
      metric: 'DISCOVER.p99',
      operator: '<',
      limit: 50,
      abortOnFail: false,
      graceMs: 0
    }
  ],
  ['discover.P99<=1.1s', { text: 'DISCOVER.p99 <= 1.1s', operator: '<=', limit: 1100 }],
  ['  REGISTER.p99.9   <   800 us ', { text: 'REGISTER.p999 < 800us', metric: 'REGISTER.p999', limit: 0.8 }],
  ['CONNECT.max < 0.5min', { limit: 30_000 }],
  ['register.P75 < 5ms', { text: 'REGISTER.p75 < 5ms', metric: 'REGISTER.p75' }],
  ['DISCOVER.p99.50 < 5ms', { metric: 'DISCOVER.p99.5' }],
  ['REGISTER.p50.0 < 5ms', { metric: 'REGISTER.p50' }],
  ['REGISTER.min > 1us', { metric: 'REGISTER.min', limit: 0.001 }],
  ['UNREGISTER.avg < 20µs', { limit: 0.02 }],
  ['errorRate <= 0.1%', { limit: 0.1 }],
  ['throughput > 30000/min', { limit: 500 }],
  ['DISCOVER.throughput >= 500/s', { operator: '>=', limit: 500 }],
  ['DISCOVER.count >= 1000', { limit: 1000 }],
  ['cpu.median < 90 %', { limit: 90 }],
  ['memory.max < 1.5GB', { limit: 1500 }],
  ['memory.avg < 100MiB', { limit: 104.8576 }],
  ['errorRate < 5%, abortOnFail', { text: 'errorRate < 5%', abortOnFail: true, graceMs: 0 }],
  ['errorRate < 5%,abortOnFail,grace = 1500ms', { abortOnFail: true, graceMs: 1500 }],
  ['errorRate < 5%, abortOnFail=false', { abortOnFail: false }],
  [{ metric: 'errorRate < 5%' }, { text: 'errorRate < 5%', abortOnFail: false }],
  [
    { metric: 'errorRate < 5%', abortOnFail: true, grace: '5s' },
    { text: 'errorRate < 5%', abortOnFail: true, graceMs: 5000 }
  ]
]

describe('a threshold is read:', () => {
  for (const [raw, expected] of READ)
    test(JSON.stringify(raw), () => {
      const read = readThreshold(raw)
      assert.ok('value' in read, JSON.stringify(read))
      const { figure, ...condition } = parseCondition(read.value, EVERY_FIGURE)
      /** @type {Record<string, unknown>} */
      const says = { ...read.value, ...condition, metric: figure.name }
      for (const [key, value] of Object.entries(expected)) assert.equal(says[key], value, key)
    })

  test('one on every metric there is', () => {
    const units = { time: '1ms', rate: '1/s', share: '1%', memory: '1MB', number: '1' }
    for (const scenario of SCENARIOS)
      for (const name of metricNames(scenario))
        assert.ok(
          'value' in readThreshold(`${name} < ${units[findFigure(EVERY_FIGURE, name).quantity]}`, scenario),
          name
        )
  })

  test('one on a metric of another scenario not at all', () => {
    assert.ok('allowed' in readThreshold('latency.p99 < 1ms', 'rendezvous'))
    assert.ok('allowed' in readThreshold('DISCOVER.p99 < 1ms', 'gossip'))
  })
})

const SHAPE = /^must be a metric, an operator and a limit with its unit, such as/

/** @type {[unknown, RegExp][]} */
const REFUSED = [
  ['', SHAPE],
  ['p99<50', /^p99 is not a metric; did you mean "REGISTER\.p99 < 50ms", or that of another operation\?/],
  ['max < 2s', /^max is not a metric; did you mean "REGISTER\.max < 2s", or /],
  ['p75 > 1us', /did you mean "REGISTER\.p75 > 1us", or /],
  ['REGISTER.p0 < 5ms', /REGISTER\.p0 is not a metric/],
  ['REGISTER.p100 < 5ms', /REGISTER\.p100 is not a metric/],
  ['cpu.p75 < 5%', /cpu\.p75 is not a metric/],
  ['DISCOVER.p99', SHAPE],
  ['DISCOVER.p99 < ', SHAPE],
  ['DISCOVER.p99 < ms', SHAPE],
  ['DISCOVER.p99 < -5ms', SHAPE],
  ['50ms > DISCOVER.p99', SHAPE],
  ['p99 < 50 ms at most', SHAPE],
  [true, SHAPE],
  [null, SHAPE],
  [50, SHAPE],
  [{}, SHAPE],
  [{ metric: 5 }, SHAPE],
  [
    'DISCOVER.p101 < 50ms',
    /^DISCOVER\.p101 is not a metric; did you mean DISCOVER\.p.+\? Metrics: throughput, /
  ],
  ['latency < 50ms', /^latency is not a metric\. Metrics: .*for each of REGISTER, .*p99/],
  ['p99 < 50ms', /^p99 is not a metric/],
  [
    'latency.REGISTER.p99 < 5ms',
    /^latency\.REGISTER\.p99 was removed: a run measures one load; use --rate and REGISTER\.p99$/
  ],
  ['latency.discover.P75 < 5ms', / was removed: a run measures one load; use --rate and DISCOVER\.p75$/],
  ['latency.errorRate < 1%', / was removed: a run measures one load; use --rate and errorRate$/],
  ['latency.p99 < 5ms', / was removed: a run measures one load; use --rate and REGISTER\.p99$/],
  ['latency.REGISTER.mode < 5ms', /^latency\.REGISTER\.mode is not a metric/],
  ['cpu < 50%', /^cpu is not a metric/],
  ['DISCOVER.p99 == 50ms', /^compares with ==: use <, <=, >, >=/],
  ['DISCOVER.p99 ≤ 50ms', /^compares with ≤/],
  ['DISCOVER.p99 < 50', /^DISCOVER\.p99 needs its limit in us, ms, s or min$/],
  ['DISCOVER.p99 < 50%', /^DISCOVER\.p99 needs its limit in us, ms, s or min, not %$/],
  ['errorRate < 0.01', /^errorRate needs its limit in %$/],
  ['throughput > 500', /^throughput needs its limit in \/s/],
  ['memory.max < 512', /^memory\.max needs its limit in kB, MB/],
  ['count > 500ops', /^count takes no unit, not ops/],
  ['errorRate < 5%, abort', /^may be followed by abortOnFail and grace=5s, not by abort/],
  ['errorRate < 5%,', /^may be followed by .* not by nothing/],
  ['errorRate < 5%, abortOnFail=maybe', /^abortOnFail must be true or false/],
  ['errorRate < 5%, abortOnFail, grace=5', /^grace must be a time with its unit/],
  ['errorRate < 5%, abortOnFail, grace', /^grace must be a time with its unit/],
  ['errorRate < 5%, grace=5s', /^has a grace time, which needs abortOnFail/],
  [{ metric: 'errorRate < 5%', abortOnFail: 1 }, /^abortOnFail must be true or false/],
  [{ metric: 'errorRate < 5%', delay: '5s' }, /not by delay/]
]

describe('a threshold is refused:', () => {
  for (const [raw, expected] of REFUSED)
    test(JSON.stringify(raw), () => {
      const read = readThreshold(raw)
      assert.ok('allowed' in read, JSON.stringify(read))
      assert.match(read.allowed, expected)
    })
})

describe('--threshold', () => {
  /** @param {Record<string, unknown>} options @param {Record<string, unknown>} [config] */
  const plan = (options, config) =>
    makePlan(options, { cores: 2, ...(config && { config: { file: 'load.yaml', options: config } }) })

  /** @param {ReturnType<typeof plan>} planned */
  const texts = planned => planned.plan?.thresholds.map(({ text }) => text)

  test('can be left out, given once or several times', () => {
    assert.deepEqual(texts(plan({})), [])
    assert.deepEqual(texts(plan({ threshold: 'errorRate < 1%' })), ['errorRate < 1%'])
    assert.deepEqual(texts(plan({ threshold: ['errorRate < 1%', 'REGISTER.p50 < 9ms'] })), [
      'errorRate < 1%',
      'REGISTER.p50 < 9ms'
    ])
  })

  test('is a list in a configuration file, of texts and of mappings, and flags replace it', () => {
    const config = { threshold: ['errorRate < 1%', { metric: 'cpu.avg < 90%', abortOnFail: true }] }
    assert.deepEqual(texts(plan({}, config)), ['errorRate < 1%', 'cpu.avg < 90%'])
    assert.deepEqual(texts(plan({ threshold: 'count > 5' }, config)), ['count > 5'])
  })

  test('is refused one by one, each with its own reason', () => {
    const { problems = [] } = plan({ threshold: ['p99 < 5ms', 'errorRate < 1%', 'errorRate < 1'] })
    assert.deepEqual(
      problems.map(({ flag, value }) => [flag, value]),
      [
        ['--threshold', 'p99 < 5ms'],
        ['--threshold', 'errorRate < 1']
      ]
    )
    const inFile = plan({}, { threshold: [{ metric: 'errorRate < 1' }] }).problems ?? []
    assert.deepEqual(inFile, [
      {
        flag: 'load.yaml: threshold',
        value: '{"metric":"errorRate < 1"}',
        allowed: 'errorRate needs its limit in %'
      }
    ])
  })

  const PEER = '12D3KooWGjMCwDWeCzgZ1tAFuUbBLRqHgtdVMZxqYsD9GPXMzSzd'
  const target = `/ip4/127.0.0.1/tcp/8000/p2p/${PEER}`
  const pair = `${target},${target.replace('8000', '8001')}`

  /** @type {[Record<string, unknown>, RegExp | null][]} */
  const samples = [
    [{ threshold: 'REGISTER.p99 < 5ms' }, null],
    [{ threshold: 'DISCOVER.p99 < 5ms' }, /^uses DISCOVER\.p99, but this run measures REGISTER only/],
    [
      { threshold: 'CONNECT.p99 < 5ms', benchmarkType: 'MIXED' },
      /measures REGISTER, DISCOVER, UNREGISTER only/
    ],
    [{ threshold: 'CONNECT.p99 < 5ms', connectionPerOperation: true }, null],
    [
      { threshold: 'REGISTER.p99 < 5ms', benchmarkType: 'MIXED', mix: 'discover=1' },
      /measures DISCOVER only/
    ],
    [{ threshold: 'cpu.avg < 90%' }, null],
    [{ threshold: 'cpu.avg < 90%', target }, /^uses cpu\.avg, which needs --targetPid/],
    [{ threshold: 'cpu.avg < 90%', target, targetPid: 5 }, null],
    [{ threshold: 'cpu.avg < 90%', target, targetContainer: 'server' }, null],
    [{ threshold: 'errorRate < 1%', target }, null],
    [{ threshold: 'fairness.clients > 0.9' }, null],
    [{ threshold: 'fairness.clients > 0.9', nClients: 1 }, /, which needs --nClients above 1$/],
    [{ threshold: 'fairness.types > 0.9', benchmarkType: 'MIXED' }, null],
    [{ threshold: 'fairness.types > 0.9' }, /, which needs --benchmarkType MIXED$/],
    [
      { threshold: 'fairness.types > 0.9', benchmarkType: 'MIXED', mix: 'discover=1' },
      /, which needs several types in --mix$/
    ],
    [{ threshold: 'staleness.p99 < 1s', servers: 2, store: 'postgres' }, null],
    [{ threshold: 'staleness.p99 < 1s' }, /^uses staleness\.p99, which needs several servers \(--servers,/],
    [{ threshold: 'staleness.p99 < 1s', targets: pair, benchmarkType: 'MIXED' }, null],
    [{ threshold: 'staleness.p99 < 1s', targets: pair, benchmarkType: 'DISCOVER' }, /--targets that/]
  ]
  for (const [options, expected] of samples)
    test(`${expected === null ? 'is taken' : 'is refused, since no sample can come'}: ${JSON.stringify(options)}`, () => {
      const { problems = [] } = plan(options)
      assert.equal(problems.length, expected === null ? 0 : 1, JSON.stringify(problems))
      if (expected !== null) assert.match(problems[0].allowed, expected)
    })
})
