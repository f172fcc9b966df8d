import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  describeArrivals,
  describeHost,
  describeRate,
  describeRun,
  describeStacks,
  formatRunTime,
  formatWarning,
  makeRunTables
} from '../../src/report/describe-run.js'
import { aDescription } from './a-description.js'
import { sampleResult, summary, time } from './sample-result.js'
import { described, warningsOf } from './shown.js'

/** @typedef {import('../../src/scenarios/index.js').AnyResult} AnyResult */

const UNSETTLED = { code: 'NOT_STATIONARY', values: { type: 'REGISTER', firstMs: 3, lastMs: 2 } }
const FAILED = {
  code: 'NOTHING_SUCCEEDED',
  values: { type: 'REGISTER', count: 500, outcomes: { TIMEOUT: 500 } }
}
const LOST = { code: 'OPERATIONS_FAILED', values: { type: 'REGISTER', outcomes: { TIMEOUT: 5 } } }
const LEFT = { code: 'LEFT_BEHIND', values: { text: 'a schema is left: drop it' } }
const BUSY = { code: 'GENERATOR_LIMITED', values: { busy: { utilization: 0.974, worker: 0 }, overheads: [] } }

/** @param {any[]} warnings */
const warned = warnings => warningsOf(sampleResult({ warnings }))

/** @param {AnyResult} result @param {string} id */
const tableOf = (result, id) => described(result).tables.find(table => table.id === id)

describe('warnings', () => {
  test('stand by harm: errors, what is left behind, failures, the load generator, the rest, and those of its scenario that are not said already', () => {
    const result = sampleResult({
      warnings: [{ code: 'SERVER_NOT_SAMPLED', values: {} }, UNSETTLED, BUSY, LOST, LEFT, FAILED]
    })
    const own = [
      { code: 'OWN', text: 'its own' },
      { code: 'NOT_STATIONARY', text: 'said already' }
    ]
    const { warnings } = describeRun(result, { describeResult: () => aDescription({ warnings: own }) })
    assert.equal(
      warnings.map(({ code }) => code).join(' '),
      'NOTHING_SUCCEEDED LEFT_BEHIND OPERATIONS_FAILED GENERATOR_LIMITED SERVER_NOT_SAMPLED NOT_STATIONARY OWN'
    )
  })

  test('begin with what broke the run off', () => {
    const reason = { code: 'SERVER_DIED', message: 'it died' }
    const [first, second] = warningsOf(
      sampleResult({ warnings: [UNSETTLED], result: { status: 'partial', reason } })
    )
    assert.equal(first, 'Partial result: it died')
    assert.match(second, /had not settled/)
  })

  test('say once of all operations, and of all workers, that the load generator limited the run', () => {
    const overheads = [
      { of: 'REGISTER', share: 0.99, ms: 8, overheadMs: 5 },
      { of: 'DISCOVER', share: 0.5, ms: 0.4, overheadMs: 0.25 }
    ]
    const texts = warned([{ ...BUSY, values: { ...BUSY.values, overheads } }])
    assert.equal(texts.length, 1)
    assert.match(
      texts[0],
      /^Generator-limited: worker 0 of the load generator was 97 % busy, client overhead is 5\.00 of 8\.00 ms at REGISTER p99 and client overhead is 0\.250 of 0\.400 ms at DISCOVER p50\./
    )
  })

  test('are in words, and one of a later version has its code and values', () => {
    assert.match(formatWarning(BUSY), /^Generator-limited: worker 0 of the load generator was 97 % busy\. /)
    assert.equal(formatWarning({ code: 'FROM_THE_FUTURE', values: { x: 1 } }), 'FROM_THE_FUTURE {"x":1}')
  })

  test('a run that ended without a reason says so', () =>
    assert.deepEqual(warningsOf(sampleResult({ result: { status: 'partial' } })), [
      'Partial result: the run did not end'
    ]))
})

test('a run in which nothing was measured can be described, with why', () => {
  const result = sampleResult({ result: { status: 'partial' }, outcome: { operations: {}, server: null } })
  const { tables, warnings } = describeRun(result, { describeResult: () => aDescription({ tables: [] }) })
  assert.deepEqual(
    tables.filter(({ rows }) => rows.length > 0),
    []
  )
  assert.equal(warnings.length, 1)
})

test('thresholds have a row each, which a terminal shows', () => {
  const asked = { metric: 'REGISTER.p99', operator: '<', limit: 50, unit: 'ms' }
  const table = tableOf(
    sampleResult({
      outcome: {
        thresholds: /** @type {any} */ ([
          { ...asked, text: 'REGISTER.p99 < 50ms', actual: 26, passed: true },
          { ...asked, text: 'REGISTER.p99 < 20ms', actual: 26, passed: false }
        ])
      }
    }),
    'thresholds'
  )
  assert.deepEqual(table?.rows, [
    ['✔ REGISTER.p99 < 50ms', '26.0 ms', 'passed'],
    ['✖ REGISTER.p99 < 20ms', '26.0 ms', 'failed']
  ])
  assert.equal(table?.terminal, true)
})

test('agents have a row each: what they did, and when they were lost', () => {
  const agent = {
    ...{ id: 'a', host: 'one', cores: 2, workers: [0, 2], operations: 500, busiest: 0.5 },
    ...{ overheadMs: 0.1, lateMs: 0, clock: { errorMs: 0.2, driftPpm: 3 }, lost: null }
  }
  const result = sampleResult()
  const gone = { ...agent, id: 'b', operations: null, busiest: null, clock: null, lost: { atMs: 1500 } }
  const run = /** @type {any} */ ({ ...result.run, agents: [agent, gone] })
  assert.deepEqual(tableOf({ ...result, run }, 'agents')?.rows, [
    ['a (one)', 2, '0, 2', 500, 50, 0.1, 0, 0.2, 3, 'no'],
    ['b (one)', 2, '0, 2', null, null, 0.1, 0, null, null, 'after 1.50 s']
  ])
  assert.deepEqual(tableOf(result, 'agents')?.rows, [])
})

test('a report says with what and on what a run was made: phases, every parameter, machine, versions', () => {
  const result = sampleResult({ options: { rate: '100/s' } })
  const state = /** @type {const} */ ('done')
  const phases = [{ name: 'setup', state, startMs: 0, durationMs: 912, detail: 'in a process' }]
  const [ofPhases, plan, environment] = makeRunTables({ ...result, run: { ...result.run, phases } })
  assert.deepEqual(ofPhases.rows, [['setup', 'done', 0, 0.912, 'in a process']])
  assert.deepEqual(
    plan.rows.map(([name]) => name),
    Object.keys(result.plan)
  )
  const values = Object.fromEntries([...plan.rows, ...environment.rows])
  assert.deepEqual([values.seed, values.target], ['1', '–'])
  assert.equal(values.Machine, '2 × some, linux x64')
  assert.deepEqual(values.Memory, { value: 8000, kind: 'MB' })
  assert.equal(values.node, '20.20.2')
})

test('when a run was made, and how long it took', () => {
  const { run } = sampleResult()
  assert.equal(formatRunTime(run, run), '2026-11-20 07:12 UTC · took 20.0 s · 2 cores, some')
  assert.equal(formatRunTime({ ...run, finishedAt: null }), '2026-11-20 07:12 UTC · its end was not written')
})

const HOST = {
  ...{ cores: 4, quotaCores: null, pressurePercent: 3.5, stealPercent: 0, clockSource: 'tsc' },
  ...{ openFiles: 1_048_576, namespaces: 63_704, congestionControl: 'bbr' },
  ...{ docker: true, nft: false, postgres: false, nats: true }
}
const UNKNOWN = {
  ...{ pressurePercent: null, stealPercent: null, clockSource: null },
  ...{ openFiles: null, namespaces: null, congestionControl: null }
}
const LATE = summary(9, { p50: time(0.1), p99: time(0.2), max: time(3) })

/** @param {Partial<import('../../src/measure/resources.js').Host>} [host] @param {import('../../src/report/schema.js').Summary} [late] */
const linesOf = (host, late = LATE) => Object.fromEntries(describeHost({ ...HOST, ...host }, late))

describe('what a machine is like', () => {
  test('is told with numbers and names', () => {
    assert.deepEqual(linesOf(), {
      cores: '4',
      'waiting for a core': 'a process did for 3.50 % of the last 10 s',
      'taken by other guests': '0 % of all cores since the start',
      'late timers': 'short sleeps were too long by p50 0.100 ms, p99 0.200 ms, max 3.00 ms',
      clock: 'tsc',
      'open files': 'up to 1,048,576',
      namespaces: 'up to 63,704 of users',
      TCP: 'bbr',
      programs: 'docker found, nft not found, postgres not found, nats found',
      'valid for': 'p99 from about 2.00 ms on: late timers change shorter ones by more than 10 %'
    })
  })

  test('names the cores that may be used where that is not all of them', () =>
    assert.equal(linesOf({ quotaCores: 1.5 }).cores, '4, of which 1.50 may be used'))

  test('is not known where the system does not tell it, which casts no doubt by itself', () => {
    const lines = linesOf(UNKNOWN)
    for (const what of ['clock', 'open files', 'namespaces', 'TCP']) assert.equal(lines[what], 'not known')
    for (const what of ['waiting for a core', 'taken by other guests']) assert.match(lines[what], /not known/)
    assert.match(lines['valid for'], /^p99 from about 2\.00 ms on/)
  })
})

describe('what a machine can be believed for', () => {
  test('goes by the latest timer where there are too few for a p99', () => {
    const few = linesOf({}, summary(9, { p50: time(0.1), p99: null, max: time(3) }))
    assert.equal(few['late timers'], 'short sleeps were too long by p50 0.100 ms, max 3.00 ms')
    assert.match(few['valid for'], /^p99 from about 30\.0 ms on/)
  })

  test('is not known where no timer was measured', () =>
    assert.match(linesOf({}, summary(0, { p50: null, p99: null, max: null }))['valid for'], /^not known: /))

  test('has every reason that speaks against it', () =>
    assert.equal(
      linesOf({ cores: 1, pressurePercent: 11, stealPercent: 2 })['valid for'],
      'no percentiles now, because processes wait for a core for more than 10 % of the time and other guests take more than 1 % of its cores and server and load generator share a core; counts and success rates are valid'
    ))
})

/** @typedef {import('../../src/plan/arrivals.js').Arrivals} Arrivals */

const spacing = 'constant'
/** @param {number} count */
const steps = count => ({
  shape: 'steps',
  spacing,
  ratesPerSecond: Array.from({ length: count }, (_, i) => 10 * (i + 1))
})
/** @param {number} amplitude @param {number | null} periodMs */
const waves = (amplitude, periodMs) => ({ shape: 'sine', amplitude, periodMs, spacing })
/** @param {object} parts */
const replay = parts => ({
  ...{ shape: 'replay', path: 'a.csv', unit: 'ms', column: null, speed: 1, count: 5 },
  ...parts
})

describe('a rate that changes is told as it was asked for', () => {
  /** @type {[string, object, string][]} at 100/s */
  const cases = [
    ['a ramp up', { shape: 'ramp', toPerSecond: 500, spacing }, '100/s rising to 500/s'],
    ['a ramp down', { shape: 'ramp', toPerSecond: 20, spacing }, '100/s falling to 20.0/s'],
    ['a few steps, each', steps(3), 'steps of 10.0/s, 20.0/s, 30.0/s'],
    ['many steps, the first and the last', steps(9), '9 steps from 10.0/s to 90.0/s'],
    ['waves as long as the run', waves(0.8, null), '100/s ± 80.0 % in waves of the whole duration'],
    ['waves', waves(0.5, 60_000), '100/s ± 50.0 % in waves of 1 min 0 s'],
    ['times that are kept', replay({}), 'the times in a.csv (5 arrivals)'],
    ['one, faster', replay({ count: 1, speed: 2 }), 'the times in a.csv (1 arrival, 2 times as fast)']
  ]
  for (const [what, arrivals, words] of cases)
    test(what, () => {
      assert.equal(describeRate(/** @type {Arrivals} */ (arrivals), 100), words)
      assert.equal(describeArrivals(/** @type {Arrivals} */ (arrivals), 100), words)
    })
})

test('arrivals by chance are named, at one rate and at one that changes', () => {
  assert.equal(describeRate('poisson', 100), '100/s')
  assert.equal(describeArrivals('poisson', 100), '100/s (poisson arrivals)')
  assert.equal(describeArrivals('constant', 100), '100/s (constant arrivals)')
  assert.equal(
    describeArrivals({ shape: 'ramp', toPerSecond: 500, spacing: 'poisson' }, 100),
    '100/s rising to 500/s (poisson arrivals)'
  )
})

/** @type {[Parameters<typeof describeStacks>[0], string[]][]} */
const CASES = [
  [{}, []],
  [{ stack: ['libp2p-3'], serverStack: null }, []],
  [{ stack: ['libp2p-3'], serverStack: 'libp2p-3' }, []],
  [{ stack: ['libp2p-2'] }, ['on libp2p-2']],
  [{ stack: ['libp2p-3', 'libp2p-2'] }, ['on libp2p-3 and libp2p-2 in turn']],
  [{ stack: ['libp2p-3'], serverStack: 'libp2p-2' }, ['server on libp2p-2']],
  [
    { stack: ['libp2p-2', 'libp2p-3'], serverStack: 'libp2p-3' },
    ['on libp2p-2 and libp2p-3 in turn', 'server on libp2p-3']
  ],
  [{ stack: ['libp2p-2'], serverStack: 'libp2p-3', target: '/ip4/127.0.0.1/tcp/1' }, ['on libp2p-2']]
]

for (const [plan, words] of CASES)
  test(`${JSON.stringify(plan)} is ${words.join(', ') || 'not worth a word'}`, () =>
    assert.deepEqual(describeStacks(plan), words))
