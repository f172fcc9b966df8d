import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import * as output from '../../src/report/run-report.js'
import { findOutputFileProblem, findTableProblem } from '../../src/report/run-report.js'
import { temporaryFolder } from '../temporary-folder.js'
import { aDescription } from './a-description.js'
import { operation, sampleResult, summary, time } from './sample-result.js'
import { appendix, outputFile, RENDEZVOUS, viewsOfRun, writeViews } from './shown.js'

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
  test('are a page and a document: what was run, when, and how it is repeated', async () => {
    const folder = temporaryFolder()
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
  })

  test('are those of the last result, and CSV is among them on request', async () => {
    const folder = temporaryFolder()
    const consumer = viewsOfRun(folder, { csv: true }, assert.fail)
    const status = /** @type {const} */ ('partial')
    consumer.add({ type: 'partial', result: sampleResult({ result: { status } }) })
    assert.deepEqual(await readdir(folder), [])
    consumer.add({ type: 'result', result: sampleResult() })
    await consumer.close()
    for (const file of ['operations.csv', 'resources.csv', 'response-times.csv'])
      assert.ok(existsSync(join(folder, file)), file)
    assert.doesNotMatch(await readFile(join(folder, 'report.md'), 'utf8'), /Partial/)
  })

  test('without it there is none', async () => {
    const folder = temporaryFolder()
    const written = await writeViews(sampleResult(), folder, { csv: false })
    assert.deepEqual(written.toSorted(), [join(folder, 'report.html'), join(folder, 'report.md')])
  })

  test('a run that left nothing has none', async () => {
    const folder = temporaryFolder()
    assert.deepEqual(await saidIn(folder, null), [])
    assert.deepEqual(await readdir(folder), [])
  })

  test('text of others is written out', async () => {
    const folder = temporaryFolder()
    const message = '\u001b[31mred'
    const reason = { code: 'SERVER_DIED', message }
    await saidIn(folder, sampleResult({ result: { status: 'partial', reason } }))
    const report = await readFile(join(folder, 'report.md'), 'utf8')
    assert.ok(report.includes('- ⚠ Partial result: \\u001b[31mred'), report)
  })

  test('views that cannot be written are a warning with what to do, and no error', async () => {
    const folder = temporaryFolder()
    await mkdir(join(folder, 'report.md.tmp'))
    const said = await saidIn(folder)
    assert.equal(said.length, 1)
    assert.match(
      said[0],
      /^⚠ Not every report was written: .*EISDIR.*Once more: node index\.js report \S+\n$/
    )
  })

  test('where there is no folder to make them from, nothing is advised that cannot work', async () => {
    const folder = temporaryFolder()
    await writeFile(join(folder, 'file'), '')
    const said = await saidIn(join(folder, 'file', 'gone'))
    assert.equal(said.length, 1)
    assert.match(said[0], /^⚠ Not every report was written: [^\n]*ENOTDIR[^\n]*'\n$/)
  })
})

const SOURCE_HEADER =
  '| Type | Clients | Io Reg | Namespaces | Ops | Avg RT | Median RT | Max RT | Avg CPU | Median CPU | Max CPU | Avg Mem | Median Mem | Max Mem |'
const HEADER = appendix('', sampleResult()).split('\n')[0]
const RULE = `|${' --- |'.repeat(HEADER.split('|').length - 2)}`
const ROW =
  '| REGISTER | 4 | 100 | 5 | 500 | 16.04 | 15 | 26 | 31.2 | 42 | 61 | 98 | 98.4 | 1106 | 20.5 | 22.22 | 25.96 | – | 0 | 249.6 | – | – | 0 | refresh | closed | – | 1 | 20 | 1 | – | – | complete | 20261120-0712-rendezvous-1 |'

/** Cells of the first row by heading. @param {Parameters<typeof sampleResult>[0]} parts */
function rowOf(parts) {
  const [headings, , row] = appendix('', sampleResult(parts))
    .split('\n')
    .map(line => line.split(/(?<!\\)\|/).map(cell => cell.trim()))
  return Object.fromEntries(headings.map((heading, i) => [heading, row[i]]))
}

test('the first columns are exactly those of the source, and no heading stands twice', () => {
  assert.ok(HEADER.startsWith(SOURCE_HEADER), HEADER)
  assert.equal(
    HEADER.slice(SOURCE_HEADER.length),
    ' p90 RT | p95 RT | p99 RT | p99.9 RT | Errors | Op/s | Client overhead p50 | Client overhead p99 | Lost | Mode | Model | Due/s | Servers | Limit | Seed | Limited by | Thresholds | Status | Run |'
  )
})

describe('a row is appended', () => {
  const table = `${HEADER}\n${RULE}\n${ROW}\n`
  /** @type {[string, string, string][]} */
  const cases = [
    ['with the header to a file that is empty', '', table],
    ['alone to our table', table, `${ROW}\n`],
    ['on a line of its own to our table without a last line break', table.trimEnd(), `\n${ROW}\n`],
    ['alone to our table under other text', `# Mine\n\n${table}`, `${ROW}\n`],
    ['with the header after other text', '# Mine\n', `\n${table}`],
    ['with the header after text below our table', `${table}\nRemarks`, `\n\n${table}`],
    ['with the header after a table with the columns of the source only', `${SOURCE_HEADER}\n`, `\n${table}`]
  ]
  for (const [where, content, added] of cases)
    test(where, () => assert.equal(appendix(content, sampleResult()), added))
})

test('thresholds that failed are named', () => {
  /** @param {...boolean} passed */
  const judged = (...passed) => ({
    outcome: {
      thresholds: passed.map((held, i) => ({
        text: `REGISTER.p5${i} < 20ms`,
        metric: 'REGISTER.p50',
        operator: /** @type {const} */ ('<'),
        limit: 20,
        unit: 'ms',
        actual: held ? 15 : 25,
        passed: held
      }))
    }
  })
  assert.equal(rowOf(judged(true)).Thresholds, 'PASS')
  assert.equal(rowOf(judged(false, true, false)).Thresholds, 'FAIL: REGISTER.p50 < 20ms; REGISTER.p52 < 20ms')
})

test('any parser reads the numbers; lost operations count at the time they waited, in a column of their own', () => {
  const row = rowOf({
    options: { rate: '100', duration: '30s', nClients: 200 },
    outcome: {
      operations: {
        REGISTER: operation({
          count: 12_345,
          errors: 30,
          outcomes: { OK: 12_315, TIMEOUT: 20, E_UNAVAILABLE: 10 },
          all: summary(12_345, { avg: time(45_273), p50: null, max: time(55_370, { censored: true }) })
        })
      },
      server: null
    }
  })
  assert.deepEqual(
    ['Ops', 'Avg RT', 'Median RT', 'Max RT', 'Avg CPU', 'Errors', 'Lost', 'Model', 'Due/s'].map(
      heading => row[heading]
    ),
    ['12345', '45273', '–', '55370', '–', '30', '20', 'open 100/s', '100']
  )
})

test('client overhead has columns of its own, and no number has a mark', () => {
  const all = summary(500, { p50: time(15, { overheadMs: 12 }), p99: time(26, { overheadMs: 0.25 }) })
  const row = rowOf({ outcome: { operations: { REGISTER: operation({ all }) } } })
  assert.deepEqual(
    ['Median RT', 'p99 RT', 'Client overhead p50', 'Client overhead p99'].map(heading => row[heading]),
    ['15', '26', '12', '0.25']
  )
})

test('text of others cannot end a cell or a line', () => {
  const id = 'a|b\n| c |'
  const [, , row, ...rest] = appendix('', sampleResult({ result: { id } })).split('\n')
  assert.ok(row.endsWith('| a\\|b\\u000a\\| c \\| |'), row)
  assert.deepEqual(rest, [''])
})

test('a run of several types has a row for each, one that measured nothing has none', () => {
  const operations = { DISCOVER: operation(), REGISTER: operation() }
  const rows = appendix(
    '',
    sampleResult({ options: { benchmarkType: 'MIXED' }, outcome: { operations } })
  ).split('\n')
  assert.deepEqual(
    rows.slice(2).map(row => row.split(' | ')[0]),
    ['| REGISTER', '| DISCOVER', '']
  )
  assert.equal(appendix('', sampleResult({ outcome: { operations: {} } })), '')
  const nothing = { describeResult: () => aDescription({ tables: [] }) }
  assert.equal(output.makeAppendedRows('', sampleResult(), /** @type {any} */ (nothing)), '')
})

describe('on disk', () => {
  const folder = temporaryFolder()

  test('two runs give one header and two rows', async () => {
    const path = join(folder, 'out.md')
    const file = outputFile(path)
    await file.add({ type: 'partial', result: sampleResult() })
    await file.add({ type: 'result', result: sampleResult() })
    await file.add({ type: 'result', result: sampleResult() })
    assert.equal(await readFile(path, 'utf8'), `${HEADER}\n${RULE}\n${ROW}\n${ROW}\n`)
  })

  test('a file that ends in a table with other columns is refused before anything is started', async () => {
    const { plan } = sampleResult()
    for (const [content, taken] of /** @type {const} */ ([
      ['', true],
      ['# Mine\n', true],
      [`${HEADER}\n${RULE}\n${ROW}\n`, true],
      [`# Mine\n\n${HEADER}\n${RULE}\n${ROW}\n`, true],
      [`${HEADER} Thresholds |\n`, false],
      [`${SOURCE_HEADER}\n`, false],
      ['| Nodes | Topology |\n| --- | --- |\n', false]
    ])) {
      const path = join(folder, 'table.md')
      await writeFile(path, content)
      const problem = await findTableProblem(path, plan, RENDEZVOUS)
      assert.equal(problem === null, taken, content)
      if (problem !== null) assert.match(problem.allowed, /^ends in a table with other columns/)
    }
  })

  test('a file that is there or can be made is taken', async () => {
    await writeFile(join(folder, 'there.md'), '')
    assert.equal(await findOutputFileProblem(join(folder, 'there.md')), null)
    assert.equal(await findOutputFileProblem(join(folder, 'new.md')), null)
  })

  test('a folder, a missing folder and a path below a file are refused', async () => {
    await writeFile(join(folder, 'file'), '')
    const cases = /** @type {const} */ ([
      ['', /is a folder: name a file/],
      ['nowhere/out.md', /cannot be made: there is no folder .*nowhere/],
      ['file/out.md', /cannot be made: there is no folder .*file/]
    ])
    for (const [name, allowed] of cases) {
      const problem = await findOutputFileProblem(join(folder, name))
      assert.deepEqual([problem?.flag, problem?.value], ['--outputFile', join(folder, name)])
      assert.match(String(problem?.allowed), allowed)
    }
  })
})
