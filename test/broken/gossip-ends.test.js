import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { ended, startGossip } from '../acceptance/gossip-network.js'
import { newFolder, PAIRS, TIMEOUT } from '../acceptance/loadtest.js'
import { assertNeverBegan } from '../acceptance/never-began.js'
import { ON_LINUX, send } from '../acceptance/processes.js'
import { until } from '../until.js'

const RING = ['--nodes', '6', '--topology', 'ring', '--heartbeat_interval', '200ms']
const ONE_PROCESS = [...RING, '--workers', '1']
const REAL = [...RING, '--workers', '2']
const SIMULATED = ['--network', 'simulated', '--nodes', '12', '--topology', 'full']
const LONG = ['--duration', '10h', '--rate', '20/s']

/** In which phase a run is, by the line it has just said. @type {[string, RegExp, string[]][]} */
const PHASES = [
  ['provision', /nodes in \d process/, [...ONE_PROCESS, ...LONG]],
  ['warmup', /✔ nodes connected/, [...ONE_PROCESS, ...LONG, '--linkLatency', '400ms']],
  ['provision, simulated', /nodes in \d process/, [...SIMULATED, ...LONG]],
  ['publish, simulated', /✔ warm-up/, [...SIMULATED, ...LONG]]
]

/** @param {import('../acceptance/loadtest.js').Loadtest} loadtest */
async function interrupted(loadtest) {
  const { code, stderr, result, folder } = await ended(loadtest)
  assert.deepEqual(await loadtest.leftAfter(), [])
  assert.equal(code, 130, stderr)
  assert.deepEqual([result.status, result.reason?.code], ['partial', 'INTERRUPTED'])
  for (const file of ['report.md', 'report.html']) assert.ok(existsSync(join(folder, file)), file)
  return result
}

describe('a gossip run that gets SIGTERM ends with its partial result, and leaves no process', {
  ...ON_LINUX
}, () => {
  for (const [phase, begun, args] of PHASES)
    test(`in the phase ${phase}`, TIMEOUT, async () => {
      const loadtest = startGossip(args)
      await loadtest.line(begun)
      loadtest.signal('SIGTERM')
      const result = await interrupted(loadtest)
      const phases = result.run.phases.map(({ name }) => name)
      assert.ok(phases.includes(phase.split(',')[0]) && phases.at(-1) === 'teardown', phases.join())
    })

  test('in the phase publish, while a worker is stopped: nobody waits for it', TIMEOUT, async () => {
    const loadtest = startGossip([...REAL, ...LONG])
    await loadtest.measured()
    const [worker] = await loadtest.workers()
    send(worker, 'SIGSTOP')
    loadtest.signal('SIGTERM')
    const { outcome, run } = await interrupted(loadtest)
    assert.ok(outcome.delivery.delivered > 0)
    const teardownMs = Number(run.phases.at(-1)?.durationMs)
    // a worker that is asked to end has 5 s for it, and one that is asked for its evidence 3 s
    assert.ok(teardownMs < 3000, `${teardownMs} ms`)
  })
})

test('a gossip run that is killed while its nodes start leaves its result, marked partial, and no process', {
  ...ON_LINUX,
  ...TIMEOUT
}, async () => {
  const outputDir = await newFolder()
  const loadtest = startGossip([...REAL, ...LONG], { outputDir })
  const worker = await loadtest.pid(undefined, 2)
  // so that they do not come to the end of it
  send(worker, 'SIGSTOP')
  await until(async () =>
    (await readdir(outputDir, { recursive: true })).some(name => /result\.json$/.test(name))
  )
  loadtest.signal('SIGKILL')
  send(worker, 'SIGCONT')
  const { signal, result } = await ended(loadtest)
  assert.equal(signal, 'SIGKILL')
  assert.deepEqual(await loadtest.leftAfter(), [])
  assert.deepEqual([result.status, result.reason?.code], ['partial', 'UNFINISHED'])
})

describe('a gossip run whose worker is stopped ends, says so, and leaves no process', {
  ...ON_LINUX,
  ...PAIRS
}, () => {
  test('while it starts', TIMEOUT, async () => {
    const loadtest = startGossip([...ONE_PROCESS, ...LONG])
    const worker = await loadtest.pid()
    send(worker, 'SIGSTOP')
    const why = /^worker \d \(pid \d+\) was stopped for 8 s while it started/
    assertNeverBegan(await loadtest.ended, 'WORKER_DIED', why)
    assert.deepEqual(await loadtest.leftAfter(), [])
  })

  test('in mid-publish, simulated', TIMEOUT, async () => {
    const loadtest = startGossip([...SIMULATED, ...LONG])
    await loadtest.measured()
    const [worker] = await loadtest.workers()
    send(worker, 'SIGSTOP')
    const { code, result } = await ended(loadtest)
    assert.deepEqual(await loadtest.leftAfter(), [])
    assert.deepEqual([code, result.status], [1, 'partial'])
    assert.match(String(result.reason?.message), /^worker 0 has not reported for \d+ s: it is stopped/)
  })
})
