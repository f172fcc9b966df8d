import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sampleResult } from './sample-result.js'
import { viewsOfRun, writeViews } from './shown.js'

/** @param {(folder: string) => Promise<void>} use */
async function withFolder(use) {
  const folder = await mkdtemp(join(tmpdir(), 'loadtest-views-'))
  try {
    await use(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** @param {string} folder @param {any} [result] @param {boolean} [csv] @returns {Promise<string[]>} what is said */
async function saidIn(folder, result = sampleResult(), csv = false) {
  /** @type {string[]} */
  const said = []
  const consumer = viewsOfRun(folder, { csv }, text => said.push(text))
  if (result !== null) consumer.add({ type: 'result', result })
  await consumer.close()
  return said
}

describe('in the folder of a run', () => {
  test('are a page and a document: what was run, when, and how it is repeated', () =>
    withFolder(async folder => {
      assert.deepEqual(await saidIn(folder), [])
      assert.deepEqual(await readdir(folder), ['report.html', 'report.md'])
      const report = await readFile(join(folder, 'report.md'), 'utf8')
      for (const line of [
        /^# 20261120-0712-rendezvous-1\n/,
        /^REGISTER \(refresh\) for 10\.0 s · 4 clients · our server, tuned/m,
        /^2026-11-20 07:12 UTC · took 20\.0 s · 2 cores, some$/m,
        /^node index\.js rerun \S+$/m,
        /^node index\.js --workers 1$/m,
        /^\| durationMs +\| 10000 +\|$/m
      ])
        assert.match(report, line)
    }))

  test('are those of the last result, and CSV is among them on request', () =>
    withFolder(async folder => {
      const consumer = viewsOfRun(folder, { csv: true }, assert.fail)
      const status = /** @type {const} */ ('partial')
      consumer.add({ type: 'partial', result: sampleResult({ result: { status } }) })
      assert.deepEqual(await readdir(folder), [])
      consumer.add({ type: 'result', result: sampleResult() })
      await consumer.close()
      for (const file of ['operations.csv', 'resources.csv', 'response-times.csv'])
        assert.ok(existsSync(join(folder, file)), file)
      assert.doesNotMatch(await readFile(join(folder, 'report.md'), 'utf8'), /Partial/)
    }))

  test('without it there is none', () =>
    withFolder(async folder => {
      const written = await writeViews(sampleResult(), folder, { csv: false })
      assert.deepEqual(written.toSorted(), [join(folder, 'report.html'), join(folder, 'report.md')])
    }))

  test('a run that left nothing has none', () =>
    withFolder(async folder => {
      assert.deepEqual(await saidIn(folder, null), [])
      assert.deepEqual(await readdir(folder), [])
    }))

  test('text of others is written out', () =>
    withFolder(async folder => {
      const message = '\u001b[31mred'
      const reason = { code: 'SERVER_DIED', message }
      await saidIn(folder, sampleResult({ result: { status: 'partial', reason } }))
      const report = await readFile(join(folder, 'report.md'), 'utf8')
      assert.ok(report.includes('- ⚠ Partial result: \\u001b[31mred'), report)
    }))

  test('views that cannot be written are a warning with what to do, and no error', () =>
    withFolder(async folder => {
      await mkdir(join(folder, 'report.md.tmp'))
      const said = await saidIn(folder)
      assert.equal(said.length, 1)
      assert.match(
        said[0],
        /^⚠ Not every report was written: .*EISDIR.*Once more: node index\.js report \S+\n$/
      )
    }))

  test('where there is no folder to make them from, nothing is advised that cannot work', () =>
    withFolder(async folder => {
      await writeFile(join(folder, 'file'), '')
      const said = await saidIn(join(folder, 'file', 'gone'))
      assert.equal(said.length, 1)
      assert.match(said[0], /^⚠ Not every report was written: [^\n]*ENOTDIR[^\n]*'\n$/)
    }))
})
