import assert from 'node:assert/strict'
import { test } from 'node:test'
import { descriptionSchema } from '../../../src/report/schema.js'
import { describePlan, describeResult } from '../../../src/scenarios/rendezvous/describe.js'
import { isAsRecorded } from '../../recorded.js'
import { operation, sampleResult, summary, time } from '../../report/sample-result.js'
import { makePlanOf, readResult } from '../../scenarios.js'

/** @typedef {import('../../../src/report/schema.js').Description} Description */

/** Stored results: of each scenario, with what only some have. */
const STORED = [
  ...['rendezvous', 'agents', 'docker', 'partial', 'rotate-rendezvous'].map(
    name => `fixtures/results-0.1.0/${name}`
  ),
  ...['rendezvous', 'many-clients', 'restart', 'hour', 'capacity-run/runs/killed', 'rotate-rendezvous'].map(
    name => `results/reference/${name}`
  ),
  'fixtures/studies/saturate-search-before/runs/02-search-800'
]

/** @param {string} path */
const describedFrom = async path => describeResult(await readResult(path))

/** The source has these, in this order. */
const SOURCE = [
  ...['Type', 'Clients', 'Io Reg', 'Namespaces', 'Ops', 'Avg RT', 'Median RT', 'Max RT'],
  ...['Avg CPU', 'Median CPU', 'Max CPU', 'Avg Mem', 'Median Mem', 'Max Mem']
]

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

/** @param {Description} description @param {string} id */
const tableOf = ({ tables }, id) => {
  const found = tables.find(table => table.id === id)
  assert.ok(found, `there is no table ${id}`)
  return found
}

/** Cells of a row by heading. @param {Description} description @param {string} id @param {number} [row] */
function cellsOf(description, id, row = 0) {
  const { columns, rows } = tableOf(description, id)
  return Object.fromEntries(columns.map(([heading], i) => [heading, rows[row][i]]))
}

for (const path of STORED)
  test(`the description of ${path} is one`, async () => {
    const description = await describedFrom(path)
    assert.deepEqual(descriptionSchema.safeParse(description).error?.issues ?? [], [])
    assert.ok(JSON.stringify(description).length < 200_000)
    assert.equal(description.plots.filter(({ main }) => main).length, 1)
  })

for (const name of ['rendezvous', 'rotate-rendezvous'])
  test(`${name} is described as it was recorded`, async () => {
    isAsRecorded(`description-${name}.json`, digest(await describedFrom(`fixtures/results-0.1.0/${name}`)))
  })

test('the first columns are those of the source, of every result the same', () => {
  const few = describeResult(sampleResult({ outcome: { operations: {}, server: null } })).tables[0]
  const many = describeResult(sampleResult()).tables[0]
  assert.deepEqual(
    many.columns.slice(0, SOURCE.length).map(([heading]) => heading),
    SOURCE
  )
  assert.deepEqual(few.columns, many.columns)
  assert.deepEqual(few.rows, [])
})

test('a terminal has room for the columns that are not wide', () => {
  const { columns } = describeResult(sampleResult()).tables[0]
  assert.deepEqual(
    columns.flatMap(([heading, , where]) => (where === 'wide' ? [] : heading)),
    ['Type', 'Ops', 'Median RT', 'Max RT', 'p90 RT', 'p95 RT', 'p99 RT', 'Errors', 'Op/s']
  )
})

test('at full load the note says what to try', () => {
  const { note, rows } = describeResult(
    sampleResult({ outcome: { operations: { REGISTER: operation({ throughputPerSecond: 2948 }) } } })
  ).tables[0]
  assert.match(
    note ?? '',
    /At full load: times are clients ÷ throughput; for latency with room: --rate 1000\./
  )
  assert.equal(rows.length, 1)
})

test('at a rate, times count from when operations were due', () => {
  const { note } = describeResult(sampleResult({ options: { rate: '100/s', duration: '10s' } })).tables[0]
  assert.match(note ?? '', /Times count from when an operation was due\./)
})

test('lost operations are counted, and bound the times that they reach into', () => {
  const lost = operation({
    errors: 20,
    outcomes: { OK: 480, TIMEOUT: 15, E_UNAVAILABLE: 5 },
    all: summary(500, { p99: time(10_000, { censored: true }) })
  })
  const described = describeResult(sampleResult({ outcome: { operations: { DISCOVER: lost } } }))
  const cells = cellsOf(described, 'operations')
  assert.deepEqual([cells.Errors, cells.Lost, cells['p99 RT']], [20, 15, { atLeast: 10_000 }])
  assert.match(described.headline, /p99 > 10,000 ms.*; 20 of 500 failed\.$/)
  assert.equal(tableOf(described, 'outcomes').rows.length, 3)
})

test('REGISTER says whether it refreshes', () => {
  const described = describeResult(sampleResult())
  assert.match(
    described.headline,
    /^REGISTER \(refresh\) 250\/s \(p50 15\.0 ms, p99 26\.0 ms\) with \d+ clients; none failed\.$/
  )
  assert.equal(cellsOf(described, 'operations').Mode, 'refresh')
})

test('nothing was measured', () => {
  const described = describeResult(sampleResult({ outcome: { operations: {}, server: null, measuredMs: 0 } }))
  assert.equal(described.headline, 'No operation was measured.')
  assert.deepEqual(described.plots, [])
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
