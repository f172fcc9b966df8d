import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { documentIn, LONG, resultOf, theirAgents } from '../acceptance/agent-study.js'
import { NO_NATS } from '../acceptance/bus.js'
import { operation } from '../acceptance/consistent.js'
import { call, INDEX, newFolder, runCommand, startProgram, TIMEOUT } from '../acceptance/loadtest.js'
import { localAgents } from '../acceptance/local-agents.js'
import { until } from '../until.js'

const SHORT = ['--warmup', '50ms', '--probeRate', '0', '--initialRegistrations', '10', '--server', 'process']
const ROWS = `
title: Two rows
defaults: { nClients: 2, duration: 1s }
rows:
  - rate: 20/s
  - rate: 40/s
`

describe('a study over agents', { skip: NO_NATS }, () => {
  /** @type {Awaited<ReturnType<typeof localAgents>>} */
  let local
  /** @type {string[]} */
  let over
  before(async () => {
    local = await localAgents({ one: {}, two: {} })
    over = ['--bus', local.bus.url, '--agents', 'one=1,two=1']
  })
  after(() => local?.bus.kill())

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
      assert.deepEqual(theirAgents(result), [...local.ids].sort())
      assert.equal(operation(result, 'REGISTER').count, [20, 40][i])
    }
    const { stdout } = await call(['agents', '--bus', local.bus.url, '--json'])
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
      assert.deepEqual(theirAgents(await resultOf(folder, run)), [...local.ids].sort())
    assert.doesNotMatch(text, /nats:/)
    assert.equal(document.options.workers, 2)
  })

  test(
    'is refused where agents are busy with another one, or cannot reach the machine',
    TIMEOUT,
    async () => {
      const outputDir = await newFolder()
      const args = ['--runs', '2', ...LONG, ...over, '--outputDir', outputDir]
      const going = startProgram(INDEX, args)
      await until(async () => (await readdir(outputDir)).length > 0)
      const busy = await runCommand([
        'ab',
        '',
        '--inFlight 2',
        '--bus',
        local.bus.url,
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
