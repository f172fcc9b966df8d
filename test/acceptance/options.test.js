import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { assertComplete, operation } from './consistent.js'
import { newFolder, PAIRS, QUICK, run, TIMEOUT } from './loadtest.js'

const SMALL = [...QUICK, '--benchmarkRuns', '60']

describe('options from a file, a flag wins over it', PAIRS, () => {
  /** @param {string} name @param {string} text */
  async function fileOf(name, text) {
    const config = join(await newFolder(), name)
    await writeFile(config, text)
    return config
  }

  /** @param {import('./loadtest.js').Outcome} ended */
  function assertTaken(ended) {
    assertComplete(ended)
    const { nClients, benchmarkType, benchmarkRuns } = ended.result.plan
    assert.deepEqual([nClients, benchmarkType, benchmarkRuns], [3, 'DISCOVER', 70])
  }

  test('--config load.yaml; --quiet: the table only', TIMEOUT, async () => {
    const lines = ['# ours', 'nClients: 3', 'benchmark-type: discover', 'benchmarkRuns: 60', 'minDuration: 0']
    const config = await fileOf('load.yaml', [...lines, 'warmup: 50ms', 'probeRate: 0\n'].join('\n'))
    const ended = await run(['--config', config, '--benchmarkRuns', '70', '--quiet'])
    assertTaken(ended)
    assert.equal(ended.stderr, '')
    assert.match(ended.stdout, /^\| Operation .*\|\n\| :-+ .*\|\n\| DISCOVER .*\|\n$/)
  })

  test(
    '--config load.json; --json: stdout is the result document and nothing else; kebab-case flags do the same',
    TIMEOUT,
    async () => {
      const options = { benchmarkType: 'DISCOVER', benchmarkRuns: 60, minDuration: '0', warmup: '50ms' }
      const config = await fileOf('load.json', JSON.stringify({ nClients: 2, probeRate: 0, ...options }))
      const flags = ['--benchmark-runs=70', '--n-clients', '3', '--initial-registrations=10']
      const ended = await run(['--config', config, '--json', ...flags])
      assertTaken(ended)
      assert.deepEqual(JSON.parse(ended.stdout), ended.result)
      assert.equal(ended.stdout, await readFile(join(ended.folder, 'result.json'), 'utf8'))
      assert.equal(ended.result.plan.initialRegistrations, 10)
    }
  )
})

describe('what comes out', PAIRS, () => {
  test(
    "--outputFile: a row is appended each time, the source's columns exactly and first; every run has a folder of its own",
    TIMEOUT,
    async () => {
      const file = join(await newFolder(), 'table.md')
      const outputDir = await newFolder()
      const first = await run([...SMALL, '--outputFile', file], { outputDir })
      const second = await run(
        [...SMALL, '--outputFile', file, '--benchmarkType', 'DISCOVER', '--nClients', '2'],
        { outputDir }
      )
      assert.equal(second.folders.length, 2)
      assertComplete(first)
      assertComplete(second)
      const lines = (await readFile(file, 'utf8')).trim().split('\n')
      assert.equal(lines.length, 4)
      assert.ok(
        lines[0].startsWith(
          '| Type | Clients | Io Reg | Namespaces | Ops | Avg RT | Median RT | Max RT | Avg CPU | Median CPU | Max CPU | Avg Mem | Median Mem | Max Mem | '
        )
      )
      const cells = lines.map(line => line.split('|').map(cell => cell.trim()))
      assert.equal(new Set(cells.map(({ length }) => length)).size, 1)
      assert.deepEqual(cells[2].slice(1, 6), ['REGISTER', '4', '100', '5', '60'])
      assert.deepEqual(cells[3].slice(1, 6), ['DISCOVER', '2', '100', '5', '60'])
      assert.ok(Number.parseFloat(cells[2][6]) > 0)
      assert.equal(operation(second.result, 'DISCOVER').count, 60)
    }
  )
})

describe('help', () => {
  test('--help groups the flags and shows examples', TIMEOUT, async () => {
    const { code, stdout, folders } = await run(['--help'])
    assert.deepEqual([code, folders], [0, []])
    for (const heading of ['What is sent:', 'How it is sent:', 'The server:', 'Examples:'])
      assert.ok(stdout.includes(heading))
  })

  test('--version', TIMEOUT, async () => {
    const { code, stdout } = await run(['--version'])
    assert.equal(code, 0)
    assert.match(stdout, /libp2p-loadtest \d+\.\d+\.\d+/)
  })
})
