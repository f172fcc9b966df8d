import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { COMPARISON_DOCUMENT, sideLetter } from '../../../src/studies/compare/comparison-document.js'
import { readFolderKind } from '../../../src/studies/study-folders.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { comparisonSample } from './comparison-sample.js'

const base = temporaryFolder()
let folders = 0

/** @param {Record<string, object>} files */
async function readBack(files) {
  const folder = join(base, String(folders++))
  await mkdir(folder)
  for (const [name, content] of Object.entries(files))
    await writeFile(join(folder, name), JSON.stringify(content))
  return { read: await COMPARISON_DOCUMENT.read(folder), kind: await readFolderKind(folder) }
}

/** @param {string} name */
const stored = async name =>
  JSON.parse(await readFile(new URL(`../../../fixtures/results-0.1.0/${name}`, import.meta.url), 'utf8'))

describe('the document of a comparison', () => {
  test('keeps what was asked for and what was run; what follows from the runs is made anew', async () => {
    const { document } = comparisonSample({ runs: 2 })
    const sides = document.sides.map(side => ({ ...side, figures: [] }))
    const { read, kind } = await readBack({ 'comparison.json': { ...document, sides, scenario: 'x' } })
    assert.deepEqual([read, kind], [document, 'comparison'])
  })

  test('keeps how runs stood against a baseline, with intervals that nothing bounds', async () => {
    const rule = { verdict: 'PASS', seen: { pairs: 8, change: 0.1, more: null } }
    const held = {
      verdict: 'FAIL',
      rules: [
        { ...rule, interval: { low: 0.9, high: null } },
        { ...rule, interval: { low: 0.9, high: 1.1 } },
        { ...rule, interval: null }
      ]
    }
    const { document } = comparisonSample({ runs: 1, slower: [] })
    const { read } = await readBack({ 'comparison.json': { ...document, baseline: 'old/a', held } })
    assert.deepEqual([read?.baseline, read?.held?.verdict], ['old/a', 'FAIL'])
    assert.deepEqual(
      read?.held?.rules.map(({ interval, seen }) => [interval?.high, seen?.pairs]),
      [
        [Infinity, 8],
        [1.1, 8],
        [undefined, 8]
      ]
    )
  })

  test('that is of something else is none', async () => {
    for (const document of [{ schemaVersion: 2, sides: 7 }, { schemaVersion: 2, sides: [] }, [], null])
      assert.equal((await readBack({ 'comparison.json': /** @type {any} */ (document) })).read, null)
    const { document } = comparisonSample({ runs: 1 })
    assert.equal((await readBack({ 'comparison.json': { ...document, schemaVersion: 3 } })).read, null)
  })
})

describe('of version 0.1.0', () => {
  test('two plans stood in ab.json, beside figures in comparison.json', async () => {
    const ab = await stored('ab/ab.json')
    const { read, kind } = await readBack({
      'ab.json': ab,
      'comparison.json': { schemaVersion: 1, metrics: [] }
    })
    assert.equal(kind, 'comparison')
    assert.deepEqual([read?.schemaVersion, read?.id, read?.status], [2, ab.id, ab.status])
    assert.deepEqual(
      read?.sides.map(({ label, runs }) => [label, runs]),
      ['a', 'b'].map(arm => [ab.arms[arm].label, ab.pairs.map((/** @type {any} */ pair) => pair[arm])])
    )
    assert.deepEqual(read?.sides[1].plan, ab.arms.b.plan)
  })

  test('a plan that was repeated stood in runs.json', async () => {
    const runs = await stored('repetition/runs.json')
    const { read, kind } = await readBack({ 'runs.json': runs })
    assert.deepEqual(
      [kind, read?.sides],
      ['comparison', [{ label: 'as it is', plan: runs.plan, runs: runs.runs }]]
    )
  })

  test('what is open was N/A, nothing was known of what could be seen, and there was a time before baselines', async () => {
    const { baseline: _, held: __, ...ab } = await stored('ab/ab.json')
    const held = { verdict: 'N/A', rules: [{ verdict: 'N/A', interval: null }] }
    const { read } = await readBack({ 'ab.json': { ...ab, held } })
    assert.deepEqual(
      [read?.held?.verdict, read?.held?.rules[0].verdict, read?.held?.rules[0].seen],
      ['UNDECIDED', 'UNDECIDED', null]
    )
    const earlier = await readBack({ 'ab.json': ab })
    assert.deepEqual([earlier.read?.baseline, earlier.read?.held], [null, null])
  })

  test('what is broken is none', async () => {
    for (const document of [{ schemaVersion: 1, pairs: 7 }, { schemaVersion: 1 }, {}])
      for (const name of ['ab.json', 'runs.json'])
        assert.equal((await readBack({ [name]: document })).read, null)
  })
})

test('sides have letters, from the first again after the last', () =>
  assert.deepEqual([0, 1, 25, 26].map(sideLetter), ['A', 'B', 'Z', 'A']))
