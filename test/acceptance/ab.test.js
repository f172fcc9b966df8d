import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { startForeignServer } from './foreign-server.js'
import { call, documentIn, INDEX, newFolder, startProgram } from './loadtest.js'
import { ON_LINUX } from './processes.js'

const TINY = [
  ...['--warmup', '50ms', '--benchmarkRuns', '4'],
  // nothing has to be registered before, or taken back
  ...['--benchmarkType', 'DISCOVER', '--discoverInexistentNamespaces', '--initialRegistrations', '0']
]
const OWN_SERVER = ['--server', 'process']

/** What a client waits for, on any machine. */
const SLOW = { env: { RENDEZVOUS_REPLY_DELAY: '100ms' } }

/** What the runs of a comparison determine, in its document too. */
const VIEWS = ['report.html', 'report.md', 'comparison.json']

/** Many short runs. */
const TIMEOUT = { timeout: 900_000 }
const MANY = { hangsAfterMs: 850_000 }

describe('ab', TIMEOUT, () => {
  test('ab finds that four clients have more throughput than one, where every reply takes its time', async () => {
    const outputDir = await newFolder()
    const plan = join(await newFolder(), 'base.yaml')
    await writeFile(plan, 'nClients: 1\n')
    // one server for the 16 runs
    const { multiaddr } = await startForeignServer([], { ...SLOW, ...MANY })
    const args = [plan, '--nClients 4', '--runs', '8', '--fail-on', 'throughput > +10%', ...TINY]
    const { code, stdout, stderr } = await call([
      ...['ab', ...args, '--target', multiaddr],
      ...['--outputDir', outputDir]
    ])
    assert.equal(code, 3, stderr)
    assert.match(stdout, /^\| Plan \| nClients +\| 1 +\| 4 +\|$/m)
    assert.match(stdout, /^\| Throughput, op\/s +\| .* \| better +\|/m)
    assert.match(stdout, /^\| throughput > \+10% .* \| FAIL +\|/m)
    const { folder, document } = await documentIn(outputDir, 'comparison.json')
    assert.deepEqual([document.status, document.reason], ['complete', null])
    assert.deepEqual((await readdir(folder)).sort(), [
      'a',
      'b',
      'comparison.json',
      'report.html',
      'report.md'
    ])
    const views = await Promise.all(VIEWS.map(file => readFile(join(folder, file), 'utf8')))
    for (const said of [/Compared with A, B has throughput \d.* higher/, /href="a\/[^"]*-a01\/report\.html"/])
      assert.match(views[0], said)
    for (const file of VIEWS.slice(0, 2)) await rm(join(folder, file))
    const report = await call(['report', folder, '--no-runs'])
    assert.equal(report.code, 0, report.stderr)
    for (const [i, file] of VIEWS.entries())
      assert.equal(
        await readFile(join(folder, file), 'utf8'),
        views[i],
        `${file} is made again, the same to the byte`
      )
    const compared = await call(['compare', folder])
    assert.equal(compared.code, 3)
    assert.match(compared.stdout, /^\| Throughput, op\/s +\| .* \| better +\|/m)
  })

  test('Ctrl-C keeps the runs that are complete, and no process', { ...TIMEOUT, ...ON_LINUX }, async () => {
    const outputDir = await newFolder()
    const program = startProgram(INDEX, ['ab', '', '', ...TINY, ...OWN_SERVER, '--outputDir', outputDir], {
      ...MANY,
      ownGroup: true
    })
    await program.line(/2\/16 {2}pair 1/)
    program.signalGroup('SIGINT')
    const { code } = await program.ended
    assert.equal(code, 130)
    assert.deepEqual(await program.leftAfter(), [])
    const { folder, document } = await documentIn(outputDir, 'comparison.json')
    assert.deepEqual([document.status, document.reason.code], ['partial', 'INTERRUPTED'])
    assert.deepEqual([document.sides[0].runs[0] !== null, document.sides[1].runs[0]], [true, null])
    assert.equal((await readdir(join(folder, 'a'))).length, 1)
  })
})
