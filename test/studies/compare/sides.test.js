import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { formatResult } from '../../../src/report/result-folder.js'
import { loadScenario } from '../../../src/scenarios/index.js'
import { readSide, readSides } from '../../../src/studies/compare/sides.js'
import { sampleResult } from '../../report/sample-result.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { aQaDocument, aTrial } from '../qa/a-qa-document.js'
import { comparisonSample } from './comparison-sample.js'

const base = temporaryFolder()

/** @param {string} path @param {object} document */
async function put(path, document) {
  const file = join(base, path)
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, JSON.stringify(document))
}

/** @param {string} path @param {'complete' | 'partial'} [status] */
async function putRun(path, status = 'complete') {
  await mkdir(join(base, path), { recursive: true })
  await writeFile(join(base, path, 'result.json'), formatResult({ ...sampleResult(), id: path, status }))
}

/** @param {(string | null)[][]} runs - of each side */
function documentOf(runs) {
  const { document } = comparisonSample({ slower: [1.3, 1.5].slice(0, runs.length - 1) })
  return { ...document, sides: document.sides.map((side, place) => ({ ...side, runs: runs[place] })) }
}

/** @param {string} path */
const side = path => readSide(join(base, path), loadScenario)
/** @param {{ results: { id: string }[] }} read */
const idsOf = ({ results }) => results.map(({ id }) => id)

describe('a side of a comparison', () => {
  test('is a run, or all runs of a folder that came to their end', async () => {
    await putRun('runs/1')
    await putRun('runs/2', 'partial')
    await putRun('runs/3')
    const one = await side('runs/1/')
    assert.deepEqual([one.label, idsOf(one), one.leftOut], [join(base, 'runs/1'), ['runs/1'], []])
    const all = await side('runs')
    assert.deepEqual([idsOf(all), all.leftOut], [['runs/1', 'runs/3'], ['runs/2']])
    await assert.rejects(side('runs/2'), /contains no complete run/)
  })

  test('is the runs of an arm of ab that belong to its pairs, not what was broken off before it was gone on with', async () => {
    await put(
      'gone-on/comparison.json',
      documentOf([
        ['a/1', 'a/2-2', 'a/3'],
        ['b/1', 'b/2', null]
      ])
    )
    for (const run of ['a/1', 'a/2', 'a/2-2', 'a/3', 'b/1', 'b/2']) await putRun(`gone-on/${run}`)
    const [a, b] = [await side('gone-on/a'), await side('gone-on/b/')]
    assert.deepEqual(idsOf(a), ['gone-on/a/1', 'gone-on/a/2-2'])
    assert.deepEqual(idsOf(b), ['gone-on/b/1', 'gone-on/b/2'])
    assert.deepEqual([a.label, a.study, b.study], [join(base, 'gone-on/a'), join(base, 'gone-on'), a.study])
  })

  test('is the complete runs of a plan that was repeated, wherever an earlier version kept them', async () => {
    await put('repeated/comparison.json', documentOf([['a/1', null]]))
    await putRun('repeated/a/1')
    assert.deepEqual(idsOf(await side('repeated')), ['repeated/a/1'])
    const runs = { schemaVersion: 1, runs: ['runs/1'], plan: {}, held: null }
    await put('earlier/runs.json', runs)
    await putRun('earlier/runs/1')
    for (const path of ['earlier', 'earlier/runs'])
      assert.deepEqual(idsOf(await side(path)), ['earlier/runs/1'])
  })

  test('is the runs of the cell that a quality report examined', async () => {
    await put(
      'qa/qa.json',
      aQaDocument({
        examined: { trials: [aTrial(50, {}, { run: 'runs/x' }), aTrial(50, null, { run: null })] }
      })
    )
    await putRun('qa/runs/x')
    assert.deepEqual(idsOf(await side('qa')), ['qa/runs/x'])
  })

  test('is nothing of a quality report that examined nothing, or cannot be read', async () => {
    await put('qa-early/qa.json', aQaDocument({ examined: { trials: [] } }))
    await put('qa-broken/qa.json', {})
    for (const name of ['qa-early', 'qa-broken'])
      await assert.rejects(side(name), /is a quality report without a run of the examined cell/)
  })

  test('is no study of several plans: what to name instead is said', async () => {
    for (const [name, file] of [
      ['m', 'matrix.json'],
      ['s', 'saturate.json']
    ])
      await put(`${name}/${file}`, {})
    await put('ab/ab.json', {})
    await assert.rejects(side('ab'), /contains no comparison\.json that can be read/)
    await put('two/comparison.json', documentOf([[null], [null]]))
    await put('three/comparison.json', documentOf([[null], [null], [null]]))
    await assert.rejects(side('m'), /name the folders of two of its rows/)
    await assert.rejects(side('two'), /contains the runs of two plans: name .*two\/a or .*two\/b$/)
    await assert.rejects(side('three'), /contains the runs of 3 plans: name .*\/a or .*\/b or .*\/c$/)
    await assert.rejects(side('s'), /contains runs of several loads: name one of those in/)
  })
})

describe('the sides of a comparison', () => {
  test('are the runs at which every side has one that is complete', async () => {
    const document = documentOf([
      ['a/1', 'a/2'],
      ['b/1', null]
    ])
    for (const run of ['a/1', 'b/1', 'a/2']) await putRun(`both/${run}`)
    const [a, b] = await readSides(document, join(base, 'both'), loadScenario)
    assert.deepEqual([a.label, idsOf(a)], ['plan.yaml', ['both/a/1']])
    assert.deepEqual([b.label, idsOf(b)], ['--inFlight 8', ['both/b/1']])
  })

  test('are not there without a complete pair, or a complete run of the only one', async () => {
    const none = (/** @type {(string | null)[][]} */ runs) => readSides(documentOf(runs), base, loadScenario)
    await assert.rejects(
      none([[null], ['b/1']]),
      /contains no pair of complete runs: there is nothing to compare/
    )
    await assert.rejects(none([[null, null]]), /contains no complete run: there is nothing to compare/)
  })
})
