import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { basename } from 'node:path'
import { test } from 'node:test'
import { assertComplete, operation } from './consistent.js'
import { run, start, TIMEOUT } from './loadtest.js'
import { ON_LINUX } from './processes.js'
import { samplesIn } from './samples.js'

test(
  'without flags: a server is started, progress told, a table printed, the result kept, exit code 0',
  TIMEOUT,
  async () => {
    const ended = await start(['--minDuration', '500ms', '--warmup', '200ms'], { drawn: true }).ended
    assertComplete(ended)
    const { stdout, stderr, result, folder } = ended
    assert.match(stderr, /^libp2p-loadtest \d+\.\d+\.\d+ · rendezvous · seed 1 · Node \d+.* · \d+ cores?$/m)
    assert.match(stderr, /^500 REGISTER · 4 clients in \d+ process(es)? · server in a process of its own$/m)
    for (const line of [
      /✔ server ready .*\/ip4\/127\.0\.0\.1\/tcp\/\d+\/p2p\/12D3KooW/,
      /✔ 100 registrations +\d+\.\d s/,
      /✔ 4 clients connected +\d+\.\d s/,
      /✔ warm-up +\d+\.\d s {3}[\d,]+ operations?, not counted/,
      /✔ measured +\d+\.\d s {3}[\d,]+ operations in \d+ rounds?/,
      /✔ server stopped/
    ])
      assert.match(stderr, line)
    assert.match(
      stdout,
      /^\| Operation +\| Clients \| Registrations \| +Ops \| Errors \| +Op\/s \| +Avg \| +p50 \|/m
    )
    assert.match(stdout, /^\| REGISTER +\| +4 \| +100 \| +[\d,]+ \| +0 \|/m)
    assert.match(stdout, /Registrations on the server: 100 before in 5 namespaces, 100 after\./)
    assert.ok(stdout.trimEnd().endsWith(`repeat: node index.js rerun ${folder}`))
    assert.match(stdout, /\/ {3}report\.\w+ · result\.json {8}repeat:/)
    for (const file of ['report.html', 'report.md', 'result.json'])
      assert.ok((await readdir(folder)).includes(file))
    const { outcome, run: told } = result
    assert.equal(result.id, basename(folder))
    assert.equal(told.versions.node, process.version)
    assert.equal(outcome.target.kind, 'process')
    assert.ok(operation(result, 'REGISTER').throughputPerSecond > 0)
    assert.ok((outcome.server?.cpu.averagePercent ?? 0) > 0)
    assert.ok((outcome.server?.memory.averageBytes ?? 0) > 1e7)
    assert.equal(
      outcome.server?.durations?.REGISTER.count,
      operation(result, 'REGISTER').count + probes(result)
    )
  }
)

/** The server's own histogram has the probe's operations too. @param {import('../../src/result/types.js').Result} result */
const probes = ({ outcome }) => outcome.probe?.operations.REGISTER?.count ?? 0

test('500 operations of 3 clients are 500 in every round: none is lost to rounding', TIMEOUT, async () => {
  const ended = await run([
    ...['--nClients', '3', '--minDuration', '700ms'],
    '--warmup',
    '50ms',
    '--probeRate',
    '0'
  ])
  assertComplete(ended)
  const { rounds, measuredMs } = ended.result.outcome
  assert.equal(operation(ended.result, 'REGISTER').count, rounds.length * 500)
  assert.ok(measuredMs >= 700)
  assert.deepEqual(await samplesIn(ended.folder), [], 'they are kept with --samples only')
})

test('nothing is left running after a run', { ...TIMEOUT, ...ON_LINUX }, async () => {
  const loadtest = start([
    ...['--workers', '2', '--benchmarkRuns', '100', '--minDuration', '0', '--warmup', '1s'],
    ...['--thinkTime', '10ms']
  ])
  await loadtest.line(/✔ 4 clients connected/)
  assert.ok((await loadtest.server()) > 0)
  assert.equal((await loadtest.workers()).length, 3, 'two workers and the probe')
  assert.equal((await loadtest.ended).code, 0)
  assert.deepEqual(await loadtest.leftAfter(0), [])
})
