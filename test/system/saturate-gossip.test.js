import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { small } from '../acceptance/gossip-network.js'
import { call, documentIn, newFolder, PAIRS } from '../acceptance/loadtest.js'

/** Several short runs. */
const TIMEOUT = { timeout: 900_000 }

/** Lines that carry 2 messages of 10 kB a second to everyone, and surely not 50. */
const SIMULATED = [
  ...['--network', 'simulated', '--linkLatency', '20ms', '--upBandwidth', '200KB/s'],
  ...['--topology', 'full', '--messageBytes', '10000', '--duration', '2s', '--signing', 'off']
]

// Ctrl-C and --resume are in test/cli/saturate-gossip.test.js, with processes in saturate.test.js
describe('saturate gossip', PAIRS, () => {
  test('a grid of a simulated network tells what lines carry, and what they do not', TIMEOUT, async () => {
    const outputDir = await newFolder()
    const grid = [...SIMULATED, '--rate', '2,50', '--nodes', '4,5']
    const { code, stdout, stderr } = await call(['saturate', 'gossip', ...grid, '--outputDir', outputDir])
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^\| +2 \| +100 \| +100 \|$/m)
    assert.match(
      stdout,
      /^The simulated network sustained up to .*, limited by: link \(100 % of its bandwidth/m
    )
    const { folder, document } = await documentIn(outputDir, 'saturate.json')
    assert.deepEqual(document.grid.chosen, { ratePerSecond: 2, nodes: 5 })
    assert.deepEqual(
      document.grid.cells.map((/** @type {any} */ { status, sustained }) => [status, !sustained]),
      [
        ['complete', false],
        ['complete', true],
        ['complete', false],
        ['complete', true]
      ],
      'both rates with each number of nodes'
    )
    assert.equal((await readdir(join(folder, 'runs'))).length, 4)
    const list = await call(['list', outputDir])
    assert.match(list.stdout, /\| saturate gossip: grid of 4 cells \| /)
  })

  test('a search on real TCP: what this machine carries, up to what is to be tried', TIMEOUT, async () => {
    const outputDir = await newFolder()
    const search = ['--search', '--from', '2', '--most', '4', '--blocks', '0', '--duration', '2s']
    // nobody else's work on this machine makes these few messages late
    const args = [...small(4, 1), '--topology', 'full', '--inTime', '20s', ...search]
    const { code, stdout, stderr } = await call(['saturate', 'gossip', ...args, '--outputDir', outputDir])
    assert.equal(code, 0, stderr)
    assert.match(stdout, /Generator and nodes share the processes: this is what this machine carries/)
    const { document } = await documentIn(outputDir, 'saturate.json')
    assert.ok(document.search.trials.length >= 2)
    for (const { point, plan } of document.search.trials) {
      assert.equal(plan.network, 'loopback')
      assert.ok(point.due > 0 && point.deliveries <= point.dueDeliveries)
      assert.ok(point.utilization > 0 && point.model === null)
    }
  })
})
