import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { aGossipResult } from '../scenarios/gossip/a-gossip-result.js'
import { emptyBeforeEach, temporaryFolder } from '../temporary-folder.js'
import { runCommand } from './run-command.js'

/**
 * @typedef {import('../../src/cli/index.js').RunScenario} RunScenario
 * @typedef {import('../../src/scenarios/gossip/options.js').GossipPlan} GossipPlan
 * @typedef {import('../../src/studies/matrix/matrix-document.js').MatrixDocument} MatrixDocument
 */

const base = temporaryFolder()
/** Plans of the rows that were run, in order. @type {GossipPlan[]} */
let ran

const inFolder = () =>
  emptyBeforeEach(base, async () => {
    ran = []
    await writeFile(join(base, 'series.yaml'), SERIES)
  })

/** One row cannot be run on real TCP. */
const SERIES = `
scenario: gossip
title: Series
defaults: { nodes: 12, rate: 200/s, duration: 60s, workers: 1 }
rows:
  - { name: a, topology: full, reference: { disseminationMs: 154, lost: [22, 36000] } }
  - { name: b, topology: ring }
  - { name: lossy, topology: full, linkLoss: 0.1%, needs: simulated, reference: { lost: [246, 36000] } }
`

/** @type {RunScenario} */
async function* complete(plan, { id }) {
  ran.push(plan)
  const result = {
    ...aGossipResult({ options: { nodes: '12', messages: '20', topology: 'full' } }),
    plan,
    id
  }
  yield { type: 'start', id, plan, run: {} }
  yield { type: 'phase', name: 'publish', state: 'begin', atMs: 0 }
  yield { type: 'progress', phase: 'publish', done: 1, total: 2, unit: 'messages' }
  yield { type: 'result', result }
}

/** @param {string[]} args */
const matrix = args =>
  runCommand(['matrix', ...args, '--outputDir', join(base, 'results')], { base, scenarioOf: () => complete })

/** @param {string[]} [args] */
const series = (args = []) => matrix([join(base, 'series.yaml'), '--network', 'loopback', ...args])

/** @param {string} file */
const read = file => readFile(join(base, 'results', '20261120-0712-matrix-series', file), 'utf8')

/** @returns {Promise<MatrixDocument>} */
const document = async () => JSON.parse(await read('matrix.json'))

describe('a gossip matrix', () => {
  inFolder()

  test('runs its rows and lists those that cannot be run, which are no failure', async () => {
    const { exitCode, stdout, stderr } = await series()
    assert.equal(exitCode, 0, stderr)
    assert.deepEqual(
      ran.map(({ scenario, topology }) => [scenario, topology.kind]),
      [
        ['gossip', 'full'],
        ['gossip', 'ring']
      ]
    )
    assert.match(stdout, /: 2 of 3 rows measured, 1 cannot run on this machine\.$/m)
    assert.match(stdout, /^⚠ series\/lossy: cannot run here: linkLoss 0\.1% needs/m)
    assert.match(stderr, /^✔ 1\/2 {2}series\/a .* [Ll]atency p50 [\d.]+ ms/m)
    const { status, reason, tables } = await document()
    assert.deepEqual([status, reason, tables[0].scenario], ['complete', null, 'gossip'])
    assert.equal(tables[0].rows.map(row => row.status).join(' '), 'complete complete blocked')
    assert.match(await read('report.md'), /^\| a +\| .* 12 \| full .*\| +36000 \|.*\| +22 \|.*\| +154 \|/m)
  })

  test('with --scaleRate and --scaleTime runs rows at another rate, and shows no published figure beside', async () => {
    const { exitCode } = await series(['--scaleRate', '0.04', '--scaleTime', '0.1'])
    assert.equal(exitCode, 0)
    assert.deepEqual(
      ran.map(({ ratePerSecond, durationMs }) => [ratePerSecond, durationMs]),
      [
        [8, 6000],
        [8, 6000]
      ]
    )
    const [row] = (await document()).tables[0].rows
    assert.deepEqual(
      [row.reference, row.atAnotherRate?.reference],
      [null, { disseminationMs: 154, lost: [22, 36_000] }]
    )
    const page = await read('report.md')
    assert.match(page, /^\| series\/a +\| Dissem\. avg ms +\| +154 \| +200 \|/m)
    assert.doesNotMatch(page, /Dissem\. avg ms published/)
  })

  test('is listed as it will be after scaling', async () => {
    const { stdout, loaded } = await series(['--list', '--scaleRate', '0.04', '--scaleTime', '0.1'])
    assert.equal(loaded, 0)
    assert.match(stdout, /\| series\/a +\| +[\d.]+ \| messages of 1,000 bytes for 6\.0 s at 8\.00\/s /)
    assert.match(stdout, /\| series\/lossy +\| +– \| .* \| cannot run here: linkLoss 0\.1% needs/)
    assert.match(stdout, /3 rows, 2 to run/)
  })

  test('is resumed with what it was scaled by, and finished rows are not run again', async () => {
    await series(['--scaleRate', '0.04', '--only', 'a'])
    const { exitCode, stderr } = await matrix(['--resume', '--only', '*'])
    assert.equal(exitCode, 0, stderr)
    assert.deepEqual(
      ran.map(({ topology, ratePerSecond }) => [topology.kind, ratePerSecond]),
      [
        ['full', 8],
        ['ring', 8]
      ]
    )
    assert.deepEqual(
      (await document()).tables[0].rows.map(({ name, status }) => [name, status]),
      [
        ['a', 'complete'],
        ['b', 'complete'],
        ['lossy', 'blocked']
      ]
    )
  })

  test('takes parameters of gossipsub and thresholds for all rows', async () => {
    const { exitCode } = await series(['--D', '4', '--D_low', '3', '--threshold', 'deliveryRatio > 50%'])
    assert.equal(exitCode, 0)
    assert.deepEqual(
      ran.map(({ gossipsub, thresholds }) => [gossipsub, thresholds.length]),
      Array(2).fill([{ D: 4, Dlo: 3 }, 1])
    )
  })

  test('with --compact keeps what tables and overlays need', async () => {
    await series(['--compact', '--only', 'a'])
    const { outcome } = JSON.parse(await read('series/a/result.json'))
    assert.deepEqual([outcome.perSecond, outcome.timeline], [[], []])
    assert.match(await read('report.html'), /Dissemination/)
  })

  test('stands beside one of another scenario', async () => {
    await writeFile(join(base, 'load.yaml'), 'title: Load\ndefaults: { nClients: 1 }\n')
    const both = await matrix([join(base, 'series.yaml'), join(base, 'load.yaml'), '--list', '--seed', '3'])
    assert.equal(both.exitCode, 0, both.stderr)
    assert.match(both.stdout, /series\/a[\s\S]*load\/c1-r100/)
  })
})
