import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { skipWithoutBrowser, withPage } from './browser.js'
import { small } from './gossip-run.js'
import { call, drawn, INDEX, newFolder, PAIRS, startProgram } from './loadtest.js'
import { ON_LINUX } from './processes.js'

/** Several short runs. */
const TIMEOUT = { timeout: 900_000 }
const MANY = { hangsAfterMs: 850_000 }

/** Lines that carry 10 messages of 10 kB a second to everyone, and surely not 100. */
const SIMULATED = [
  ...['--network', 'simulated', '--linkLatency', '20ms', '--upBandwidth', '500KB/s'],
  ...['--topology', 'full', '--messageBytes', '10000', '--duration', '2s']
]

/** @param {string} outputDir */
async function kept(outputDir) {
  const [name] = await readdir(outputDir)
  const folder = join(outputDir, name)
  return { folder, document: JSON.parse(await readFile(join(folder, 'saturate.json'), 'utf8')) }
}

/** @param {readonly string[]} args @param {string} outputDir */
const saturate = (args, outputDir) =>
  startProgram(INDEX, ['saturate', 'gossip', ...args, '--outputDir', outputDir], { ...MANY, ownGroup: true })

describe('saturate gossip', PAIRS, () => {
  describe('a grid of a simulated network', () => {
    /** @type {{ outputDir: string, code: number | null, stdout: string, stderr: string }} */
    let ended
    before(async () => {
      const outputDir = await newFolder()
      const grid = [...SIMULATED, '--rate', '2,100', '--nodes', '6,8']
      ended = { outputDir, ...(await call(['saturate', 'gossip', ...grid, '--outputDir', outputDir])) }
    }, TIMEOUT)

    test('tells what its lines carry, and what they do not', TIMEOUT, async () => {
      const { outputDir, code, stdout, stderr } = ended
      assert.equal(code, 0, stderr)
      assert.match(stdout, /^\| r=2 +\| +4 \| +◆ 4 \|$/m)
      assert.match(stdout, /a figure of the network as modelled/)
      assert.match(stdout, /\(--upBandwidth\)/)
      const { folder, document } = await kept(outputDir)
      assert.deepEqual(document.grid.chosen, { ratePerSecond: 2, nodes: 8 })
      assert.deepEqual(
        document.grid.cells.map((/** @type {any} */ { status, point }) => [status, point.reasons.length > 0]),
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
      assert.match(list.stdout, /\| saturate gossip: .* \| complete /)
    })

    test('has a page that opens without a complaint of the browser', {
      ...TIMEOUT,
      ...skipWithoutBrowser('the page of saturate gossip')
    }, async () => {
      const { folder } = await kept(ended.outputDir)
      await drawn(folder)
      const look = /** @type {const} */ ({ width: 1280, scheme: 'light' })
      await withPage(join(folder, 'report.html'), look, async (page, seen) => {
        assert.deepEqual([seen.complaints, seen.requests], [[], []])
        assert.equal(await page.locator('#latency figure').count(), 4)
        assert.equal(await page.locator('#latency-throughput').count(), 1)
      })
    })
  })

  test('a search on real TCP: what this machine carries, up to what is to be tried', TIMEOUT, async () => {
    const outputDir = await newFolder()
    const search = ['--search', '--from', '2', '--most', '4', '--blocks', '0', '--duration', '2s']
    // nobody else's work on this machine makes these few messages late
    const args = [...small(6), '--topology', 'full', '--inTime', '20s', ...search]
    const { code, stdout, stderr } = await call(['saturate', 'gossip', ...args, '--outputDir', outputDir])
    assert.equal(code, 0, stderr)
    assert.match(stdout, /Generator and nodes share the processes: this is what this machine carries/)
    const { document } = await kept(outputDir)
    assert.ok(document.search.trials.length >= 2)
    for (const { point, plan } of document.search.trials) {
      assert.equal(plan.network, 'loopback')
      assert.ok(point.due > 0 && point.deliveries <= point.dueDeliveries)
      assert.ok(point.utilization > 0 && point.model === null)
    }
  })

  test('Ctrl-C keeps what is complete, and no process; --resume goes on', {
    ...TIMEOUT,
    ...ON_LINUX
  }, async () => {
    const outputDir = await newFolder()
    const grid = [...SIMULATED, '--rate', '2', '--nodes', '6,7,8']
    const program = saturate(grid, outputDir)
    await program.line(/2\/3 {2}r=2, n=7/)
    program.signalGroup('SIGINT')
    const { code } = await program.ended
    assert.equal(code, 130)
    assert.deepEqual(await program.leftAfter(), [])
    const resumed = await call(['saturate', 'gossip', '--resume', '--outputDir', outputDir])
    assert.equal(resumed.code, 0, resumed.stderr)
    const { document } = await kept(outputDir)
    assert.deepEqual([document.status, document.grid.cells.length], ['complete', 3])
  })
})
