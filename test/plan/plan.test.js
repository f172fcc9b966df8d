import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { formatEta } from '../../src/cli/progress.js'
import { estimateRemainingMs, estimateRun } from '../../src/plan/plan.js'
import { getKindSchema } from '../../src/plan/schema.js'
import { RENDEZVOUS_OPTIONS } from '../../src/scenarios/rendezvous/options.js'
import { canReuseServer } from '../../src/scenarios/rendezvous/plan/rendezvous-plan.js'
import { RENDEZVOUS } from '../../src/scenarios/rendezvous/scenario.js'
import { makePlan } from '../scenarios.js'
import { planned as plannedEstimate } from './planned.js'

const TARGET = '/ip4/127.0.0.1/tcp/8000/p2p/12D3KooWGjMCwDWeCzgZ1tAFuUbBLRqHgtdVMZxqYsD9GPXMzSzd'

/**
 * @param {Record<string, unknown>} options
 * @param {Parameters<typeof makePlan>[1]} [more]
 */
function planned(options, more = { cores: 4 }) {
  const { problems, ...rest } = makePlan(options, more)
  assert.equal(problems, undefined, JSON.stringify(problems))
  return /** @type {import('../../src/plan/plan.js').Planned} */ (rest)
}

test('without any option a run refreshes registrations for 10 s', () => {
  const { plan, output } = planned({})
  assert.deepEqual(plan, {
    scenario: 'rendezvous',
    nClients: 4,
    providers: null,
    discoverers: null,
    providerRatePerSecond: null,
    discovererRatePerSecond: null,
    nNamespaces: 5,
    initialRegistrations: 100,
    benchmarkRuns: null,
    durationMs: 10_000,
    benchmarkType: 'REGISTER',
    mix: null,
    discoverLimit: 20,
    discoverInexistentNamespaces: false,
    registerMode: 'refresh',
    ttlSeconds: 7200,
    recordDomain: 'libp2p-peer-record',
    seed: 1,
    ratePerSecond: null,
    arrivals: 'constant',
    thinkTimeMs: null,
    faults: [],
    maxInFlight: 100_000,
    timeoutMs: 10_000,
    connectionPerOperation: false,
    streamPerOperation: true,
    skipLookUp: false,
    inFlight: 1,
    workers: 3,
    stack: ['libp2p-3'],
    stock: false,
    network: 'loopback',
    linkLossShare: null,
    linkLatency: null,
    upBandwidthBytesPerSecond: null,
    server: 'auto',
    serverStack: null,
    cpus: null,
    memoryBytes: null,
    store: 'memory',
    servers: 1,
    failover: false,
    target: null,
    targets: null,
    targetPid: null,
    targetContainer: null,
    iOwnTheTarget: false,
    maxPeerRegistrations: 1000,
    thresholds: [],
    minDurationMs: 0,
    warmupMs: 2000,
    samples: false
  })
  assert.deepEqual(output, {
    hdrFile: null,
    outputFile: null,
    outputDir: 'results',
    dryRun: false,
    runs: 1,
    resume: null,
    baseline: null,
    failOn: null,
    address: null,
    agents: null,
    allowUndecided: false,
    bus: null,
    busCa: null,
    busCredentials: null,
    insecure: false,
    onLostAgent: 'stop',
    csv: false,
    dashboardPort: null,
    json: false,
    jsonLines: null,
    junit: null,
    quiet: false,
    strict: false,
    prometheusPort: null
  })
})

test('a plan cannot be changed', () => {
  const { plan } = planned({ benchmarkType: 'MIXED' })
  assert.ok(Object.isFrozen(plan) && Object.isFrozen(plan.mix))
})

describe('values are read in the units people write', () => {
  /** @type {[Record<string, unknown>, string, unknown][]} */
  const cases = [
    [{ duration: '1.5s' }, 'durationMs', 1500],
    [{ duration: '2 min' }, 'durationMs', 120_000],
    [{ timeout: '250ms' }, 'timeoutMs', 250],
    [{ ttl: '90s' }, 'ttlSeconds', 90],
    [{ ttl: '72h' }, 'ttlSeconds', 259_200],
    [{ warmup: '0' }, 'warmupMs', 0],
    [{ warmup: 0 }, 'warmupMs', 0],
    [{ rate: '500' }, 'ratePerSecond', 500],
    [{ rate: 500 }, 'ratePerSecond', 500],
    [{ rate: '500/s' }, 'ratePerSecond', 500],
    [{ rate: '30000/min' }, 'ratePerSecond', 500],
    [{ rate: '333.6e3/h', duration: '5s' }, 'ratePerSecond', 333_600 / 3600],
    [{ benchmarkType: 'discover' }, 'benchmarkType', 'DISCOVER'],
    [{ benchmarkType: 'Mixed' }, 'mix', { register: 0.1, discover: 0.8, unregister: 0.1 }],
    [
      { benchmarkType: 'MIXED', mix: 'discover=3,Register=1' },
      'mix',
      { register: 0.25, discover: 0.75, unregister: 0 }
    ],
    [{ benchmarkType: 'MIXED', mix: { discover: 2 } }, 'mix', { register: 0, discover: 1, unregister: 0 }],
    [{ samples: 'true' }, 'samples', true],
    [{ streamPerOperation: 'false' }, 'streamPerOperation', false],
    [{ 'n-namespaces': '7' }, 'nNamespaces', 7],
    [{ cpus: '.5' }, 'cpus', 0.5],
    [{ memory: '512mb' }, 'memoryBytes', 512e6],
    [{ memory: '512MiB' }, 'memoryBytes', 512 * 1024 ** 2],
    [{ memory: 536870912 }, 'memoryBytes', 512 * 1024 ** 2],
    [{ memory: '1.5 GB' }, 'memoryBytes', 1.5e9],
    [{ server: 'docker' }, 'server', 'docker'],
    [{ target: TARGET, targetContainer: 'rendezvous_1' }, 'targetContainer', 'rendezvous_1'],
    [{ target: TARGET, targetPid: '77' }, 'targetPid', 77]
  ]
  for (const [options, key, value] of cases) {
    test(`${JSON.stringify(options)} gives ${key} ${JSON.stringify(value)}`, () => {
      assert.deepEqual(/** @type {any} */ (planned(options).plan)[key], value)
    })
  }
})

test('a run ends with its operations, with its time, or with what comes first', () => {
  const lengthOf = (/** @type {Record<string, unknown>} */ options) => {
    const { plan } = planned(options)
    return [plan.benchmarkRuns, plan.durationMs, plan.minDurationMs]
  }
  assert.deepEqual(lengthOf({ benchmarkRuns: '137' }), [137, null, 0])
  assert.deepEqual(lengthOf({ duration: '30s' }), [null, 30_000, 0])
  assert.deepEqual(lengthOf({ benchmarkRuns: '137', duration: '30s' }), [137, 30_000, 0])
  assert.deepEqual(lengthOf({ benchmarkRuns: '137', minDuration: '2s' }), [137, null, 2000])
})

test('--inFlight above 1 alone means one long-lived stream', () => {
  assert.equal(planned({ inFlight: '8' }).plan.streamPerOperation, false)
})

test('fewer operations than clients can be run', () => {
  planned({ nClients: '100', benchmarkRuns: '10' })
})

describe('more registrations than one peer may hold can be run', () => {
  for (const options of [
    { benchmarkRuns: '5000', nClients: '5' },
    { benchmarkRuns: '5000', registerMode: 'refresh' },
    { benchmarkRuns: '5000', maxPeerRegistrations: '1250' },
    { benchmarkRuns: '5000', benchmarkType: 'DISCOVER' },
    { benchmarkRuns: '5000', target: TARGET },
    { duration: '1h' }
  ])
    test(`with ${JSON.stringify(options)}`, () => void planned(options))
})

describe('without --workers the clients are spread over', () => {
  for (const [cores, nClients, workers] of [
    [1, 4, 1],
    [2, 4, 1],
    [8, 4, 4],
    [8, 100, 7]
  ])
    test(`${workers} processes with ${cores} cores and ${nClients} clients`, () => {
      assert.equal(planned({ nClients }, { cores }).plan.workers, workers)
    })
})

describe('a configuration file', () => {
  const config = {
    file: 'load.yaml',
    options: { nClients: 50, 'benchmark-type': 'DISCOVER', duration: '30s' }
  }

  test('gives option values', () => {
    const { plan } = planned({}, { config })
    assert.deepEqual([plan.nClients, plan.benchmarkType, plan.durationMs], [50, 'DISCOVER', 30_000])
  })

  test('gives way to flags', () => {
    const { plan } = planned({ nClients: '7', benchmarkRuns: '100' }, { config })
    assert.deepEqual([plan.nClients, plan.benchmarkRuns, plan.durationMs], [7, 100, 30_000])
  })

  test('has its unknown keys and bad values named with the file, in one list with those of the flags', () => {
    const options = { nClints: 3, rate: 'fast', seed: [1, 2], config: 'other.yaml', mix: { lookup: 1 } }
    const { problems } = makePlan({ workers: 'x' }, { config: { file: 'load.yaml', options }, cores: 4 })
    assert.deepEqual(problems, [
      { flag: 'load.yaml: nClints', value: '3', allowed: 'is not an option; did you mean nClients?' },
      {
        flag: 'load.yaml: rate',
        value: 'fast',
        allowed: 'must be a rate above 0 and up to 1,000,000/s, such as 500, 500/s or 30000/min'
      },
      { flag: 'load.yaml: seed', value: '1, 2', allowed: 'must be a whole number from 0 to 4,294,967,295' },
      { flag: 'load.yaml: config', value: 'other.yaml', allowed: 'can only be given on the command line' },
      {
        flag: 'load.yaml: mix',
        value: '{"lookup":1}',
        allowed: 'must give shares of at least 0, not all 0, such as register=1,discover=8,unregister=1'
      },
      { flag: '--workers', value: 'x', allowed: 'must be a whole number from 1 to 1,024' }
    ])
  })
})

describe('the table of options', () => {
  for (const [key, option] of Object.entries(RENDEZVOUS_OPTIONS)) {
    test(`${key} has a text, an allowed default and a JSON Schema`, () => {
      assert.ok(option.describe && option.group && /^must /.test(option.allowed))
      if (option.default !== undefined) assert.ok(getKindSchema(option).safeParse(option.default).success)
      const described = z.toJSONSchema(getKindSchema(option), { io: 'output' })
      assert.ok('type' in described || 'anyOf' in described)
    })
  }
})

/** @param {number} estimateMs @param {number} [fixedMs] @param {boolean} [goesOn] */
const about = (estimateMs, fixedMs = 0, goesOn = false) => ({ estimateMs, fixedMs, goesOn })

describe('the time that is left of a study', () => {
  test('goes by the estimates, and by the pace as soon as there is one', () => {
    assert.equal(estimateRemainingMs([], [about(1000), about(2000)]), 3000)
    const done = [
      { ...about(1000), tookMs: 1500 },
      { ...about(1000), tookMs: 2500 }
    ]
    assert.equal(estimateRemainingMs(done, [about(1000)]), 2000)
    assert.equal(estimateRemainingMs(done, []), 0)
  })

  test('has no pace in what takes as long anywhere', () => {
    // 1 s of the first run could vary, and took 3 s
    const done = [{ ...about(11_000, 10_000), tookMs: 13_000 }]
    assert.equal(estimateRemainingMs(done, [about(91_000, 90_000)]), 93_000)
  })

  test('has a pace of its own where runs go on with what was left up', () => {
    const done = [{ ...about(2000), tookMs: 8000 }]
    assert.equal(estimateRemainingMs(done, [about(500, 0, true)]), 500)
    const both = [...done, { ...about(500, 0, true), tookMs: 1000 }]
    assert.equal(estimateRemainingMs(both, [about(500, 0, true), about(2000)]), 9000)
  })
})

describe('a grid is estimated by a range before its first cell, and within 30 % after it', () => {
  /**
   * Cells of a grid on a machine that starts things so many times slower than the one the estimates are from.
   *
   * @param {number} seconds
   * @param {number} slower
   */
  function gridOf(seconds, slower) {
    const plans = [1, 2, 4].flatMap(nClients =>
      [25, 50, 100, 200].map(rate =>
        plannedEstimate({ rate: rate * nClients, nClients, registerMode: 'refresh', duration: `${seconds}s` })
      )
    )
    return plans.map((plan, i) => {
      const goesOn = i > 0 && canReuseServer(plans[i - 1], plan)
      const starts = goesOn ? 400 : i === 0 ? 3000 : 2000
      const warmsUp = goesOn ? 1000 : 2500
      return { ...estimateRun(RENDEZVOUS, plan, goesOn), tookMs: 1000 * seconds + warmsUp + slower * starts }
    })
  }

  for (const seconds of [3, 10, 90])
    for (const slower of [0.7, 1, 3])
      test(`cells of ${seconds} s, ${slower} × as slow`, () => {
        const cells = gridOf(seconds, slower)
        const took = (/** @type {number} */ from) =>
          cells.slice(from).reduce((sum, { tookMs }) => sum + tookMs, 0)
        const before = estimateRemainingMs([], cells)
        assert.ok(before * 0.7 <= took(0) && took(0) <= 3 * before, `${before} of ${took(0)}`)
        const ratio = estimateRemainingMs(cells.slice(0, 1), cells.slice(1)) / took(1)
        assert.ok(ratio > 0.7 && ratio < 1.3, `${ratio}`)
      })

  test('and says so', () => {
    assert.equal(formatEta({ etaMs: 60_000, paceKnown: false }), 'ETA 1 min 0 s to 3 min 0 s')
    assert.equal(formatEta({ etaMs: 60_000, paceKnown: true }), 'ETA 1 min 0 s')
  })
})
