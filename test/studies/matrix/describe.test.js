import assert from 'node:assert/strict'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { makeTimeCell, makeTimesTable } from '../../../src/report/description.js'
import { descriptionSchema } from '../../../src/report/schema.js'
import { loadScenario } from '../../../src/scenarios/index.js'
import { describeMatrix } from '../../../src/studies/matrix/describe.js'
import { listRows, MATRIX_DOCUMENT, readRowResults } from '../../../src/studies/matrix/matrix-document.js'
import { isAsRecorded } from '../../recorded.js'
import { scenarioNamed } from '../../scenarios.js'
import { summaryOf } from '../described.js'
import { madeUpMatrix } from './made-up-matrix.js'

/**
 * @typedef {import('../../../src/report/schema.js').Description} Description
 * @typedef {import('../../../src/studies/matrix/matrix-document.js').MatrixDocument} MatrixDocument
 */

/** @type {import('../../../src/studies/matrix/row-table.js').RowFigures} */
const FIGURES = {
  columns: {
    benchmarkType: 'Type',
    nClients: 'Clients',
    initialRegistrations: 'Registrations',
    rtMs: ['Avg ms', 'p50 ms', 'Max ms'],
    cpuPercent: ['Avg CPU %', 'Median CPU %', 'Max CPU %'],
    memoryMb: ['Avg memory MB', 'Median memory MB', 'Max memory MB']
  }
}

/** @param {string} name */
const scenarioOf = name => ({ ...scenarioNamed(name), rowFigures: FIGURES })

/** A small description of a run, until that of its scenario. @param {any} result @returns {Description} */
function describedRun({ plan, outcome }) {
  const operations = /** @type {[string, any][]} */ (Object.entries(outcome.operations))
  return {
    ...{ title: 'REGISTER', headline: 'Done.', tiles: [] },
    tables: [
      {
        ...{ id: 'operations', title: 'Operations' },
        columns: [
          ['Type', 'text'],
          ['Clients', 'count', 'wide'],
          ['Registrations', 'count'],
          ['Avg ms', 'ms'],
          ['p50 ms', 'ms'],
          ['Avg memory MB', 'MB']
        ],
        rows: operations.map(([type, { rt }]) => [
          ...[type, plan.nClients, plan.initialRegistrations],
          ...[
            makeTimeCell(rt.all.avg),
            makeTimeCell(rt.all.p50),
            (outcome.server?.memory.averageBytes ?? 0) / 1e6
          ]
        ])
      },
      makeTimesTable(operations.map(([type, { rt }]) => [type, rt.all]))
    ],
    plots: [
      {
        ...{ id: 'hops', title: 'Hops', kind: 'bars', x: 'Hops', y: 'Messages', compared: true },
        series: [
          {
            label: 'Messages',
            values: [
              [0.6, 1.4, 1],
              [1.6, 2.4, plan.nClients]
            ]
          }
        ]
      }
    ],
    warnings: [{ code: 'SHORT', text: 'The run was short.' }]
  }
}

/** @param {{ document: MatrixDocument, results: ReadonlyMap<string, any> }} made @param {Partial<Parameters<typeof describeMatrix>[1]>} [more] */
const describe = ({ document, results }, more) =>
  describeMatrix(document, {
    runs: new Map([...results].map(([id, result]) => [id, describedRun(result)])),
    scenarioOf,
    ...more
  })

/** @param {Description} description @param {string} id */
const tableOf = ({ tables }, id) =>
  /** @type {Description['tables'][number]} */ (tables.find(table => table.id === id))

/** @param {Description} description @param {string} id @param {string} heading */
function columnOf(description, id, heading) {
  const { columns, rows } = tableOf(description, id)
  const place = columns.findIndex(([own]) => own === heading)
  return place < 0 ? null : rows.map(row => row[place])
}

test('a stored matrix is described as it was recorded', async () => {
  const folder = fileURLToPath(new URL('../../../fixtures/results-0.1.0/matrix', import.meta.url))
  const document = /** @type {MatrixDocument} */ (await MATRIX_DOCUMENT.read(folder))
  const read = await Promise.all(listRows(document).map(row => readRowResults(folder, row, loadScenario)))
  const described = describe({ document, results: new Map(read.flat()) })
  descriptionSchema.parse(described)
  isAsRecorded('description-matrix.json', summaryOf(described))
})

test('published figures stand beside measured ones as numbers', () => {
  const described = describe(madeUpMatrix())
  descriptionSchema.parse(described)
  assert.deepEqual(columnOf(described, 'rendezvous-register', 'p50 ms published')?.slice(0, 3), [
    null,
    15,
    14
  ])
  const [headings] = [tableOf(described, 'rendezvous-register').columns.map(([heading]) => heading)]
  assert.equal(headings.indexOf('p50 ms published'), headings.indexOf('p50 ms') + 1)
  // no run has it
  assert.ok(headings.includes('Max CPU % published'))
})

test('rows that failed and rows that were not run say so, and have the columns of their plans', () => {
  const described = describe(madeUpMatrix())
  assert.deepEqual(columnOf(described, 'rendezvous-register', 'Status')?.slice(2, 5), [
    'complete',
    'failed',
    'not run'
  ])
  assert.deepEqual(columnOf(described, 'rendezvous-register', 'Clients')?.slice(2, 5), [5, 10, 100])
  assert.match(described.headline, /32 of 34 rows measured, 1 failed, 1 not run\.$/)
  assert.deepEqual(described.warnings[0], {
    code: 'ROW_FAILED',
    text: 'rendezvous-register/c10-r1000-ns10-ops500: failed: the server ended'
  })
})

test('a matrix of which nothing was run is described, too', () => {
  const { document } = madeUpMatrix()
  const described = describe({ document, results: new Map() })
  descriptionSchema.parse(described)
  assert.deepEqual(described.plots, [])
})

test('what a terminal shows fits into 80 columns', () => {
  const described = describe(madeUpMatrix())
  for (const { columns } of described.tables.filter(({ terminal }) => terminal)) {
    const shown = columns.filter(([, , where]) => where !== 'wide')
    assert.ok(shown.length > 1)
    assert.ok(shown.map(([heading]) => heading).join('  ').length <= 80)
  }
})

test('what rows differ in is shown where their names are too long, and not where they say it', () => {
  const { document, results } = madeUpMatrix()
  const shown = (/** @type {MatrixDocument} */ of) =>
    describe({ document: of, results }).tables[0].columns.flatMap(([heading, , where]) =>
      where === 'wide' ? [] : heading
    )
  assert.equal(shown(document)[0], 'Row')
  assert.ok(!shown(document).includes('Clients'))
  for (const row of document.tables[0].rows) row.name = `${row.name}-${'x'.repeat(30)}`
  assert.ok(shown(document).includes('Clients'))
  assert.ok(!shown(document).includes('Row'))
})

test('figures are drawn over what rows differ in, runs over each other, with fits', () => {
  const described = describe(madeUpMatrix())
  const titles = described.plots.map(({ title }) => title)
  assert.ok(titles.includes('REGISTER: Avg memory MB over Registrations'))
  const hops = described.plots.find(({ id }) => id === 'rendezvous-register-hops')
  assert.equal(hops?.y, 'Share, %')
  const growth = tableOf(described, 'growth')
  assert.ok(growth.rows.some(row => row[1] === 'Avg memory MB' && row[2] === 'Registrations'))
})

test('the verdict of thresholds has a column where there are thresholds', () => {
  const made = madeUpMatrix()
  assert.equal(columnOf(describe(made), 'rendezvous-register', 'Thresholds'), null)
  const [row] = listRows(made.document)
  const described = describe(made, { verdicts: new Map([[row.id, 'FAIL']]) })
  assert.deepEqual(columnOf(described, 'rendezvous-register', 'Thresholds')?.slice(0, 2), ['FAIL', null])
})

test('figures that were published at another rate stand apart', () => {
  const { document, results } = madeUpMatrix()
  const [row] = listRows(document)
  row.atAnotherRate = { reference: { rtMs: [1, 2, 3] }, ratePerSecond: 200, intervalMs: { min: 0, max: 0 } }
  assert.deepEqual(tableOf(describe({ document, results }), 'published-at-another-rate').rows, [
    [row.id, 'Avg ms', 1, 200],
    [row.id, 'p50 ms', 2, 200],
    [row.id, 'Max ms', 3, 200]
  ])
})

test('rows of several runs have their spread, and each attempt', () => {
  const { document, results } = madeUpMatrix()
  const [row] = listRows(document)
  const attempts = [1, 2, 3].map(run => ({
    ...{ run, status: /** @type {const} */ ('complete'), result: `run-${run}`, tookMs: 1000 },
    ...{ pressurePercent: run, stealPercent: 0 }
  }))
  Object.assign(row, { runs: 3, attempts })
  for (const [i, { result }] of attempts.entries()) {
    const made = structuredClone(/** @type {any} */ (results.get(row.id)))
    made.outcome.server.memory.averageBytes = (i + 1) * 1e8
    results.set(result, made)
  }
  const described = describe({ document, results })
  assert.deepEqual(columnOf(described, 'rendezvous-register-spread', 'Avg memory MB'), [100, 200, 300])
  assert.deepEqual(columnOf(described, 'attempts', 'Counts')?.slice(0, 3), ['yes', 'yes', 'yes'])
})

test('scaled rows have what they would have had', () => {
  const { document, results } = madeUpMatrix()
  const [row] = listRows(document)
  row.unscaled = { benchmarkRuns: 5000 }
  const described = describe({
    document: { ...document, request: { ...document.request, scale: 0.1 } },
    results
  })
  assert.equal(columnOf(described, 'rendezvous-register', 'benchmarkRuns unscaled')?.[0], 5000)
  assert.equal(described.warnings[0].code, 'SCALED')
})
