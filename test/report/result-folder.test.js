import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { formatResult, makeResultWriter, makeRunFolder, makeRunId } from '../../src/report/result-folder.js'
import { readResult } from '../scenarios.js'
import { emptyBeforeEach, temporaryFolder } from '../temporary-folder.js'
import { sampleResult } from './sample-result.js'

const FULL_DISK = { skip: existsSync('/dev/full') ? false : 'there is no /dev/full' }

const base = temporaryFolder()
emptyBeforeEach(base)

test('a run is named by its local time, its scenario and its seed', () => {
  const time = new Date(2026, 10, 2, 7, 5, 59)
  assert.equal(makeRunId(time, { scenario: 'rendezvous', seed: 7 }), '20261102-0705-rendezvous-7')
})

test('runs of the same minute and seed get folders of their own, also at the same time', async () => {
  const folders = await Promise.all([1, 2, 3].map(() => makeRunFolder(join(base, 'deep', 'results'), 'id')))
  assert.deepEqual(folders.map(({ id }) => id).sort(), ['id', 'id-2', 'id-3'])
  for (const { id, path } of folders) assert.equal(path, join(base, 'deep', 'results', id))
})

test('a folder cannot be made below a file', async () => {
  await writeFile(join(base, 'file'), '')
  await assert.rejects(makeRunFolder(join(base, 'file'), 'id'), { code: /ENOTDIR|EEXIST/ })
})

test('a folder cannot be made where there are none', {
  skip: existsSync('/proc/self') ? false : 'there is no /proc'
}, async () => {
  await assert.rejects(makeRunFolder('/proc/loadtest/results', 'id'), { code: 'ENOENT' })
})

describe('result.json', () => {
  test('is written with every partial result and with the last one, and nothing else is left', async () => {
    const folder = await makeRunFolder(base, 'id')
    const consumer = makeResultWriter(folder)
    const read = async () => JSON.parse(await readFile(join(folder.path, 'result.json'), 'utf8'))
    await consumer.add({ type: 'partial', result: sampleResult({ result: { status: 'partial' } }) })
    assert.equal((await read()).status, 'partial')
    await consumer.add({ type: 'warning', warning: { code: 'X', values: {} } })
    await consumer.add({ type: 'result', result: sampleResult() })
    assert.deepEqual(await read(), JSON.parse(JSON.stringify(sampleResult())))
    await consumer.close()
    assert.deepEqual(await readdir(folder.path), ['result.json'])
  })

  test('of an earlier write stays whole when a later one fails', async () => {
    const folder = await makeRunFolder(base, 'id')
    const consumer = makeResultWriter(folder)
    await consumer.add({ type: 'partial', result: sampleResult() })
    const endless = /** @type {any} */ ({})
    endless.self = endless
    await consumer.add({ type: 'result', result: endless })
    await assert.rejects(consumer.close(), TypeError)
    assert.equal(JSON.parse(await readFile(join(folder.path, 'result.json'), 'utf8')).status, 'complete')
  })

  /** A file beside the document that takes nothing, as on a disk that is full. @param {string} path */
  const fillDisk = path => symlink('/dev/full', join(path, 'result.json.tmp'))

  test('survives a disk that is full for a while', FULL_DISK, async () => {
    const folder = await makeRunFolder(base, 'id')
    const consumer = makeResultWriter(folder)
    const status = async () => (await readResult(folder.path)).status
    await consumer.add({ type: 'partial', result: sampleResult({ result: { status: 'partial' } }) })
    await fillDisk(folder.path)
    await consumer.add({ type: 'result', result: sampleResult() })
    assert.equal(await status(), 'partial')
    assert.deepEqual(await readdir(folder.path), ['result.json'], 'nothing half written is left')
    await consumer.close()
    assert.equal(await status(), 'complete')
  })

  test('keeps what was written before the disk was full, and the error is told', FULL_DISK, async () => {
    const folder = await makeRunFolder(base, 'id')
    const consumer = makeResultWriter(folder)
    await consumer.add({ type: 'partial', result: sampleResult({ result: { status: 'partial' } }) })
    await fillDisk(folder.path)
    await consumer.add({ type: 'result', result: sampleResult() })
    await fillDisk(folder.path)
    await assert.rejects(consumer.close(), { code: 'ENOSPC' })
    assert.equal((await readResult(folder.path)).status, 'partial')
  })

  test('is kept though its folder was removed meanwhile', async () => {
    const folder = await makeRunFolder(join(base, 'results'), 'id')
    const consumer = makeResultWriter(folder)
    await rm(join(base, 'results'), { recursive: true })
    await consumer.add({ type: 'result', result: sampleResult() })
    await consumer.close()
    assert.equal((await readResult(folder.path)).status, 'complete')
  })

  test('keeps pairs of numbers on one line, and strings as they are', () => {
    const perSecond = [
      {
        second: 0,
        type: 'REGISTER',
        outcome: 'OK',
        histogram: [
          [1200, 3],
          [1.5e-7, 40]
        ]
      }
    ]
    const result = sampleResult({ outcome: { perSecond: /** @type {any} */ (perSecond) } })
    result.run.machine.cpu = '[\n  1,\n  2\n]'
    const text = formatResult(result)
    assert.match(text, /"histogram": \[\[1200,3\],\[1\.5e-7,40\]\]\n/)
    assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(result)))
  })
})

test('a run that leaves no result leaves no folder', async () => {
  const folder = await makeRunFolder(base, 'id')
  await makeResultWriter(folder).close()
  assert.deepEqual(await readdir(base), [])
})
