import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { aGossipResult } from '../scenarios/gossip/a-gossip-result.js'
import { emptyBeforeEach, temporaryFolder } from '../temporary-folder.js'
import { until } from '../until.js'
import { runCommand } from './run-command.js'

/** @typedef {import('../../src/cli/index.js').RunScenario} RunScenario */

const base = temporaryFolder()
/** Rows that go on, now and at most. */
let [running, most] = [0, 0]
/** @type {string[]} */
let ran

const inFolder = () =>
  emptyBeforeEach(base, async () => {
    ;[running, most, ran] = [0, 0, []]
    await writeFile(join(base, 'series.yaml'), SERIES)
  })

const SERIES = `
scenario: gossip
title: Series
defaults: { nodes: 12, rate: 20/s, messages: 20, topology: full }
rows: [{ name: a }, { name: b }, { name: c }, { name: d }, { name: e }]
`

/**
 * @param {number} atOnce - rows that must have begun before one ends
 * @param {string[]} [failing] - names of rows
 * @returns {RunScenario}
 */
const scenario = (atOnce, failing = []) =>
  async function* (plan, { id }) {
    ran.push(id)
    most = Math.max(most, ++running)
    yield { type: 'phase', name: 'publish', state: 'begin', atMs: 0 }
    await until(() => most >= atOnce)
    // one more than there should be would begin meanwhile
    await sleep(20)
    // beside one that fails, the others go on until that is known
    if (failing.length > 0 && !failing.includes(id)) await failureKept()
    running--
    if (failing.includes(id)) throw new Error('it broke')
    const result = aGossipResult({ options: { nodes: '12', messages: '20', topology: 'full' } })
    yield { type: 'result', result: { ...result, plan, id } }
  }

/** @param {string[]} args @param {RunScenario} run */
const matrix = (args, run) =>
  runCommand(['matrix', join(base, 'series.yaml'), '--outputDir', join(base, 'results'), ...args], {
    base,
    scenarioOf: () => run
  })

const read = async () => {
  const folder = join(base, 'results', '20261120-0712-matrix-series')
  return { folder, document: JSON.parse(await readFile(join(folder, 'matrix.json'), 'utf8')) }
}

/** It is kept before the matrix does anything about it. */
async function failureKept() {
  const failed = (/** @type {any} */ { document }) =>
    document.tables[0].rows.some((/** @type {any} */ { status }) => status === 'failed')
  await until(async () => failed(await read()), { everyMs: 20 })
  await sleep(500)
}

describe('rows side by side', () => {
  inFolder()

  test('are as many as --parallel says, and all are kept', async () => {
    const { exitCode, stderr } = await matrix(['--network', 'simulated', '--parallel', '2'], scenario(2))
    assert.equal(exitCode, 0, stderr)
    assert.deepEqual([most, ran.toSorted()], [2, ['a', 'b', 'c', 'd', 'e']])
    const { folder, document } = await read()
    assert.equal(document.status, 'complete')
    assert.ok(document.tables[0].rows.every((/** @type {any} */ { status }) => status === 'complete'))
    assert.deepEqual((await readdir(join(folder, 'series'))).sort(), ['a', 'b', 'c', 'd', 'e'])
    for (const name of ran) assert.match(stderr, new RegExp(`✔ \\d/5 +series/${name} `))
  })

  test('are as many as there are cores where all are simulated, one where they are not', async () => {
    const all = Math.min(5, availableParallelism())
    await matrix(['--network', 'simulated'], scenario(all))
    assert.equal(most, all)
    ;[most, ran] = [0, []]
    await matrix([], scenario(1))
    assert.deepEqual([most, ran.length], [1, 5])
  })

  test('that fail let those end that go on, and no further one begins', async () => {
    const { exitCode } = await matrix(['--network', 'simulated', '--parallel', '2'], scenario(2, ['a']))
    assert.equal(exitCode, 1)
    // either may be the first to begin
    assert.deepEqual(ran.toSorted(), ['a', 'b'])
    const { document } = await read()
    assert.deepEqual(
      document.tables[0].rows.map((/** @type {any} */ { status }) => status),
      ['failed', 'complete', 'pending', 'pending', 'pending']
    )
  })

  test('are refused for real networks, which would disturb one another', async () => {
    const { exitCode, stderr } = await matrix(['--parallel', '2'], scenario(1))
    assert.equal(exitCode, 2)
    assert.match(stderr, /--parallel 2 +needs rows that are all simulated/)
    assert.deepEqual([ran, await readdir(base)], [[], ['series.yaml']])
  })
})
