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
import { sampleResult } from './sample-result.js'

/** @type {Record<string, [Record<string, unknown>, RegExp]>} */
const EXAMPLES = {
  GENERATOR_LIMITED: [
    {
      busy: { utilization: 0.968, worker: 2 },
      overheads: [{ of: 'REGISTER', share: 0.99, ms: 8.4, overheadMs: 5.02 }]
    },
    /^Generator-limited: worker 2 of the load generator was 97 % busy and client overhead is 5\.02 of 8\.40 ms at REGISTER p99\. .*Try more --workers/
  ],
  NOT_STATIONARY: [
    { type: 'DISCOVER', firstMs: 1.5, lastMs: 12.34 },
    /^DISCOVER p50 went from 1\.50 ms .* to 12\.3 ms .*--warmup/
  ],
  DROPPED: [{ count: 1 }, /^1 operation was due but never sent, because --maxInFlight/],
  REPLY_CHECK_FAILED: [
    { type: 'DISCOVER', count: 2, detail: 'duplicate peer' },
    /^2 DISCOVER replies failed the check \(duplicate peer\)/
  ],
  SERVER_LIMITED: [
    { count: 1200 },
    /^1,200 replies had to wait for the server's limits .* not its speed\. .*--unlimitedFrom/
  ],
  REGISTRATIONS_MISSING: [
    { missing: 1200, lookedUp: 10_000 },
    /^1,200 of 10,000 registrations that the server has confirmed cannot be discovered/
  ],
  LOOK_UP_INCOMPLETE: [
    { left: 40, drawn: 50, problem: 'request timed out' },
    /^40 of 50 registrations could not be looked up at the end: request timed out\..*DISCOVER/
  ],
  NOTHING_LOOKED_UP: [
    { drawn: 1200, problem: 'E_NOT_AUTHORIZED' },
    /^Not one of 1,200 registrations that the server has confirmed could be looked up at the end: E_NOT_AUTHORIZED\./
  ],
  NOTHING_SUCCEEDED: [{ count: 500 }, /^Not one of 500 operations succeeded/],
  LOCAL_PORTS_EXHAUSTED: [
    { count: 1200 },
    /^1,200 connections .* ran out of local ports\. Use a lower --rate/
  ],
  AGENT_LOST: [
    { name: 'agent a (m)', why: 'agent a (m) is lost: killed', clients: 4, of: 12, goesOn: true },
    /^Agent a \(m\) is lost: killed\. Its 4 of 12 clients \(33\.3 %\) sent nothing since.*less was offered than was planned/
  ],
  STORE_AWAY: [
    { whose: 'the database of the run', atMs: 6700, forMs: 4340, back: true },
    /^The database of the run went away 6\.7 s after the run began, for 4\.3 s\.$/
  ],
  LEFT_BEHIND: [
    { text: 'the schema loadtest_1 stays behind; this drops it: DROP SCHEMA "loadtest_1" CASCADE;' },
    /^The schema loadtest_1 .* DROP SCHEMA "loadtest_1" CASCADE;$/
  ],
  NOT_DESCRIBED: [
    { why: 'describeResult of ./x.js: tables[0].rows: every row needs a cell for each column' },
    /^What the scenario says of its result is left out: describeResult of \.\/x\.js: tables\[0\]\.rows: .* docs\/extending\.md/
  ],
  THROTTLED: [
    { ms: 8400, quotaCores: 0.5 },
    /held .* back for 8\.4.? ?s.*control group.*0\.500 cores.*Give it more/
  ],
  CLOCKS_APART: [{ errorMs: 0.42 }, /several machines.*± 0\.420 ms.*left out/],
  NAMESPACES_ADDED: [{ count: 120 }, /^120 namespaces beyond --nNamespaces .*--registerMode refresh/],
  LEFT_UNTIL_TTL: [{ count: 5, ttlSeconds: 7200 }, /^5 registrations .* 2 h 0 min has passed.*--ttl/],
  ONE_REQUEST_PER_STREAM: [{}, /^The target serves one request on each stream: .*second stream/],
  TTL_REFUSED: [
    { ttlSeconds: 60, text: 'REGISTER was answered with E_INVALID_TTL (102)' },
    /^The target refuses a time to live of 1 min .*E_INVALID_TTL.*--ttl/
  ],
  PROBE_REFUSED: [
    { text: 'REGISTER was answered with E_UNKNOWN_999 (999)' },
    /^A probe at the start.* was not served as the protocol says: REGISTER .*999.*outcomes/
  ],
  SCHEDULE_LATE: [{ p99Ms: 31.2 }, /1 % of them by more than 31\.2 ms.*lower --rate/],
  OPERATIONS_FAILED: [
    { type: 'REGISTER', outcomes: { TIMEOUT: 1000, LOST: 2 } },
    /^Not every REGISTER succeeded: 1,000 TIMEOUT, 2 LOST\./
  ],
  STORE_NOT_RESTORED: [
    { expected: 10_000, actual: 10_003 },
    /holds 10,003 registrations after the run, not 10,000/
  ],
  SERVER_MEMORY_GROWS: [
    { trend: { perHour: 12.3e6, low: 9e6, high: 15.2e6 } },
    /memory grew by 12\.3 MB an hour \(95 % interval 9\.00 to 15\.2\) after the first third/
  ],
  GENERATOR_MEMORY_GROWS: [
    { process: 'worker 0', trend: { perHour: 1e6, low: 5e5, high: 2e6 } },
    /What our own worker 0 has in use grew by 1\.00 MB an hour/
  ],
  SERVER_RESTARTED: [
    { atMs: 6021, lost: 1000 },
    /started again at 6\.0 s, as planned, and held nothing: 1,000 registrations were lost/
  ],
  MESH_NOT_FORMED: [
    { missing: ['3 nodes without mesh peer', 'still grafting'] },
    /^The mesh had not formed .*\(3 nodes without mesh peer; still grafting\).*--warmupTimeout/
  ],
  DELIVERIES_MISSING: [
    { pairs: 1200, expected: 18_800, byReason: { 'stream-aborted': 1150, backlog: 0, unknown: 50 } },
    /^1,200 of 18,800 deliveries did not come: 1,150 stream-aborted, 50 unknown\..*a lower --rate/
  ],
  NOTHING_PUBLISHED: [
    { brokenOff: false },
    /^Not one message was published\. .* Use a longer --duration or a higher --rate\.$/
  ],
  NOT_PUBLISHED: [
    { count: 5854, planned: 6000 },
    /^5,854 of 6,000 messages were not published, because --duration was over.*lower --rate/
  ],
  MESSAGES_SKIPPED: [{ count: 3 }, /^3 messages were not published.*--maxBacklog.*lower --rate/],
  PUBLISH_FAILED: [
    { count: 3, errors: { TOO_LARGE: 3 } },
    /^3 messages could not be published: 3 TOO_LARGE\..*--messageBytes/
  ],
  STREAMS_ABORTED: [{ count: 2 }, /^2 outbound gossipsub streams ended .*lower --rate/],
  PUBLISH_LATE: [{ p99Ms: 250.4 }, /1 % of them by more than 250 ms.*lower --rate/],
  SPANS_LOST: [
    { count: 12, error: 'http://127.0.0.1:4318/v1/traces: not reached' },
    /^12 spans of --traces or --otlpEndpoint could not be kept \(http:.* not reached\)\. The figures are whole/
  ],
  DELIVERIES_NOT_WRITTEN: [
    { error: 'ENOSPC: no space left on device' },
    /^The file of --deliveries lacks rows: ENOSPC.*make room/
  ],
  TRACES_NOT_WRITTEN: [
    { count: 2, error: 'ENOSPC: no space left on device' },
    /^2 traces could not be written to the end: ENOSPC.*--outputDir/
  ],
  NOTHING_CARRIED: [{ perSecond: 0.5 }, /^Not even 0\.500 messages\/s, /],
  MEMORY_CEILING: [
    { workers: 2 },
    /^Publishing ended early, because 2 worker processes reached --memoryCeiling.*fewer --nodes/
  ],
  DIALS_FAILED: [{ count: 12 }, /^12 dials failed.*fewer --nodes/],
  CLOCK_ANOMALY: [{ count: 1 }, /^1 thing was told that cannot be.*no time of this run can be trusted/],
  NOT_CONNECTED: [{ components: 3 }, /in 3 parts that no message can pass between.*--topology/],
  BACKLOG_GROWING: [{}, /grew all the while.*lower --rate/],
  PROFILE_NOT_WRITTEN: [
    { process: 'worker 1', error: 'ENOSPC' },
    /^The profile of worker 1 is in the figures, but its file could not be written: ENOSPC\..*room left/
  ],
  SERVER_NOT_PROFILED: [{}, /^The server was not sampled, only the worker processes:.*--server process/],
  STARTS_FAILED: [{ count: 2 }, /^2 nodes could not be started.*count.* as missing.*outcome\.churn\.lives/],
  ROTATION_LATE: [{ latestMs: 1530.2 }, /^Nodes were killed or started up to 1,530 ms late.*lower --rate/],
  ACTIONS_FAILED: [
    { count: 2, error: null },
    /^2 planned actions of nodes .* were not done: the process of the node is gone\..*as missing/
  ],
  SCRIPT_LATE: [{ latestMs: 1530.2 }, /^Nodes subscribed or unsubscribed up to 1,530 ms later.*lower --rate/],
  PEERS_NOT_STARTED: [
    { count: 1 },
    /^1 peer could not be started, or did not reach the server.*outcome\.churn\.lives.*limits on connections/
  ],
  NETWORK_NOT_AS_ASKED: [
    {
      what: 'every link',
      roundTrip: { askedMs: 100, foundMs: 131.2, asAsked: false },
      loss: { asked: 0.01, found: 0, packets: 2500, asAsked: false },
      rate: { asked: 10e6, found: null, asAsked: false }
    },
    /every link was not what was asked for: round trip 131 ms for 100 ms, loss 0 % for 1\.00 %, rate none for 10\.0 MB\/s\. Use fewer --nodes/
  ],
  CONGESTION_CONTROL_NOT_SET: [
    { asked: 'reno', found: 'bbr' },
    /^TCP went by bbr, not by --congestionControl reno: .* Take --congestionControl host/
  ],
  ROUTER_LATE: [
    { p99Ms: 12.3, allowedMs: 5 },
    /1 % of the packets more than 12\.3 ms late, and 5\.00 ms are a tenth .*lower --rate/
  ],
  ROUTER_OVERFLOWED: [
    { count: 12 },
    /^12 packets were lost without being asked for, .*lower --rate, fewer --nodes, or a lower --upBandwidth/
  ],
  PEERS_LATE: [{ latestMs: 1530.2 }, /^Peers were killed or started up to 1,530 ms late.*lower --rate/],
  HOSTILE_NOT_SENT: [
    { name: 'frames=10', percent: 34.56 },
    /^Of frames=10 34\.6 % was not sent when it was due.*less than was asked for.*lower number/
  ],
  HOSTILE_DISTURBED: [{ pairs: 3 }, /^3 pairs of stretches, which is all, would be set aside/],
  SERVER_NOT_SAMPLED: [{}, /not known\. Give its process with --targetPid/]
}

describe('every warning is a sentence with what to do', () => {
  for (const code of WARNING_CODES) {
    test(code, () => {
      const example = EXAMPLES[code]
      assert.ok(example, `no example for ${code}`)
      assert.match(describeWarning({ code, values: example[0] }), example[1])
    })
  }
})

test('no warning is without its code in the table', () => {
  assert.deepEqual(Object.keys(EXAMPLES).sort(), [...WARNING_CODES].sort())
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

describe('advice goes by what was planned', () => {
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

  /** @type {[string, import('../../src/report/schema.js').Warning, object, RegExp, RegExp?][]} */
  const cases = [
    [
      'a closed model has no rate yet',
      BUSY,
      { plan: CLOSED, run },
      / Try more --workers, fewer --nClients, or --rate for the open model\.$/
    ],
    [
      'who gave a rate is told a lower one',
      BUSY,
      { plan: OPEN, run },
      / Try more --workers, fewer --nClients, or a lower --rate\.$/
    ],
    [
      'a replay has rates of its own',
      BUSY,
      { plan: { ...OPEN, arrivals: { shape: 'replay' } }, run },
      /slower --arrivals\.$/,
      /--rate/
    ],
    [
      'no more workers than clients',
      BUSY,
      { plan: { ...OPEN, workers: 4 }, run },
      / Try fewer --nClients or a lower --rate\.$/
    ],
    [
      'no more workers than there are cores beside that of our server',
      BUSY,
      { plan: { ...CLOSED, target: null }, run: { machine: { cores: 2 } } },
      / Try fewer --nClients or --rate for the open model\.$/,
      /--workers/
    ],
    [
      'nor than a quota lets run',
      BUSY,
      { plan: CLOSED, run: { ...run, host: { quotaCores: 1 } } },
      / Try fewer --nClients or --rate for the open model\.$/,
      /--workers/
    ],
    [
      'over agents, more of them',
      BUSY,
      { plan: OPEN, run: { ...run, agents: [] } },
      / Try more --agents, fewer/,
      /--workers/
    ],
    [
      'roles have clients and rates of their own',
      BUSY,
      { plan: { ...CLOSED, providers: 5, discoverers: 5, providerRatePerSecond: 3 }, run },
      /fewer --providers or --discoverers, or a lower --providerRate or --discovererRate\.$/,
      /--nClients|--rate/
    ],
    [
      'a single client that thinks',
      BUSY,
      { plan: { ...CLOSED, nClients: 1, thinkTimeMs: 20 }, run },
      / Try a longer --thinkTime\.$/
    ],
    [
      'a closed model has no rate to lower',
      UNSETTLED,
      { plan: { ...CLOSED, benchmarkRuns: 100 } },
      / Use a longer --warmup or more --benchmarkRuns\.$/
    ],
    [
      'a duration that was given',
      UNSETTLED,
      { plan: { ...OPEN, minDurationMs: 0, durationMs: 5000 } },
      /a longer --duration, or a lower --rate\.$/
    ],
    [
      'nodes at a rate',
      BUSY,
      { plan: GOSSIP },
      / Use a lower --rate, fewer --nodes, or saturate gossip --search, which finds what this machine carries\.$/
    ],
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
      },
      /^Not one message was published: --duration is 3\.0 s, and each node waits 5\.0 s to 15\.0 s before it publishes \(--interval\)\. .* Use a longer --duration or a shorter --interval\.$/,
      /--rate/
    ],
    [
      'a rate of less than a message in all the time there was',
      SILENT,
      { plan: { ...GOSSIP, ratePerSecond: 0.1, durationMs: 3000 } },
      /: --duration is 3\.0 s, and at --rate there is a message each 10\.0 s on average\. .* Use a longer --duration or a higher --rate\.$/,
      /--interval/
    ],
    [
      'messages that were not due yet when it was broken off',
      { ...SILENT, values: { brokenOff: true } },
      { plan: { ...GOSSIP, durationMs: 60_000 } },
      /^Not one message was published, for the run was broken off before: .* Let it run for longer\.$/,
      /--duration|--rate/
    ],
    [
      'nodes that publish until Ctrl-C',
      SILENT,
      { plan: { ...GOSSIP, ratePerSecond: null, publishers: 'every', durationMs: null } },
      / Use a shorter --interval\.$/,
      /--duration/
    ],
    [
      'nodes of a file',
      BUSY,
      { plan: { ...GOSSIP, topology: { kind: 'file', path: 'a.json' } } },
      / a lower --rate or saturate gossip --search/,
      /--nodes/
    ],
    [
      'nodes at intervals of their own',
      BUSY,
      { plan: { ...GOSSIP, ratePerSecond: null, publishers: 'every' } },
      / Use a longer --interval or fewer --nodes\.$/
    ],
    [
      'links that take no time',
      WAITED,
      { plan: { ...GOSSIP, linkLatencyMs: 0 } },
      /^Generator-limited: client overhead is 2\.40 of 4\.00 ms at latency p50\. .*the protocol's\. Use .*--linkLatency 100ms/
    ],
    [
      'links that take time already',
      WAITED,
      { plan: { ...GOSSIP, linkLatencyMs: 100 } },
      / Use .*a longer --linkLatency/
    ],
    [
      'of transfers latencies and bandwidths are of the rounds',
      { code: 'ROUTER_LATE', values: { p99Ms: 12.3, allowedMs: 5 } },
      { plan: { scenario: 'transfer', latenciesMs: [50], bandwidths: [] } },
      / Use a longer --latencies\.$/
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
      },
      / Use a longer --linkLatency\.$/
    ],
    [
      'of transfers they are lists',
      { code: 'ROUTER_OVERFLOWED', values: { count: 12 } },
      { plan: { scenario: 'transfer', latenciesMs: [50], bandwidths: [] } },
      / Use a lower --bandwidths\.$/
    ]
  ]
  for (const [what, warning, about, said, never = /undefined|null|NaN/] of cases)
    test(what, () => {
      const text = describeWarning(warning, about)
      assert.match(text, said)
      assert.doesNotMatch(text, never)
    })
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
