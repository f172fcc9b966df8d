import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { parseOptionText } from '../../../src/plan/options.js'
import { GOSSIP_PLAN_SCHEMA, planFlags, scenarioNamed } from '../../scenarios.js'
import { gossipPlanned } from './gossip-planned.js'

const folder = mkdtempSync(join(tmpdir(), 'loadtest-flags-'))
after(() => rmSync(folder, { recursive: true }))
const FILE = join(folder, 'a network.txt')
writeFileSync(FILE, 'a b\nb c\nc d\n')

/** Options, and the flags of their plan where a reader should see them. @type {[Record<string, unknown>, string?][]} */
const CASES = [
  [{}, '--workers 4'],
  [{ seed: 7 }, '--workers 4 --seed 7'],
  [
    { seed: 7, topology: 'barabasi-albert:m=2,seed=42,networkx=2.4' },
    '--topology barabasi-albert:m=2,seed=42,networkx=2.4 --workers 4 --seed 7'
  ],
  [{ nodes: 10, topology: 'line', workers: 2 }, '--nodes 10 --topology line --workers 2'],
  [{ topology: 'full' }],
  [{ topology: 'random-degree:k=3' }],
  [{ topology: 'regular:k=4', linkLatency: '50ms' }],
  [{ linkLatency: '100ms' }, '--workers 4'],
  [{ linkLatency: '0' }, '--linkLatency 0ms --workers 4'],
  [{ topology: 'small-world:k=4,p=0.25' }, '--topology small-world:k=4,p=0.25 --workers 4'],
  [{ topology: 'small-world:k=4,seed=-5' }, '--topology small-world:k=4,p=0.1,seed=-5 --workers 4'],
  [{ topology: 'erdos-renyi:p=0.5,seed=12345678901234567890' }],
  [{ topology: 'random-geometric', seed: 3 }, '--topology random-geometric:radius=0.2 --workers 4 --seed 3'],
  [{ topology: 'powerlaw-cluster:m=2,p=0' }],
  [{ topology: 'rendezvous' }],
  [{ topology: `file:${FILE}` }, `--nodes 4 --topology 'file:${FILE}' --workers 4`],
  [
    { messages: 12, rate: '90/min', arrivals: 'poisson' },
    '--workers 4 --messages 12 --rate 1.5/s --arrivals poisson'
  ],
  [{ duration: '1.5s' }, '--workers 4 --duration 1500ms'],
  [
    { publishers: 'every', duration: '20s', interval: '1s-3s', loadModel: 'closed' },
    '--workers 4 --duration 20000ms --publishers every,interval=1000ms-3000ms --loadModel closed'
  ],
  [
    { messageBytes: '8192-16384', topics: 'foo=0.7,bar=0.4,quix=0.8' },
    '--workers 4 --messageBytes 8192-16384 --topics foo=0.7,bar=0.4,quix=0.8'
  ],
  [{ topics: 3, messageBytes: 8 }, '--workers 4 --messageBytes 8 --topics 3'],
  [{ maxBacklog: '1.5MiB', memoryCeiling: '1gb' }, '--workers 4 --maxBacklog 1536KiB --memoryCeiling 1GB'],
  [{ security: 'plaintext', muxer: 'mplex', signing: 'off', keyType: 'secp256k1', fastMsgId: 'on' }],
  [{ pubsub: 'floodsub' }, '--workers 4 --pubsub floodsub'],
  [{ transport: 'websocket', muxer: 'mplex,yamux' }, '--workers 4 --transport websocket --muxer mplex,yamux'],
  [{ validation: 'accept=6,ignore=1,reject=1', validationDelay: '5ms' }],
  [{ topicScoreParams: { 'topic-0': { topicWeight: 0.5, timeInMeshQuantum: 1000 } } }],
  [{ preset: 'study-2019' }],
  [{ preset: 'study-2019', flood_publish: true }],
  [
    { D: 8, D_low: 5, gossip_factor: 0.5, heartbeat_interval: '700ms', do_px: true },
    '--workers 4 --gossipsub D=8,D_low=5,gossip_factor=0.5,heartbeat_interval=700ms,do_px=true'
  ],
  [{ warmup: '60s', dialOrder: 'ascending' }, '--dialOrder ascending --workers 4 --warmup 60000ms'],
  [{ publishers: 'node:3,7' }, '--workers 4 --publishers node:3,7'],
  [{ flood_publish: false }, '--workers 4 --gossipsub flood_publish=false'],
  [
    {
      ...{ warmupTimeout: '2s', cooldown: 0, traces: true },
      threshold: ['deliveryRatio >= 99.9%', 'latency.p50 < 1s, abortOnFail']
    },
    "--workers 4 --warmup timeout=2000ms --cooldown 0ms --traces --threshold 'deliveryRatio >= 99.9%' --threshold 'latency.p50 < 1s, abortOnFail, grace=0ms'"
  ]
]

describe('the flags of a gossip plan', () => {
  for (const [options, expected] of CASES) {
    const plan = gossipPlanned(options)
    const flags = planFlags(plan).join(' ')

    test(`${JSON.stringify(options)} make it again on a machine of 64 cores`, async () => {
      if (expected !== undefined) assert.equal(flags, expected)
      const typed = await parseOptionText(flags, scenarioNamed('gossip').options)
      assert.deepEqual([typed.words, gossipPlanned(typed.options, { cores: 64 })], [[], plan])
    })

    test(`${JSON.stringify(options)}: the schema admits its plan, and changes nothing`, () =>
      assert.deepEqual(GOSSIP_PLAN_SCHEMA.parse(JSON.parse(JSON.stringify(plan))), { ...plan }))
  }
})
