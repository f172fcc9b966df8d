import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { z } from 'zod'
import { makeLinkModel } from '../../src/network/link-model.js'
import {
  expectedRateOf,
  expectedRoundTripOf,
  planPings,
  selectLinks
} from '../../src/network/namespaces/link-measurement.js'
import { describeNamespaceProblem } from '../../src/network/namespaces.js'
import { makeNetworkPlan } from '../../src/scenarios/namespace-run.js'
import {
  findProcessesProblem,
  findSizeProblem,
  makeLatencyKind
} from '../../src/scenarios/network-options.js'
import { RoundLinks } from '../../src/scenarios/transfer/run/transfer-processes.js'
import { makePlanOf, planFlags, validPlanOf as planOf, scenarioNamed } from '../scenarios.js'

/** @param {unknown} value @param {(path: string) => string} [readText] @returns {any} */
const read = (value, readText) => makeLatencyKind(readText).read?.(value, /** @type {any} */ (z))

const SPECS = /** @type {const} */ ([
  { kind: 'constant', ms: 50 },
  { kind: 'uniform', minMs: 40, maxMs: 60 },
  { kind: 'normal', meanMs: 50, sdMs: 10 },
  { kind: 'lognormal', meanMs: 50, sdMs: 0 }
])

describe('the latency of links', () => {
  it('is read as it is written', () => {
    for (const spec of SPECS) assert.deepEqual(read(makeLatencyKind().write(spec)), { value: spec })
    const actual = makeLatencyKind().write(/** @type {any} */ ({ kind: 'matrix', path: 'm.csv' }))
    assert.equal(actual, 'file:m.csv')
  })

  it('is read from a mapping of each kind', () => {
    assert.deepEqual(read({ kind: 'constant', latency: '50ms' }), { value: SPECS[0] })
    assert.deepEqual(read({ kind: 'uniform', min: '40ms', max: '60ms' }), { value: SPECS[1] })
    assert.deepEqual(read({ kind: 'normal', mean: '50ms', sd: '10ms' }), { value: SPECS[2] })
    assert.deepEqual(read('constant: 50ms'), { value: SPECS[0] })
  })

  it('is read from a file, whose path is kept', () => {
    const matrix = '0,10\n10,0\n'
    const { value } = read({ kind: 'file', path: 'm.csv' }, path => (path === 'm.csv' ? matrix : ''))
    assert.deepEqual([value.path, value.kind], ['m.csv', 'matrix'])
  })

  it('that cannot be is refused with what is allowed', () => {
    const unreadable = () => {
      throw Object.assign(new Error('no'), { code: 'EACCES' })
    }
    for (const [value, allowed] of /** @type {[unknown, RegExp][]} */ ([
      ['fast', /^must be a latency with its unit such as 50ms, .*, each from 0 to 10s$/],
      ['11s', /, each from 0 to 10s$/],
      ['uniform:60ms-40ms', /^must have two latencies from 0 to 10s, the smaller one first/],
      ['uniform:1ms-2ms-3ms', /^must have two latencies/],
      ['normal:0ms,1ms', /such as normal:50ms,10ms$/],
      ['lognormal:50ms', /such as lognormal:50ms,10ms$/],
      ['file:', /^must name a file after the colon/],
      ['file:m.csv', /^names a file that cannot be read \(EACCES\)$/]
    ]))
      assert.match(read(value, unreadable).allowed, allowed, String(value))
    assert.match(read('file:m.csv', () => 'a,b\n').allowed, /^is no matrix of latencies: /)
  })

  it('of a plan is its kind, or the same ms for all links, and nothing else', () => {
    const schema = makeLatencyKind().schema(/** @type {any} */ (z), /** @type {any} */ (null))
    assert.deepEqual([schema.parse('uniform:40ms-60ms'), schema.parse(SPECS[2])], [SPECS[1], SPECS[2]])
    assert.equal(schema.parse(100), 100)
    for (const value of ['fast', -1, {}]) assert.equal(schema.safeParse(value).success, false)
  })
})

const SMALL = Object.freeze({ cores: 2, memoryBytes: 24e9, openFiles: 20_000 })
const BA = Object.freeze({ kind: 'barabasi-albert', m: 6, seed: 42 })

/** @type {[string, Record<string, any>, object, RegExp | null][]} what, options, what differs of a small machine, why not; null: it is carried */
const NETWORKS = [
  [
    '2,000 nodes on two cores',
    { nodes: 2000 },
    {},
    /^must be at most about 1,333 on real TCP, .* 2 cores .* \(1,333\)/
  ],
  ['2,000 nodes on 16 cores', { nodes: 2000 }, { cores: 16 }, null],
  [
    'one worker of 16 cores',
    { nodes: 2000, workers: 1 },
    { cores: 16, openFiles: Infinity },
    /666 .* 1 core /
  ],
  ['the default network', { nodes: 95 }, { memoryBytes: 2e9, openFiles: 1024 }, null],
  ['little memory', { nodes: 300 }, { memoryBytes: 1e9 }, /0\.9 GiB of memory/],
  [
    'few open files',
    { nodes: 300 },
    { openFiles: 1024 },
    /about \d\d\d .* 1,024 open files for each of 2 workers/
  ],
  ['all connected to all', { nodes: 600, topology: { kind: 'full' } }, {}, /memory .* open files/],
  ['a ring has few connections', { nodes: 1300, topology: { kind: 'ring' } }, { memoryBytes: 2e9 }, null],
  [
    'found at a rendezvous server',
    { nodes: 1000, topology: { kind: 'rendezvous', k: 60 } },
    {},
    /open files/
  ],
  [
    'a small one that needs more files than may be open',
    { nodes: 50, topology: { kind: 'full' }, workers: 1 },
    { openFiles: 256, cores: 1, memoryBytes: 1e8 },
    /^must be at most about 1\d on real TCP, as an estimate for this machine: 256 open files for each of 1 worker /
  ],
  [
    'a small one on any machine otherwise',
    { nodes: 50, topology: { kind: 'full' }, workers: 1 },
    { openFiles: 4096, cores: 1, memoryBytes: 1e6 },
    null
  ],
  [
    'a file with its own number of nodes',
    { topology: { kind: 'file', path: 'x', nodes: 3000, edges: [[0, 1]] } },
    {},
    /1,333/
  ]
]

describe('a network on real TCP is refused where its nodes could not stand, by estimate', () => {
  for (const [what, options, machine, why] of NETWORKS)
    test(what, () => {
      const text = findSizeProblem({ topology: BA, ...options }, { ...SMALL, ...machine })
      if (why === null) assert.equal(text, null)
      else assert.match(String(text), why)
    })

  test('before anything is started, by the flag that says how large it is; simulated it is not', () => {
    const [{ flag, value, allowed }] = makePlanOf('gossip', { nodes: '60000' }).problems ?? []
    assert.deepEqual([flag, value], ['--nodes', '60000'])
    assert.match(allowed, /for this machine: .*; or use --network simulated$/)
    assert.equal(makePlanOf('gossip', { nodes: '60000', network: 'simulated' }).problems, undefined)
  })
})

const SKIP = { skip: describeNamespaceProblem() ?? false }
/** @type {[string, Record<string, string>][]} what each scenario asks of its links */
const JOINED = [
  ['transfer', { linkLoss: '1%' }],
  ['perf', { linkLoss: '1%' }],
  ['rendezvous', { linkLoss: '1%', linkLatency: 'lognormal:50ms,20ms', upBandwidth: '5MB/s' }]
]

/** @param {string} name @param {Record<string, unknown>} options */
const refusalsOf = (name, options) =>
  (makePlanOf(name, { network: 'namespaces', ...options }).problems ?? []).map(
    ({ flag, allowed }) => `${flag}: ${allowed}`
  )

describe('links between network namespaces', SKIP, () => {
  for (const [name, links] of JOINED)
    test(`of ${name} have losses, and the command line that repeats a plan names them`, () => {
      const plan = planOf(name, { network: 'namespaces', ...links })
      assert.equal(plan.linkLossShare, 0.01)
      const flags = planFlags(plan).join(' ')
      for (const flag of ['network', ...Object.keys(links)]) assert.match(flags, new RegExp(`--${flag} `))
    })

  test('each client is alone where anything is asked of the links, and groups are for loopback speed', () => {
    const plain = { network: 'namespaces', nClients: '5', workers: '2' }
    assert.equal(planOf('rendezvous', plain).workers, 2)
    const actual = planOf('rendezvous', { network: 'namespaces', nClients: '5', linkLatency: '5ms' }).workers
    assert.equal(actual, 5)
    assert.deepEqual(refusalsOf('rendezvous', { ...plain, linkLatency: '5ms' }), [
      '--workers: must be 5, one for each client, with --linkLatency: clients that share a namespace share its links'
    ])
  })

  test('as many clients as there may be share few processes where nothing is asked of the links', () => {
    const options = { network: 'namespaces', nClients: '1000', workers: undefined }
    assert.ok(Number(planOf('rendezvous', options).workers) < 1000)
    const actual = refusalsOf('rendezvous', { nClients: '10000', linkLoss: '1%' }).join()
    assert.match(actual, /--network: makes 10,00\d processes/)
  })

  test('each client that comes and goes is alone as well', () => {
    const churn = { churn: '2,every=2s,away=1s', benchmarkType: 'DISCOVER', discoverLimit: '100' }
    const options = { nClients: '4', ...churn, upBandwidth: '1MB/s' }
    assert.equal(planOf('rendezvous', { network: 'namespaces', ...options }).workers, 4)
    assert.deepEqual(refusalsOf('rendezvous', { ...options, workers: '1' }), [
      '--workers: must be 4, one for each client, with --upBandwidth: clients that share a namespace share its links'
    ])
  })

  /** @type {[string, Record<string, unknown>, RegExp][]} */
  const outside = [
    [
      'perf',
      { target: '/ip4/127.0.0.1/tcp/1/p2p/12D3KooWDpJ7As7BWAwRMfu1VU2WCqNjvq387JEYKDBj4kx6nXTN' },
      /^--target: .*outside/
    ],
    ['rendezvous', { servers: '2', store: 'postgres' }, /^--servers: must be 1/],
    ['rendezvous', { server: 'docker' }, /^--server: must be process/],
    ['rendezvous', { store: 'postgres' }, /^--store: must be memory with/],
    ['rendezvous', { cpus: '1' }, /^--cpus: needs a container/]
  ]
  for (const [name, options, why] of outside)
    test(`of ${name} do not reach ${JSON.stringify(options)}`, () =>
      assert.ok(
        refusalsOf(name, options).some(refusal => why.test(refusal)),
        refusalsOf(name, options).join('\n')
      ))
})

test('results from before there were such links are of loopback, without any', () => {
  for (const [name] of JOINED) {
    const { plan } = /** @type {any} */ (scenarioNamed(name)).filled({
      plan: { scenario: name },
      outcome: null
    })
    assert.deepEqual([plan.network, plan.linkLossShare], ['loopback', null])
  }
})

test('a latency and bandwidth of perf are those of its one link', async t => {
  const plan = planOf('perf', { latencies: '25ms', bandwidths: '10MB' })
  const rounds = new RoundLinks({ ...plan, network: 'namespaces' })
  const { mock } = t.mock.method(rounds.joined, 'start', async () => {})
  await rounds.start(() => {})
  const [links] = /** @type {any} */ (mock.calls[0].arguments)
  assert.deepEqual([links.nodes, links.linkLatencyMs, links.upBandwidthBytesPerSecond], [2, 25, 10e6])
  assert.deepEqual(links.linkJitter, { kind: 'share', share: 0.01 })
})

describe('what is measured before a run', () => {
  /** @param {number} namespaces @param {Record<string, unknown>} [other] */
  const measured = (namespaces, other) => {
    const linkLatency = /** @type {const} */ ({ kind: 'uniform', minMs: 20, maxMs: 60 })
    const plan = { ...makeNetworkPlan({ linkLatency, seed: 1 }, namespaces), ...other }
    return selectLinks(plan, makeLinkModel(plan).properties).map(({ what, from }) => `${what} of ${from}`)
  }
  /** @type {[number, string[]][]} */
  const stars = [
    [2, ['the link of 0']],
    [3, ['the shortest link of 0', 'the longest link of 0']],
    [9, ['the shortest link of 0', 'a middle link of 0', 'the longest link of 0']]
  ]
  for (const [namespaces, links] of stars)
    test(`are links to a server from ${namespaces - 1} others`, () =>
      assert.deepEqual(measured(namespaces), links))

  test('is nothing in a namespace that is alone', () =>
    assert.deepEqual(selectLinks(makeNetworkPlan({ seed: 1 }, 1), /** @type {any} */ ({})), []))

  test('are links between any two where all speak with one another', () =>
    assert.ok(measured(9, { star: false }).some(link => !link.endsWith(' of 0'))))
})

describe('round trips are measured by pings that are apart, on as many connections as that takes', () => {
  /** @type {[number, number, number, number][]} round trip, ms on lines, connections, pings on each */
  const cases = [
    [0, 0, 1, 160],
    [20, 0, 4, 40],
    [100, 0, 20, 8],
    [20_000, 0, 40, 4],
    // at 10 kB/s
    [100, 10.6, 2, 80],
    [0, 106, 1, 160]
  ]
  for (const [roundTripMs, onLineMs, connections, each] of cases)
    test(`${roundTripMs} ms, ${onLineMs} of a line: ${each} on ${connections}`, () =>
      assert.deepEqual(planPings(roundTripMs, onLineMs), {
        ...{ connections, each },
        apartMs: roundTripMs / connections
      }))
})

test('a round trip is longer on average where jitter is longer than the latency, for nothing takes less than no time', () => {
  /** @param {number} latencyMs @param {number} ms */
  const askedOf = (latencyMs, ms) => {
    const linkLatency = /** @type {const} */ ({ kind: 'constant', ms: latencyMs })
    const plan = makeNetworkPlan({ linkLatency, linkJitter: { kind: 'time', ms }, seed: 1 }, 2)
    return expectedRoundTripOf({ from: 0, to: 1 }, makeLinkModel(plan).properties)
  }
  assert.deepEqual(askedOf(50, 20), { askedMs: 100, jitterMs: 20 })
  assert.deepEqual(askedOf(10, 50), { askedMs: 36, jitterMs: 50 })
  assert.deepEqual(askedOf(0, 0), { askedMs: 0, jitterMs: 0 })
})

describe('of the rate of a burst comes what is not lost, unless the line of the receiver alone limits it', () => {
  const [UP, LINK, DOWN] = [
    'upBandwidthBytesPerSecond',
    'linkBandwidthBytesPerSecond',
    'downBandwidthBytesPerSecond'
  ]
  /** @type {[Record<string, number>, { asked: number, due: number } | null][]} */
  const cases = [
    [{}, null],
    [{ [UP]: 1e6 }, { asked: 1e6, due: 0.8e6 }],
    [
      { [LINK]: 1e6, [UP]: 2e6 },
      { asked: 1e6, due: 0.8e6 }
    ],
    [{ [DOWN]: 1e6 }, { asked: 1e6, due: 1e6 }],
    [
      { [DOWN]: 1e6, [UP]: 1.1e6 },
      { asked: 1e6, due: 0.88e6 }
    ]
  ]
  for (const [limits, rate] of cases)
    test(JSON.stringify(limits), () => {
      const { properties } = makeLinkModel(makeNetworkPlan({ seed: 1, linkLossShare: 0.2, ...limits }, 2))
      assert.deepEqual(expectedRateOf({ from: 0, to: 1 }, properties), rate)
    })
})

test('more processes than memory holds are refused, with how many fit', () => {
  assert.equal(findProcessesProblem(10, { memoryBytes: 3e9 }), null)
  const actual = String(findProcessesProblem(40, { memoryBytes: 3e9 }))
  assert.match(actual, /^makes 40 processes, and 19 fit into 2\.8 GiB/)
})
