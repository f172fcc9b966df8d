import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { formatResult } from '../../../src/report/result-folder.js'
import { loadScenario } from '../../../src/scenarios/index.js'
import { readRelease } from '../../../src/studies/compare/releases.js'
import { sampleResult } from '../../report/sample-result.js'
import { times } from '../../scenarios/rendezvous/load-point.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { aQaDocument, aTrial } from '../qa/a-qa-document.js'

const base = temporaryFolder()
let folders = 0

/** @param {string} file @param {object | string} document */
async function kept(file, document) {
  const folder = join(base, String(folders++))
  await mkdir(folder)
  await writeFile(join(folder, file), typeof document === 'string' ? document : JSON.stringify(document))
  return folder
}

/** @param {string} file @param {object | string} document */
const released = async (file, document) => readRelease(await kept(file, document), loadScenario)

const HEAD = {
  schemaVersion: 1,
  id: 'x',
  status: 'complete',
  reason: null,
  startedAt: 'then',
  finishedAt: null
}
const SEARCH = {
  ...{ fromPerSecond: 10, mostPerSecond: 1e6, tolerance: 0.05, repeats: 0, blocks: 0, found: null },
  trials: [
    { ...aTrial(50, { rt: times(2) }), purpose: 'search', sustained: true, reasons: [] },
    { ...aTrial(100, null), purpose: 'search', sustained: false, reasons: [] }
  ]
}

describe('a release', () => {
  test('of a quality report has its cells, and the runs that can be read', async () => {
    const slope = { at: 20, before: 10, after: 5 }
    const folder = await kept('qa.json', aQaDocument({ rotation: { slope } }))
    await mkdir(join(folder, 'runs/examined-1'), { recursive: true })
    await writeFile(
      join(folder, 'runs/examined-1/result.json'),
      formatResult({ ...sampleResult(), id: 'first' })
    )
    const release = await readRelease(`${folder}/`, loadScenario)
    assert.deepEqual([release.label, release.id], [folder, '20261120-0712-qa-rendezvous'])
    assert.deepEqual(
      release.loads.map(({ size, perSecond, throughput, p50, p99, beyond }) => [
        ...[size, perSecond, throughput, p50?.ms, p99?.ms, beyond]
      ]),
      [
        [1, 50, 50, 1.8, 4, false],
        [1, 100, 50, 18, 40, true]
      ]
    )
    assert.deepEqual(
      [release.rotationSlope, release.rotationCame, release.rotationSeconds],
      [slope, 'all were seen', 60]
    )
    assert.deepEqual([release.runs.examined?.id, release.runs.rotation], ['first', null])
  })

  test('of a search has its trials that were measured', async () => {
    const { loads, runs, rotationCame, rotationSeconds } = await released('saturate.json', {
      ...HEAD,
      ...{ scenario: 'rendezvous', options: {}, seconds: 6, grid: null, search: SEARCH }
    })
    assert.deepEqual(
      loads.map(({ perSecond }) => perSecond),
      [50]
    )
    assert.deepEqual([runs, rotationCame, rotationSeconds], [{ examined: null, rotation: null }, null, 0])
  })

  test('of a grid has no p50 or p99 of a load with too few operations for one', async () => {
    const cells = ['p50', 'p99'].map(none => aTrial(50, { rt: { ...times(2), [none]: null } }))
    const grid = { rates: [50], connections: [1], cells, chosen: null }
    const { loads } = await released('saturate.json', {
      ...HEAD,
      ...{ scenario: 'rendezvous', options: {}, seconds: 6, grid, search: null }
    })
    assert.deepEqual(
      loads.flatMap(({ p50, p99 }) => [p50?.ms ?? null, p99?.ms ?? null]),
      [null, 4, 1.8, null]
    )
  })

  test('is neither a folder without loads nor one that cannot be read', async () => {
    await assert.rejects(released('ab.json', {}), /contains no loads that were tried/)
    await assert.rejects(released('notes.txt', 'x'), /contains no loads that were tried/)
    await assert.rejects(released('qa.json', '{'), /contains no qa\.json that can be read/)
  })
})
