import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { removeTimeSeries, selectResultToKeep } from '../../../src/report/result-folder.js'
import { isRowComplete, MATRIX_DOCUMENT } from '../../../src/studies/matrix/matrix-document.js'
import { makeStudyFolder } from '../../../src/studies/study.js'
import { planned } from '../../plan/planned.js'
import { SERVER, sampleResult } from '../../report/sample-result.js'
import { aGossipResult } from '../../scenarios/gossip/a-gossip-result.js'
import { emptyBeforeEach, temporaryFolder } from '../../temporary-folder.js'

describe('a row is finished', () => {
  const plan = planned({ benchmarkType: 'MIXED', nClients: '7', rate: '5' })
  // as it comes back from a file
  const stored = JSON.parse(JSON.stringify(plan))
  /** @param {object} parts */
  const result = parts => ({ ...sampleResult(), plan: stored, ...parts })

  /** @type {[string, any, boolean][]} */
  const cases = [
    ['with a complete result of the same plan', result({}), true],
    ['not without a result', null, false],
    ['not with a partial one', result({ status: 'partial' }), false],
    ['not with another seed', result({ plan: { ...stored, seed: 2 } }), false],
    ['not with another mix', result({ plan: { ...stored, mix: { ...stored.mix, register: 0.2 } } }), false],
    ['not with a parameter that the other does not know', result({ plan: { ...stored, later: 1 } }), false],
    ['not with a file that is something else', {}, false]
  ]
  for (const [what, kept, finished] of cases)
    test(what, () => assert.equal(isRowComplete(plan, kept), finished))
})

test('a compact result has all figures, and no time series', () => {
  const server = { ...SERVER, series: [{ atMs: 1, cpuPercent: 2, rssBytes: 3 }] }
  const perSecond = [{ second: 0, type: /** @type {const} */ ('REGISTER'), outcome: 'OK', histogram: [] }]
  const result = sampleResult({ outcome: { server, perSecond } })
  const { outcome, ...small } = removeTimeSeries(result)
  assert.deepEqual([outcome.perSecond, outcome.server?.series], [[], []])
  assert.deepEqual({ ...small, outcome: { ...outcome, perSecond, server } }, result)
  assert.equal(removeTimeSeries(sampleResult({ outcome: { server: null } })).outcome.server, null)
})

test('of a run under way what only plots need is not kept in memory, of one that has ended all is', () => {
  const perSecond = [{ second: 0, type: /** @type {const} */ ('REGISTER'), outcome: 'OK', histogram: [] }]
  const result = sampleResult({ outcome: { perSecond } })
  assert.deepEqual(selectResultToKeep({ type: 'partial', result }), removeTimeSeries(result))
  assert.equal(selectResultToKeep({ type: 'result', result }), result)
})

test('a compact result of gossip has all figures and distributions, and no time series', () => {
  const result = aGossipResult({ options: { nodes: '10', messages: '20' } })
  const { outcome } = removeTimeSeries(result)
  assert.deepEqual([outcome.perSecond, outcome.timeline, outcome.mesh.series], [[], [], []])
  assert.ok(outcome.resources.every(({ series }) => series.length === 0))
  const { perSecond, timeline, mesh, resources } = result.outcome
  assert.deepEqual({ ...outcome, perSecond, timeline, mesh, resources }, result.outcome)
  assert.ok(JSON.stringify(outcome).length < JSON.stringify(result.outcome).length)
})

describe('the folder of a matrix', () => {
  const base = temporaryFolder()
  emptyBeforeEach(base)

  test('is named by its local time and its name, and never taken twice', async () => {
    const time = new Date(2026, 10, 2, 7, 5)
    const folders = [
      await makeStudyFolder(base, time, 'matrix-smoke'),
      await makeStudyFolder(base, time, 'matrix-smoke')
    ]
    assert.deepEqual(
      folders.map(({ id }) => id),
      ['20261102-0705-matrix-smoke', '20261102-0705-matrix-smoke-2']
    )
  })

  test('holds a document that comes back as it was written', async () => {
    const row = { name: 'a', plan: { nodes: 5 }, unscaled: { nodes: 9 }, atAnotherRate: null, blocked: 'why' }
    const tables = [{ id: 't', scenario: 'gossip', rows: [row] }]
    const document = /** @type {any} */ ({ schemaVersion: 1, id: 'x', tables })
    await MATRIX_DOCUMENT.write(base, document)
    assert.deepEqual(await MATRIX_DOCUMENT.read(base), document)
  })

  test('may hold a document of before there were other scenarios', async () => {
    const rows = [
      { name: 'a', plan: { benchmarkRuns: 50 }, caseOperations: 500 },
      { name: 'b', plan: { benchmarkRuns: 500 }, caseOperations: 500 },
      { name: 'c', plan: { benchmarkRuns: null }, caseOperations: null }
    ]
    await MATRIX_DOCUMENT.write(base, /** @type {any} */ ({ schemaVersion: 1, tables: [{ id: 't', rows }] }))
    const [table] = (await MATRIX_DOCUMENT.read(base))?.tables ?? []
    assert.equal(table.scenario, 'rendezvous')
    assert.deepEqual(
      table.rows.map(({ unscaled, blocked, atAnotherRate }) => ({ unscaled, blocked, atAnotherRate })),
      [{ benchmarkRuns: 500 }, {}, {}].map(unscaled => ({ unscaled, blocked: null, atAnotherRate: null }))
    )
  })

  for (const [what, text] of [
    ['cut short', '{"schemaVersion": 1'],
    ['something else', '{}'],
    ['of a later version', '{"schemaVersion": 2}']
  ])
    test(`may hold a document that is ${what}`, async () => {
      await writeFile(join(base, 'matrix.json'), text)
      assert.equal(await MATRIX_DOCUMENT.read(base), null)
    })
})
