import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describePlan, describeResult } from '../../../src/scenarios/custom/describe.js'
import { digestOf, valid, widthOf } from '../../description-digest.js'
import { isAsRecorded } from '../../recorded.js'
import { readResult } from '../../scenarios.js'

const FILE = 'fixtures/results-0.1.0/custom/result.json'

const OWN = {
  ...{ title: 'mine', headline: 'All went well.', tiles: [] },
  tables: [{ id: 'own', title: 'Own', columns: [['Peers', 'count']], rows: [[3]] }],
  plots: [],
  warnings: [{ code: 'FEW_PEERS', text: 'There were few peers.' }]
}

describe('the description of a scenario of a user’s own', () => {
  test('that says nothing of its result is of its operations, as recorded', async () => {
    const result = await readResult(FILE)
    const description = valid(describeResult(result))
    assert.ok(widthOf(description.tables[0]) <= 80)
    isAsRecorded('description-custom.json', {
      plan: describePlan(result.plan),
      result: digestOf(description)
    })
  })

  test('begins with what the scenario said, and keeps its operations', async () => {
    /** @type {any} */
    const result = await readResult(FILE)
    result.outcome.description = OWN
    const { headline, tables, plots, warnings } = valid(describeResult(result))
    assert.equal(headline, OWN.headline)
    const actual = tables.map(({ id }) => id)
    assert.deepEqual(actual, ['own', 'operations', 'response-times', 'processes', 'machine-load'])
    assert.ok(plots.some(({ id, main }) => id === 'percentiles' && main))
    assert.deepEqual(warnings, OWN.warnings)
  })

  test('has what the scenario said in place of a table or plot with the same id, and one main plot', async () => {
    /** @type {any} */
    const result = await readResult(FILE)
    result.outcome.description = {
      ...OWN,
      tables: [{ ...OWN.tables[0], id: 'response-times' }],
      plots: [{ id: 'own-plot', title: 'Own', kind: 'lines', main: true, series: [] }]
    }
    const { tables, plots } = valid(describeResult(result))
    const actual = tables.slice(0, 2).flatMap(({ id, title }) => [id, title])
    assert.deepEqual(actual, ['response-times', 'Own', 'operations', 'Operations'])
    assert.deepEqual(
      plots.filter(({ main }) => main).map(({ id }) => id),
      ['own-plot']
    )
  })

  test('has outcomes and failures over time where operations failed', async () => {
    /** @type {any} */
    const result = await readResult(FILE)
    const { PAUSE } = result.outcome.operations
    Object.assign(PAUSE, { errors: 2, outcomes: { OK: PAUSE.count - 2, TIMEOUT: 2 } })
    PAUSE.histograms.TIMEOUT = PAUSE.histograms.OK
    result.outcome.perSecond.push({
      ...result.outcome.perSecond[0],
      outcome: 'TIMEOUT',
      histogram: [[9000, 2]]
    })
    const { tables, plots } = valid(describeResult(result))
    const outcomes = tables.find(({ id }) => id === 'outcomes')
    const actual = outcomes?.rows.flatMap(([, outcome, count]) => [outcome, count])
    assert.deepEqual(actual, ['OK', PAUSE.count - 2, 'TIMEOUT', 2])
    assert.ok(plots.some(({ id }) => id === 'failures'))
  })

  test('has ids that differ where the names of operations hardly do', async () => {
    /** @type {any} */
    const result = await readResult(FILE)
    const { PAUSE } = result.outcome.operations
    result.outcome.operations = { pause_: PAUSE, PAUSE, A__b: PAUSE }
    const ids = valid(describeResult(result)).plots.map(({ id }) => id)
    for (const id of ['distribution-pause-1', 'distribution-pause-2', 'distribution-a-b'])
      assert.ok(ids.includes(id), id)
  })

  test('of nothing measured has no table', async () => {
    /** @type {any} */
    const result = await readResult(FILE)
    Object.assign(result.outcome, { operations: {}, perSecond: [], measuredMs: 0 })
    const { headline, tables, plots } = valid(describeResult(result))
    assert.deepEqual([headline, tables, plots], ['No operation was measured.', [], []])
  })
})
