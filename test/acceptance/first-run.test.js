import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { assertComplete, operation } from './consistent.js'
import { base, start, TIMEOUT } from './loadtest.js'
import { ON_LINUX } from './processes.js'

const LOADED_LOG = join(base, 'loaded')

/** The run that several tests look at. @type {ReturnType<typeof observed> | undefined} */
let made

function firstRun() {
  made ??= observed()
  return made
}

/** A run to its end, what it had started when its clients were connected, and what is left of that. */
async function observed() {
  const env = { LOADED_LOG, NODE_OPTIONS: `--import=${new URL('log-loaded.js', import.meta.url)}` }
  // the warm-up is long enough to look for its processes, what is measured for a sample of memory
  const loadtest = start(['--benchmarkRuns', '100', '--minDuration', '500ms', '--warmup', '600ms'], { env })
  await loadtest.line(/✔ 4 clients connected/)
  const server = await loadtest.server()
  const workers = await loadtest.workers()
  const ended = await loadtest.ended
  return { ended, server, workers, left: await loadtest.leftAfter(0) }
}

test(
  'with hardly a flag: a server is started, progress told, a table printed, the result kept, exit code 0',
  TIMEOUT,
  async () => {
    const { ended } = await firstRun()
    assertComplete(ended)
    const { stdout, stderr, result, folder } = ended
    assert.match(
      stderr,
      /^libp2p-loadtest \d+\.\d+\.\d+\S* · rendezvous · seed 1 · Node \d+.* · \d+ cores?$/m
    )
    assert.match(
      stderr,
      /^100 REGISTER \(refresh\) · 4 clients( in \d+ processes)? · our server, tuned, in a process$/m
    )
    for (const line of [
      /✔ server ready .*\/ip4\/127\.0\.0\.1\/tcp\/\d+\/p2p\/12D3KooW/,
      /✔ 100 registrations +\d+\.\d s/,
      /✔ 4 clients connected +\d+\.\d s/,
      /✔ warm-up +\d+\.\d s {3}[\d,]+ operations?, not counted/,
      /✔ measured +\d+\.\d s {3}[\d,]+ operations/,
      /✔ server stopped/
    ])
      assert.match(stderr, line)
    assert.match(stdout, /^\| Type +\| Clients \| Io Reg \| Namespaces \| +Ops \| +Avg RT \| Median RT \|/m)
    assert.match(stdout, /^\| REGISTER +\| +4 \| +100 \| +5 \| +\d+ \| +[\d.]+ \|/m)
    assert.ok(
      stdout
        .trimEnd()
        .endsWith(`${folder}/   report.html · result.json\nrepeat: node index.js rerun ${folder}`)
    )
    for (const file of ['report.html', 'report.md', 'result.json'])
      assert.ok((await readdir(folder)).includes(file))
    const { outcome, run: told } = result
    assert.equal(result.id, basename(folder))
    assert.equal(told.versions.node, process.version)
    assert.equal(outcome.target.kind, 'process')
    assert.ok(operation(result, 'REGISTER').throughputPerSecond > 0)
    assert.ok((outcome.server?.cpu.averagePercent ?? 0) > 0)
    assert.ok((outcome.server?.memory.averageBytes ?? 0) > 1e7)
    assert.equal(outcome.server?.durations?.REGISTER.count, operation(result, 'REGISTER').count)
  }
)

/** @param {string[]} scripts @param {RegExp[]} unwanted */
function assertWithout(scripts, ...unwanted) {
  for (const each of unwanted)
    assert.deepEqual(
      scripts.filter(url => each.test(url)),
      []
    )
}

test('its processes load what they use: starting them costs more than a short run', TIMEOUT, async () => {
  await firstRun()
  const lines = (await readFile(LOADED_LOG, 'utf8')).trim().split('\n')
  const processes = lines.map(line => JSON.parse(line))
  /** @param {RegExp} script @returns {string[][]} */
  const loadedBy = script => processes.filter(each => script.test(each.script)).map(({ loaded }) => loaded)
  /** @param {string[]} scripts @param {number} most */
  const assertAtMost = (scripts, most) =>
    assert.ok(scripts.length <= most, `${scripts.length} scripts:\n${scripts.join('\n')}`)

  const [server] = loadedBy(/src.server.main\.js$/)
  assertAtMost(server, 600)
  assertWithout(server, /prom-client/, /opentelemetry/, /hdr-histogram/, /node_modules.pg/)

  const workers = loadedBy(/entry\.js$/)
  assert.ok(workers.length >= 1, 'a worker')
  for (const worker of workers) assertAtMost(worker, 480)

  const [all] = loadedBy(/index\.js$/)
  // what writes the page is loaded when there is something to write
  const drawing = all.findIndex(url => /report.page\.js$/.test(url))
  assert.ok(drawing > 0)
  const main = all.slice(0, drawing)
  assertAtMost(main, 500)
  assertWithout(main, /node_modules.yaml/, /xmldom/, /src.simulator/, /scenarios.gossip.run/)
  assertWithout(main, /src.studies/)
  if (!existsSync('/var/run/docker.sock')) assertWithout(main, /dockerode/, /ssh2/)
})

test('nothing is left running after a run', { ...TIMEOUT, ...ON_LINUX }, async () => {
  const { server, workers, left } = await firstRun()
  assert.ok(server > 0)
  assert.ok(workers.length >= 1, 'a worker')
  assert.deepEqual(left, [])
})
