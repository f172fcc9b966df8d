import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { formatResult } from '../../src/report/result-folder.js'
import { makeStudyHead } from '../../src/studies/study.js'
import { STUDY_DOCUMENTS } from '../../src/studies/study-folders.js'
import { operation, sampleResult, summary, time } from '../report/sample-result.js'
import { madeUpMatrix } from '../studies/matrix/made-up-matrix.js'
import { emptyBeforeEach, temporaryFolder } from '../temporary-folder.js'
import { runCommand } from './run-command.js'

/** @typedef {import('../../src/report/schema.js').Result} Result */

const base = temporaryFolder()

/** @type {import('../../src/scenarios/rendezvous/options.js').Plan[]} */
let plans = []

/** @param {...string} argv */
function call(...argv) {
  plans = []
  return runCommand(argv, {
    base,
    scenarioOf: () =>
      async function* (plan, { id }) {
        plans.push(plan)
        yield { type: 'start', id, plan, run: {} }
        yield { type: 'result', result: { ...sampleResult(), id, plan } }
      }
  })
}

/** @param {string} name @param {Result} result */
async function keep(name, result) {
  const folder = join(base, 'results', name)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'result.json'), formatResult({ ...result, id: name }))
  return folder
}

describe('a study of an earlier release that there is no more', () => {
  emptyBeforeEach(base)

  test('is named where it is listed, and its pages stay', async () => {
    const folder = join(base, 'results', 'old')
    await mkdir(folder, { recursive: true })
    for (const file of ['validation.json', 'report.html']) await writeFile(join(folder, file), '{}')
    const { exitCode, stdout } = await call('list', join(base, 'results'), '--json')
    assert.equal(exitCode, 0)
    assert.match(
      stdout,
      /contains a study of an earlier release \(validation\.json\), which this release cannot read/
    )
    assert.equal(await readFile(join(folder, 'report.html'), 'utf8'), '{}')
  })
})

describe('rerun', () => {
  emptyBeforeEach(base)

  test('runs the plan of a result again, into a folder of its own, and says what is not as it was', async () => {
    const before = sampleResult({ options: { nClients: 7, seed: 3, duration: '5s' } })
    before.outcome.target.chosenBy = 'no engine answers'
    const agent = {
      ...{ id: 'a', host: 'one', tags: [], cores: 2, memoryBytes: 1e9, node: '20.20.2', workers: [0] },
      ...{ operations: 500, busiest: 0.5, overheadMs: 0.1, lateMs: 0, clock: null, lost: null }
    }
    before.run.agents = [agent, { ...agent, id: 'b' }]
    const folder = await keep('before', before)
    const { exitCode, stderr, stdout } = await call(
      'rerun',
      folder,
      '--outputDir',
      join(base, 'again'),
      '--csv'
    )
    assert.equal(exitCode, 0, stderr)
    assert.deepEqual({ ...plans[0] }, { ...before.plan, server: 'process' }, 'where --server auto has put it')
    assert.match(stderr, /^another machine than that of the result: .*cpu some → /m)
    assert.match(
      stderr,
      /^2 agents ran the workers of the result; now this machine does: --bus and --agents/m
    )
    assert.match(stderr, /^other versions than those of the result: .*node 20\.20\.2 → v\d+/m)
    assert.match(stdout, /\| REGISTER +\| +7 \|/)
    assert.deepEqual(await readdir(join(base, 'again')), ['20261120-0712-rendezvous-3'])
    const files = await readdir(join(base, 'again', '20261120-0712-rendezvous-3'))
    for (const file of ['result.json', 'report.md', 'operations.csv']) assert.ok(files.includes(file))
  })

  const made = madeUpMatrix().document
  const request = { ...made.request, files: ['smoke'], only: ['a-*'], runs: 3 }
  const sample = sampleResult({ options: { nClients: 7 } }).plan
  const ab = {
    ...{ ...makeStudyHead('ab', new Date()), schemaVersion: 2, failOn: [], baseline: null },
    sides: [sample, { ...sample, nClients: 9 }].map(plan => ({ label: 'x', plan, runs: [] }))
  }
  /** @type {[import('../../src/studies/study-folders.js').StudyKind, object, string][]} */
  const studies = [
    ['matrix', { ...made, request }, "matrix smoke --only 'a-*' --runs 3"],
    ['comparison', ab, 'ab']
  ]
  for (const [kind, document, again] of studies)
    test(`of the folder of a study (${kind}) says how the study is made again`, async () => {
      const folder = join(base, kind)
      await mkdir(folder)
      await writeFile(join(folder, STUDY_DOCUMENTS[kind].file), JSON.stringify(document))
      const { exitCode, stderr, loaded } = await call('rerun', folder)
      assert.deepEqual([exitCode, loaded], [2, 0])
      assert.ok(stderr.includes(`is the folder of a study (${kind}), and rerun runs only single runs again`))
      assert.ok(stderr.includes(`the study again: node index.js ${again}`), stderr)
    })

  test('of a plan that nothing can run any more says what is wrong with it, and its result is read', async () => {
    const { plan, ...result } = sampleResult()
    const folder = await keep('before', { ...result, plan: { ...plan, store: 'pglite' } })
    const { exitCode, stderr } = await call('rerun', folder)
    assert.deepEqual([exitCode, plans.length], [2, 0])
    assert.match(stderr, /--store pglite +is no longer supported: use --store postgres/)
  })
})

describe('report', () => {
  emptyBeforeEach(base)

  test('makes the views of a run again, and CSV when asked for', async () => {
    const folder = await keep('run', sampleResult())
    await writeFile(join(folder, 'report.md'), 'old')
    const { exitCode, stdout, loaded } = await call('report', folder, '--csv')
    assert.deepEqual([exitCode, loaded], [0, 0])
    assert.match(stdout, /\| REGISTER/)
    assert.match(stdout, /written: .*report\.md/)
    assert.match(await readFile(join(folder, 'report.md'), 'utf8'), /^# run\n/)
    assert.ok((await readdir(folder)).includes('operations.csv'))
  })
})

describe('a matrix', () => {
  emptyBeforeEach(base)

  test('is reported with all its rows', async () => {
    const matrix = join(base, 'matrix.yaml')
    await writeFile(matrix, 'title: Two\nrows:\n  - nClients: 3\n  - nClients: 5\n')
    const outputDir = join(base, 'results')
    const ran = await call('matrix', matrix, '--outputDir', outputDir)
    assert.equal(ran.exitCode, 0, ran.stderr)
    const [name] = await readdir(outputDir)
    const before = await readFile(join(outputDir, name, 'report.md'), 'utf8')
    await writeFile(join(outputDir, name, 'report.md'), 'old')
    const { exitCode, stderr } = await call('report', join(outputDir, name))
    assert.equal(exitCode, 0, stderr)
    assert.equal(await readFile(join(outputDir, name, 'report.md'), 'utf8'), before)
    const rows = await readdir(join(outputDir, name, 'matrix'))
    assert.equal(rows.length, 2)
    for (const row of rows)
      assert.ok((await readdir(join(outputDir, name, 'matrix', row))).includes('report.md'))
  })
})

describe('list', () => {
  emptyBeforeEach(base)

  test('has a row for each run, newest first, with what was run and what came of it', async () => {
    const DISCOVER = operation({ all: summary(500, { p99: time(99) }) })
    await keep('20261120-0712-a', sampleResult())
    await keep(
      '20261120-0713-b',
      sampleResult({
        options: { benchmarkType: 'DISCOVER', duration: '5s', nClients: 1 },
        outcome: { operations: { DISCOVER } },
        result: { status: 'partial', reason: { code: 'SERVER_DIED', message: 'it died' } }
      })
    )
    await cp(join(base, 'results', '20261120-0712-a'), join(base, 'results', 'copy'), { recursive: true })
    await writeFile(join(base, 'results', 'copy', 'result.json'), 'x')
    await mkdir(join(base, 'results', 'other'))
    const { exitCode, stdout } = await call('list', join(base, 'results'))
    assert.equal(exitCode, 0)
    const rows = stdout.trimEnd().split('\n').slice(2)
    assert.equal(rows.length, 3)
    assert.match(rows[0], /\| unreadable: is damaged: .* \| copy +\|$/)
    assert.match(rows[1], /^\| 2026-11-20 07:12 .*\| partial: SERVER_DIED, DISCOVER 250\/s, .*\|$/)
    assert.match(rows[2], /\| REGISTER 250\/s, p50 15\.0 ms, p99 26\.0 ms, .* 20261120-0712-a +\|$/)
    const json = JSON.parse((await call('list', join(base, 'results'), '--json')).stdout)
    const { figures, ...run } = json[2]
    assert.deepEqual(run, {
      folder: '20261120-0712-a',
      startedAt: '2026-11-20T07:12:00.000Z',
      what: 'REGISTER (refresh) for 10.0 s · 4 clients · our server, tuned, in Docker or a process',
      status: 'complete'
    })
    assert.deepEqual(figures[1], { name: 'p50', value: 15, text: 'p50 15.0 ms' })
    const newest = await call('list', join(base, 'results'), '--limit', '1')
    assert.match(newest.stdout, /\| copy .*\n2 older: --limit 3\n$/)
  })
})

describe('schema', () => {
  emptyBeforeEach(base)

  test('names the schemas that there are', async () => {
    assert.equal(
      (await call('schema')).stdout,
      'node index.js schema result   Result of a run of libp2p-loadtest\nnode index.js schema plan     Plan of a run of libp2p-loadtest\nnode index.js schema line     Line of --jsonLines\nnode index.js schema network  Network file of gossip --networkFile\n'
    )
  })
})
