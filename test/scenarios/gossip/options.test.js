import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { GOSSIPSUB_PARAMS } from '../../../src/scenarios/gossip/gossipsub.js'
import { GOSSIP_OPTIONS } from '../../../src/scenarios/gossip/options.js'
import { gossipPlanned } from './gossip-planned.js'

/** @typedef {import('../../../src/scenarios/gossip/options.js').GossipPlan} GossipPlan */

test('nothing asked for: 30 nodes, 100 messages in 34 s, everything of the library as it is', () => {
  const plan = gossipPlanned({})
  assert.deepEqual(plan, {
    ...plan,
    scenario: 'gossip',
    nodes: 30,
    topology: { kind: 'barabasi-albert', m: 6, seed: 1, networkx: '3' },
    ...{ dialOrder: 'random', network: 'loopback', linkLatencyMs: 100, workers: 4, seed: 1 },
    ...{ messages: 100, durationMs: null, ratePerSecond: 3, arrivals: 'constant', publishers: 'random' },
    ...{ intervalMs: { min: 100, max: 300 }, loadModel: 'open', messageBytes: { min: 1000, max: 1000 } },
    ...{ topics: [{ name: 'topic-0', chance: 1 }], maxBacklogBytes: null, memoryCeilingBytes: null },
    ...{ stack: ['libp2p-3'], pubsub: 'gossipsub', security: 'noise', transport: 'tcp', muxer: 'yamux' },
    ...{ signing: true, keyType: 'ed25519', fastMsgId: false },
    ...{ validation: { accept: 1, ignore: 0, reject: 0 }, validationDelayMs: 0, topicScoreParams: null },
    ...{ preset: 'default', gossipsub: {}, warmupMs: null, warmupTimeoutMs: 30_000, cooldownMs: 30_000 },
    ...{ traces: false, thresholds: [] }
  })
})

const EVERY = { publishers: 'every', duration: '3s' }
const EVERY_PLAN = /** @type {const} */ ({
  publishers: 'every',
  durationMs: 3000,
  messages: null,
  ratePerSecond: null
})

/** @param {Record<string, unknown>} options @param {Partial<GossipPlan>} changes @returns {[Record<string, unknown>, Partial<GossipPlan>]} */
const every = (options, changes) => [
  { ...EVERY, ...options },
  { ...EVERY_PLAN, ...changes }
]

/** @param {string} name @param {number} chance */
const topic = (name, chance) => ({ name, chance })

/** Options as typed, and what they change in the plan. @type {[Record<string, unknown>, Partial<GossipPlan>][]} */
const CHANGES = [
  [{ nodes: '7' }, { nodes: 7 }],
  [{ stock: true }, { stock: true }],
  [{ topology: 'full' }, { topology: { kind: 'full' } }],
  [{ topology: ' ring ' }, { topology: { kind: 'ring' } }],
  [{ topology: 'line' }, { topology: { kind: 'line' } }],
  [{ topology: 'rendezvous:k=3' }, { topology: { kind: 'rendezvous', k: 3 }, refreshEveryMs: 10_000 }],
  [
    { topology: 'rendezvous:k=3', refreshEvery: '2s' },
    { topology: { kind: 'rendezvous', k: 3 }, refreshEveryMs: 2000 }
  ],
  [{ topology: 'star' }, { topology: { kind: 'star' } }],
  [{ topology: 'random-degree:k=3' }, { topology: { kind: 'random-degree', k: 3, seed: 1 } }],
  [{ topology: 'regular:k=4' }, { topology: { kind: 'regular', k: 4, seed: 1 } }],
  [{ topology: 'small-world:k=4,p=0.5' }, { topology: { kind: 'small-world', k: 4, p: 0.5, seed: 1 } }],
  [
    { topology: 'barabasi-albert:m=2,seed=42,networkx=2.4' },
    { topology: { kind: 'barabasi-albert', m: 2, seed: 42, networkx: '2.4' } }
  ],
  [{ topology: { kind: 'regular', k: 4 } }, { topology: { kind: 'regular', k: 4, seed: 1 } }],
  [{ dialOrder: 'ascending' }, { dialOrder: 'ascending' }],
  [{ linkLatency: '50ms' }, { linkLatencyMs: 50 }],
  [{ 'link-latency': '1.5s' }, { linkLatencyMs: 1500 }],
  [{ workers: '3' }, { workers: 3 }],
  [{ seed: '9' }, { seed: 9, topology: { kind: 'barabasi-albert', m: 6, seed: 9, networkx: '3' } }],
  [{ messages: '12' }, { messages: 12 }],
  [{ duration: '20s' }, { durationMs: 20_000, messages: null }],
  [{ rate: '600/min' }, { ratePerSecond: 10 }],
  [{ arrivals: 'poisson' }, { arrivals: 'poisson' }],
  [EVERY, EVERY_PLAN],
  every({ interval: '1s-3s' }, { intervalMs: { min: 1000, max: 3000 } }),
  every({ interval: '20ms' }, { intervalMs: { min: 20, max: 20 } }),
  every({ loadModel: 'closed' }, { loadModel: 'closed' }),
  [{ messageBytes: '8' }, { messageBytes: { min: 8, max: 8 } }],
  [{ messageBytes: 2000 }, { messageBytes: { min: 2000, max: 2000 } }],
  [{ messageBytes: '8192 - 16384' }, { messageBytes: { min: 8192, max: 16384 } }],
  [{ messageBytes: { min: 10, max: 20 } }, { messageBytes: { min: 10, max: 20 } }],
  [{ topics: '2' }, { topics: [topic('topic-0', 1), topic('topic-1', 1)] }],
  [{ topics: 'foo=0.7, bar = 0.4' }, { topics: [topic('foo', 0.7), topic('bar', 0.4)] }],
  [{ topics: { foo: 0.7 } }, { topics: [{ name: 'foo', chance: 0.7 }] }],
  [{ maxBacklog: '64kb' }, { maxBacklogBytes: 64_000 }],
  [{ maxBacklog: '64KiB' }, { maxBacklogBytes: 65_536 }],
  [{ messageBytes: '1KiB' }, { messageBytes: { min: 1024, max: 1024 } }],
  [{ messageBytes: '1.5kB-1MB' }, { messageBytes: { min: 1500, max: 1_000_000 } }],
  [{ idontwant_message_size_threshold: '64KiB' }, { gossipsub: { idontwantMinDataSize: 65_536 } }],
  [{ memoryCeiling: '1GiB' }, { memoryCeilingBytes: 2 ** 30 }],
  [{ stack: 'libp2p-2,libp2p-3' }, { stack: ['libp2p-2', 'libp2p-3'] }],
  [{ security: 'plaintext' }, { security: 'plaintext' }],
  [{ muxer: 'mplex' }, { muxer: 'mplex' }],
  [{ signing: 'off' }, { signing: false }],
  [{ signing: false }, { signing: false }],
  [{ keyType: 'secp256k1' }, { keyType: 'secp256k1' }],
  [{ fastMsgId: 'on' }, { fastMsgId: true }],
  [
    { validation: 'accept=6,ignore=1,reject=1' },
    { validation: { accept: 0.75, ignore: 0.125, reject: 0.125 } }
  ],
  [{ validationDelay: '5ms' }, { validationDelayMs: 5 }],
  [
    { topicScoreParams: { 'topic-0': { topicWeight: 0.5 } } },
    { topicScoreParams: { 'topic-0': { topicWeight: 0.5 } } }
  ],
  [
    { topicScoreParams: '{ topic-0: { topicWeight: 0.5 } }' },
    { topicScoreParams: { 'topic-0': { topicWeight: 0.5 } } }
  ],
  [
    { preset: 'study-2019' },
    {
      preset: 'study-2019',
      gossipsub: { floodPublish: false, idontwantMinDataSize: 1_000_000_000, gossipFactor: 0 }
    }
  ],
  [
    { preset: 'study-2019', flood_publish: true, D: '8' },
    {
      preset: 'study-2019',
      gossipsub: { floodPublish: true, idontwantMinDataSize: 1_000_000_000, gossipFactor: 0, D: 8 }
    }
  ],
  [{ warmupTimeout: '2s' }, { warmupTimeoutMs: 2000 }],
  [{ transport: 'websocket' }, { transport: 'websocket' }],
  [{ muxer: 'yamux,mplex' }, { muxer: 'yamux,mplex' }],
  [{ pubsub: 'floodsub' }, { pubsub: 'floodsub' }],
  [{ warmup: '60s' }, { warmupMs: 60_000 }],
  [{ warmup: '0' }, { warmupMs: 0 }],
  [{ publishers: 'node:3' }, { publishers: { nodes: [3] } }],
  [{ publishers: 'node:7, 3,7' }, { publishers: { nodes: [7, 3] } }],
  [{ publishers: { nodes: [3, 7] } }, { publishers: { nodes: [3, 7] } }],
  [{ cooldown: '0' }, { cooldownMs: 0 }],
  [{ traces: true }, { traces: true }],
  [{ profile: 'heap,cpu' }, { profiled: ['cpu', 'heap'] }],
  [{ churn: '5%/min' }, { churn: { share: 0.05, perMs: 60_000, awayMs: 30_000 } }],
  [
    { threshold: ['deliveryRatio >= 99.9%', 'dissemination.p99 < 1s, abortOnFail, grace=5s'] },
    {
      thresholds: [
        { text: 'deliveryRatio >= 99.9%', abortOnFail: false, graceMs: 0 },
        { text: 'dissemination.p99 < 1s', abortOnFail: true, graceMs: 5000 }
      ]
    }
  ]
]

/** Options that are tried with the networks they are about. */
const OF_NETWORKS = new Set([
  ...['network', 'networkFile', 'linkLatency', 'linkJitter', 'linkLoss', 'linkBandwidth', 'upBandwidth'],
  ...['downBandwidth', 'partition', 'congestionControl', 'sendQueue', 'nodesPerContainer', 'cpus', 'memory']
])

describe('an option changes what it says and nothing else', () => {
  const usual = gossipPlanned({})
  for (const [options, changes] of CHANGES)
    test(JSON.stringify(options), () => assert.deepEqual(gossipPlanned(options), { ...usual, ...changes }))

  test('and no option of the plan is without such a row', () => {
    const tried = new Set(CHANGES.flatMap(([options]) => Object.keys(options)))
    const untried = Object.entries(GOSSIP_OPTIONS).filter(
      ([key, { part = 'plan' }]) =>
        part === 'plan' &&
        ![tried, OF_NETWORKS].some(keys => keys.has(key)) &&
        !Object.hasOwn(GOSSIPSUB_PARAMS, key)
    )
    const actual = untried.map(([key]) => key)
    assert.deepEqual(actual, [])
  })
})

describe('parameters of gossipsub are typed under the names of its specification', () => {
  /** @type {Record<string, [unknown, string, number | boolean]>} */
  const PARAMS = {
    ...{ D: ['8', 'D', 8], D_low: ['5', 'Dlo', 5], D_high: ['14', 'Dhi', 14] },
    ...{ D_score: ['3', 'Dscore', 3], D_out: ['1', 'Dout', 1], D_lazy: ['0', 'Dlazy', 0] },
    gossip_factor: ['0.5', 'gossipFactor', 0.5],
    heartbeat_interval: ['700ms', 'heartbeatInterval', 700],
    ...{ fanout_ttl: ['1m', 'fanoutTTL', 60_000], mcache_len: ['6', 'mcacheLength', 6] },
    ...{ mcache_gossip: ['2', 'mcacheGossip', 2], seen_ttl: ['2m', 'seenTTL', 120_000] },
    prune_backoff: ['10s', 'pruneBackoff', 10_000],
    ...{ unsubscribe_backoff: ['5s', 'unsubcribeBackoff', 5000], prune_peers: ['0', 'prunePeers', 0] },
    graft_flood_threshold: ['3s', 'graftFloodThreshold', 3000],
    opportunistic_graft_peers: ['4', 'opportunisticGraftPeers', 4],
    opportunistic_graft_ticks: ['30', 'opportunisticGraftTicks', 30],
    iwant_followup_time: ['2s', 'gossipsubIWantFollowupMs', 2000],
    flood_publish: [false, 'floodPublish', false],
    do_px: [true, 'doPX', true],
    idontwant_message_size_threshold: ['4096', 'idontwantMinDataSize', 4096],
    max_idontwant_messages: ['9', 'idontwantMaxMessages', 9]
  }
  for (const [flag, [typed, name, value]] of Object.entries(PARAMS))
    test(`--${flag} ${typed} is ${name} ${value}`, () =>
      assert.deepEqual(gossipPlanned({ [flag]: typed }).gossipsub, { [name]: value }))

  test('and none is left out here', () =>
    assert.deepEqual(Object.keys(PARAMS), Object.keys(GOSSIPSUB_PARAMS)))
})

describe('workers', () => {
  for (const [options, cores, workers] of /** @type {[Record<string, string>, number, number][]} */ ([
    [{}, 4, 4],
    [{}, 1, 1],
    [{ nodes: '3', topology: 'line' }, 8, 3]
  ]))
    test(`are ${workers} on ${cores} cores with ${JSON.stringify(options)}`, () =>
      assert.equal(gossipPlanned(options, { cores }).workers, workers))
})

describe('files that a plan is made from', () => {
  /** @type {string} */
  let folder
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loadtest-plan-'))
    await writeFile(join(folder, 'three.txt'), 'a b\nb c\n')
    await writeFile(join(folder, 'score.yaml'), 'topic-0:\n  topicWeight: 0.5\n  timeInMeshQuantum: 1000\n')
  })
  after(() => rm(folder, { recursive: true }))

  test('a topology file gives the edges and the number of nodes', () => {
    const path = join(folder, 'three.txt')
    const { topology, nodes, workers } = gossipPlanned({ topology: `file:${path}` })
    const edges = [
      [0, 1],
      [1, 2]
    ]
    assert.deepEqual([topology, nodes, workers], [{ kind: 'file', path, nodes: 3, edges }, 3, 3])
  })

  test('another number of nodes than those of the file is refused', () =>
    assert.throws(
      () => gossipPlanned({ topology: `file:${join(folder, 'three.txt')}`, nodes: '4' }),
      /is a network of 3 nodes, not of 4/
    ))

  test('topic score parameters', () =>
    assert.deepEqual(
      gossipPlanned({ topicScoreParams: `file:${join(folder, 'score.yaml')}` }).topicScoreParams,
      { 'topic-0': { topicWeight: 0.5, timeInMeshQuantum: 1000 } }
    ))
})

describe('a configuration file', () => {
  const config = { file: 'load.yaml', options: { nodes: 20, messages: 7, D: 8, flood_publish: false } }

  test('gives options under the same names', () => {
    const { nodes, messages, gossipsub } = gossipPlanned({}, { config, cores: 4 })
    assert.deepEqual([nodes, messages, gossipsub], [20, 7, { D: 8, floodPublish: false }])
  })

  test('is won over by flags, a duration over its messages too', () => {
    const { nodes, messages, durationMs } = gossipPlanned(
      { nodes: '30', duration: '5s' },
      { config, cores: 4 }
    )
    assert.deepEqual([nodes, messages, durationMs], [30, null, 5000])
  })
})

test('a network of few nodes is of the usual topology, with as many neighbours as there are', () => {
  for (const nodes of [2, 3, 6]) {
    const plan = gossipPlanned({ nodes })
    const actual = [plan.topology.kind, /** @type {any} */ (plan.topology).m]
    assert.deepEqual(actual, ['barabasi-albert', nodes - 1])
    const asked = gossipPlanned({ nodes, topology: `barabasi-albert:m=${nodes - 1}` })
    assert.deepEqual(asked.topology, plan.topology)
  }
})
