import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { INDEX, newFolder, startProgram } from './loadtest.js'
import { ON_LINUX } from './processes.js'

const TINY = [
  ...['--minDuration', '300ms', '--warmup', '50ms', '--initialRegistrations', '10', '--benchmarkRuns', '50'],
  ...['--probeRate', '0', '--server', 'process']
]

/** Many short runs. */
const TIMEOUT = { timeout: 240_000 }
const MANY = { hangsAfterMs: 200_000 }

/** @param {string} outputDir */
async function documentIn(outputDir) {
  const [name] = await readdir(outputDir)
  const folder = join(outputDir, name)
  return { folder, document: JSON.parse(await readFile(join(folder, 'ab.json'), 'utf8')) }
}

test(
  'ab finds that one long-lived stream with several operations in flight has more throughput',
  TIMEOUT,
  async () => {
    const outputDir = await newFolder()
    const plan = join(await newFolder(), 'base.yaml')
    await writeFile(plan, 'nClients: 2\n')
    const args = [plan, '--inFlight 8 --nClients 2', '--runs', '8', '--fail-on', 'throughput > +10%', ...TINY]
    const program = startProgram(INDEX, ['ab', ...args, '--outputDir', outputDir], MANY)
    const { code, stdout, stderr } = await program.ended
    assert.equal(code, 3, stderr)
    assert.match(stdout, /^- plans differ in: streamPerOperation true → false; inFlight 1 → 8$/m)
    assert.match(stdout, /^\| Throughput, op\/s .* different: better +\|$/m)
    assert.match(stdout, /^- FAIL throughput > \+10%: measured \+/m)
    const { folder, document } = await documentIn(outputDir)
    assert.deepEqual([document.status, document.reason], ['complete', null])
    assert.deepEqual(
      (await readdir(folder)).filter(name => /^(a|b|comparison\.(md|json))$/.test(name)).sort(),
      ['a', 'b', 'comparison.json', 'comparison.md']
    )
    const compared = await startProgram(INDEX, ['compare', folder]).ended
    assert.equal(compared.code, 3)
    assert.match(compared.stdout, /^\| Throughput, op\/s .* different: better +\|$/m)
  }
)

test('Ctrl-C keeps the runs that are complete, and no process', { ...TIMEOUT, ...ON_LINUX }, async () => {
  const outputDir = await newFolder()
  const program = startProgram(INDEX, ['ab', '', '', ...TINY, '--outputDir', outputDir], {
    ...MANY,
    ownGroup: true
  })
  await program.line(/3\/16 {2}pair 2/)
  program.signalGroup('SIGINT')
  const { code, stdout } = await program.ended
  assert.equal(code, 130)
  assert.deepEqual(await program.leftAfter(1000), [])
  assert.match(stdout, /Too few runs to tell: 1 of the 8 pairs/)
  const { document } = await documentIn(outputDir)
  assert.deepEqual([document.status, document.reason.code], ['partial', 'INTERRUPTED'])
})
