import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { assertComplete, operation } from './consistent.js'
import { base, newFolder, run, TIMEOUT } from './loadtest.js'
import { samplesIn } from './samples.js'

/** @param {string} name @param {string} text */
async function fileOf(name, text) {
  const config = join(await newFolder(), name)
  await writeFile(config, text)
  return config
}

const outputDir = await newFolder()
const table = join(base, 'table-of-two.md')

describe('options from a file, a flag wins over it', TIMEOUT, () => {
  test('--config load.yaml; --quiet: the table only; 70 operations of 3 clients are 70: none is lost to rounding', async () => {
    const lines = ['# ours', 'nClients: 3', 'benchmark-type: discover', 'benchmarkRuns: 60']
    const more = ['warmup: 50ms', 'initialRegistrations: 10\n']
    const config = await fileOf('load.yaml', [...lines, ...more].join('\n'))
    const flags = ['--config', config, '--benchmarkRuns', '70', '--quiet', '--outputFile', table]
    const ended = await run(flags, { outputDir })
    assertComplete(ended)
    const { nClients, benchmarkType, benchmarkRuns } = ended.result.plan
    assert.deepEqual([nClients, benchmarkType, benchmarkRuns], [3, 'DISCOVER', 70])
    assert.equal(operation(ended.result, 'DISCOVER').count, 70)
    assert.equal(ended.stderr, '')
    assert.match(ended.stdout, /^\| Type .*\|\n\| :-+ .*\|\n\| DISCOVER .*\|\n$/)
    assert.deepEqual(await samplesIn(ended.folder), [], 'they are kept with --samples only')
  })

  test('--config load.json; --json: stdout is the result document and nothing else; kebab-case flags do the same; every run has a folder of its own', async () => {
    const options = {
      benchmarkType: 'MIXED',
      mix: 'register=1,discover=1',
      benchmarkRuns: 60,
      warmup: '50ms'
    }
    const config = await fileOf('load.json', JSON.stringify({ nClients: 3, ...options }))
    const flags = ['--benchmark-runs=137', '--n-clients', '2', '--initial-registrations=15']
    const ended = await run(['--config', config, '--json', ...flags, '--outputFile', table], { outputDir })
    assertComplete(ended)
    const { nClients, benchmarkType, benchmarkRuns, initialRegistrations } = ended.result.plan
    assert.deepEqual([nClients, benchmarkType, benchmarkRuns, initialRegistrations], [2, 'MIXED', 137, 15])
    assert.deepEqual(JSON.parse(ended.stdout), ended.result)
    assert.equal(ended.stdout, await readFile(join(ended.folder, 'result.json'), 'utf8'))
    assert.equal(ended.folders.length, 2)
  })

  test("--outputFile: rows were appended each time, one for each type of operation, the source's columns exactly and first", async () => {
    const lines = (await readFile(table, 'utf8')).trim().split('\n')
    assert.equal(lines.length, 5)
    assert.ok(
      lines[0].startsWith(
        '| Type | Clients | Io Reg | Namespaces | Ops | Avg RT | Median RT | Max RT | Avg CPU | Median CPU | Max CPU | Avg Mem | Median Mem | Max Mem | '
      )
    )
    const cells = lines.map(line => line.split('|').map(cell => cell.trim()))
    assert.equal(new Set(cells.map(({ length }) => length)).size, 1)
    assert.deepEqual(cells[2].slice(1, 6), ['DISCOVER', '3', '10', '5', '70'])
    const mixed = cells.slice(3).sort(([, a], [, b]) => b.localeCompare(a))
    assert.deepEqual(
      mixed.map(row => row.slice(1, 5)),
      ['REGISTER', 'DISCOVER'].map(type => [type, '2', '15', '5'])
    )
    assert.equal(Number(mixed[0][5]) + Number(mixed[1][5]), 137)
    assert.ok(Number.parseFloat(cells[2][6]) > 0)
  })
})
