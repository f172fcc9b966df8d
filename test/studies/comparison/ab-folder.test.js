import '../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { AB_DOCUMENT, current } from '../../../src/studies/comparison/ab-folder.js'

const base = await mkdtemp(join(tmpdir(), 'ab-folder-'))
after(() => rm(base, { recursive: true }))

/** @param {object} document */
async function readBack(document) {
  await writeFile(join(base, 'ab.json'), JSON.stringify(document))
  return AB_DOCUMENT.read(base)
}

describe('the document of an ab folder', () => {
  test('of before there were baselines has none', async () => {
    const read = await readBack({ schemaVersion: 1, pairs: [] })
    assert.deepEqual([read?.baseline, read?.held], [null, null])
  })

  test('keeps its baseline, with intervals that nothing bounds', async () => {
    const rule = { verdict: 'PASS', seen: { pairs: 8, change: 0.1, more: null } }
    const held = {
      verdict: 'FAIL',
      rules: [
        { ...rule, interval: { low: 0.9, high: null } },
        { ...rule, interval: { low: 0.9, high: 1.1 } },
        { ...rule, interval: null }
      ]
    }
    const read = await readBack({ schemaVersion: 1, pairs: [], baseline: 'old/a', held })
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

  test('calls what is open undecided, and says where nothing is known of what could be seen', () => {
    const held = /** @type {any} */ ({ verdict: 'N/A', rules: [{ verdict: 'N/A', interval: null }] })
    const read = current(held)
    assert.deepEqual(
      [read?.verdict, read?.rules[0].verdict, read?.rules[0].seen],
      ['UNDECIDED', 'UNDECIDED', null]
    )
    assert.equal(current(null), null)
  })

  test('that is of something else is none', async () =>
    assert.equal(await readBack({ schemaVersion: 1, pairs: 7 }), null))
})
