import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { collector, operation, SERVER, sampleResult, summary, time } from '../../../report/sample-result.js'
import { matrixPage, matrixProgress } from '../../../report/shown.js'

/**
 * @typedef {import('../../../../src/result/types.js').Result} Result
 * @typedef {import('../../../../src/studies/matrix/matrix-folder.js').RowRecord} RowRecord
 * @typedef {import('../../../../src/studies/matrix/matrix-folder.js').TableRecord} TableRecord
 */

/** @param {string} name @param {Record<string, unknown>} options @param {Partial<RowRecord>} [parts] @returns {RowRecord} */
const row = (name, options, parts = {}) => ({
  id: `load/${name}`,
  name,
  note: null,
  reference: null,
  plan: sampleResult({ options }).plan,
  atAnotherRate: null,
  unscaled: {},
  blocked: null,
  status: 'complete',
  reason: null,
  result: `load/${name}/result.json`,
  doubtful: false,
  tookMs: 12_345,
  ...parts
})

const REFERENCE = { rtMs: [23_686, 358, 57_365], cpuPercent: [11, 8, 88], memoryMb: [2341, 2334, 2645] }

/** @param {RowRecord[]} rows @param {Partial<TableRecord>} [parts] @returns {TableRecord} */
const tableOf = (rows, parts = {}) => ({
  id: 'load',
  scenario: 'rendezvous',
  title: 'Load',
  description: 'What it is.',
  source: 'a document',
  differences: ['Another machine.', 'Another database.'],
  markdown: 'load.md',
  rows,
  ...parts
})

const doubtful = { doubtful: true }

/** The table of four rows: one with all its figures, one with every mark, one that was broken off, one that was not run. */
function sample() {
  const rows = [
    row(
      'a',
      { nClients: '50', initialRegistrations: '100000', benchmarkRuns: '500', duration: '1m' },
      { reference: REFERENCE, note: 'a note on a' }
    ),
    row('b', { nClients: '9', benchmarkRuns: '50' }, { doubtful: true, unscaled: { benchmarkRuns: 500 } }),
    row(
      'c',
      { benchmarkRuns: '500' },
      {
        reference: REFERENCE,
        status: 'interrupted',
        reason: { code: 'INTERRUPTED', message: 'interrupted by SIGINT' }
      }
    ),
    row('d', { duration: '5s' }, { reference: { rtMs: [1, 2, 3] }, status: 'pending', result: null })
  ]
  const marked = operation({
    errors: 3,
    throughputIsLowerBound: true,
    all: summary(500, { avg: time(1234.5, { censored: true }), p50: time(0.5, doubtful), p99: null })
  })
  const warnings = [
    { code: 'GENERATOR_BUSY', values: { worker: 0, utilization: 0.95 } },
    { code: 'GENERATOR_BUSY', values: { worker: 1, utilization: 0.96 } }
  ]
  const results = new Map([
    ['load/a', sampleResult({ options: { nClients: '50' } })],
    ['load/b', sampleResult({ outcome: { operations: { REGISTER: marked } }, warnings })],
    [
      'load/c',
      sampleResult({
        outcome: { server: { ...SERVER, cpu: { ...SERVER.cpu, medianPercent: null } } },
        warnings
      })
    ]
  ])
  for (const { run } of results.values())
    run.versions = { 'libp2p-loadtest': '0.1.0', node: 'v20.20.2', libp2p: '3.3.11' }
  return { table: tableOf(rows), results }
}

test('the page of a table is as it was', async () => {
  const { table, results } = sample()
  const golden = new URL('matrix-page.golden.md', import.meta.url)
  assert.equal(matrixPage(table, results, { scale: 0.1 }), await readFile(golden, 'utf8'))
})

describe('the page of a table', () => {
  test('has no word on published figures where there are none', () => {
    const page = matrixPage(tableOf([row('a', {})]), new Map([['load/a', sampleResult()]]))
    assert.doesNotMatch(page, /published|Another|Scale|slash/i)
  })

  test('has published figures before anything was measured', () => {
    const rows = [row('a', {}, { reference: REFERENCE, status: 'pending', result: null })]
    const page = matrixPage(tableOf(rows), new Map())
    assert.match(page, /Nothing was measured yet/)
    assert.match(page, /\| – \/ 23,686 \| +– \/ 358 \|/)
    assert.doesNotMatch(page, /too few samples|whole result/)
  })

  test('has published figures beside the operation they are of, and no other', () => {
    const result = sampleResult({ outcome: { operations: { CONNECT: operation(), REGISTER: operation() } } })
    const page = matrixPage(tableOf([row('a', {}, { reference: REFERENCE })]), new Map([['load/a', result]]))
    const [connect, register] = page.split('\n').filter(line => /^\| (CONNECT|REGISTER)/.test(line))
    assert.equal(connect.includes(' / '), false)
    assert.ok(register.includes('16.0 / 23,686'))
  })

  test('names each machine, version, server and day that its rows were measured with', () => {
    const other = sampleResult()
    other.run.machine.cores = 8
    other.run.startedAt = '2026-11-22T07:12:00.000Z'
    other.outcome.target.kind = 'docker'
    const results = new Map([
      ['load/a', sampleResult()],
      ['load/b', other]
    ])
    const page = matrixPage(tableOf([row('a', {}), row('b', {})]), results)
    assert.match(page, /- Date: 2026-11-20 to 2026-11-22\n/)
    assert.match(page, /- Machine: 2 × some, 8\.0 GB, linux x64; 8 × some/)
    assert.match(
      page,
      /- Server: ours, in memory, as a process of its own; ours, in memory, in a Docker container\n/
    )
  })

  /** @type {[Record<string, unknown>, RegExp][]} */
  const protocols = [
    [{ warmup: '0', benchmarkRuns: '9' }, /no warm-up, then the operations\n/],
    [{ duration: '5s' }, /which is not counted, then 5\.0 s of operations\n/],
    [{ duration: '5s', benchmarkRuns: '9' }, /then 5\.0 s of operations or 9 of them\n/],
    [{ benchmarkRuns: '9', minDuration: '3s' }, /then the operations, and more until 3\.0 s were measured\n/],
    [{ rate: '50' }, /open model: operations are due at 50\.0\/s/]
  ]
  for (const [options, said] of protocols)
    test(`says how was measured with ${JSON.stringify(options)}`, () => {
      assert.match(
        matrixPage(tableOf([row('a', options)]), new Map([['load/a', sampleResult({ options })]])),
        said
      )
    })

  test('says of each row whether its thresholds hold, and names those that failed', () => {
    const options = { threshold: 'REGISTER.p50 < 20ms' }
    /** @type {import('../../../../src/result/types.js').ThresholdResult} */
    const threshold = {
      ...{ text: 'REGISTER.p50 < 20ms', metric: 'REGISTER.p50', limit: 20, unit: 'ms' },
      ...{ operator: '<', actual: 15, passed: true }
    }
    const failed = { ...threshold, actual: 25, passed: false }
    const table = tableOf([row('a', options), row('b', options), row('c', {})])
    const results = new Map([
      ['load/a', sampleResult({ options, outcome: { thresholds: [threshold] } })],
      ['load/b', sampleResult({ options, outcome: { thresholds: [failed] } })],
      ['load/c', sampleResult()]
    ])
    const page = matrixPage(table, results)
    assert.match(page, /\| +Errors \| Thresholds \| Row +\|\n/)
    for (const [name, verdict] of Object.entries({ a: 'PASS', b: 'FAIL', c: '–' }))
      assert.match(page, new RegExp(`\\| ${verdict} +\\| ${name} +\\|\n`))
    assert.match(page, /^- b: ✖ REGISTER\.p50 < 20ms: 25\.0 ms$/m)
    assert.doesNotMatch(matrixPage(tableOf([row('c', {})]), results), /Thresholds/)
  })

  test('prints no ratio', () => {
    const { table, results } = sample()
    assert.doesNotMatch(matrixPage(table, results), /speed|faster|times as|\d×\d/i)
  })
})

describe('on a terminal', () => {
  test('a line stays for each row, and one moves', async () => {
    const stream = Object.assign(collector(), {
      isTTY: true,
      columns: 200,
      clearLine() {},
      cursorTo() {},
      moveCursor() {}
    })
    const progress = await matrixProgress({ stream: /** @type {any} */ (stream), quiet: false })
    const [good, bad] = sample().table.rows.filter(({ name }) => ['a', 'c'].includes(name))
    progress.begin({ row: good, index: 1, total: 12, etaMs: 90_000, paceKnown: true })
    progress.add({ type: 'phase', name: 'measure', state: 'begin', atMs: 0 })
    progress.add({ type: 'progress', phase: 'measure', done: 5, total: 10, unit: 'operations' })
    progress.notice('stopping')
    progress.end({ row: good, index: 1, total: 12, etaMs: 0, paceKnown: true }, sampleResult())
    progress.begin({ row: bad, index: 2, total: 12, etaMs: 90_000, paceKnown: true })
    progress.end({ row: bad, index: 2, total: 12, etaMs: 0, paceKnown: true }, null)
    progress.close()
    const text = stream.text()
    assert.match(text, / 1\/12 {2}load\/a {3}in all: ETA 1 min 30 s/)
    assert.match(text, /stopping\n/)
    assert.match(text, /✔.* 1\/12 {2}load\/a {3}12\.3 s {3}REGISTER 250 op\/s p50 15\.0 ms\n/)
    assert.match(text, /✖.* 2\/12 {2}load\/c {3}12\.3 s {3}interrupted by SIGINT\n/)
  })
})
