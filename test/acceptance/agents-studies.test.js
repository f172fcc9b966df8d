import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { until } from '../until.js'
import { NO_NATS, startBus } from './bus.js'
import { operation } from './consistent.js'
import { call, INDEX, newFolder, QUICK, runCommand, startProgram, TIMEOUT } from './loadtest.js'

const SHORT = ['--warmup', '50ms', '--probeRate', '0', '--initialRegistrations', '10', '--server', 'process']
/** Runs that go on until somebody is lost. */
const LONG = [...QUICK.slice(2), '--nClients', '2', '--rate', '20/s', '--duration', '8s', '--skipLookUp']
const OF_PROCESS = ['--server', 'process']

const ROWS = `
title: Two rows
defaults: { nClients: 2, duration: 1s }
rows:
  - rate: 20/s
  - rate: 40/s
`

/** @param {string} outputDir @param {string} file */
async function documentIn(outputDir, file) {
  const [folder] = (await readdir(outputDir)).map(name => join(outputDir, name))
  const text = await readFile(join(folder, file), 'utf8').catch(() => 'null')
  return { folder, text, document: JSON.parse(text) }
}

/** @param {string} folder @param {string} run @returns {Promise<import('./loadtest.js').Result>} */
const resultOf = async (folder, run) => JSON.parse(await readFile(join(folder, run, 'result.json'), 'utf8'))

/** @param {import('./loadtest.js').Result} result */
const agentsOf = ({ run }) => (run.agents ?? []).map(({ id }) => id).sort()

describe('a study over agents', { skip: NO_NATS }, () => {
  /** @type {import('./bus.js').Bus} */
  let bus
  /** @type {import('./program.js').Program[]} */
  let agents = []
  /** @type {string[]} */
  let ids = []
  /** @type {string[]} */
  let over

  before(async () => {
    bus = await startBus()
    agents = ['one', 'two'].map(tag =>
      startProgram(INDEX, ['agent', '--bus', bus.url, '--tags', tag], { wholeFile: true })
    )
    ids = await Promise.all(agents.map(async agent => (await agent.line(/^agent (\w+) is ready/))[1]))
    over = ['--bus', bus.url, '--agents', 'one=1,two=1']
  })
  after(() => bus?.kill())

  /** Runs that stand in the folder of a study while it goes on. @param {string} outputDir */
  const firstRun = async outputDir => {
    const [study] = await readdir(outputDir)
    const runs = join(outputDir, study ?? '', 'runs')
    const [first] = await readdir(runs).catch(() => [])
    return first === undefined ? null : resultOf(runs, first).catch(() => null)
  }
  /** Figures of its first run have come. @param {import('./program.js').Program} going @param {string} outputDir */
  const isMeasuring = async (going, outputDir) => {
    /** @type {import('./program.js').Ended | null} */
    let ended = null
    void going.ended.then(how => {
      ended = how
    })
    await until(
      async () => {
        if (ended !== null) throw new Error(`it has ended: ${ended.stderr}`)
        return ((await firstRun(outputDir))?.outcome.operations.REGISTER?.count ?? 0) > 0
      },
      { mostMs: 400_000, everyMs: 50 }
    )
  }

  test('runs the rows of a matrix on the same agents, which are free afterwards', TIMEOUT, async () => {
    const [outputDir, files] = [await newFolder(), await newFolder()]
    const file = join(files, 'two.yaml')
    await writeFile(file, ROWS)
    const { code, stderr } = await call(['matrix', file, ...SHORT, ...over, '--outputDir', outputDir])
    assert.equal(code, 0, stderr)
    const { folder, document } = await documentIn(outputDir, 'matrix.json')
    const rows = document.tables[0].rows
    for (const [i, { status, result: path }] of rows.entries()) {
      assert.equal(status, 'complete')
      const result = await resultOf(folder, join(path, '..'))
      assert.deepEqual(agentsOf(result), [...ids].sort())
      assert.equal(operation(result, 'REGISTER').count, [20, 40][i])
    }
    const { stdout } = await call(['agents', '--bus', bus.url, '--json'])
    assert.deepEqual(
      JSON.parse(stdout).map((/** @type {any} */ { busy }) => busy),
      [null, null]
    )
  })

  test('finds out loads, and keeps nothing of how agents were reached', TIMEOUT, async () => {
    const outputDir = await newFolder()
    const grid = ['saturate', 'rendezvous', '--rates', '10,20', '--connections', '2', '--duration', '1s']
    const { code, stderr } = await call([...grid, ...SHORT, ...over, '--outputDir', outputDir])
    assert.equal(code, 0, stderr)
    const { folder, document, text } = await documentIn(outputDir, 'saturate.json')
    assert.deepEqual(
      document.grid.cells.map((/** @type {any} */ { status, point }) => [status, point.due]),
      [20, 40].map(due => ['complete', due])
    )
    for (const { run } of document.grid.cells)
      assert.deepEqual(agentsOf(await resultOf(folder, run)), [...ids].sort())
    assert.doesNotMatch(text, /nats:/)
    assert.equal(document.options.workers, 2)
  })

  test(
    'is refused where agents are busy with another one, or cannot reach the machine',
    TIMEOUT,
    async () => {
      const outputDir = await newFolder()
      const args = ['--runs', '2', ...LONG, ...OF_PROCESS, ...over, '--outputDir', outputDir]
      const going = startProgram(INDEX, args)
      await until(async () => (await readdir(outputDir)).length > 0)
      const busy = await runCommand([
        'ab',
        '',
        '--inFlight 2',
        '--bus',
        bus.url,
        '--agents',
        '1',
        '--runs',
        '1'
      ])
      assert.equal(busy.code, 2)
      assert.match(busy.stderr, /1 agent: asked for, and 0 free.*is busy with run \w+/)
      going.signal('SIGINT')
      assert.equal((await going.ended).code, 130)
      const stranger = await runCommand(['capacity', ...over, '--address', '192.0.2.7'])
      assert.equal(stranger.code, 2)
      assert.match(stranger.stderr, /--address 192\.0\.2\.7 +nothing can listen on 192\.0\.2\.7/)
      assert.deepEqual([...busy.folders, ...stranger.folders], [])
    }
  )

  test('goes on with those that are left, as it was asked to', TIMEOUT, async () => {
    const outputDir = await newFolder()
    const asked = ['--runs', '2', ...LONG, ...OF_PROCESS, ...over, '--onLostAgent', 'continue']
    const going = startProgram(INDEX, [...asked, '--outputDir', outputDir])
    await isMeasuring(going, outputDir)
    await agents[1].endNow()
    const { code, stderr } = await going.ended
    assert.equal(code, 0, stderr)
    assert.match(stderr, new RegExp(`agent ${ids[1]} \\(.*\\) has no part in the next run`))
    const { folder, document } = await documentIn(outputDir, 'runs.json')
    const [first, second] = await Promise.all(
      document.runs.map((/** @type {string} */ run) => resultOf(folder, run))
    )
    assert.ok(first.run.warnings.some((/** @type {any} */ { code }) => code === 'AGENT_LOST'))
    assert.deepEqual(agentsOf(second), [ids[0]])
    assert.equal(operation(second, 'REGISTER').count, 160)
  })

  test('ends with the run that lost an agent', TIMEOUT, async () => {
    const outputDir = await newFolder()
    const asked = ['--runs', '2', ...LONG, ...OF_PROCESS, '--bus', bus.url, '--agents', '1']
    const going = startProgram(INDEX, [...asked, '--outputDir', outputDir])
    await isMeasuring(going, outputDir)
    await agents[0].endNow()
    const { code, stderr } = await going.ended
    assert.equal(code, 1, stderr)
    const { document } = await documentIn(outputDir, 'runs.json')
    assert.equal(document.reason.code, 'AGENT_LOST')
    assert.deepEqual(document.runs, [null, null])
  })
})

describe('what cannot go over agents', () => {
  const over = ['--bus', 'nats://127.0.0.1:1', '--agents', '1']
  for (const [args, said] of /** @type {[string[], RegExp][]} */ ([
    [['gossip', '--validate'], /--agents 1 +has no use with --validate: its runs are on this machine/],
    [['capacity', '--run'], /--agents 1 +has no use here: its servers and its load are on this machine/],
    [
      ['matrix', 'benchmarks/smoke.yaml', '--parallel', '2'],
      /--parallel 2 +needs rows that are all simulated/
    ],
    [
      ['matrix', 'benchmarks/gossip-profile.yaml'],
      /--agents 1 +has no use here: its runs are on this machine/
    ],
    [['saturate', 'gossip', '--network', 'simulated'], /--network simulated +has no use with --agents/],
    [['matrix', 'benchmarks/smoke.yaml'], /no NATS server can be used at nats:\/\/127\.0\.0\.1:1/]
  ]))
    test(`${args.join(' ')} is refused`, TIMEOUT, async () => {
      const { code, stderr, folders } = await runCommand([...args, ...over])
      assert.equal(code, 2)
      assert.match(stderr, said)
      assert.deepEqual(folders, [])
    })
})
