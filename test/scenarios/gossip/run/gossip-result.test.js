import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeWarning } from '../../../../src/report/warnings.js'
import { gossipWarnings, MAX_EDGES_KEPT, topologyResult } from '../../../../src/scenarios/gossip/outcome.js'
import { reachedInWords } from '../../../../src/scenarios/gossip/run/gossip-run.js'
import { aGossipResult } from '../a-gossip-result.js'
import { gossipPlanned } from '../plan/gossip-planned.js'

/**
 * @typedef {import('../../../../src/scenarios/gossip/outcome.js').GossipOutcome} GossipOutcome
 * @typedef {import('../../../../src/network/node-host.js').PublishEnd} PublishEnd
 * @typedef {import('../../../../src/report/schema.js').WorkerHealth} WorkerHealth
 */

const { outcome: SOUND, run } = aGossipResult({ options: { nodes: '10', messages: '20' } })
const [CALM] = run.health

/** @param {Partial<PublishEnd>} [parts] @returns {PublishEnd} */
const end = parts => ({
  published: 20,
  skipped: 0,
  failed: 0,
  errors: {},
  endedBy: 'schedule',
  endedNs: 0,
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
 * @typedef {object} Case
 * @property {Partial<GossipOutcome>} [outcome]
 * @property {Partial<WorkerHealth>[]} [health]
 * @property {PublishEnd[]} [ends]
 */

const MISSING = {
  ...SOUND.missing,
  pairs: 3,
  byReason: { ...SOUND.missing.byReason, 'node-gone': 3 }
}
const BY_TIME = [end(), end({ endedBy: 'time' })]

/** @type {[string, Case, [string, Record<string, unknown>][]][]} */
const CASES = [
  ['nothing went wrong', {}, []],
  [
    'a worker was busy',
    { health: [{}, { worker: 1, utilization: 0.95 }] },
    [['GENERATOR_LIMITED', { busy: { worker: 1, utilization: 0.95 }, overheads: [] }]]
  ],
  ['a worker had much to do', { health: [{ utilization: 0.9 }] }, []],
  [
    'dials failed',
    { outcome: { topology: { ...SOUND.topology, dialsFailed: 2 } } },
    [['DIALS_FAILED', { count: 2 }]]
  ],
  [
    'the network is in parts',
    {
      outcome: {
        topology: {
          ...SOUND.topology,
          measures: /** @type {any} */ ({ ...SOUND.topology.measures, connected: false, components: 3 })
        }
      }
    },
    [['NOT_CONNECTED', { components: 3 }]]
  ],
  ['nothing was connected yet', { outcome: { topology: { ...SOUND.topology, measures: null } } }, []],
  [
    'the mesh had not formed',
    { outcome: { mesh: { ...SOUND.mesh, missing: ['2 subscriptions without a mesh peer'] } } },
    [['MESH_NOT_FORMED', { missing: ['2 subscriptions without a mesh peer'] }]]
  ],
  [
    'two of three workers reached the memory ceiling: what they did not publish needs no other reason',
    {
      outcome: messages({ planned: 5000 }),
      ends: [end(), end({ endedBy: 'memory' }), end({ endedBy: 'memory' })]
    },
    [['MEMORY_CEILING', { workers: 2 }]]
  ],
  ['messages were skipped', { outcome: messages({ skipped: 4 }) }, [['MESSAGES_SKIPPED', { count: 4 }]]],
  [
    'messages could not be published',
    { outcome: messages({ failed: 3 }), ends: [end({ errors: { A: 1, B: 1 } }), end({ errors: { A: 1 } })] },
    [['PUBLISH_FAILED', { count: 3, errors: { A: 2, B: 1 } }]]
  ],
  [
    'deliveries are missing',
    { outcome: { missing: MISSING } },
    [['DELIVERIES_MISSING', { pairs: 3, expected: SOUND.delivery.expected, byReason: MISSING.byReason }]]
  ],
  [
    'streams were aborted',
    { outcome: { streams: { aborted: 1, meshPeersWithoutStream: 0 } } },
    [['STREAMS_ABORTED', { count: 1 }]]
  ],
  [
    '1 % of messages were late',
    { outcome: { lateness: lateness({ p50: 0.1, p99: 12 }) } },
    [['PUBLISH_LATE', { p99Ms: 12 }]]
  ],
  [
    'what is late is a small part of the time between messages: they came as planned',
    { outcome: { lateness: lateness({ p50: 0.1, p99: 36 }), interArrival: everyMs(1000) } },
    []
  ],
  [
    'what is late is more than a tenth of the time between messages',
    { outcome: { lateness: lateness({ p50: 0.1, p99: 36 }), interArrival: everyMs(350) } },
    [['PUBLISH_LATE', { p99Ms: 36 }]]
  ],
  [
    'messages of bursts were late, however long the time between bursts',
    {
      outcome: { lateness: lateness({ p50: 0.1, p99: 12 }), interArrival: everyMs(0, { avg: time(1000) }) }
    },
    [['PUBLISH_LATE', { p99Ms: 12 }]]
  ],
  [
    'of two messages the second was late',
    {
      outcome: {
        lateness: lateness({ p50: 50 }),
        interArrival: everyMs(1000, { p50: null, avg: time(1000) })
      }
    },
    []
  ],
  ['a single one was late', { outcome: { lateness: lateness({ p50: 0.1, p99: 9, max: 400 }) } }, []],
  [
    'of a few messages, too few for a p99, one in ten was late',
    { outcome: { lateness: lateness({ p50: 1, p90: 800, max: 2000 }) } },
    [['PUBLISH_LATE', { p99Ms: 800 }]]
  ],
  [
    'of very few messages half were late',
    { outcome: { lateness: lateness({ p50: 50, max: 60 }) } },
    [['PUBLISH_LATE', { p99Ms: 50 }]]
  ],
  [
    'the time was over before all was published',
    { outcome: messages({ planned: 6000, published: 140, skipped: 5, failed: 1 }), ends: BY_TIME },
    [
      ['NOT_PUBLISHED', { count: 5854, planned: 6000 }],
      ['MESSAGES_SKIPPED', { count: 5 }],
      ['PUBLISH_FAILED', { count: 1, errors: {} }]
    ]
  ],
  [
    'the last message was due at the very end',
    { outcome: messages({ planned: 20, published: 19 }), ends: BY_TIME },
    []
  ],
  [
    'the last ones of many were due at the very end',
    { outcome: messages({ planned: 1000, published: 991 }), ends: BY_TIME },
    []
  ],
  ['nobody knew how many it would be', { outcome: messages({ planned: null }), ends: BY_TIME }, []],
  [
    'no message was due in the time there was',
    { outcome: messages({ planned: null, published: 0 }), ends: BY_TIME },
    [['NOTHING_PUBLISHED', { brokenOff: false }]]
  ],
  [
    'the run was broken off before the first message',
    { outcome: messages({ planned: 5000, published: 0 }), ends: [] },
    [['NOTHING_PUBLISHED', { brokenOff: true }]]
  ],
  [
    'every message of a schedule was cut off: that says it',
    { outcome: messages({ planned: 5, published: 0 }), ends: BY_TIME },
    [['NOT_PUBLISHED', { count: 5, planned: 5 }]]
  ],
  [
    'none could be published: that says it',
    { outcome: messages({ planned: 5, published: 0, failed: 5 }) },
    [['PUBLISH_FAILED', { count: 5, errors: {} }]]
  ],
  ['the run was broken off in mid-publish', { outcome: messages({ planned: 5000 }), ends: [] }, []],
  [
    'deliveries came before their publication, twice, or of nothing',
    {
      outcome: {
        anomalies: { ...SOUND.anomalies, negativeLatencies: 1, duplicateReceipts: 2, unknownMessages: 4 }
      }
    },
    [['CLOCK_ANOMALY', { count: 7 }]]
  ],
  [
    'a worker died before it told what it had published last',
    { outcome: { anomalies: { ...SOUND.anomalies, unknownMessages: 4 } }, ends: [] },
    []
  ]
]

describe('the warnings of a gossip run', () => {
  for (const [what, { outcome, health = [{}], ends = [end()] }, expected] of CASES)
    test(`when ${what}`, () => {
      const warnings = gossipWarnings(
        { ...SOUND, ...outcome },
        health.map(parts => ({ ...CALM, utilization: 0.4, ...parts })),
        { publishEnds: ends }
      )
      assert.deepEqual(
        warnings.map(({ code, values }) => [code, values]),
        expected
      )
      for (const warning of warnings) assert.doesNotMatch(describeWarning(warning), /NaN|undefined|null/)
    })
})

test('of publishing that has not begun nothing is said', () => {
  const silent = { ...SOUND, ...messages({ published: 0 }) }
  assert.deepEqual(gossipWarnings(silent, [], { publishEnds: [], begun: false }), [])
})

describe('what became of messages', () => {
  test('is not that they reached everyone where there was none', () => {
    assert.equal(reachedInWords(0, 0), 'there was none to wait for')
    assert.equal(reachedInWords(3, 0), 'every message reached everyone')
    assert.equal(reachedInWords(3, 1), '1 message did not reach everyone')
  })
})

describe('the topology of a result', () => {
  const plan = gossipPlanned({ nodes: '4', topology: 'line' })
  const dialled = [
    { from: 0, to: 1, ms: 10, error: null },
    { from: 1, to: 2, ms: 30, error: null },
    { from: 2, to: 3, ms: 9999, error: 'refused' }
  ]

  test('is what was connected; dials that failed are counted and in no time', () => {
    const { edges, edgeCount, dialsFailed, dialMs, measures } = topologyResult(plan, dialled)
    assert.deepEqual(edges, [
      [0, 1],
      [1, 2]
    ])
    assert.deepEqual([edgeCount, dialsFailed, dialMs.count], [2, 1, 2])
    assert.ok(Math.abs(Number(dialMs.max?.ms) - 30) < 0.5)
    assert.equal(measures?.components, 2)
  })

  test('is not known before anything was dialled', () => {
    const { edgeCount, measures, dialMs } = topologyResult(plan, [])
    assert.deepEqual([edgeCount, measures, dialMs.count, dialMs.max], [0, null, 0, null])
  })

  test('of very many connections is told by its measures alone', () => {
    const nodes = 300
    const pairs = Array.from({ length: nodes }, (_, from) => from).flatMap(from =>
      Array.from({ length: from }, (_, to) => ({ from, to, ms: 1, error: null }))
    )
    assert.ok(pairs.length > MAX_EDGES_KEPT)
    const whole = gossipPlanned({ nodes: String(nodes), topology: 'full', network: 'simulated' })
    const { edges, edgeCount, measures } = topologyResult(whole, pairs)
    assert.deepEqual([edges.length, edgeCount, measures?.diameter], [0, pairs.length, 1])
    const few = pairs.slice(0, MAX_EDGES_KEPT)
    assert.equal(topologyResult(whole, few).edges.length, MAX_EDGES_KEPT)
  })
})

describe('the warnings of a gossip run on several machines, or with traces, tell', () => {
  const warned = (/** @type {object} */ known, /** @type {Partial<GossipOutcome>} */ outcome = {}) =>
    gossipWarnings({ ...SOUND, ...outcome }, [], { publishEnds: [end()], ...known }).map(
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
