import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { descriptionSchema } from '../../../src/report/schema.js'
import {
  describeHostileEffect,
  describePlan,
  describeResult,
  makeHostilePlots,
  makeHostileTables
} from '../../../src/scenarios/rendezvous/describe.js'
import { rowsOf, tableOf } from '../../description-digest.js'
import { isAsRecorded } from '../../recorded.js'
import { operation, sampleResult, summary, time } from '../../report/sample-result.js'
import { makePlanOf, readResult, scenarioNamed } from '../../scenarios.js'

/** @typedef {import('../../../src/report/schema.js').Description} Description */

/** Stored results: of each scenario, with what only some have. */
const STORED = [
  ...['rendezvous', 'agents', 'docker', 'partial', 'rotate-rendezvous'].map(
    name => `fixtures/results-0.1.0/${name}`
  ),
  ...['rendezvous', 'restart', 'cluster/cluster/killed', 'rotate-rendezvous'].map(
    name => `results/reference/${name}`
  ),
  'fixtures/studies/saturate-search-before/runs/02-search-800'
]

/** @param {string} path */
const describedFrom = async path => describeResult(await readResult(path))

const MAX_ROWS = 6

/** What is seen of a description; of plots and long tables how large they are. @param {Description} description */
const digest = ({ tables, plots, ...others }) => ({
  ...others,
  tables: tables.flatMap(({ rows, columns, ...table }) =>
    rows.length === 0
      ? []
      : {
          ...table,
          columns: columns.map(column => column.join(', ')).join(' | '),
          rows: rows.slice(0, MAX_ROWS).map(row => JSON.stringify(row)),
          more: Math.max(0, rows.length - MAX_ROWS)
        }
  ),
  plots: plots.map(({ id, kind, x, y, main, compared, series, spans, marks, cells, dots }) => ({
    id,
    axes: `${kind}: ${x} | ${y}`,
    series: series?.map(({ label, style, values }) => `${label}: ${values.length} ${style ?? ''}`.trim()),
    ...{ main, compared, spans, marks, cells: cells?.length, dots: dots?.length }
  }))
})

for (const path of STORED)
  test(`the description of ${path} is one`, async () => {
    const description = await describedFrom(path)
    assert.deepEqual(descriptionSchema.safeParse(description).error?.issues ?? [], [])
    assert.ok(JSON.stringify(description).length < 200_000)
    assert.equal(description.plots.filter(({ main }) => main).length, 1)
  })

for (const name of ['rendezvous', 'rotate-rendezvous'])
  test(`${name} is described as it was recorded`, async () =>
    isAsRecorded(`description-${name}.json`, digest(await describedFrom(`fixtures/results-0.1.0/${name}`))))

test('the columns are those of every result, of one without operations too', () => {
  const few = describeResult(sampleResult({ outcome: { operations: {}, server: null } })).tables[0]
  assert.deepEqual([few.columns, few.rows], [describeResult(sampleResult()).tables[0].columns, []])
})

test('lost operations are counted, and bound the times that they reach into', () => {
  const lost = operation({
    errors: 20,
    outcomes: { OK: 480, TIMEOUT: 15, E_UNAVAILABLE: 5 },
    all: summary(500, { p99: time(10_000, { censored: true }) })
  })
  const described = describeResult(sampleResult({ outcome: { operations: { DISCOVER: lost } } }))
  const [cells] = rowsOf(tableOf(described, 'operations'))
  assert.deepEqual([cells.Errors, cells.Lost, cells['p99 RT']], [20, 15, { atLeast: 10_000 }])
  assert.match(described.headline, /p99 > 10,000 ms.*; 20 of 500 failed\.$/)
  assert.equal(tableOf(described, 'outcomes').rows.length, 3)
})

test('nothing was measured', () => {
  const described = describeResult(sampleResult({ outcome: { operations: {}, server: null, measuredMs: 0 } }))
  assert.deepEqual([described.headline, described.plots], ['No operation was measured.', []])
  assert.deepEqual(described.tiles, [])
})

/** @type {readonly [scenario: string, options: Record<string, unknown>, what: string][]} */
const PLANS = [
  [
    'rendezvous',
    { nClients: 4, workers: 1, duration: '10s', server: 'process' },
    'REGISTER (refresh) for 10.0 s · 4 clients · our server, tuned, in a process'
  ],
  [
    'rendezvous',
    { benchmarkType: 'DISCOVER', nClients: 4, workers: 2, benchmarkRuns: 500, server: 'docker' },
    '500 DISCOVER · 4 clients in 2 processes · our server, tuned, in a Docker container'
  ],
  [
    'rendezvous',
    { benchmarkType: 'DISCOVER', rate: '100/s', duration: '5s', nClients: 1, server: 'process' },
    'DISCOVER at 100/s for 5.0 s · 1 client · our server, tuned, in a process'
  ],
  [
    'rendezvous',
    { nClients: 1, duration: '5s', server: 'process', stock: true },
    'REGISTER (refresh) for 5.0 s · 1 client · our server, stock, in a process'
  ],
  [
    'rendezvous',
    {
      ...{ nClients: 5, churn: '2,every=5s,away=2s', benchmarkType: 'DISCOVER', rate: '30/s' },
      ...{
        duration: '5m',
        ttl: '1m',
        discoverLimit: 100,
        initialRegistrations: 0,
        workers: 1,
        server: 'process'
      }
    },
    'DISCOVER at 30.0/s for 5 min 0 s · 5 clients · 3 stable and 2 ephemeral clients, one killed every 5.0 s, replaced after 2.0 s · our server, tuned, in a process'
  ],
  [
    'rendezvous',
    { hostile: 'slow,frames=2', rate: '200/s', nClients: '4', server: 'process' },
    'REGISTER (refresh) at 200/s for 2 min 36 s · 4 clients · hostile peers slow=1,frames=2 · our server, tuned, in a process'
  ]
]

for (const [scenario, options, what] of PLANS)
  test(`a plan of ${scenario}: ${what}`, () => {
    const { plan, problems } = makePlanOf(scenario, options, { cores: 2 })
    assert.ok(plan, JSON.stringify(problems))
    const described = describePlan(plan)
    assert.equal(described.what, what)
    for (const name of ['setup', 'warmup', 'measure', 'teardown'])
      assert.equal(described.phases[name].length, 2)
  })

/** @param {object} [more] */
const stretch = (more = {}) => ({
  ...{ count: 1000, failed: 0, failures: {}, p50Ms: 2, p99Ms: 4, censored: { p50: false, p99: false } },
  ...{ longestTurnMs: 5, rssBytes: 100e6, cpuPercent: 10 },
  ...more
})

/** @param {string | null} setAside @param {boolean} hostileFirst */
const pair = (setAside, hostileFirst) => ({
  ...{ hostileFirst, stealPercent: 0, setAside, quiet: stretch() },
  hostile: stretch({
    ...{ failed: 3, failures: { TIMEOUT: 3 }, p99Ms: 5000, censored: { p50: false, p99: true } },
    ...{ notSent: 0.2, recoveryMs: 750, recovered: false }
  })
})

const ratio = { quietMs: 2, hostileMs: 6, ratio: 3, low: 2.5, high: 3.5, atLeast: true }
const HOSTILE = {
  ...{ spreads: true, priority: 'SCHED_IDLE', unfinished: 1, left: { heap: 1.25, external: 2 } },
  pairs: [pair(null, false), pair('STOLEN', true), pair('NOT_CALM', false)],
  ...{ p50: ratio, p99: ratio, count: { quiet: 1000, hostile: 1000 }, failed: { quiet: 0, hostile: 3 } },
  longestTurnMs: { quiet: 5, hostile: 44 },
  rssBytes: { quiet: 100e6, hostile: 140e6 },
  cpuPercent: { quiet: 10, hostile: 20 },
  ...{ recoveryMs: 750, recovered: false, notSent: 0.2 }
}

/** @param {any} [hostile] @returns {any} */
const resultWith = (hostile = HOSTILE) => ({
  plan: { hostile: { frames: 2 }, hostileEveryMs: 10_000 },
  outcome: { hostile }
})

/** @param {string} id @returns {any} */
const tableOfDescribeHostile = id => makeHostileTables(resultWith()).find(table => table.id === id)

describe('a run with hostile peers', () => {
  it('has a row of quiet and one of hostile stretches, with lower bounds', () => {
    const table = tableOfDescribeHostile('hostile-peers')
    const [quiet, hostile] = rowsOf(table)
    assert.deepEqual([quiet.p99, quiet['× p99'], hostile['× p99']], [2, null, { atLeast: 3 }])
    assert.deepEqual([hostile['Recovery ms'], hostile['Heap left %']], [{ atLeast: 750 }, 125])
    assert.match(
      table.note,
      /^frames=2: 3 pairs of stretches; 1 set aside: .* busy.*; 1 set aside: other guests.*1 not over/
    )
  })

  it('has each stretch in the order it was measured in, and why a pair was set aside', () => {
    const { rows } = tableOfDescribeHostile('stretches')
    const actual = rows.map((/** @type {any[]} */ row) => row[1])
    assert.deepEqual(actual, ['quiet', 'hostile', 'hostile', 'quiet', 'quiet', 'hostile'])
    assert.match(rows[2].at(-1), /other guests/)
    assert.match(rows[1][4], /TIMEOUT/)
  })

  it('ends its headline with how much longer operations took', () => {
    assert.equal(
      describeHostileEffect(resultWith()),
      ' With hostile peers p99 was at least 6.00 ms, without them 2.00 ms (2.50 to 3.50 times as long, 95 % interval).'
    )
    assert.equal(makeHostilePlots(resultWith()).length, 1)
  })

  it('without any has no table and no plot', () => {
    const result = /** @type {any} */ ({ plan: {}, outcome: {} })
    const actual = [makeHostileTables(result), makeHostilePlots(result), describeHostileEffect(result)]
    assert.deepEqual(actual, [[], [], ''])
  })
})

describe('the figures of hostile peers', () => {
  /** @param {string} name @param {any} [outcome] */
  const read = (name, outcome = { hostile: HOSTILE }) =>
    /** @type {any} */ (scenarioNamed('rendezvous').figures.find(figure => figure.name === name)).read(
      outcome
    )

  it('are those of all pairs that count', () => {
    const names = [
      ...['ratio.p99', 'ratio.p99.high', 'errors', 'recovery', 'longestTurn', 'memory.added'],
      'heap.left'
    ]
    const actual = names.map(name => read(`hostile.${name}`).value)
    assert.deepEqual(actual, [3, 3.5, 3, 750, 44, 40, 125])
    for (const name of ['ratio.p99', 'recovery']) assert.ok(read(`hostile.${name}`).atLeast)
  })

  it('are not known without them, or where the server does not say', () => {
    assert.equal(read('hostile.errors', {}).value, null)
    const unknown = { hostile: { ...HOSTILE, left: null, longestTurnMs: { quiet: null, hostile: null } } }
    for (const name of ['heap.left', 'longestTurn'])
      assert.equal(read(`hostile.${name}`, unknown).value, null)
  })
})
