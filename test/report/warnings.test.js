import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, test } from 'node:test'
import {
  describeWarning,
  failsStrict,
  findGeneratorLimit,
  listStrictWarnings,
  WARNING_CODES
} from '../../src/report/warnings.js'
import { isAsRecorded } from '../recorded.js'
import { sampleResult } from './sample-result.js'

/** @type {Record<string, Record<string, unknown>>} */
const EXAMPLES = {
  GENERATOR_LIMITED: {
    busy: { utilization: 0.968, worker: 2 },
    overheads: [{ of: 'REGISTER', share: 0.99, ms: 8.4, overheadMs: 5.02 }]
  },
  NOT_STATIONARY: { type: 'DISCOVER', firstMs: 1.5, lastMs: 12.34 },
  DROPPED: { count: 1 },
  REPLY_CHECK_FAILED: { type: 'DISCOVER', count: 2, detail: 'duplicate peer' },
  SERVER_LIMITED: { count: 1200 },
  REGISTRATIONS_MISSING: { missing: 1200, lookedUp: 10_000 },
  LOOK_UP_INCOMPLETE: { left: 40, drawn: 50, problem: 'request timed out' },
  NOTHING_LOOKED_UP: { drawn: 1200, problem: 'E_NOT_AUTHORIZED' },
  NOTHING_SUCCEEDED: { count: 500 },
  LOCAL_PORTS_EXHAUSTED: { count: 1200 },
  AGENT_LOST: { name: 'agent a (m)', why: 'agent a (m) is lost: killed', clients: 4, of: 12, goesOn: true },
  STORE_AWAY: { whose: 'the database of the run', atMs: 6700, forMs: 4340, back: true },
  LEFT_BEHIND: {
    text: 'the schema loadtest_1 stays behind; this drops it: DROP SCHEMA "loadtest_1" CASCADE;'
  },
  NOT_DESCRIBED: { why: 'describeResult of ./x.js: tables[0].rows: every row needs a cell for each column' },
  THROTTLED: { ms: 8400, quotaCores: 0.5 },
  CLOCKS_APART: { errorMs: 0.42 },
  NAMESPACES_ADDED: { count: 120 },
  LEFT_UNTIL_TTL: { count: 5, ttlSeconds: 7200 },
  ONE_REQUEST_PER_STREAM: {},
  TTL_REFUSED: { ttlSeconds: 60, text: 'REGISTER was answered with E_INVALID_TTL (102)' },
  PROBE_REFUSED: { text: 'REGISTER was answered with E_UNKNOWN_999 (999)' },
  SCHEDULE_LATE: { p99Ms: 31.2 },
  OPERATIONS_FAILED: { type: 'REGISTER', outcomes: { TIMEOUT: 1000, LOST: 2 } },
  STORE_NOT_RESTORED: { expected: 10_000, actual: 10_003 },
  SERVER_MEMORY_GROWS: { trend: { perHour: 12.3e6, low: 9e6, high: 15.2e6 } },
  GENERATOR_MEMORY_GROWS: { process: 'worker 0', trend: { perHour: 1e6, low: 5e5, high: 2e6 } },
  SERVER_RESTARTED: { atMs: 6021, lost: 1000 },
  MESH_NOT_FORMED: { missing: ['3 nodes without mesh peer', 'still grafting'] },
  DELIVERIES_MISSING: {
    pairs: 1200,
    expected: 18_800,
    byReason: { 'stream-aborted': 1150, backlog: 0, unknown: 50 }
  },
  NOTHING_PUBLISHED: { brokenOff: false },
  NOT_PUBLISHED: { count: 5854, planned: 6000 },
  MESSAGES_SKIPPED: { count: 3 },
  PUBLISH_FAILED: { count: 3, errors: { TOO_LARGE: 3 } },
  STREAMS_ABORTED: { count: 2 },
  PUBLISH_LATE: { p99Ms: 250.4 },
  SPANS_LOST: { count: 12, error: 'http://127.0.0.1:4318/v1/traces: not reached' },
  DELIVERIES_NOT_WRITTEN: { error: 'ENOSPC: no space left on device' },
  TRACES_NOT_WRITTEN: { count: 2, error: 'ENOSPC: no space left on device' },
  NOTHING_CARRIED: { perSecond: 0.5 },
  MEMORY_CEILING: { workers: 2 },
  DIALS_FAILED: { count: 12 },
  CLOCK_ANOMALY: { count: 1 },
  NOT_CONNECTED: { components: 3 },
  BACKLOG_GROWING: {},
  PROFILE_NOT_WRITTEN: { process: 'worker 1', error: 'ENOSPC' },
  SERVER_NOT_PROFILED: {},
  STARTS_FAILED: { count: 2 },
  ROTATION_LATE: { latestMs: 1530.2 },
  ACTIONS_FAILED: { count: 2, error: null },
  SCRIPT_LATE: { latestMs: 1530.2 },
  PEERS_NOT_STARTED: { count: 1 },
  NETWORK_NOT_AS_ASKED: {
    what: 'every link',
    roundTrip: { askedMs: 100, foundMs: 131.2, asAsked: false },
    loss: { asked: 0.01, found: 0, packets: 2500, asAsked: false },
    rate: { asked: 10e6, found: null, asAsked: false }
  },
  CONGESTION_CONTROL_NOT_SET: { asked: 'reno', found: 'bbr' },
  ROUTER_LATE: { p99Ms: 12.3, allowedMs: 5 },
  ROUTER_OVERFLOWED: { count: 12 },
  PEERS_LATE: { latestMs: 1530.2 },
  HOSTILE_NOT_SENT: { name: 'frames=10', percent: 34.56 },
  HOSTILE_DISTURBED: { pairs: 3 },
  SERVER_NOT_SAMPLED: {}
}

test('every warning is a sentence with what to do', () => {
  assert.deepEqual(Object.keys(EXAMPLES).sort(), [...WARNING_CODES].sort(), 'each has an example')
  const texts = Object.entries(EXAMPLES).map(([code, values]) => [code, describeWarning({ code, values })])
  isAsRecorded('warnings.json', Object.fromEntries(texts))
})

test('a code without a text is an error', () => {
  assert.throws(() => describeWarning({ code: 'NO_SUCH', values: {} }), /NO_SUCH has no text/)
  assert.throws(() => describeWarning({ code: 'toString', values: {} }), RangeError)
})

test('every code that the sources warn with has a text', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.js'))
  const used = files.flatMap(file => [
    ...readFileSync(join('src', file), 'utf8').matchAll(/\bwarn(?:ing)?\(\s*'([A-Z_]+)'/g)
  ])
  assert.ok(used.length > 0)
  for (const [, code] of used) assert.ok(WARNING_CODES.includes(code), code)
})

test('advice goes by what was planned', () => {
  const BUSY = {
    code: 'GENERATOR_LIMITED',
    values: { busy: { utilization: 0.97, worker: 0 }, overheads: [] }
  }
  const CLOSED = {
    scenario: 'rendezvous',
    nClients: 4,
    workers: 1,
    ratePerSecond: null,
    arrivals: 'constant'
  }
  const OPEN = { ...CLOSED, ratePerSecond: 500 }
  const run = { machine: { cores: 8 } }
  const GOSSIP = { scenario: 'gossip', nodes: 30, workers: 2, ratePerSecond: 3, arrivals: 'constant' }
  const SILENT = { code: 'NOTHING_PUBLISHED', values: { brokenOff: false } }
  const WAITED = {
    code: 'GENERATOR_LIMITED',
    values: { busy: null, overheads: [{ of: 'latency', share: 0.5, ms: 4, overheadMs: 2.4 }] }
  }
  const UNSETTLED = { code: 'NOT_STATIONARY', values: { type: 'REGISTER', firstMs: 1, lastMs: 2 } }

  /** @type {[string, import('../../src/report/schema.js').Warning, object][]} */
  const cases = [
    ['a closed model has no rate yet', BUSY, { plan: CLOSED, run }],
    ['advice with a rate is a lower rate', BUSY, { plan: OPEN, run }],
    ['a replay has rates of its own', BUSY, { plan: { ...OPEN, arrivals: { shape: 'replay' } }, run }],
    ['no more workers than clients', BUSY, { plan: { ...OPEN, workers: 4 }, run }],
    [
      'no more workers than there are cores beside that of our server',
      BUSY,
      { plan: { ...CLOSED, target: null }, run: { machine: { cores: 2 } } }
    ],
    ['nor than a quota lets run', BUSY, { plan: CLOSED, run: { ...run, host: { quotaCores: 1 } } }],
    ['over agents, more of them', BUSY, { plan: OPEN, run: { ...run, agents: [] } }],
    [
      'roles have clients and rates of their own',
      BUSY,
      { plan: { ...CLOSED, providers: 5, discoverers: 5, providerRatePerSecond: 3 }, run }
    ],
    ['a single client that thinks', BUSY, { plan: { ...CLOSED, nClients: 1, thinkTimeMs: 20 }, run }],
    ['a closed model has no rate to lower', UNSETTLED, { plan: { ...CLOSED, benchmarkRuns: 100 } }],
    ['a duration that was given', UNSETTLED, { plan: { ...OPEN, minDurationMs: 0, durationMs: 5000 } }],
    ['nodes at a rate', BUSY, { plan: GOSSIP }],
    [
      'nodes whose intervals are longer than all the time there was',
      SILENT,
      {
        plan: {
          ...GOSSIP,
          ratePerSecond: null,
          publishers: 'every',
          intervalMs: { min: 5000, max: 15_000 },
          durationMs: 3000
        }
      }
    ],
    [
      'a rate of less than a message in all the time there was',
      SILENT,
      { plan: { ...GOSSIP, ratePerSecond: 0.1, durationMs: 3000 } }
    ],
    [
      'messages that were not due yet when it was broken off',
      { ...SILENT, values: { brokenOff: true } },
      { plan: { ...GOSSIP, durationMs: 60_000 } }
    ],
    [
      'nodes that publish until Ctrl-C',
      SILENT,
      { plan: { ...GOSSIP, ratePerSecond: null, publishers: 'every', durationMs: null } }
    ],
    ['nodes of a file', BUSY, { plan: { ...GOSSIP, topology: { kind: 'file', path: 'a.json' } } }],
    [
      'nodes at intervals of their own',
      BUSY,
      { plan: { ...GOSSIP, ratePerSecond: null, publishers: 'every' } }
    ],
    ['links that take no time', WAITED, { plan: { ...GOSSIP, linkLatencyMs: 0 } }],
    ['links that take time already', WAITED, { plan: { ...GOSSIP, linkLatencyMs: 100 } }],
    [
      'of transfers latencies and bandwidths are of the rounds',
      { code: 'ROUTER_LATE', values: { p99Ms: 12.3, allowedMs: 5 } },
      { plan: { scenario: 'transfer', latenciesMs: [50], bandwidths: [] } }
    ],
    [
      'of transfers whose links have latencies of their own, by the option that says so',
      { code: 'ROUTER_LATE', values: { p99Ms: 12.3, allowedMs: 5 } },
      {
        plan: {
          scenario: 'transfer',
          latenciesMs: [50],
          linkLatency: { kind: 'uniform', minMs: 40, maxMs: 60 }
        }
      }
    ],
    [
      'of transfers they are lists',
      { code: 'ROUTER_OVERFLOWED', values: { count: 12 } },
      { plan: { scenario: 'transfer', latenciesMs: [50], bandwidths: [] } }
    ]
  ]
  const texts = cases.map(([what, warning, about]) => [what, describeWarning(warning, about)])
  isAsRecorded('warnings-advice.json', Object.fromEntries(texts))
})

const FAIL_STRICT = `
  GENERATOR_LIMITED THROTTLED DROPPED LOCAL_PORTS_EXHAUSTED AGENT_LOST STORE_AWAY HOSTILE_NOT_SENT
  HOSTILE_DISTURBED SERVER_LIMITED REPLY_CHECK_FAILED REGISTRATIONS_MISSING NOTHING_LOOKED_UP
  NOTHING_SUCCEEDED STORE_NOT_RESTORED CLOCK_ANOMALY PUBLISH_LATE NOT_PUBLISHED NOTHING_PUBLISHED
  MEMORY_CEILING ROTATION_LATE ACTIONS_FAILED SCRIPT_LATE PEERS_LATE NETWORK_NOT_AS_ASKED
  CONGESTION_CONTROL_NOT_SET ROUTER_LATE ROUTER_OVERFLOWED
`
  .trim()
  .split(/\s+/)

describe('--strict fails for a result', () => {
  for (const code of WARNING_CODES)
    test(`${FAIL_STRICT.includes(code) ? 'with' : 'not with'} ${code}`, () => {
      assert.equal(
        failsStrict(sampleResult({ warnings: [{ code, values: {} }] })),
        FAIL_STRICT.includes(code)
      )
    })
})

test('it says why: those warnings, in their order', () => {
  const codes = ['DROPPED', 'NOT_STATIONARY', 'GENERATOR_LIMITED']
  const why = listStrictWarnings(sampleResult({ warnings: codes.map(code => ({ code, values: {} })) }))
  assert.equal(why.map(({ code }) => code).join(' '), 'DROPPED GENERATOR_LIMITED')
})

/** @typedef {import('../../src/report/schema.js').LimitedBy} LimitedBy */

const health = [{ worker: 0, utilization: 0.6 }]
/** @type {[string, any][]} */
const times = [['REGISTER', { p50: { ms: 1, overheadMs: 0.6 }, p99: { ms: 3, overheadMs: 1 } }]]

/** @param {LimitedBy['by']} by @param {boolean} [open] @returns {LimitedBy} */
const limitedBy = (by, open = false) => ({
  by,
  shares: [
    { name: 'server CPU', percent: 92 },
    { name: 'load generator', percent: 70 },
    ...(open ? [{ name: /** @type {const} */ ('offered load'), percent: 90 }] : [])
  ]
})

describe('overhead of more than half of a percentile makes a run generator-limited', () => {
  it('where clients wait for replies and the load generator was used up, too', () => {
    const [warning] = findGeneratorLimit({
      health,
      limitedBy: limitedBy(['server CPU', 'load generator']),
      times
    })
    assert.deepEqual(warning.values.overheads, [{ of: 'REGISTER', share: 0.5, ms: 1, overheadMs: 0.6 }])
  })

  it('not where they used up the server alone, which their times follow from', () => {
    assert.deepEqual(findGeneratorLimit({ health, limitedBy: limitedBy(['server CPU']), times }), [])
  })

  it('of the open model whatever limited it, for operations are due at their time', () => {
    assert.equal(findGeneratorLimit({ health, limitedBy: limitedBy(['server CPU'], true), times }).length, 1)
  })
})
