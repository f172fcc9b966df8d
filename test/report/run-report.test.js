import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { FIGURES, operationName } from '../../src/report/table.js'
import { detailedResult } from './detailed-result.js'
import { sampleResult } from './sample-result.js'
import { runReport, viewsOfRun, writeViews } from './shown.js'

/** @param {string} markdown @returns {Record<string, string>[]} rows of its first table */
function firstTable(markdown) {
  const lines = markdown.split('\n')
  const begin = lines.findIndex(line => line.startsWith('| Operation'))
  const end = lines.findIndex((line, place) => place > begin && line === '')
  const [names, , ...rows] = lines.slice(begin, end).map(line => line.split('|').map(cell => cell.trim()))
  return rows.map(row => Object.fromEntries(names.map((name, place) => [name, row[place]])))
}

/** @param {string} text as a number is written for people */
const read = text => Number(text.replace(/[*≥>, ]/g, ''))

/** @param {string} text @param {number | null | undefined} value */
function assertShows(text, value) {
  if (value == null) assert.equal(text, '–')
  else assert.ok(Math.abs(read(text) - value) <= Math.max(0.0005, value * 0.005), `${text} is not ${value}`)
}

test('every figure in markdown is that of the result, to three digits, with its marks', () => {
  const result = detailedResult()
  const rows = firstTable(runReport(result, { folder: 'results/x' }))
  const operations = Object.entries(result.outcome.operations)
  assert.equal(rows.length, operations.length)
  for (const [type, operation] of operations) {
    const row = rows.find(({ Operation }) => Operation === operationName(type))
    assert.ok(row, type)
    assert.equal(read(row.Clients), result.plan.nClients)
    assert.equal(read(row.Registrations), result.plan.initialRegistrations)
    assert.deepEqual([read(row.Ops), read(row.Errors)], [operation.count, operation.errors])
    assertShows(row['Op/s'], operation.throughputPerSecond)
    assert.equal(row['Op/s'].startsWith('≥'), operation.throughputIsLowerBound)
    for (const [key, heading] of FIGURES) {
      const percentile = operation.rt.all[key]
      assertShows(row[heading], percentile?.ms)
      assert.equal(row[heading].startsWith('>'), percentile?.censored ?? false)
      assert.equal(row[heading].endsWith('*'), percentile?.doubtful ?? false)
    }
    const { cpu, memory } = /** @type {import('../../src/result/types.js').ServerResult} */ (
      result.outcome.server
    )
    const cpus = [cpu.averagePercent, cpu.medianPercent, cpu.maxPercent]
    const bytes = [memory.averageBytes, memory.medianBytes, memory.maxBytes]
    row['CPU avg/med/max %'].split(' / ').forEach((text, i) => {
      assert.equal(read(text), Math.round(Number(cpus[i])))
    })
    row['Mem avg/med/max MB'].split(' / ').forEach((text, i) => {
      assert.equal(read(text), Math.round(Number(bytes[i]) / 1e6))
    })
  }
})

test('the page says what was run, how it is repeated, with which plan, and where', () => {
  const page = runReport(sampleResult(), { folder: 'my runs/20261120-0712-rendezvous-1' })
  for (const line of [
    /^# 20261120-0712-rendezvous-1\n/,
    /^10\.0 s of REGISTER \(refresh\) · 4 clients in 1 process/m,
    /^Complete: began 2026-11-20 07:12:00 UTC, took 20\.0 s\.$/m,
    /^- Response times in ms, closed model/m,
    /^node index\.js rerun 'my runs\/20261120-0712-rendezvous-1'$/m,
    /^node index\.js --workers 1$/m,
    /^\| durationMs +\| 10000 +\|$/m,
    /^\| memory +\| 8,000 MB +\|$/m,
    /^\| node +\| 20\.20\.2 +\|$/m
  ])
    assert.match(page, line)
})

test('a run that was broken off says so first', () => {
  const reason = { code: 'INTERRUPTED', message: 'interrupted by SIGINT' }
  const partial = sampleResult({ result: { status: 'partial', reason }, outcome: { operations: {} } })
  const page = runReport({ ...partial, run: { ...partial.run, finishedAt: null } }, { folder: 'x' })
  assert.match(page, /^Partial: began .* UTC, its end was not written\.$/m)
  assert.match(page, /^- Partial result: interrupted by SIGINT$/m)
  assert.doesNotMatch(page, /\n\n\n/)
})

describe('in the folder of a run', () => {
  /** @param {(folder: string) => Promise<void>} use */
  async function withFolder(use) {
    const folder = await mkdtemp(join(tmpdir(), 'loadtest-views-'))
    try {
      await use(folder)
    } finally {
      await rm(folder, { recursive: true })
    }
  }

  test('the views are those of the last result, and CSV is among them on request', () =>
    withFolder(async folder => {
      const consumer = viewsOfRun(folder, { csv: true }, assert.fail)
      consumer.add({ type: 'partial', result: sampleResult({ result: { status: 'partial' } }) })
      assert.deepEqual(await readdir(folder), [])
      consumer.add({ type: 'result', result: sampleResult() })
      await consumer.close()
      const files = await readdir(folder)
      for (const file of ['report.md', 'report.html', 'operations.csv', 'per-second.csv', 'server.csv'])
        assert.ok(files.includes(file), file)
      assert.equal(await readFile(join(folder, 'report.md'), 'utf8'), runReport(sampleResult(), { folder }))
    }))

  test('who waits is told before the page is drawn', () =>
    withFolder(async folder => {
      /** @type {[said: string, there: string[]][]} */
      const told = []
      const consumer = viewsOfRun(folder, { csv: false, quiet: false }, text => {
        told.push([text, readdirSync(folder)])
      })
      consumer.add({ type: 'result', result: sampleResult() })
      await consumer.close()
      assert.deepEqual(told, [[`drawing ${join(folder, 'report.html')}\n`, []]])
      assert.ok((await readdir(folder)).includes('report.html'))
    }))

  test('without it there is none', () =>
    withFolder(async folder => {
      const written = await writeViews(sampleResult(), folder, { csv: false })
      assert.ok(written.includes(join(folder, 'report.md')))
      assert.deepEqual(
        (await readdir(folder)).filter(file => file.endsWith('.csv')),
        []
      )
    }))

  test('a run that left nothing has none', () =>
    withFolder(async folder => {
      await viewsOfRun(folder, { csv: false }, assert.fail).close()
      assert.deepEqual(await readdir(folder), [])
    }))

  /** @param {string} folder @returns {Promise<string[]>} what is said */
  async function saidIn(folder) {
    /** @type {string[]} */
    const said = []
    const consumer = viewsOfRun(folder, { csv: false }, text => said.push(text))
    consumer.add({ type: 'result', result: sampleResult() })
    await consumer.close()
    return said
  }

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
