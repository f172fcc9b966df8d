import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { describeNamespaceProblem } from '../../../src/network/namespaces.js'
import { planOf } from '../../plan/planned.js'
import { operation, sampleResult } from '../../report/sample-result.js'
import { emptyBeforeEach, temporaryFolder } from '../../temporary-folder.js'
import { runCommand } from '../run-command.js'

/**
 * @typedef {import('node:events').EventEmitter} EventEmitter
 * @typedef {import('../../../src/cli/index.js').RunScenario} RunScenario
 * @typedef {import('../../../src/scenarios/rendezvous/options.js').Plan} Plan
 * @typedef {import('../../../src/report/schema.js').Result} Result
 * @typedef {import('../../../src/studies/matrix/matrix-document.js').MatrixDocument} MatrixDocument
 */

const base = temporaryFolder()
/** Clients of the rows that were run, in order. @type {number[]} */
let ran

const inFolder = () =>
  emptyBeforeEach(base, async () => {
    ran = []
    await write('load.yaml', MATRIX)
  })

const MATRIX = `
title: Load
defaults: { benchmarkRuns: 1000, workers: 1 }
rows:
  - nClients: 1
  - nClients: 2
    reference: { rtMs: [16, 15, 26], cpuPercent: [31, 42, 61], memoryMb: [98, 98, 106] }
  - nClients: 3
`

/** @param {string} file @param {string} text */
const write = (file, text) => writeFile(join(base, file), text)

const outputDir = () => join(base, 'results')

const FOLDER = '20261120-0712-matrix-load'

/** @param {Readonly<Plan>} plan @param {string} id @param {Partial<Result>} [parts] @returns {Result} */
const resultOf = (plan, id, parts = {}) => ({
  ...sampleResult(),
  plan,
  id,
  outcome: { ...sampleResult().outcome, operations: { [plan.benchmarkType]: operation() } },
  ...parts
})

/** @type {RunScenario} */
async function* complete(plan, { id }) {
  ran.push(plan.nClients)
  yield { type: 'start', id, plan, run: {} }
  yield { type: 'phase', name: 'measure', state: 'begin', atMs: 0 }
  yield { type: 'progress', phase: 'measure', done: 1, total: 2, unit: 'operations' }
  yield { type: 'partial', result: resultOf(plan, id, { status: 'partial' }) }
  yield { type: 'result', result: resultOf(plan, id) }
}

const DIED = { code: 'SERVER_DIED', message: 'the server (pid 7) ended with signal SIGKILL' }

/** @param {number} clients that fail @returns {RunScenario} */
const failingAt = clients =>
  async function* (plan, components) {
    if (plan.nClients !== clients) return yield* complete(plan, components)
    ran.push(plan.nClients)
    yield { type: 'result', result: resultOf(plan, components.id, { status: 'partial', reason: DIED }) }
  }

/** @param {number} clients at which Ctrl-C comes @returns {(process: EventEmitter) => RunScenario} */
const interruptedAt = clients => process =>
  async function* (plan, components) {
    if (plan.nClients !== clients) return yield* complete(plan, components)
    ran.push(plan.nClients)
    process.emit('SIGINT', 'SIGINT')
    const reason = { code: 'INTERRUPTED', message: 'interrupted by SIGINT' }
    yield { type: 'result', result: resultOf(plan, components.id, { status: 'partial', reason }) }
  }

/** @param {string[]} args @param {(process: EventEmitter) => RunScenario} [scenarioOf] */
const matrix = (args, scenarioOf = () => complete) =>
  runCommand(['matrix', ...args, '--outputDir', outputDir()], { base, scenarioOf })

/** @param {string[]} args @param {(process: EventEmitter) => RunScenario} [scenarioOf] */
const load = (args = [], scenarioOf) => matrix([join(base, 'load.yaml'), ...args], scenarioOf)

/** @param {string} [folder] @returns {Promise<MatrixDocument>} */
const documentIn = async (folder = FOLDER) => JSON.parse(await read('matrix.json', folder))

/** @param {string} file @param {string} [folder] */
const read = (file, folder = FOLDER) => readFile(join(outputDir(), folder, file), 'utf8')

/** @param {MatrixDocument} document */
const statesOf = ({ tables }) => tables.flatMap(({ rows }) => rows.map(({ status }) => status))

describe('a matrix', () => {
  inFolder()

  test('runs its rows in order, and keeps each result, an index and a report', async () => {
    const { exitCode, stdout, stderr, listeners } = await load()
    assert.deepEqual([exitCode, ran, listeners], [0, [1, 2, 3], 0])
    assert.deepEqual((await readdir(join(outputDir(), FOLDER))).sort(), [
      'load',
      'matrix.json',
      'report.html',
      'report.md'
    ])
    const document = await documentIn()
    assert.deepEqual(
      [document.status, document.id, statesOf(document)],
      ['complete', FOLDER, Array(3).fill('complete')]
    )
    for (const { plan, result, name } of document.tables[0].rows) {
      assert.equal(result, `load/${name}/result.json`)
      assert.deepEqual(JSON.parse(await read(String(result))).plan, plan)
    }
    for (const text of [await read('report.md'), stdout])
      assert.match(text, /\| c2-\S+ +\| REGISTER \| +2 \|.*\| +16\.04 \| +16 \|/)
    assert.match(stdout, /^Load: 3 of 3 rows measured\.$/m)
    assert.match(stdout, /\n\S*20261120-0712-matrix-load\/ {3}report\.html · matrix\.json\n$/)
    assert.match(stderr, /^ {2}1\/3 {2}load\/c1-r100-ns5-ops1000 {3}ETA \d.*$/m)
    assert.match(
      stderr,
      /^✔ 3\/3 {2}load\/c3-r100-ns5-ops1000 {3}\d+\.\d s {3}REGISTER 250\/s {3}p50 15\.0 ms/m
    )
  })

  test('has a table for each of its files, and a name that they share or that it is given', async () => {
    await write('load-b.yaml', 'title: B\ndefaults: { nClients: 9 }\n')
    await load([join(base, 'load-b.yaml')])
    await load(['--name', 'mine'])
    const [mine, both] = (await readdir(outputDir())).sort().reverse()
    assert.deepEqual([mine, both], ['20261120-0712-matrix-mine', FOLDER])
    assert.match(await read('report.md', both), /^## Load$[\s\S]*^## B$/m)
  })

  test('takes plan flags for all rows, and runs only rows that were asked for', async () => {
    await load(['--only', '*c{1,3}-*', '--seed', '9'])
    const { rows } = (await documentIn()).tables[0]
    assert.deepEqual(
      rows.map(planOf).map(plan => [plan.nClients, plan.seed]),
      [
        [1, 9],
        [3, 9]
      ]
    )
  })

  test('is multiplied by the lists of its file', async () => {
    await write('load.yaml', 'title: Load\nvary: { nClients: [4, 5], seed: [1, 2] }\n')
    await load()
    assert.deepEqual(ran, [4, 4, 5, 5])
  })

  test('has rows between network namespaces, and varies their links', {
    skip: describeNamespaceProblem() ?? false
  }, async () => {
    await write(
      'load.yaml',
      'title: Load\ndefaults: { network: namespaces }\nvary: { linkLatency: [5ms, "uniform:20ms-40ms"] }\nrows: [{ nClients: 3 }]\n'
    )
    const { exitCode, stderr } = await load()
    assert.equal(exitCode, 0, stderr)
    assert.deepEqual(ran, [3, 3])
    const { tables } = await documentIn()
    assert.deepEqual(
      tables.flatMap(({ rows }) =>
        rows.map(({ plan }) => [plan.network, /** @type {any} */ (plan).linkLatency.kind])
      ),
      [
        ['namespaces', 'constant'],
        ['namespaces', 'uniform']
      ]
    )
  })

  test('with --scale has fewer operations, and says so', async () => {
    await load(['--scale', '0.1'])
    assert.equal(planOf((await documentIn()).tables[0].rows[0]).benchmarkRuns, 100)
    const page = await read('report.md')
    assert.match(page, /⚠ .*--scale 0\.1/)
    assert.match(page, /^\| Row .*\| benchmarkRuns unscaled \|\n.*\n.*\| +1000 \|$/m)
  })

  test('with --compact leaves out what only plots need', async () => {
    const perSecond = [{ second: 0, type: 'REGISTER', outcome: 'OK', histogram: [[1, 2]] }]
    const series = [
      { fromMs: 0, toMs: 1000, pressurePercent: 1, stealPercent: 0, hiccupMs: 0, processes: [] }
    ]
    const scenario = () =>
      /** @type {RunScenario} */ (
        async function* (plan, { id }) {
          const { outcome, run } = resultOf(plan, id)
          const lateness = { hiccups: {}, pressurePercent: 1, stealPercent: 0, processes: [], series }
          const result = /** @type {Result} */ (
            resultOf(plan, id, {
              outcome: /** @type {any} */ ({ ...outcome, perSecond }),
              run: /** @type {any} */ ({ ...run, lateness })
            })
          )
          yield { type: 'partial', result }
          yield { type: 'result', result }
        }
      )
    await load(['--compact', '--name', 'compact'], scenario)
    await load(['--name', 'whole'], scenario)
    const [small, whole] = await Promise.all(
      ['compact', 'whole'].map(async name =>
        JSON.parse(await read('load/c1-r100-ns5-ops1000/result.json', `20261120-0712-matrix-${name}`))
      )
    )
    assert.deepEqual([small.outcome.perSecond, whole.outcome.perSecond], [[], perSecond])
    assert.deepEqual([small.run.lateness.series, whole.run.lateness.series], [[], series])
    assert.equal(small.run.lateness.pressurePercent, 1)
    assert.deepEqual(small.outcome.operations, whole.outcome.operations)
  })

  test('--json prints the index alone, --quiet the summary alone', async () => {
    const { stdout } = await load(['--json'])
    assert.equal(JSON.parse(stdout).status, 'complete')
    const { stderr } = await load(['--quiet'])
    assert.equal(stderr, '')
  })

  test('--outputFile gets a row for each', async () => {
    await load(['--outputFile', join(base, 'out.md')])
    assert.equal((await readFile(join(base, 'out.md'), 'utf8')).match(/^\| REGISTER/gm)?.length, 3)
  })

  test('that the load generator limited says so', async () => {
    const limited = () =>
      /** @type {RunScenario} */ (
        async function* (plan, { id }) {
          const values = { busy: { worker: 0, utilization: 0.97 }, overheads: [] }
          const { outcome, run } = sampleResult({ warnings: [{ code: 'GENERATOR_LIMITED', values }] })
          yield { type: 'result', result: resultOf(plan, id, { outcome, run }) }
        }
      )
    const { stdout } = await load([], limited)
    assert.match(
      stdout,
      /^⚠ All 3 rows, for example: Generator-limited: worker 0 of the load generator was 97 % busy/m
    )
  })
})

describe('--list', () => {
  inFolder()

  test('names the rows with an estimate, and runs and writes nothing', async () => {
    const { exitCode, stdout, loaded } = await load(['--list', '--only', '*c2-*'])
    assert.deepEqual([exitCode, loaded], [0, 0])
    assert.match(stdout, /\| load\/c2-r100-ns5-ops1000 \| +[\d.]+ \|/)
    assert.match(stdout, /\n1 row, 1 to run, \d+\.\d s to [\d. mins]+ with identities from the cache\.\n$/)
    assert.deepEqual((await readdir(base)).sort(), ['load.yaml'])
  })

  test('without files has every row of the source document', async () => {
    const { stdout } = await matrix(['--list'])
    assert.match(stdout, /\n42 rows, 42 to run, \d+ min \d+ s to \d+ min \d+ s with/)
  })

  test('with --resume says what is done', async () => {
    await load([], () => failingAt(2))
    const { stdout } = await matrix(['--list', '--resume'])
    assert.match(stdout, /c1-.*\| done +\|\n.*c2-.*\| – +\|\n.*\n\n3 rows, 2 to run/)
  })
})

describe('a row that fails', () => {
  inFolder()

  test('ends the matrix with exit code 1; what was measured is kept', async () => {
    const { exitCode, stdout, stderr } = await load([], () => failingAt(2))
    assert.deepEqual([exitCode, ran], [1, [1, 2]])
    const document = await documentIn()
    assert.deepEqual([document.status, document.reason?.code], ['partial', 'ROWS_FAILED'])
    assert.deepEqual(statesOf(document), ['complete', 'failed', 'pending'])
    assert.deepEqual(document.tables[0].rows[1].reason, DIED)
    assert.match(stdout, /^Load: 1 of 3 rows measured, 1 failed, 1 not run\.$/m)
    assert.equal(stdout.match(/the server \(pid 7\) ended/g)?.length, 1)
    assert.match(stderr, /✖ 2\/3 .* failed: the server \(pid 7\) ended/)
    const page = await read('report.md')
    assert.match(page, /^\| c2-r100-ns5-ops1000 .*\| failed +\|/m)
    assert.match(page, /^\| c3-r100-ns5-ops1000 .*\| not run +\|/m)
    assert.match(page, /^- ⚠ load\/c2-r100-ns5-ops1000: failed: the server \(pid 7\) ended/m)
  })

  test('does not end it with --keepGoing, and the exit code is 1 all the same', async () => {
    const { exitCode, stdout } = await load(['--keep-going'], () => failingAt(2))
    assert.deepEqual([exitCode, ran], [1, [1, 2, 3]])
    assert.match(stdout, /2 of 3 rows measured, 1 failed\./)
  })

  test('may fail without a result', async () => {
    const { exitCode, stderr } = await load(
      ['--keepGoing'],
      () =>
        // biome-ignore lint/correctness/useYield: it fails before its first record
        async function* () {
          throw new Error('broken install')
        }
    )
    assert.equal(exitCode, 1)
    assert.match(stderr, /error: broken install/)
    const { rows } = (await documentIn()).tables[0]
    assert.deepEqual(rows.map(({ status, reason, result }) => [status, reason?.message, result])[0], [
      'failed',
      'broken install',
      null
    ])
    assert.deepEqual(await readdir(join(outputDir(), FOLDER, 'load')), [])
  })
})

describe('Ctrl-C', () => {
  inFolder()

  test('ends the matrix with exit code 130, and keeps and marks what is there', async () => {
    const { exitCode, stdout, stderr, listeners } = await load(['--keepGoing'], interruptedAt(2))
    assert.deepEqual([exitCode, ran, listeners], [130, [1, 2], 0])
    const document = await documentIn()
    assert.deepEqual([document.status, document.reason?.code], ['partial', 'INTERRUPTED'])
    assert.deepEqual(statesOf(document), ['complete', 'interrupted', 'pending'])
    assert.match(await read('report.md'), /^\| c2-r100-ns5-ops1000 .*\| interrupted +\|/m)
    assert.match(stderr, /stopping; Ctrl-C again ends at once/)
    assert.match(stdout, /1 of 3 rows measured, 2 not run\./)
  })
})

describe('--resume', () => {
  inFolder()

  test('goes on in the latest folder with what it was asked for; finished rows are not run again', async () => {
    await load(['--seed', '5', '--keepGoing'], interruptedAt(2))
    ran = []
    const { exitCode, stdout } = await matrix(['--resume'])
    assert.deepEqual([exitCode, ran], [0, [2, 3]])
    assert.deepEqual(await readdir(outputDir()), [FOLDER])
    const { status, reason, tables } = await documentIn()
    assert.deepEqual([status, reason], ['complete', null])
    assert.deepEqual(
      tables[0].rows.map(({ plan, result }) => [plan.seed, result]),
      [
        [5, 'load/c1-r100-ns5-ops1000/result.json'],
        [5, 'load/c2-r100-ns5-ops1000-2/result.json'],
        [5, 'load/c3-r100-ns5-ops1000/result.json']
      ]
    )
    assert.match(stdout, /3 of 3 rows measured/)
  })

  test('refuses a folder that was asked for what is gone', async () => {
    await load()
    const path = join(outputDir(), FOLDER, 'matrix.json')
    const document = JSON.parse(await readFile(path, 'utf8'))
    Object.assign(document.request, { vary: { seed: ['1', '2'] }, formedMesh: true })
    await writeFile(path, JSON.stringify(document))
    const { exitCode, stderr } = await matrix(['--resume'])
    assert.equal(exitCode, 2)
    assert.match(stderr, /--resume .*was made with --formedMesh, which was removed: rows run/)
    assert.match(stderr, /--resume .*was made with --vary, which was removed: a matrix file has vary/)
  })

  test('runs nothing when all is done, and makes the tables anew', async () => {
    await load()
    await rm(join(outputDir(), FOLDER, 'report.md'))
    ran = []
    const { exitCode } = await matrix(['--resume', join(outputDir(), FOLDER)])
    assert.deepEqual([exitCode, ran], [0, []])
    assert.match(await read('report.md'), /3 of 3 rows measured/)
  })

  test('runs rows again whose plan is another one', async () => {
    await load()
    ran = []
    await matrix(['--resume', '--only', '*c2-*', '--warmup', '3s'])
    assert.deepEqual(ran, [2])
    await write('load.yaml', MATRIX.replace('nClients: 3', 'nClients: 4'))
    ran = []
    await matrix(['--resume', '--warmup', '2s', '--only', '*'])
    assert.deepEqual(ran, [2, 4])
  })

  test('runs rows again whose result is gone or was never finished', async () => {
    await load()
    await rm(join(outputDir(), FOLDER, 'load', 'c1-r100-ns5-ops1000'), { recursive: true })
    const killed = join(outputDir(), FOLDER, 'load', 'c3-r100-ns5-ops1000', 'result.json')
    await writeFile(
      killed,
      JSON.stringify({ ...JSON.parse(await readFile(killed, 'utf8')), status: 'partial' })
    )
    ran = []
    await matrix(['--resume'])
    assert.deepEqual(ran, [1, 3])
  })

  test('takes the latest of several folders', async () => {
    await load(['--name', 'a'], () => failingAt(2))
    await load(['--name', 'b'], () => failingAt(3))
    ran = []
    await matrix(['--resume'])
    assert.deepEqual(ran, [3])
  })
})
