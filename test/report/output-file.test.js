import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { otherTable, outputFileProblem } from '../../src/report/output-file.js'
import { operation, sampleResult, summary, time } from './sample-result.js'
import { appendix, outputFile, RENDEZVOUS } from './shown.js'

const SOURCE_HEADER =
  '| Type | Clients | Io Reg | Namespaces | Ops | Avg RT | Median RT | Max RT | Avg CPU | Median CPU | Max CPU | Avg Mem | Median Mem | Max Mem |'
const HEADER = appendix('', sampleResult()).split('\n')[0]
const RULE = `|${' --- |'.repeat(HEADER.split('|').length - 2)}`
const ROW =
  '| REGISTER | 4 | 100 | 5 | 500 | 16.0 | 15.0 | 26.0 | 31 | 42 | 61 | 98 | 98 | 1106 | 0 | 250 | 20.5 | 22.2 | 26.0 | – | closed | 20 | 1 | refresh | complete | 20261120-0712-rendezvous-1 |'

test('the first columns are exactly those of the source', () => {
  assert.ok(HEADER.startsWith(SOURCE_HEADER), HEADER)
  assert.equal(
    HEADER.slice(SOURCE_HEADER.length),
    ' Errors | Op/s | p90 RT | p95 RT | p99 RT | p99.9 RT | Model | Limit | Seed | Mode | Status | Run |'
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

describe('of a run with thresholds', () => {
  /** @param {...boolean} passed */
  const judged = (...passed) =>
    sampleResult({
      outcome: {
        thresholds: passed.map((held, i) => ({
          text: `REGISTER.p5${i} < 20ms`,
          metric: 'REGISTER.p50',
          operator: '<',
          limit: 20,
          unit: 'ms',
          actual: held ? 15 : 25,
          passed: held
        }))
      }
    })
  const table = `${HEADER} Thresholds |\n${RULE} --- |\n${ROW} PASS |\n`

  test('there is a column for what became of them', () => assert.equal(appendix('', judged(true)), table))

  test('those that failed are named', () =>
    assert.ok(
      appendix(table, judged(false, true, false)).endsWith(
        ' | FAIL: REGISTER.p50 < 20ms; REGISTER.p52 < 20ms |\n'
      )
    ))

  test('a table without the column is not continued; one with it is, also by a run without thresholds', () => {
    assert.equal(appendix(`${HEADER}\n${RULE}\n${ROW}\n`, judged(true)), `\n${table}`)
    assert.equal(appendix(table, sampleResult()), `${ROW} – |\n`)
  })
})

test('numbers are not grouped, and doubtful, censored and missing ones keep their marks', () => {
  const all = summary(2000, {
    avg: time(45_273),
    p50: null,
    max: time(55_370, { censored: true, doubtful: true })
  })
  const result = sampleResult({
    options: { rate: '100', duration: '30s', nClients: 200 },
    outcome: {
      operations: { REGISTER: operation({ count: 12_345, all, throughputIsLowerBound: true }) },
      server: null
    }
  })
  assert.match(
    appendix('', result),
    /\n\| REGISTER \| 200 \| 100 \| 5 \| 12345 \| 45273 \| – \| > 55370\* \| – \| – \| – \| – \| – \| – \| 0 \| ≥ 250 \|.* \| open 100\/s \| 20 \| 1 \| refresh \|/
  )
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
})

describe('on disk', () => {
  /** @type {string} */
  let folder
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loadtest-output-'))
  })
  after(() => rm(folder, { recursive: true }))

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
    const judged = /** @type {any} */ ({ ...plan, thresholds: [{}] })
    const withThresholds = `${HEADER} Thresholds |`
    for (const [content, of, taken] of /** @type {const} */ ([
      ['', plan, true],
      ['# Mine\n', plan, true],
      [`${HEADER}\n${RULE}\n${ROW}\n`, plan, true],
      [`# Mine\n\n${HEADER}\n${RULE}\n${ROW}\n`, plan, true],
      [`${withThresholds}\n`, plan, true],
      [`${withThresholds}\n`, judged, true],
      [`${HEADER}\n${RULE}\n${ROW}\n`, judged, false],
      [`${SOURCE_HEADER}\n`, plan, false],
      ['| Nodes | Topology |\n| --- | --- |\n', plan, false]
    ])) {
      const path = join(folder, 'table.md')
      await writeFile(path, content)
      const problem = await otherTable(path, of, RENDEZVOUS)
      assert.equal(problem === null, taken, content)
      if (problem !== null) assert.match(problem.allowed, /^ends in a table with other columns/)
    }
  })

  test('a file that is there or can be made is taken', async () => {
    await writeFile(join(folder, 'there.md'), '')
    assert.equal(await outputFileProblem(join(folder, 'there.md')), null)
    assert.equal(await outputFileProblem(join(folder, 'new.md')), null)
  })

  test('a folder, a missing folder and a path below a file are refused', async () => {
    await writeFile(join(folder, 'file'), '')
    const cases = /** @type {const} */ ([
      ['', /is a folder: name a file/],
      ['nowhere/out.md', /cannot be made: there is no folder .*nowhere/],
      ['file/out.md', /cannot be made: there is no folder .*file/]
    ])
    for (const [name, allowed] of cases) {
      const problem = await outputFileProblem(join(folder, name))
      assert.deepEqual([problem?.flag, problem?.value], ['--outputFile', join(folder, name)])
      assert.match(String(problem?.allowed), allowed)
    }
  })
})
