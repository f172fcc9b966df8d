import '../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { resultText } from '../../../src/result/folder.js'
import { findScenario } from '../../../src/scenarios/index.js'
import { armsOf, readAbSides, readSide } from '../../../src/studies/comparison/sides.js'
import { sampleResult } from '../../report/sample-result.js'
import { aQaDocument, aTrial } from '../qa/a-qa-document.js'
import { abSample } from './ab-sample.js'

const base = await mkdtemp(join(tmpdir(), 'sides-'))
after(() => rm(base, { recursive: true }))

/** @param {string} path @param {object} document */
async function put(path, document) {
  const file = join(base, path)
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, JSON.stringify(document))
}

/** @param {string} path @param {'complete' | 'partial'} [status] */
async function putRun(path, status = 'complete') {
  await mkdir(join(base, path), { recursive: true })
  await writeFile(join(base, path, 'result.json'), resultText({ ...sampleResult(), id: path, status }))
}

/** @param {string} path */
const side = path => readSide(join(base, path), findScenario)
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
    await assert.rejects(side('runs/2'), /holds no complete run/)
  })

  test('is the runs of an arm of ab that belong to its pairs, not what was broken off before it was gone on with', async () => {
    const pairs = [
      { a: 'a/1', b: 'b/1' },
      { a: 'a/2-2', b: 'b/2' },
      { a: 'a/3', b: null }
    ]
    await put('gone-on/ab.json', { ...abSample().document, pairs })
    for (const run of ['a/1', 'a/2', 'a/2-2', 'a/3', 'b/1', 'b/2']) await putRun(`gone-on/${run}`)
    assert.deepEqual(idsOf(await side('gone-on/a')), ['gone-on/a/1', 'gone-on/a/2-2'])
    assert.deepEqual(idsOf(await side('gone-on/b/')), ['gone-on/b/1', 'gone-on/b/2'])
  })

  test('is the runs of a repetition', async () => {
    await put('repeated/runs.json', { schemaVersion: 1, runs: [], plan: {}, held: null })
    await putRun('repeated/runs/1')
    assert.deepEqual(idsOf(await side('repeated')), ['repeated/runs/1'])
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
      ['ab', 'ab.json'],
      ['s', 'saturate.json']
    ])
      await put(`${name}/${file}`, {})
    await assert.rejects(side('m'), /name the folders of two of its rows/)
    await assert.rejects(side('ab'), /name .*ab\/a or .*ab\/b/)
    await assert.rejects(side('s'), /holds runs of several loads: name one of those in/)
  })
})

describe('both sides of an ab folder', () => {
  const { document } = abSample({ pairs: 2 })

  test('are the runs of the pairs that are complete', async () => {
    const pairs = [
      { a: 'a/1', b: 'b/1' },
      { a: 'a/2', b: null }
    ]
    await put('two/ab.json', { ...document, pairs })
    for (const run of ['a/1', 'b/1', 'a/2']) await putRun(`two/${run}`)
    const { a, b } = await readAbSides(join(base, 'two'), findScenario)
    assert.deepEqual([a.label, idsOf(a)], ['A plan.yaml', ['two/a/1']])
    assert.deepEqual([b.label, idsOf(b)], ['B --inFlight 8', ['two/b/1']])
    assert.equal(await armsOf(join(base, 'two/a/'), join(base, 'two/b')), true)
    assert.equal(await armsOf(join(base, 'two/a'), join(base, 'two/a')), false)
    assert.equal(await armsOf(join(base, 'two/a'), join(base, 'runs/b')), false)
    assert.equal(await armsOf(join(base, 'runs/a'), join(base, 'runs/b')), false)
  })

  test('are not there without a complete pair or a document', async () => {
    await put('none/ab.json', { ...document, pairs: [{ a: null, b: 'b/1' }] })
    await assert.rejects(readAbSides(join(base, 'none'), findScenario), /holds no pair of complete runs/)
    await assert.rejects(readAbSides(join(base, 'runs'), findScenario), /holds no ab\.json that can be read/)
  })
})
