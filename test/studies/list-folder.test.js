import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { listFolder } from '../../src/cli/commands/results.js'
import { formatResult } from '../../src/report/result-folder.js'
import { loadScenario } from '../../src/scenarios/index.js'
import { sampleResult } from '../report/sample-result.js'
import { temporaryFolder } from '../temporary-folder.js'

const base = temporaryFolder()

/** @param {string} path @param {string} text */
async function put(path, text) {
  const file = join(base, path)
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, text)
}

describe('a folder of results', () => {
  /** @type {Map<string, any>} */
  let entries
  before(async () => {
    await put('b-run/result.json', formatResult({ ...sampleResult(), id: 'b-run' }))
    await put('a-study/matrix.json', JSON.stringify({ schemaVersion: 1, tables: [] }))
    await put('c-broken/result.json', '{')
    await put('d-broken/comparison.json', '{}')
    await put('e-runs/one/result.json', '{')
    await put('f-nothing/notes.txt', 'x')
    await put('g-file.txt', 'x')
    entries = new Map((await listFolder(base, loadScenario)).map(entry => [entry.name, entry]))
  })

  test('lists runs and studies, and nothing else', () =>
    assert.deepEqual(
      [...entries].map(([name, { kind }]) => [name, kind]),
      [
        ['a-study', 'matrix'],
        ['b-run', 'run'],
        ['c-broken', 'unreadable'],
        ['d-broken', 'unreadable']
      ]
    ))

  test('has what they came to', () => {
    assert.equal(entries.get('b-run').result.id, 'b-run')
    assert.deepEqual(entries.get('a-study').document, { schemaVersion: 1, tables: [] })
  })

  test('says why one cannot be read, without its path', () => {
    assert.equal(entries.get('d-broken').why, 'its comparison.json cannot be read')
    assert.match(entries.get('c-broken').why, /JSON/)
    assert.doesNotMatch(entries.get('c-broken').why, new RegExp(base))
  })
})

test('what cannot be read for another reason is named with it', async () => {
  await put('other/x/result.json', formatResult(sampleResult()))
  const [{ why }] = /** @type {any[]} */ (
    await listFolder(join(base, 'other'), () => {
      throw new Error('out of luck')
    })
  )
  assert.equal(why, 'out of luck')
})

test('results stand in the order of time, whatever their folders are called since', async () => {
  const began = (/** @type {string} */ startedAt) => {
    const sample = sampleResult()
    return formatResult({ ...sample, run: { ...sample.run, startedAt } })
  }
  await put('renamed/zebra/result.json', began('2026-11-20T07:12:00.000Z'))
  await put('renamed/ape/result.json', began('2026-11-22T07:12:00.000Z'))
  await put('renamed/20261121-0712-rendezvous-1/result.json', '{')
  const names = (await listFolder(join(base, 'renamed'), loadScenario)).map(({ name }) => name)
  assert.deepEqual(names, ['zebra', '20261121-0712-rendezvous-1', 'ape'])
})

test('the name of what cannot be read is in local time, what results say is not', async () => {
  const began = (/** @type {Date} */ time) => {
    const sample = sampleResult()
    return formatResult({ ...sample, run: { ...sample.run, startedAt: time.toISOString() } })
  }
  const zone = process.env.TZ
  process.env.TZ = 'Asia/Tokyo'
  try {
    await put('zone/before/result.json', began(new Date(2026, 10, 21, 7, 11)))
    await put('zone/20261121-0712-rendezvous-1/result.json', '{')
    await put('zone/after/result.json', began(new Date(2026, 10, 21, 7, 13)))
    const names = (await listFolder(join(base, 'zone'), loadScenario)).map(({ name }) => name)
    assert.deepEqual(names, ['before', '20261121-0712-rendezvous-1', 'after'])
  } finally {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  }
})
