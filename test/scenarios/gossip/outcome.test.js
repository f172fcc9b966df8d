import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { scoreBucketOf } from '../../../src/network/gossipsub.js'
import { describeWarning } from '../../../src/report/warnings.js'
import {
  DeliveryDigest,
  MAX_LISTED_EDGES,
  makeGossipWarnings,
  makeTopologyResult,
  ScoreSeries,
  summarizeScoresByNode
} from '../../../src/scenarios/gossip/outcome.js'
import { describeReachedMessages } from '../../../src/scenarios/gossip/run/gossip-run.js'
import { intervalOf, measuring } from '../../run/gossip-interval.js'
import { aGossipResult } from './a-gossip-result.js'
import { gossipPlanned } from './gossip-planned.js'

const PUBLISHED = [
  { message: 0, node: 0, atMs: 100 },
  { message: 1, node: 1, atMs: 200 }
]
const RECEIVED = [
  { message: 0, node: 1, from: 0, atMs: 110 },
  { message: 0, node: 2, from: 1, atMs: 120 },
  { message: 1, node: 0, from: 1, atMs: 205 }
]

describe('the measurement of a gossip run', () => {
  test('of which nothing was told has no cost, and lasted no time', () => {
    const { measuredMs, counters, figures } = settled(measuring())
    assert.deepEqual([measuredMs, counters.bytesSent], [0, 0])
    assert.deepEqual(figures.cost, {
      ...{ cpuMicrosPerDelivery: null, duplicatesPerDelivery: null, bytesPerDelivery: null },
      ...{ rpcsPerDelivery: null, controlPerDelivery: null }
    })
  })

  test('joins what the workers tell, in whatever order it comes', () => {
    const measurement = measuring({ workers: 2 })
    measurement.add(intervalOf({ received: RECEIVED, atMs: 900 }), 1)
    measurement.add(intervalOf({ published: PUBLISHED, atMs: 1000 }), 0)
    const { figures, measuredMs } = settled(measurement)
    const actual = [figures.messages.published, figures.delivery.expected, figures.delivery.delivered]
    assert.deepEqual([actual, measuredMs, measurement.endNs], [[2, 4, 3], 1000, 1e9])
  })

  test('counts what was sent since publishing began, and divides it by the deliveries', () => {
    const measurement = measuring({ workers: 2 })
    for (const worker of [0, 1])
      measurement.before(intervalOf({ atMs: 0, counters: { bytesSent: 500, graftSent: 9 } }), worker)
    const counters = { bytesSent: 2000, graftSent: 10, ihaveSent: 2, rpcsSent: 6, duplicates: 3 }
    measurement.add(intervalOf({ published: PUBLISHED, received: RECEIVED, counters, cpuMicros: 1200 }), 0)
    measurement.add(intervalOf({ counters, cpuMicros: 300 }), 1)
    assert.equal(measurement.counters.bytesSent, 3000)
    assert.deepEqual(settled(measurement).figures.cost, {
      ...{ cpuMicrosPerDelivery: 500, duplicatesPerDelivery: 2, bytesPerDelivery: 1000 },
      ...{ rpcsPerDelivery: 4, controlPerDelivery: 2 }
    })
  })

  test('has in its digest what its lens leaves out of the figures: it has happened, too', () => {
    const digestOf = (/** @type {object} */ more, received = RECEIVED) => {
      const measurement = measuring({ simulated: true, ...more })
      measurement.add(intervalOf({ published: PUBLISHED, received }), 0)
      return measurement.digest
    }
    const nobody = { lens: { take: () => intervalOf({}).received } }
    assert.match(String(digestOf({})), /^engine-7:[\da-f]{64}$/)
    assert.equal(digestOf(nobody), digestOf({}))
    assert.notEqual(digestOf(nobody, RECEIVED.slice(1)), digestOf(nobody))
  })

  test('counts streams that were aborted while it went on', () => {
    const measurement = measuring({ workers: 2 })
    measurement.before(intervalOf({ atMs: 0, abortedStreams: 2 }), 0)
    measurement.add(intervalOf({ abortedStreams: 3 }), 0)
    measurement.add(intervalOf({ abortedStreams: 1 }), 1)
    assert.equal(measurement.abortedStreams, 2)
  })
})

/** @param {ReturnType<typeof measuring>} measurement */
const settled = measurement => ({
  measuredMs: measurement.measuredMs,
  counters: measurement.counters,
  figures: measurement.figures()
})

/**
 * @typedef {import('../../../src/scenarios/gossip/outcome.js').GossipOutcome} GossipOutcome
 * @typedef {import('../../../src/network/node-host.js').PublishEnd} PublishEnd
 * @typedef {import('../../../src/report/schema.js').WorkerHealth} WorkerHealth
 */

const { outcome: SOUND, run } = aGossipResult({ options: { nodes: '10', messages: '20' } })
const [CALM] = run.health

/** @param {Partial<PublishEnd>} [parts] @returns {PublishEnd} */
const end = parts => ({
  ...{ published: 20, skipped: 0, failed: 0, errors: {}, endedBy: 'schedule', endedNs: 0 },
  ...parts
})

/** @param {number} ms */
const time = ms => ({ ms, censored: false })

/** @param {Record<string, number | null>} figures - ms */
const lateness = figures => ({
  ...SOUND.lateness,
  summary: /** @type {any} */ ({
    ...Object.fromEntries(['avg', 'p50', 'p90', 'p95', 'p99', 'p999', 'max'].map(name => [name, null])),
    ...Object.fromEntries(Object.entries(figures).map(([name, ms]) => [name, ms === null ? null : time(ms)])),
    count: 20
  })
})

/** @param {number} ms - half of the times between messages @param {object} [others] @returns {GossipOutcome['interArrival']} */
const everyMs = (ms, others) => ({
  ...SOUND.interArrival,
  planned: { summary: /** @type {any} */ ({ avg: time(ms), p50: time(ms), ...others }), outOfOrder: 0 }
})

/** @param {Partial<GossipOutcome['messages']>} parts */
const messages = parts => ({ messages: { ...SOUND.messages, ...parts } })

/**
 * @typedef {Partial<GossipOutcome> & { health?: Partial<WorkerHealth>[], ends?: PublishEnd[] }} Case - what is not sound
 */

const BUSY = { worker: 1, utilization: 0.95 }
const IN_PARTS = /** @type {any} */ ({ ...SOUND.topology.measures, connected: false, components: 3 })
const UNFORMED = ['2 subscriptions without a mesh peer']
const FAILED = [end({ errors: { A: 1, B: 1 } }), end({ errors: { A: 1 } })]
const byReason = { ...SOUND.missing.byReason, 'node-gone': 3 }
const { expected } = SOUND.delivery
const CUT_OFF = messages({ planned: 6000, published: 140, skipped: 5, failed: 1 })
const BY_TIME = [end(), end({ endedBy: 'time' })]
const BY_MEMORY = end({ endedBy: 'memory' })
const LATE = lateness({ p50: 0.1, p99: 36 })
const ODD = { negativeLatencies: 1, duplicateReceipts: 2, unknownMessages: 4 }

/** @type {[string, Case, ...warnings: [string, Record<string, unknown>][]][]} */
const CASES = [
  ['nothing went wrong', {}],
  ['a worker was busy', { health: [{}, BUSY] }, ['GENERATOR_LIMITED', { busy: BUSY, overheads: [] }]],
  ['a worker had much to do', { health: [{ utilization: 0.9 }] }],
  ['dials failed', { topology: { ...SOUND.topology, dialsFailed: 2 } }, ['DIALS_FAILED', { count: 2 }]],
  [
    'the network is in parts',
    { topology: { ...SOUND.topology, measures: IN_PARTS } },
    ['NOT_CONNECTED', { components: 3 }]
  ],
  ['nothing was connected yet', { topology: { ...SOUND.topology, measures: null } }],
  [
    'the mesh had not formed',
    { mesh: { ...SOUND.mesh, missing: UNFORMED } },
    ['MESH_NOT_FORMED', { missing: UNFORMED }]
  ],
  [
    'two of three workers reached the memory ceiling: what they did not publish needs no other reason',
    { ...messages({ planned: 5000 }), ends: [end(), BY_MEMORY, BY_MEMORY] },
    ['MEMORY_CEILING', { workers: 2 }]
  ],
  ['messages were skipped', messages({ skipped: 4 }), ['MESSAGES_SKIPPED', { count: 4 }]],
  [
    'messages could not be published',
    { ...messages({ failed: 3 }), ends: FAILED },
    ['PUBLISH_FAILED', { count: 3, errors: { A: 2, B: 1 } }]
  ],
  [
    'deliveries are missing',
    { missing: { ...SOUND.missing, pairs: 3, byReason } },
    ['DELIVERIES_MISSING', { pairs: 3, expected, byReason }]
  ],
  [
    'streams were aborted',
    { streams: { aborted: 1, meshPeersWithoutStream: 0 } },
    ['STREAMS_ABORTED', { count: 1 }]
  ],
  [
    '1 % of messages were late',
    { lateness: lateness({ p50: 0.1, p99: 12 }) },
    ['PUBLISH_LATE', { p99Ms: 12 }]
  ],
  [
    'what is late is a small part of the time between messages: they came as planned',
    { lateness: LATE, interArrival: everyMs(1000) }
  ],
  [
    'what is late is more than a tenth of the time between messages',
    { lateness: LATE, interArrival: everyMs(350) },
    ['PUBLISH_LATE', { p99Ms: 36 }]
  ],
  [
    'messages of bursts were late, however long the time between bursts',
    { lateness: lateness({ p50: 0.1, p99: 12 }), interArrival: everyMs(0, { avg: time(1000) }) },
    ['PUBLISH_LATE', { p99Ms: 12 }]
  ],
  [
    'of two messages the second was late',
    { lateness: lateness({ p50: 50 }), interArrival: everyMs(1000, { p50: null, avg: time(1000) }) }
  ],
  ['a single one was late', { lateness: lateness({ p50: 0.1, p99: 9, max: 400 }) }],
  [
    'of a few messages, too few for a p99, one in ten was late',
    { lateness: lateness({ p50: 1, p90: 800, max: 2000 }) },
    ['PUBLISH_LATE', { p99Ms: 800 }]
  ],
  [
    'of very few messages half were late',
    { lateness: lateness({ p50: 50, max: 60 }) },
    ['PUBLISH_LATE', { p99Ms: 50 }]
  ],
  [
    'the time was over before all was published',
    { ...CUT_OFF, ends: BY_TIME },
    ['NOT_PUBLISHED', { count: 5854, planned: 6000 }],
    ['MESSAGES_SKIPPED', { count: 5 }],
    ['PUBLISH_FAILED', { count: 1, errors: {} }]
  ],
  [
    'the last message was due at the very end',
    { ...messages({ planned: 20, published: 19 }), ends: BY_TIME }
  ],
  [
    'the last ones of many were due at the very end',
    { ...messages({ planned: 1000, published: 991 }), ends: BY_TIME }
  ],
  ['nobody knew how many it would be', { ...messages({ planned: null }), ends: BY_TIME }],
  [
    'no message was due in the time there was',
    { ...messages({ planned: null, published: 0 }), ends: BY_TIME },
    ['NOTHING_PUBLISHED', { brokenOff: false }]
  ],
  [
    'the run was broken off before the first message',
    { ...messages({ planned: 5000, published: 0 }), ends: [] },
    ['NOTHING_PUBLISHED', { brokenOff: true }]
  ],
  [
    'every message of a schedule was cut off: that says it',
    { ...messages({ planned: 5, published: 0 }), ends: BY_TIME },
    ['NOT_PUBLISHED', { count: 5, planned: 5 }]
  ],
  [
    'none could be published: that says it',
    messages({ planned: 5, published: 0, failed: 5 }),
    ['PUBLISH_FAILED', { count: 5, errors: {} }]
  ],
  ['the run was broken off in mid-publish', { ...messages({ planned: 5000 }), ends: [] }],
  [
    'deliveries came before their publication, twice, or of nothing',
    { anomalies: { ...SOUND.anomalies, ...ODD } },
    ['CLOCK_ANOMALY', { count: 7 }]
  ],
  [
    'a worker died before it told what it had published last',
    { anomalies: { ...SOUND.anomalies, unknownMessages: 4 }, ends: [] }
  ]
]

describe('the warnings of a gossip run', () => {
  for (const [what, { health = [{}], ends = [end()], ...outcome }, ...expected] of CASES)
    test(`when ${what}`, () => {
      const warnings = makeGossipWarnings(
        { ...SOUND, ...outcome },
        health.map(parts => ({ ...CALM, utilization: 0.4, ...parts })),
        { publishEnds: ends }
      )
      const actual = warnings.map(({ code, values }) => [code, values])
      assert.deepEqual(actual, expected)
      for (const warning of warnings) assert.doesNotMatch(describeWarning(warning), /NaN|undefined|null/)
    })
})

test('of publishing that has not begun nothing is said', () => {
  const silent = { ...SOUND, ...messages({ published: 0 }) }
  assert.deepEqual(makeGossipWarnings(silent, [], { publishEnds: [], started: false }), [])
})

test('what became of messages is not that they reached everyone where there was none', () => {
  assert.equal(describeReachedMessages(0, 0), 'there was none to wait for')
  assert.equal(describeReachedMessages(3, 0), 'every message reached everyone')
  assert.equal(describeReachedMessages(3, 1), '1 message did not reach everyone')
})

describe('the topology of a result', () => {
  const plan = gossipPlanned({ nodes: '4', topology: 'line' })
  const dialled = [
    { from: 0, to: 1, ms: 10, error: null },
    { from: 1, to: 2, ms: 30, error: null },
    { from: 2, to: 3, ms: 9999, error: 'refused' }
  ]

  test('is what was connected; dials that failed are counted and in no time', () => {
    const { edges, edgeCount, dialsFailed, dialMs, measures } = makeTopologyResult(plan, dialled)
    assert.deepEqual(edges, [
      [0, 1],
      [1, 2]
    ])
    assert.deepEqual([edgeCount, dialsFailed, dialMs.count], [2, 1, 2])
    assert.ok(Math.abs(Number(dialMs.max?.ms) - 30) < 0.5)
    assert.equal(measures?.components, 2)
  })

  test('is not known before anything was dialled', () => {
    const { edgeCount, measures, dialMs } = makeTopologyResult(plan, [])
    assert.deepEqual([edgeCount, measures, dialMs.count, dialMs.max], [0, null, 0, null])
  })

  test('of very many connections is told by its measures alone', () => {
    const nodes = 300
    const pairs = Array.from({ length: nodes }, (_, from) => from).flatMap(from =>
      Array.from({ length: from }, (_, to) => ({ from, to, ms: 1, error: null }))
    )
    assert.ok(pairs.length > MAX_LISTED_EDGES)
    const whole = gossipPlanned({ nodes: String(nodes), topology: 'full', network: 'simulated' })
    const { edges, edgeCount, measures } = makeTopologyResult(whole, pairs)
    assert.deepEqual([edges.length, edgeCount, measures?.diameter], [0, pairs.length, 1])
    const few = pairs.slice(0, MAX_LISTED_EDGES)
    assert.equal(makeTopologyResult(whole, few).edges.length, MAX_LISTED_EDGES)
  })
})

describe('the warnings of a gossip run on several machines, or with traces, tell', () => {
  const warned = (/** @type {object} */ known, /** @type {Partial<GossipOutcome>} */ outcome = {}) =>
    makeGossipWarnings({ ...SOUND, ...outcome }, [], { publishEnds: [end()], ...known }).map(
      ({ code, values }) => [code, values]
    )

  test('how far apart their clocks may be', () => {
    assert.deepEqual(warned({ clockErrorMs: 0.4 }), [['CLOCKS_APART', { errorMs: 0.4 }]])
    assert.deepEqual(warned({ clockErrorMs: 0 }), [])
  })

  test('of how many nodes the traces are not whole, and why the first is not', () => {
    const traceErrors = [
      { node: 3, error: 'ENOSPC' },
      { node: 5, error: 'EIO' }
    ]
    assert.deepEqual(warned({ traceErrors }), [['TRACES_NOT_WRITTEN', { count: 2, error: 'ENOSPC' }]])
  })

  test('that what waits in sockets grew for as long as messages were published', () => {
    const growing = SOUND.resources.map(worker => ({
      ...worker,
      series: Array.from({ length: 30 }, (_, second) => ({
        ...worker.series[0],
        atMs: 1000 * (second + 1),
        backlogBytes: 5e6 * (second + 1)
      }))
    }))
    assert.deepEqual(warned({ publishMs: 30_000 }, { resources: growing }), [['BACKLOG_GROWING', {}]])
    assert.deepEqual(warned({ publishMs: 30_000 }), [])
  })
})

/** @param {number} atS @param {number[]} scores */
function stepOf(atS, scores) {
  const buckets = new Map()
  for (const score of scores) buckets.set(scoreBucketOf(score), (buckets.get(scoreBucketOf(score)) ?? 0) + 1)
  return {
    atNs: atS * 1e9,
    min: Math.min(...scores),
    below: [0, -10, -50, -80].map(limit => scores.filter(score => score < limit).length),
    buckets: Int16Array.from(buckets.keys()),
    counts: Uint32Array.from(buckets.values())
  }
}

const upTo = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => i + 1)

describe('scores over time', () => {
  test('are joined over workers, in whatever order they tell', () => {
    const [one, other] = [stepOf(11, upTo(50)), stepOf(11, [...upTo(100).slice(50), -20])]
    const [series, turned] = [new ScoreSeries(10e9), new ScoreSeries(10e9)]
    series.add([one])
    series.add([other])
    turned.add([other, one])
    assert.deepEqual(series.result(), turned.result())
    const [{ p5, p50, p95, ...step }] = series.result()
    assert.deepEqual(step, {
      ...{ atMs: 1000, samples: 101, min: -20 },
      below: { zero: 1 / 101, gossipThreshold: 1 / 101, publishThreshold: 0, graylistThreshold: 0 }
    })
    for (const [found, exact] of [
      [p5, 5],
      [p50, 50],
      [p95, 95]
    ])
      assert.ok(Math.abs(found / exact - 1) < 0.0151, `${found} for ${exact}`)
  })

  test('begin with publishing, and become fewer where there are too many', () => {
    const series = new ScoreSeries(10e9)
    series.add([stepOf(9, [1])])
    assert.deepEqual(series.result(), [])
    for (let atS = 10; atS < 1010; atS++) series.add([stepOf(atS, [1, -1])])
    const steps = series.result()
    assert.equal(steps.length, 250)
    assert.deepEqual([steps[1].atMs, steps[1].samples, steps[1].below.zero], [4000, 8, 0.5])
  })
})

test('scores by node are those of all workers', () => {
  const ends = [
    { scores: { peer: Uint16Array.of(3, 1, 3), score: Float64Array.of(1, 7, 4) } },
    {},
    { scores: { peer: Uint16Array.of(3), score: Float64Array.of(-5) } },
    { scores: { peer: Uint16Array.of(3), score: Float64Array.of(2) } }
  ]
  assert.deepEqual(summarizeScoresByNode(ends), [
    { node: 1, peers: 1, median: 7, min: 7 },
    { node: 3, peers: 4, median: 1.5, min: -5 }
  ])
})

/** @typedef {[atNs: number, node: number, message: number, parent: number]} Row */

/** @type {Row[]} */
const PUBLISHEDDeliveryDigest = [
  [1e9, 3, 0, 0],
  [2e9 + 1, 4, 1, 0]
]
/** @type {Row[]} */
const RECEIVEDDeliveryDigest = [
  [1_050_000_000, 1, 0, 3],
  [1_050_000_000, 2, 0, 3],
  [1_050_000_001, 0, 0, 1],
  [2_050_000_001, 70_000, 1, 4]
]

/** @param {Row[]} rows */
const columns = rows => ({
  atNs: Float64Array.from(rows, ([atNs]) => atNs),
  node: /** @type {any} */ (Uint32Array.from(rows, ([, node]) => node)),
  message: Uint32Array.from(rows, ([, , message]) => message),
  from: /** @type {any} */ (Uint32Array.from(rows, ([, , , parent]) => parent))
})

/** @param {Row[][]} published - in pieces @param {Row[][]} received - in pieces */
function digestOf(published, received) {
  const digest = new DeliveryDigest()
  for (const rows of published) digest.addPublished(/** @type {any} */ (columns(rows)))
  for (const rows of received) digest.addReceived(columns(rows))
  return digest.hex()
}

const digest = digestOf([PUBLISHEDDeliveryDigest], [RECEIVEDDeliveryDigest])

test('is the SHA-256 of the SHA-256 of the publications and that of the receipts, 20 bytes a row', () => {
  const sha256 = (/** @type {Buffer[]} */ ...parts) =>
    createHash('sha256').update(Buffer.concat(parts)).digest()
  const bytes = (/** @type {Row} */ [atNs, ...numbers]) => {
    const row = Buffer.alloc(20)
    row.writeDoubleLE(atNs)
    for (const [i, number] of numbers.entries()) row.writeUInt32LE(number, 8 + 4 * i)
    return row
  }
  const published = PUBLISHEDDeliveryDigest.map(([atNs, node, message]) =>
    bytes([atNs, node, message, 0xffff_ffff])
  )
  assert.equal(
    digest,
    sha256(sha256(...published), sha256(...RECEIVEDDeliveryDigest.map(bytes))).toString('hex')
  )
})

test('does not depend on how rows are cut into pieces, on the order within a moment, or on being asked before', () => {
  assert.equal(
    digestOf(
      PUBLISHEDDeliveryDigest.map(row => [row]),
      [RECEIVEDDeliveryDigest.slice(0, 1), [], RECEIVEDDeliveryDigest.slice(1)]
    ),
    digest
  )
  const [a, b, ...rest] = RECEIVEDDeliveryDigest
  assert.equal(digestOf([PUBLISHEDDeliveryDigest], [[b, a, ...rest]]), digest)
  const asked = new DeliveryDigest()
  asked.addReceived(columns(RECEIVEDDeliveryDigest.slice(0, 1)))
  asked.hex()
  asked.addPublished(/** @type {any} */ (columns(PUBLISHEDDeliveryDigest)))
  asked.addReceived(columns(RECEIVEDDeliveryDigest.slice(1)))
  assert.equal(asked.hex(), digest)
})

test('does not depend on how nodes are split over workers, nor on who tells first', () => {
  for (const [seed, tellFirst] of [0, 1, 2].entries()) {
    const merged = new DeliveryDigest(3)
    const of = (/** @type {Row[]} */ rows, /** @type {number} */ worker) =>
      rows.filter(([, node]) => (node + seed) % 3 === worker)
    const tell = (/** @type {number} */ worker, /** @type {(at: number) => boolean} */ when, untilNs = 0) => {
      const among = (/** @type {Row[]} */ rows) => columns(of(rows, worker).filter(([atNs]) => when(atNs)))
      merged.addPublished(/** @type {any} */ (among(PUBLISHEDDeliveryDigest)), worker, untilNs)
      merged.addReceived(among(RECEIVEDDeliveryDigest), worker, untilNs)
    }
    const times = [...PUBLISHEDDeliveryDigest, ...RECEIVEDDeliveryDigest]
      .map(([atNs]) => atNs)
      .toSorted((a, b) => a - b)
    const middle = times[Math.floor(times.length / 2)]
    const order = [0, 1, 2].map(place => (place + tellFirst) % 3)
    // what is of the moment itself may come before it or after
    for (const worker of order) tell(worker, at => (worker === 0 ? at <= middle : at < middle), middle)
    merged.hex()
    for (const worker of order)
      tell(worker, at => (worker === 0 ? at > middle : at >= middle), Number.POSITIVE_INFINITY)
    assert.equal(merged.hex(), digest)
  }
})

test('any other time by a nanosecond, node, message or parent gives another digest', () => {
  for (const [row, column] of [0, 1, 2, 3].flatMap(row => [0, 1, 2, 3].map(column => [row, column]))) {
    const changed = RECEIVEDDeliveryDigest.map((each, place) =>
      place === row ? each.map((value, i) => (i === column ? value + 1 : value)) : each
    )
    assert.notEqual(
      digestOf([PUBLISHEDDeliveryDigest], [/** @type {Row[]} */ (changed)]),
      digest,
      `row ${row}, column ${column}`
    )
  }
  assert.notEqual(digestOf([PUBLISHEDDeliveryDigest.slice(1)], [RECEIVEDDeliveryDigest]), digest)
  assert.notEqual(digestOf([PUBLISHEDDeliveryDigest], [RECEIVEDDeliveryDigest.slice(0, 3)]), digest)
})
