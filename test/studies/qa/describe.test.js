import assert from 'node:assert/strict'
import test from 'node:test'
import { descriptionSchema } from '../../../src/report/schema.js'
import { judgeParts } from '../../../src/studies/qa/baseline.js'
import { describeQa } from '../../../src/studies/qa/describe.js'
import { isAsRecorded } from '../../recorded.js'
import { measuredResult } from '../../report/measured-result.js'
import { times } from '../../scenarios/rendezvous/load-point.js'
import { summaryOf } from '../described.js'
import { aQaDocument, aTrial } from './a-qa-document.js'

/**
 * @typedef {import('../../../src/report/schema.js').Description} Description
 * @typedef {import('../../../src/studies/qa/qa-document.js').QaDocument} QaDocument
 */

/** @type {Pick<Description, 'tables' | 'plots'>} */
const GRID = {
  tables: [
    { id: 'grid', title: 'Grid', columns: [['Rate /s', 'number']], rows: [[50], [100]], terminal: true }
  ],
  plots: [{ id: 'latency-throughput', title: 'Latency against throughput', kind: 'lines', main: true }]
}

/** @param {QaDocument} document @param {Partial<Parameters<typeof describeQa>[1]>} [more] */
function describe(document, more) {
  const described = describeQa(document, {
    ...{ grid: GRID, runs: new Map(), results: new Map(), rotating: [] },
    ...more
  })
  descriptionSchema.parse(described)
  return described
}

/** A baseline, and a report of a release whose times are twice as long. */
function compared() {
  const slower = aQaDocument({
    examined: {
      trials: [4, 4.04, 3.96].map((ms, i) =>
        aTrial(50, { rt: times(ms) }, { name: `examined-${i + 1}`, run: `runs/examined-${i + 1}` })
      ),
      machine: {
        'examined-1': [
          { at: 0, load1: 0.5, sockets: 12 },
          { at: 1, load1: 0.75, sockets: null }
        ]
      }
    }
  })
  return { ...slower, held: judgeParts(aQaDocument(), slower, []) }
}

/** @param {Description} description @param {string} id */
const tableOf = ({ tables }, id) => tables.find(table => table.id === id)

test('a baseline is described by the load it sustained', () => {
  const described = describe(aQaDocument())
  assert.equal(
    described.headline,
    'Quality of rendezvous, no baseline: sustained 50/s (r=50, c=1), not 100/s (r=100, c=1). Objective: p99 < 50ms, errorRate < 0.1%, achieved >= 99%.'
  )
  assert.deepEqual(described.tiles[0], ['Verdict', 'baseline', 'text'])
  assert.equal(tableOf(described, 'verdicts'), undefined)
  assert.deepEqual(
    described.tables[0].rows.map(([step]) => step),
    ['Sustained', 'Not sustained', 'Examined', 'Steady', 'Churn']
  )
})

test('a report against a baseline has the verdict of each part, and each figure that it follows from', () => {
  const document = compared()
  const described = describe(document)
  assert.match(described.headline, /^Quality of rendezvous, FAIL against .*; failed: response times/)
  const times = tableOf(described, 'compared-figures')?.rows.find(([, title]) => title === 'p50, ms')
  assert.deepEqual([times?.[2], times?.at(-1)], [document.held.parts[1].figures[0].before, 'FAIL'])
})

test('a report is described as it was recorded', () =>
  isAsRecorded('description-qa.json', summaryOf(describe(compared()))))

test('its tables are those of the grid, too, and a terminal shows its own', () => {
  const described = describe(compared())
  assert.deepEqual(tableOf(described, 'grid')?.rows, [[50], [100]])
  assert.equal(
    described.tables
      .filter(({ terminal }) => terminal)
      .map(({ id }) => id)
      .join(' '),
    'verdicts'
  )
})

test('runs are drawn over each other, as far as they can be read', () => {
  const run = (/** @type {number} */ ms) => ({
    ...{ title: '', headline: '', tiles: [], tables: [] },
    warnings: [{ code: 'SHORT', text: 'The run was short.' }],
    plots: [
      {
        ...{ id: 'latency', title: 'Latency', kind: /** @type {const} */ ('lines'), compared: true },
        series: [{ label: 'p50', values: [[0, ms]] }]
      }
    ]
  })
  const described = describe(aQaDocument(), {
    runs: new Map([
      ['runs/examined-1', run(2)],
      ['runs/steady', run(1)]
    ])
  })
  const plot = described.plots.find(({ id }) => id === 'steps-latency')
  assert.equal(plot?.series?.map(({ label }) => label).join(' '), 'examined-1 steady')
  assert.deepEqual(described.warnings, [
    { code: 'SHORT', text: 'All 2 runs, for example: The run was short.' }
  ])
})

test('what was carried since the beginning is drawn from the results of runs', () => {
  const result = measuredResult()
  const described = describe(aQaDocument(), { results: new Map([['runs/examined-1', result]]) })
  const plot = described.plots.find(({ id }) => id === 'carried')
  assert.equal(plot?.series?.[0].label, 'examined-1')
  assert.ok(described.plots.some(({ id }) => id === 'zoom'))
})

test('what failed, and what was left out, is said', () => {
  const document = aQaDocument({
    quick: true,
    grid: {
      cells: [aTrial(50), aTrial(100, null, { reason: { code: 'LOST', message: 'the server ended' } })]
    },
    rotation: { why: 'there is one client', plan: null, run: null }
  })
  const described = describe(document)
  assert.equal(described.warnings.map(({ code }) => code).join(' '), 'RUN_FAILED QUICK NO_CHURN')
  assert.match(described.warnings[0].text, /the server ended$/)
  assert.equal(tableOf(described, 'churn'), undefined)
})

test('a report that has only begun is described, too', () => {
  const { grid, ...document } = aQaDocument({ steady: null })
  const described = describe({
    ...document,
    grid: { ...grid, cells: [], chosen: null },
    examined: { ...document.examined, cell: null, trials: [] },
    on: null
  })
  assert.equal(
    described.headline,
    'Quality of rendezvous, no baseline: no load was sustained. Objective: p99 < 50ms, errorRate < 0.1%, achieved >= 99%.'
  )
})
