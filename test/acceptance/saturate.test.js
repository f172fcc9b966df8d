import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { call, documentIn, INDEX, newFolder, startProgram } from './loadtest.js'
import { ON_LINUX } from './processes.js'

/** No p99, which would need 1,000 operations. */
const SHORT = ['--warmup', '100ms', '--initialRegistrations', '10', '--slo', 'avg < 5s']
const OWN_SERVER = ['--server', 'process']

/** Many short runs. */
const TIMEOUT = { timeout: 900_000 }
const MANY = { hangsAfterMs: 850_000 }

// one after the other: they share a server and a worker
describe('saturate', () => {
  test('a grid of 2 × 2 cells is as many runs, each with its page', TIMEOUT, async () => {
    const outputDir = await newFolder()
    const grid = ['--rates', '20,40', '--connections', '1,2', '--duration', '1s']
    const args = ['saturate', 'rendezvous', ...grid, ...SHORT, ...OWN_SERVER, '--outputDir', outputDir]
    const { code, stdout, stderr } = await call(args)
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^\| +40 \| +[\d.]+ \| +[\d.]+ \|$/m)
    const { folder, document } = await documentIn(outputDir, 'saturate.json')
    assert.deepEqual(
      document.grid.cells.map((/** @type {any} */ { status, point }) => [status, point.due]),
      [20, 40, 40, 80].map(due => ['complete', due])
    )
    const runs = document.grid.cells.map((/** @type {any} */ { run }) =>
      readFile(join(folder, run, 'result.json'), 'utf8')
    )
    const servers = (await Promise.all(runs)).map(run => JSON.parse(run).outcome.target.multiaddr)
    assert.deepEqual(
      [servers[0] === servers[1], servers[1] === servers[2], servers[2] === servers[3]],
      [true, false, true],
      'one server for all rates of a number of connections'
    )
    assert.equal((await readdir(join(folder, 'runs'))).length, 4)
    const list = await call(['list', outputDir])
    assert.match(list.stdout, /\| saturate rendezvous: grid of 4 cells \| /)
  })

  test('Ctrl-C keeps what is complete, and no process; --resume goes on', {
    ...TIMEOUT,
    ...ON_LINUX
  }, async () => {
    const outputDir = await newFolder()
    // both have the same server
    const grid = ['--rates', '20,40', '--connections', '1', '--duration', '1s']
    const args = ['saturate', 'rendezvous', ...grid, ...SHORT, ...OWN_SERVER, '--outputDir', outputDir]
    const program = startProgram(INDEX, args, { ...MANY, ownGroup: true })
    await program.line(/2\/2 {2}r=40, c=1/)
    program.signalGroup('SIGINT')
    const { code, stdout } = await program.ended
    assert.equal(code, 130)
    assert.match(
      stdout,
      /^continue: node index\.js saturate rendezvous --resume \S+-saturate-rendezvous-\d+$/m
    )
    assert.deepEqual(await program.leftAfter(), [])
    const resumed = await call(['saturate', 'rendezvous', '--resume', '--outputDir', outputDir])
    assert.equal(resumed.code, 0, resumed.stderr)
    const { document } = await documentIn(outputDir, 'saturate.json')
    assert.deepEqual([document.status, document.grid.cells.length], ['complete', 2])
  })
})
