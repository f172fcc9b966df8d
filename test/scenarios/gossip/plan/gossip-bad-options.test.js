import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makePlanOf } from '../../../scenarios.js'

/** @param {Record<string, unknown>} options */
const problemsOf = options => makePlanOf('gossip', options, { cores: 4 }).problems ?? []

const TIME = 'must be a time with its unit from'
const TOPICS =
  'must be a number of topics from 1 to 250, or topics with the chance that a node subscribes to each, such as foo=0.7,bar=0.4'
const BYTES =
  'must be a size from 8 to 4193280 bytes, such as 1000, 64kB or 1MiB, or a range such as 8KiB-16KiB'
const RPC_LIMIT =
  /^must be at most 4,193,280 bytes: gossipsub sends and reads no RPC above 4 MiB \(4,194,304 bytes\), the limit of its length prefix/
const INTERVAL = `${TIME} 1ms to 3600000ms, or a range such as 100ms-300ms`
/** @type {Record<string, any>} */
const FLOODED = {
  D: '6',
  preset: 'study-2019',
  fastMsgId: 'on',
  traces: true,
  flood_publish: true,
  heartbeat_interval: '1s'
}
const PUBLISHERS = 'must be random, every, or nodes by number such as node:3 or node:3,7'
const MEMBERS = /must hold parameters by topic, such as/
const EVERY = Object.freeze({ publishers: 'every', duration: '3s' })

/** @type {[Record<string, unknown>, string, string, string | RegExp][]} options, flag, value, allowed */
const REFUSED = [
  [{ nodes: '1' }, '--nodes', '1', 'must be a whole number from 2 to 60,000'],
  [{ nodes: '60001' }, '--nodes', '60001', 'must be a whole number from 2 to 60,000'],
  [{ nodes: 'many' }, '--nodes', 'many', 'must be a whole number from 2 to 60,000'],
  [{ nodes: ['5', '6'] }, '--nodes', '5, 6', 'must be given only once'],
  [{ dialOrder: 'fast' }, '--dialOrder', 'fast', 'must be random or ascending'],
  [
    { topology: 'rendezvous', dialOrder: 'ascending' },
    '--dialOrder',
    'ascending',
    'has no use with --topology rendezvous: each node dials whom it finds'
  ],
  [{ network: 'kubernetes' }, '--network', 'kubernetes', /^must be loopback/],
  [{ linkLatency: '50' }, '--linkLatency', '50', /^must be a latency with its unit such as 50ms/],
  [{ 'link-latency': '11s' }, '--link-latency', '11s', /each from 0 to 10s$/],
  [{ workers: '0' }, '--workers', '0', 'must be a whole number from 1 to 1,024'],
  [{ seed: '-1' }, '--seed', '-1', 'must be a whole number from 0 to 4,294,967,295'],
  [{ messages: '0' }, '--messages', '0', 'must be a whole number from 1 to 100,000,000'],
  [{ duration: '999ms' }, '--duration', '999ms', `${TIME} 1s to 24d, such as 500ms, 10s or 2h`],
  [
    { rate: '0' },
    '--rate',
    '0',
    'must be a rate above 0 and up to 1,000,000/s, such as 500, 500/s or 30000/min'
  ],
  [{ arrivals: 'bursty' }, '--arrivals', 'bursty', /^must be constant, poisson, ramp:to=/],
  [{ publishers: 'all' }, '--publishers', 'all', PUBLISHERS],
  [{ publishers: 'node:' }, '--publishers', 'node:', PUBLISHERS],
  [{ publishers: 'node:a' }, '--publishers', 'node:a', PUBLISHERS],
  [{ publishers: 'node:95' }, '--publishers', 'node:95', 'names node 95, and there are 8: 0 to 7'],
  [
    { publishers: 'node:2,6,8', nodes: '12', topics: 'foo=0.5' },
    '--publishers',
    'node:2,6,8',
    /^names node \d, which subscribes to no topic with --seed 1: /
  ],
  [{ ...EVERY, interval: '5' }, '--interval', '5', INTERVAL],
  [{ ...EVERY, interval: '0' }, '--interval', '0', INTERVAL],
  [{ ...EVERY, interval: '300ms-100ms' }, '--interval', '300ms-100ms', INTERVAL],
  [{ ...EVERY, interval: '1ms-2ms-3ms' }, '--interval', '1ms-2ms-3ms', INTERVAL],
  [{ ...EVERY, interval: '1s-2h' }, '--interval', '1s-2h', INTERVAL],
  [{ ...EVERY, loadModel: 'half' }, '--loadModel', 'half', 'must be open or closed'],
  [{ messageBytes: '7' }, '--messageBytes', '7', BYTES],
  [{ messageBytes: '4193281' }, '--messageBytes', '4193281', RPC_LIMIT],
  [{ messageBytes: '8KiB-4MiB' }, '--messageBytes', '8KiB-4MiB', RPC_LIMIT],
  [{ messageBytes: '8.5' }, '--messageBytes', '8.5', BYTES],
  [{ messageBytes: '0x10' }, '--messageBytes', '0x10', BYTES],
  [{ messageBytes: '1kbit' }, '--messageBytes', '1kbit', BYTES],
  [{ messageBytes: '20-10' }, '--messageBytes', '20-10', BYTES],
  [{ messageBytes: '10-20-30' }, '--messageBytes', '10-20-30', BYTES],
  [{ messageBytes: { min: 10 } }, '--messageBytes', '{"min":10}', BYTES],
  [{ topics: '0' }, '--topics', '0', TOPICS],
  [{ topics: 'a=0x1,b=1e400' }, '--topics', 'a=0x1,b=1e400', TOPICS],
  [{ topics: '251' }, '--topics', '251', TOPICS],
  [{ topics: 'foo' }, '--topics', 'foo', TOPICS],
  [{ topics: 'foo=' }, '--topics', 'foo=', TOPICS],
  [{ topics: '=1' }, '--topics', '=1', TOPICS],
  [{ topics: 'foo=0' }, '--topics', 'foo=0', TOPICS],
  [{ topics: 'foo=1.1' }, '--topics', 'foo=1.1', TOPICS],
  [{ topics: 'foo=0.5=3' }, '--topics', 'foo=0.5=3', TOPICS],
  [{ topics: 'foo=1,foo=0.5' }, '--topics', 'foo=1,foo=0.5', TOPICS],
  [{ topics: {} }, '--topics', '{}', TOPICS],
  [
    { maxBacklog: '100' },
    '--maxBacklog',
    '100',
    'must be a size from 1kB to 1TiB, in bytes or with its unit: kB, MB, GB, TB, KiB, MiB, GiB or TiB'
  ],
  [
    { memoryCeiling: '63mb' },
    '--memoryCeiling',
    '63mb',
    'must be a size from 64MB to 64TiB, in bytes or with its unit: kB, MB, GB, TB, KiB, MiB, GiB or TiB'
  ],
  [{ security: 'tls' }, '--security', 'tls', 'must be noise or plaintext'],
  [{ muxer: 'spdy' }, '--muxer', 'spdy', 'must be yamux or mplex, or both joined by a comma'],
  [
    { muxer: 'yamux,mplex', network: 'simulated' },
    '--muxer',
    'yamux,mplex',
    /^must be one with --network simulated/
  ],
  [{ pubsub: 'episub' }, '--pubsub', 'episub', 'must be gossipsub or floodsub'],
  ...['D', 'preset', 'fastMsgId', 'traces', 'flood_publish', 'heartbeat_interval'].map(
    flag =>
      /** @type {[Record<string, unknown>, string, string, string]} */ ([
        { pubsub: 'floodsub', [flag]: FLOODED[flag] },
        `--${flag}`,
        FLOODED[flag] === true ? '' : FLOODED[flag],
        'has no meaning with --pubsub floodsub: it is of gossipsub'
      ])
  ),
  [{ pubsub: 'floodsub', signing: 'off' }, '--signing', 'off', /^must be on with --pubsub floodsub/],
  [{ pubsub: 'floodsub', network: 'simulated' }, '--network', 'simulated', /^must not be simulated/],
  [{ pubsub: 'floodsub', stack: 'libp2p-2' }, '--stack', 'libp2p-2', /^must be libp2p-3/],
  [{ transport: 'quic' }, '--transport', 'quic', 'must be tcp or websocket'],
  [
    { transport: 'websocket', network: 'simulated' },
    '--transport',
    'websocket',
    /^must be tcp with --network simulated/
  ],
  [
    { transport: 'websocket', stack: 'libp2p-3,libp2p-2' },
    '--transport',
    'websocket',
    /^must be tcp but on libp2p-3/
  ],
  [
    { transport: 'websocket', topology: 'rendezvous' },
    '--transport',
    'websocket',
    /^must be tcp with --topology rendezvous/
  ],
  [{ signing: 'yes' }, '--signing', 'yes', 'must be on or off'],
  [{ keyType: 'rsa' }, '--keyType', 'rsa', 'must be ed25519 or secp256k1'],
  [{ fastMsgId: 'fast' }, '--fastMsgId', 'fast', 'must be on or off'],
  [
    { validation: 'accept=0' },
    '--validation',
    'accept=0',
    'must give shares of at least 0, not all 0, such as accept=98,ignore=1,reject=1'
  ],
  [{ validation: 'maybe=1' }, '--validation', 'maybe=1', /such as accept=98,ignore=1,reject=1/],
  [{ validationDelay: '2m' }, '--validationDelay', '2m', `${TIME} 0 to 1m, such as 500ms, 10s or 2h`],
  [{ topicScoreParams: 'fast' }, '--topicScoreParams', 'fast', MEMBERS],
  [{ topicScoreParams: { foo: 3 } }, '--topicScoreParams', '{"foo":3}', MEMBERS],
  [{ topicScoreParams: '{ a: [' }, '--topicScoreParams', '{ a: [', /is not valid YAML or JSON: /],
  [
    { preset: 'study-2020' },
    '--preset',
    'study-2020',
    'must be default, study-2019, eth2, filecoin-f3, optimism or waku'
  ],
  [{ D: 'x' }, '--D', 'x', 'must be a whole number from 0 to 1,000'],
  [{ gossip_factor: '1.5' }, '--gossip_factor', '1.5', 'must be a number from 0 to 1'],
  [
    { heartbeat_interval: '1000' },
    '--heartbeat_interval',
    '1000',
    `${TIME} 10ms to 1h, such as 500ms, 10s or 2h`
  ],
  [{ warmupTimeout: '0' }, '--warmupTimeout', '0', `${TIME} 1s to 1h, such as 500ms, 10s or 2h`],
  [{ warmup: '60' }, '--warmup', '60', `${TIME} 0 to 1h, such as 500ms, 10s or 2h`],
  [
    { warmup: '60s', warmupTimeout: '70s' },
    '--warmup',
    '60s',
    'cannot be given together with --warmupTimeout: choose one'
  ],
  [{ cooldown: 'long' }, '--cooldown', 'long', `${TIME} 0 to 24h, such as 500ms, 10s or 2h`],
  [{ traces: 'x' }, '--traces', 'x', 'must be true or false'],
  [{ threshold: 'DISCOVER.p99 < 5ms' }, '--threshold', 'DISCOVER.p99 < 5ms', /is no metric/],
  [{ threshold: 'latency.p99 < 5' }, '--threshold', 'latency.p99 < 5', /needs its limit in us, ms, s or min/],
  // topologies
  [{ topology: 'mesh' }, '--topology', 'mesh', /must be barabasi-albert, .*, full, .* or file:<path>/],
  [{ topology: 'full:k=2' }, '--topology', 'full:k=2', 'must be full alone: it takes nothing after a colon'],
  [
    { topology: 'regular:m=2' },
    '--topology',
    'regular:m=2',
    'must give regular nothing but k, seed, such as regular:k=6,seed=42'
  ],
  [{ topology: 'small-world:p=2' }, '--topology', 'small-world:p=2', 'must have a number from 0 to 1 as p'],
  [{ topology: 'file:' }, '--topology', 'file:', /must name a file after the colon/],
  [
    { topology: 'file:no/such/mesh.txt' },
    '--topology',
    'file:no/such/mesh.txt',
    'names a file that cannot be read (ENOENT)'
  ],
  [
    { nodes: '5' },
    '--topology',
    'barabasi-albert',
    'with 5 nodes needs m to be a whole number from 1 to 4, not 6'
  ],
  [{ nodes: '2', topology: 'ring' }, '--topology', 'ring', 'needs at least 3 nodes'],
  [
    { nodes: '5', topology: 'regular:k=3' },
    '--topology',
    'regular:k=3',
    /cannot be made of 5 nodes with k=3, which are both odd/
  ],
  // unknown options
  [{ node: '5' }, '--node', '5', 'is no option; did you mean --nodes?'],
  [{ nClients: '5' }, '--nClients', '5', 'is no option'],
  [
    { 'heartbeat-interval': '1s' },
    '--heartbeat-interval',
    '1s',
    'is no option; did you mean --heartbeat_interval?'
  ],
  [{ n: '5' }, '-n', '5', /^is no option/],
  // combinations
  [
    { duration: '5s', messages: '10' },
    '--duration',
    '5s',
    'cannot be given together with --messages: choose one'
  ],
  [{ publishers: 'every' }, '--publishers', 'every', 'needs --duration: nodes publish until it is over'],
  [
    { ...EVERY, rate: '5' },
    '--rate',
    '5',
    'has no use with --publishers every, where each node has its own --interval'
  ],
  [{ ...EVERY, arrivals: 'poisson' }, '--arrivals', 'poisson', /has no use with --publishers every/],
  [{ rate: 'auto' }, '--rate', 'auto', /^must be a rate/],
  [
    { autoFrom: '2/s' },
    '--autoFrom',
    '2/s',
    'is gone: saturate gossip --search finds the rate that is carried'
  ],
  [{ interval: '5ms' }, '--interval', '5ms', 'needs --publishers every: else messages are due at --rate'],
  [{ loadModel: 'closed' }, '--loadModel', 'closed', 'needs --publishers every: a rate is an open model'],
  [{ nodes: '8', workers: '9' }, '--workers', '9', 'must be at most --nodes 8: each worker needs a node'],
  [
    { topics: 'foo=0.001,bar=0.001' },
    '--topics',
    'foo=0.001,bar=0.001',
    'leaves each of 8 nodes without a topic with --seed 1: raise the chances, or choose another seed'
  ],
  [
    { topics: 'foo=1', topicScoreParams: { bar: { topicWeight: 1 } } },
    '--topicScoreParams',
    '{"bar":{"topicWeight":1}}',
    'has parameters of bar, and the topics are foo'
  ],
  [{ D_low: '7' }, '--D_low', '7', 'must be at most D, which is 6 by default'],
  [{ D_low: '5', D: '4' }, '--D_low', '5', 'must be at most D, which is 4'],
  [{ D: '3' }, '--D', '3', 'must be at least D_low, which is 4 by default'],
  [{ D: '13' }, '--D', '13', 'must be at most D_high, which is 12 by default'],
  [{ D_out: '4' }, '--D_out', '4', 'must be 0, or below D_low, which is 4 by default'],
  [{ D_out: '3', D: '5' }, '--D_out', '3', 'must be at most half of D, which is 5'],
  [{ preset: 'waku', D_low: '3' }, '--D_low', '3', 'must be above D_out, which is 3 by the preset'],
  [
    { topicScoreParams: { 'topic-0': { meshMessageDeliveriesThreshold: 0 } } },
    '--topicScoreParams',
    '{"topic-0":{"meshMessageDeliveriesThreshold":0}}',
    'topic topic-0: meshMessageDeliveriesThreshold must be above 0 unless meshMessageDeliveriesWeight is 0: it is -1 by default'
  ],
  [{ D_high: '5' }, '--D_high', '5', 'must be at least D, which is 6 by default'],
  [{ mcache_gossip: '6' }, '--mcache_gossip', '6', 'must be at most mcache_len, which is 5 by default'],
  [{ mcache_len: '2' }, '--mcache_len', '2', 'must be at least mcache_gossip, which is 3 by default']
]

describe('a bad option of the gossip scenario is refused with its flag, its value and what is allowed', () => {
  for (const [options, flag, value, allowed] of REFUSED)
    test(JSON.stringify(options), () => {
      const problems = problemsOf({ nodes: '8', topology: 'full', ...changed(options) })
      assert.equal(problems.length, 1, JSON.stringify(problems))
      assert.deepEqual([problems[0].flag, problems[0].value], [flag, value])
      if (typeof allowed === 'string') assert.equal(problems[0].allowed, allowed)
      else assert.match(problems[0].allowed, allowed)
    })
})

/** The usual topology where a row is about the number of nodes. @param {Record<string, unknown>} options */
const changed = options => ('nodes' in options ? { topology: 'barabasi-albert', ...options } : options)

test('every problem is named at once, those of a configuration file too', () => {
  const { problems } = makePlanOf(
    'gossip',
    { nodes: '0', rate: 'fast', nosuch: '1', publishers: 'every', D: '3' },
    { config: { file: 'load.yaml', options: { topics: 'foo', config: 'x', sneeze: 1 } } }
  )
  assert.deepEqual(
    problems?.map(({ flag }) => flag),
    [
      'load.yaml: topics',
      'load.yaml: config',
      'load.yaml: sneeze',
      '--nodes',
      '--rate',
      '--nosuch',
      '--publishers',
      '--D'
    ]
  )
})

test('what fits together is no problem', () => {
  for (const options of [
    { D: '3', D_low: '2', D_out: '1' },
    { D: '14', D_high: '14' },
    { D: '0', D_low: '0', D_high: '0', D_out: '0' },
    { mcache_len: '2', mcache_gossip: '2' },
    { ...EVERY, interval: '5ms', loadModel: 'closed' },
    { topicScoreParams: { 'topic-0': { topicWeight: 1 } } }
  ])
    assert.deepEqual(problemsOf(options), [], JSON.stringify(options))
})

test('a threshold on a topic, class or zone that there is not is refused with those that there are', () => {
  const refusal = (/** @type {string} */ threshold) =>
    problemsOf({ topics: 'blocks=1,votes.0=1', threshold })
      .map(({ flag, allowed }) => `${flag} ${allowed}`)
      .join()
  assert.match(
    refusal('blcks.delivery.p99 < 1s'),
    /--threshold asks for the topic blcks, .*; did you mean blocks\? There are: blocks, votes\.0/
  )
  assert.match(refusal('vots.*.latency.p99 < 1s'), /the topic vots\.\*, which the network does not have/)
  assert.match(
    refusal('latency.p99 < 1s, class=home'),
    /the class home, .* A network file says which there are/
  )
  assert.match(refusal('latency.p99 < 1s, zone=eu'), /the zone eu/)
  assert.equal(refusal('votes.*.latency.p99 < 1s; blocks.delivery.p75 < 1s, abortOnFail, grace=2s'), '')
})
