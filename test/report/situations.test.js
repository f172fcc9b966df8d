import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeWarning } from '../../src/report/warnings.js'
import { makeGossipWarnings } from '../../src/scenarios/gossip/outcome.js'
import { makeRunWarnings } from '../../src/scenarios/rendezvous/outcome.js'
import { aGossipResult } from '../scenarios/gossip/a-gossip-result.js'
import { judgeAll, readThreshold } from '../scenarios.js'
import { operation, sampleResult, summary, time } from './sample-result.js'
import { warningsOf } from './shown.js'

/**
 * @typedef {import('../../src/report/schema.js').Warning} Warning
 */

/** @type {Parameters<typeof makeRunWarnings>[3]} */
const KNOWN = { namespacesUsed: 5, badReplies: [] }
const SOUND = aGossipResult({ options: { nodes: '10', messages: '20' } })

/**
 * What a run of operations is warned of.
 *
 * @param {object} found
 * @param {Record<string, unknown>} [found.options]
 * @param {Record<string, any>} [found.outcome]
 * @param {any[]} [found.health]
 * @param {Partial<typeof KNOWN>} [found.known]
 */
function ofOperations({ options = {}, outcome = {}, health = [], known = {} }) {
  const { plan, outcome: whole } = sampleResult({
    options,
    outcome: { registrations: { before: 100, after: 100, namespaces: 5 }, ...outcome }
  })
  return makeRunWarnings(plan, whole, health, { ...KNOWN, ...known })
}

/** @param {Parameters<typeof operation>[0]} parts */
const registers = parts => ({ outcome: { operations: { REGISTER: operation(parts) } } })

/** What a run of a network is warned of. @param {Record<string, any>} outcome @param {Record<string, any>} [known] */
const ofNetwork = (outcome, known = {}) =>
  makeGossipWarnings({ ...SOUND.outcome, ...outcome }, known.health ?? [], { publishEnds: [], ...known })

/** A second of 200 operations. @param {number} second @param {number} micros */
const second = (second, micros) => ({ second, type: 'REGISTER', outcome: 'OK', histogram: [[micros, 200]] })

const P50_OVERHEAD = summary(500, { p50: time(9, { overheadMs: 4.6 }) })
const P99_OVERHEAD = summary(500, { p99: time(9, { overheadMs: 4.6 }) })
const LARGE_OVERHEADS = Object.entries({ p50: P50_OVERHEAD, p99: P99_OVERHEAD })
const LOADS = {
  'at a rate': { rate: '100/s' },
  'of clients that think': { thinkTime: '10ms' },
  'at full load': {}
}
const LITTLE_OVERHEAD = summary(500, { p50: time(9, { overheadMs: 4.4 }), p99: time(9, { overheadMs: 4.4 }) })
const OTHER_OVERHEAD = summary(500, { p90: time(9, { overheadMs: 9 }), p95: time(9, { overheadMs: 9 }) })

/** @param {string} endedBy */
const publishEnd = endedBy => ({
  publishEnds: [{ published: 10, skipped: 0, failed: 0, errors: {}, endedNs: 0, endedBy }]
})
const LATE = { ...SOUND.outcome.lateness, summary: { ...SOUND.outcome.lateness.summary, p99: time(5000) } }

/** @param {Record<string, unknown>} lookUp */
const lookedUp = lookUp => ({ outcome: { lookUp: { drawn: 50, missing: 0, problem: null, ...lookUp } } })
const BUSY = [{ worker: 0, utilization: 0.97 }]
const UNSETTLED = [second(0, 1000), second(1, 2000), second(2, 5000)]
const RESTART = { kind: 'restart', atMs: 1000, toMs: 2000, registrationsLost: 100 }
const GROWING = { verdict: 'growing', perHour: 1, low: 1, high: 1 }
const TARGET = '/ip4/127.0.0.1/tcp/9999/p2p/12D3KooWGC6TvWhfapngX6wvJHMYvKpDMXPb3ZnCZ6dMoaMtimQ5'

/**
 * Situations of which whoever reads figures must be told, with the code of what tells: none may come to be silent.
 *
 * @type {[string, string, Parameters<typeof ofOperations>[0]][]}
 */
const OF_OPERATIONS = [
  [
    'lost or answered with an error',
    'OPERATIONS_FAILED',
    registers({ errors: 5, outcomes: { OK: 495, TIMEOUT: 5 } })
  ],
  [
    'refused for a limit of the server',
    'OPERATIONS_FAILED',
    registers({ errors: 9, outcomes: { OK: 491, E_UNAVAILABLE: 9 } })
  ],
  ['none succeeded', 'NOTHING_SUCCEEDED', registers({ errors: 500, outcomes: { TIMEOUT: 500 } })],
  ['due and never sent', 'DROPPED', registers({ outcomes: { OK: 490, DROPPED: 10 } })],
  ['sent late', 'SCHEDULE_LATE', registers({ lag: summary(500, { p99: time(40) }) })],
  [
    'no local port left',
    'LOCAL_PORTS_EXHAUSTED',
    registers({ outcomes: { OK: 490, LOCAL_PORTS_EXHAUSTED: 10 } })
  ],
  ['measurement not settled', 'NOT_STATIONARY', { outcome: { perSecond: UNSETTLED } }],
  ['load generator used up', 'GENERATOR_LIMITED', { health: BUSY }],
  ...LARGE_OVERHEADS.flatMap(([key, all]) =>
    Object.entries(LOADS).map(
      ([load, options]) =>
        /** @type {[string, string, Parameters<typeof ofOperations>[0]]} */ ([
          `client overhead more than half of ${key} ${load}`,
          'GENERATOR_LIMITED',
          { options, ...registers({ all }) }
        ])
    )
  ),
  [
    'replies not as the protocol says',
    'REPLY_CHECK_FAILED',
    { known: { badReplies: [{ detail: 'duplicate peer', count: 2 }] } }
  ],
  ['more namespaces than asked for', 'NAMESPACES_ADDED', { known: { namespacesUsed: 9 } }],
  ['what was confirmed is not there', 'REGISTRATIONS_MISSING', lookedUp({ lookedUp: 50, missing: 2 })],
  ['not all looked up', 'LOOK_UP_INCOMPLETE', lookedUp({ lookedUp: 20, problem: 'request timed out' })],
  ['nothing looked up', 'NOTHING_LOOKED_UP', lookedUp({ lookedUp: 0, problem: 'E_NOT_AUTHORIZED' })],
  ['server started again, and empty', 'SERVER_RESTARTED', { outcome: { faults: [RESTART] } }],
  [
    "server's memory grows",
    'SERVER_MEMORY_GROWS',
    { outcome: { soak: { serverBytes: GROWING, ownBytes: [] } } }
  ],
  ['server not sampled', 'SERVER_NOT_SAMPLED', { options: { target: TARGET }, outcome: { server: null } }]
]

const { anomalies, latency, mesh, messages, missing, streams, topology } = SOUND.outcome

/** @type {[string, string, Record<string, any>, Record<string, any>?][]} with what else is known */
const OF_NETWORK = [
  [
    'deliveries did not come',
    'DELIVERIES_MISSING',
    { missing: { ...missing, pairs: 3, byReason: { backlog: 3 } } }
  ],
  ['nodes were the limit', 'GENERATOR_LIMITED', {}, { health: BUSY }],
  ...LARGE_OVERHEADS.flatMap(([key, all]) =>
    /** @type {const} */ (['latency', 'dissemination']).map(
      times =>
        /** @type {[string, string, Record<string, any>]} */ ([
          `waits for one another, or for a core, more than half of ${key} of ${times}`,
          'GENERATOR_LIMITED',
          { [times]: { ...SOUND.outcome[times], all } }
        ])
    )
  ),
  ['clocks of machines apart', 'CLOCKS_APART', {}, { clockErrorMs: 0.4 }],
  ['clocks or processes in disorder', 'CLOCK_ANOMALY', { anomalies: { ...anomalies, negativeLatencies: 1 } }],
  ['mesh not formed', 'MESH_NOT_FORMED', { mesh: { ...mesh, missing: ['1 node without mesh peer'] } }],
  ['published late', 'PUBLISH_LATE', { lateness: LATE }],
  ['not published in time', 'NOT_PUBLISHED', { messages: { ...messages, planned: 900 } }, publishEnd('time')],
  [
    'skipped, for the network did not carry them',
    'MESSAGES_SKIPPED',
    { messages: { ...messages, skipped: 4 } }
  ],
  ['could not be published', 'PUBLISH_FAILED', { messages: { ...messages, failed: 4 } }],
  ['memory used up', 'MEMORY_CEILING', {}, publishEnd('memory')],
  ['nodes not dialled', 'DIALS_FAILED', { topology: { ...topology, dialsFailed: 2 } }],
  ['streams aborted', 'STREAMS_ABORTED', { streams: { ...streams, aborted: 2 } }]
]

/** @type {[string, string, () => Warning[]][]} */
const SITUATIONS = [
  ...OF_OPERATIONS.map(
    ([what, code, found]) => /** @type {any} */ ([`operations: ${what}`, code, () => ofOperations(found)])
  ),
  ...OF_NETWORK.map(
    ([what, code, ...found]) => /** @type {any} */ ([`a network: ${what}`, code, () => ofNetwork(...found)])
  )
]

describe('it is warned of when', () => {
  for (const [situation, code, warnings] of SITUATIONS)
    test(situation, () => {
      const found = /** @type {Warning[]} */ (warnings()).filter(warning => warning.code === code)
      assert.equal(found.length, 1)
      assert.doesNotMatch(describeWarning(found[0]), /undefined|NaN/)
      assert.equal(warningsOf(sampleResult({ warnings: found })).length, 1, 'it stands in the description')
    })

  test('nothing is the matter, of nothing', () => {
    assert.deepEqual(ofOperations({}), [])
    assert.deepEqual(ofNetwork({}), [])
  })

  test('client overhead is less than half of p50 and p99, of nothing', () => {
    for (const all of [LITTLE_OVERHEAD, OTHER_OVERHEAD]) {
      assert.deepEqual(ofOperations(registers({ all })), [])
      assert.deepEqual(ofNetwork({ latency: { ...latency, all } }), [])
    }
  })

  for (const [by, warned] of /** @type {[string[], boolean][]} */ ([
    [['load generator'], true],
    [['machine'], true],
    [['load generator', 'machine'], true],
    [['server CPU', 'load generator'], false],
    [['server CPU'], false],
    [[], false]
  ]))
    test(`${by.join(' and ') || 'nothing'} limited the run, ${warned ? 'that the load generator did' : 'of nothing'}`, () => {
      const limitedBy = { by, shares: by.map(name => ({ name, percent: 95 })) }
      for (const found of [
        ofOperations({ health: BUSY, known: { limitedBy } }),
        ofNetwork({}, { health: BUSY, limitedBy })
      ])
        assert.deepEqual(
          found.map(({ code, values }) => [code, values]),
          warned ? [['GENERATOR_LIMITED', { busy: null, limitedBy, overheads: [] }]] : []
        )
    })

  test('several things were limited by the load generator, once, with all of them', () => {
    const health = [0.97, 0.99, 0.5].map((utilization, worker) => ({ worker, utilization }))
    const operations = {
      REGISTER: operation({ all: P50_OVERHEAD }),
      DISCOVER: operation({ all: P99_OVERHEAD })
    }
    const [warning, ...others] = ofOperations({ health, outcome: { operations } })
    assert.deepEqual(others, [])
    assert.deepEqual(warning.values, {
      busy: { worker: 1, utilization: 0.99 },
      overheads: [
        { of: 'REGISTER', share: 0.5, ms: 9, overheadMs: 4.6 },
        { of: 'DISCOVER', share: 0.99, ms: 9, overheadMs: 4.6 }
      ]
    })
  })

  test('the result is partial', () => {
    const partial = sampleResult({
      result: { status: 'partial', reason: { code: 'INTERRUPTED', message: 'SIGINT' } }
    })
    assert.deepEqual(warningsOf(partial), ['Partial result: SIGINT'])
  })

  test('a figure has too few samples', () => {
    const { value: threshold } = /** @type {any} */ (readThreshold('REGISTER.p999 < 5ms'))
    const [{ passed, actual }] = judgeAll([threshold], sampleResult().outcome)
    assert.deepEqual([passed, actual], [false, null])
  })
})
