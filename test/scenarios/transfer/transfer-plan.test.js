import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makePlanFlags } from '../../../src/plan/command-line.js'
import { makePlan } from '../../../src/plan/plan.js'
import {
  findProtocolProblem,
  findQuicProblem,
  listRounds,
  makeOrder,
  makeTurn
} from '../../../src/scenarios/transfer/plan/transfer-plan.js'
import { TRANSFER } from '../../../src/scenarios/transfer/scenario.js'
import { plan as PLAN_SCHEMA } from '../../../src/scenarios/transfer/schema.js'
import { validPlanOf } from '../../scenarios.js'

/** @param {Record<string, unknown>} options */
const planOf = options => validPlanOf('transfer', options)

/** @param {Record<string, unknown>} options */
const problemsOf = options =>
  (makePlan(TRANSFER, options).problems ?? []).map(({ flag, value, allowed }) =>
    [flag, value, allowed].join(' ')
  )

describe('the plan of transfers', () => {
  test('without flags: no latency and 50 ms, unlimited and 10 MB/s, four protocols, four repeats', () => {
    const plan = planOf({})
    assert.deepEqual(listRounds(plan), [
      { latencyMs: 0, bytesPerSecond: null },
      { latencyMs: 0, bytesPerSecond: 10_000_000 },
      { latencyMs: 50, bytesPerSecond: null },
      { latencyMs: 50, bytesPerSecond: 10_000_000 }
    ])
    assert.deepEqual([plan.ways, plan.repeats], [['blocks', 'http', 'libp2p-http', 'stream'], 4])
    assert.deepEqual([plan.sizeBytes, plan.maxInProgressRequests], [2 ** 20, 6])
    assert.ok(TRANSFER.estimateMs(plan) < 60_000, `${TRANSFER.estimateMs(plan)} ms`)
  })

  test('by a protocol of zeros, zeros are measured unless something else is said', () => {
    assert.deepEqual(planOf({ protocols: 'tcp,http' }).measures, [
      'upload',
      'download',
      'latency',
      'handshakes'
    ])
    assert.deepEqual(planOf({ protocols: 'http' }).measures, ['files'])
    assert.deepEqual(planOf({ protocols: 'http', measures: 'download' }).measures, ['download'])
  })

  test('the rounds of the source are sixteen', () => {
    const plan = planOf({ latencies: '100ms,200ms,300ms', bandwidths: '10M,1M,512kb' })
    assert.deepEqual([listRounds(plan).length, plan.bandwidths], [16, [10_000_000, 1_000_000, 512_000]])
  })

  test('amounts are read as the source writes them, lists also as in YAML', () => {
    const { sizeBytes, maxMemoryPerPeerBytes } = planOf({ size: '500MB', maxMemoryPerPeer: '16MiB' })
    assert.deepEqual([sizeBytes, maxMemoryPerPeerBytes], [500_000_000, 16 * 2 ** 20])
    const config = { file: 'far.yaml', options: { latencies: ['20ms', '40ms'], bandwidths: 'none' } }
    const { plan } = makePlan(TRANSFER, {}, { config })
    assert.deepEqual(/** @type {any} */ (plan).latenciesMs, [20, 40])
  })

  test('the protocols of the source are switched by its flags', () => {
    assert.deepEqual(planOf({ compareHttp: false }).ways, ['blocks', 'libp2p-http', 'stream'])
    assert.deepEqual(planOf({ compareLibp2pHttp: false, compareHttp: false }).ways, ['blocks', 'stream'])
    // the least from 4 on that is a multiple
    assert.equal(planOf({ compareHttp: false }).repeats, 6)
  })

  test('fits its schema, and its flags make it again', () => {
    const plan = planOf({
      protocols: 'stream,http',
      size: '3MiB',
      latencies: 'none',
      rawLeaves: false,
      repeats: 2
    })
    assert.deepEqual(PLAN_SCHEMA.parse(JSON.parse(JSON.stringify(plan))), { ...plan })
    const flags = makePlanFlags(TRANSFER, plan)
    const again = Object.fromEntries(
      flags.map(flag => {
        const [name, value] = flag.replace(/^--/, '').split(' ')
        return value === undefined ? [name.replace(/^no-/, ''), !name.startsWith('no-')] : [name, value]
      })
    )
    assert.deepEqual({ ...planOf(again) }, { ...plan })
  })

  /** @type {[Record<string, unknown>, RegExp][]} */
  const REFUSED = [
    [
      { transport: 'quic' },
      /--transport quic (wants Node 22 or later|cannot be used here: .*not installed|cannot have a latency or bandwidth outside namespaces)/
    ],
    [{ transport: 'quic', security: 'tls' }, /--security tls does not apply to quic, which has its own TLS/]
  ]
  for (const [options, words] of REFUSED)
    test(`refuses ${JSON.stringify(options)}`, () => assert.match(problemsOf(options).join('\n'), words))

  test('spans go to the path of the specification, unless one is given', () => {
    assert.equal(planOf({}).otlpEndpoint, null)
    const actual = planOf({ otlpEndpoint: 'http://127.0.0.1:4318' }).otlpEndpoint
    assert.equal(actual, 'http://127.0.0.1:4318/v1/traces')
    assert.equal(planOf({ otlpEndpoint: 'https://collector/otlp' }).otlpEndpoint, 'https://collector/otlp')
  })

  test('quic wants a later Node, and is named with it', () => {
    assert.equal(
      findQuicProblem('20.20.2'),
      'wants Node 22 or later (@chainsafe/libp2p-quic 2); this is 20.20.2: use tcp or websocket'
    )
    const here = findQuicProblem('22.0.0')
    if (here !== null)
      assert.match(here, /which is not installed: run npm install @chainsafe\/libp2p-quic@2$/)
  })

  test('a protocol whose package wants a later Node is named with it', () => {
    assert.equal(findProtocolProblem('stream', '20.19.0'), null)
    assert.match(
      String(findProtocolProblem('libp2p-http', '18.0.0')),
      /^libp2p-http cannot be used here: it needs undici [\d.]+, which wants Node >=[\d.]+; this is 18\.0\.0$/
    )
  })
})

describe('the order of the ways', () => {
  test('is of complete Latin squares, from the seed', () => {
    const plan = planOf({ repeats: 8, seed: 3 })
    const order = makeOrder(plan.ways, plan, 0)
    assert.equal(order.length, 8)
    for (const square of [order.slice(0, 4), order.slice(4)])
      for (const place of [0, 1, 2, 3]) {
        assert.deepEqual(square.map(row => row[place]).toSorted(), plan.ways.toSorted())
        assert.deepEqual(square[place].toSorted(), plan.ways.toSorted())
      }
    assert.deepEqual(makeOrder(plan.ways, plan, 0), order)
  })

  test('has each way right behind each other one as often, also of an odd number, in the usual number of repeats', () => {
    for (const ways of [
      'http',
      'http,stream',
      'blocks,http,stream',
      'blocks,http,https,libp2p-http,stream'
    ]) {
      if (ways.includes('libp2p-http') && findProtocolProblem('libp2p-http') !== null) continue
      const plan = planOf({ protocols: ways })
      const order = makeOrder(plan.ways, plan, 0)
      assert.equal(order.length, plan.repeats)
      const pairs = order.flatMap(row => row.slice(1).map((way, place) => `${row[place]} ${way}`))
      const counts = [...new Set(pairs)].map(pair => pairs.filter(other => other === pair).length)
      assert.equal(counts.length, plan.ways.length * (plan.ways.length - 1))
      assert.equal(new Set(counts).size, Math.min(1, counts.length), ways)
    }
  })

  test('is of whole squares where there are fewer repeats', () => {
    const plan = planOf({ protocols: 'blocks,http,stream', repeats: 3 })
    const order = makeOrder(plan.ways, plan, 0)
    assert.equal(order.length, 3)
    for (const place of [0, 1, 2])
      assert.deepEqual(order.map(row => row[place]).toSorted(), plan.ways.toSorted())
  })

  // a run that is repeated by its seed has to be the same one, whatever release made it
  test('is the same for a seed as it was in earlier releases', () => {
    const actual = makeOrder(['a', 'b', 'c', 'd'], { repeats: 4, seed: 3 }, 1).map(row => row.join(''))
    assert.deepEqual(actual, [...['cabd', 'dbac', 'adcb', 'bcda']])
    assert.deepEqual(
      [0, 1, 5, 10].map(repeat => makeTurn(['a', 'b', 'c', 'd', 'e'], 3, repeat).join('')),
      ['bdcae', 'cbeda', 'dbace', 'dbeac']
    )
  })
})
