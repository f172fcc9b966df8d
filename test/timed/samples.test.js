import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertComplete, assertSumsAgree, operation, operations } from '../acceptance/consistent.js'
import { PAIRS, run, start, TIMEOUT } from '../acceptance/loadtest.js'
import { ON_LINUX, send } from '../acceptance/processes.js'
import { quantile, responseMs, samplesIn } from '../acceptance/samples.js'

const QUANTILES = /** @type {const} */ ({ p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, p999: 0.999 })

/** For how long a server stands still. */
const STALL_MS = 2000
const CLIENTS = 2

/** Of suites that run beside each other, one lane. */
const IN_TURN = Object.freeze({ concurrency: 1 })

/** Times are counted in whole µs, in buckets at most 0.1 % wide. @param {number} ms */
const tolerance = ms => ms * 0.001 + 0.001

/** @param {string} what @param {number} ms @param {number} exactMs */
const assertNear = (what, ms, exactMs) =>
  assert.ok(Math.abs(ms - exactMs) <= tolerance(exactMs), `${what}: ${ms} ms, exactly ${exactMs} ms`)

/**
 * @param {import('../../src/report/schema.js').Result} result
 * @param {import('../acceptance/samples.js').Sample[]} samples
 */
function assertFiguresAreExact(result, samples) {
  for (const [type, { count, outcomes, rt }] of operations(result)) {
    const own = samples.filter(sample => sample.type === type)
    assert.equal(own.length, count, type)
    for (const [outcome, n] of Object.entries(outcomes))
      assert.equal(own.filter(sample => sample.outcome === outcome).length, n, `${type} ${outcome}`)
    const times = own.map(responseMs)
    for (const [name, share] of Object.entries(QUANTILES)) {
      const figure = rt.all[/** @type {keyof typeof QUANTILES} */ (name)]
      assert.equal(
        figure === null,
        count * (1 - share) < 10 - 1e-9,
        `${type} ${name}: shown from 10 samples beyond on`
      )
      if (figure !== null) assertNear(`${type} ${name}`, figure.ms, quantile(times, share))
    }
    assertNear(`${type} average`, Number(rt.all.avg?.ms), times.reduce((a, b) => a + b, 0) / count)
    assertNear(`${type} max`, Number(rt.all.max?.ms), Math.max(...times))
  }
}

/** A run whose server stands still for a part of it. @param {string[]} args */
async function stalled(...args) {
  const loadtest = start(args)
  await loadtest.measured()
  const server = await loadtest.server()
  send(server, 'SIGSTOP')
  await sleep(STALL_MS)
  send(server, 'SIGCONT')
  const ended = await loadtest.ended
  assertComplete(ended)
  return { ...ended, discover: operation(ended.result, 'DISCOVER'), samples: await samplesIn(ended.folder) }
}

// all of them wait for their time to pass
describe('operations one by one', PAIRS, () => {
  describe('--samples keeps every operation', IN_TURN, keptSamples)
  describe('a server that stands still for 2 s', { ...ON_LINUX, ...IN_TURN }, stalledServer)
  test(
    'a server that serves everything, but too late, is not taken for one that is gone: the run goes on to its end',
    { ...TIMEOUT, ...ON_LINUX },
    lateServer
  )
})

function keptSamples() {
  test('closed model, several workers: percentiles are those of all samples pooled', TIMEOUT, async () => {
    // odd numbers, so that no percentile falls between two operations
    const ended = await run([
      ...['--samples', '--benchmarkType', 'MIXED', '--benchmarkRuns', '37', '--workers', '2'],
      ...['--nClients', '5', '--thinkTime', '2ms', '--minDuration', '2s'],
      ...['--warmup', '50ms']
    ])
    assertComplete(ended)
    const samples = await samplesIn(ended.folder)
    assertFiguresAreExact(ended.result, samples)
    const file = await readFile(join(ended.folder, 'samples-0.csv'), 'utf8')
    assert.equal(file.split('\n')[0], 'due_ns,sent_ns,replied_ns,type,outcome')
  })

  test('open model with losses: percentiles count from the due time, lost operations included', {
    ...TIMEOUT,
    ...ON_LINUX
  }, async () => {
    const { discover, result, samples } = await stalled(
      ...['--samples', '--benchmarkType', 'DISCOVER', '--rate', '60', '--duration', '5s', '--timeout', '1s'],
      ...['--connectionPerOperation', '--warmup', '100ms']
    )
    assert.equal(discover.count, 300)
    assert.ok(discover.outcomes.TIMEOUT > 0)
    assertFiguresAreExact(result, samples)
  })
}

/** A run that keeps every operation, none of which may be lost while its server stands still. @param {string[]} args */
async function stalledWithoutLoss(...args) {
  const { discover, samples } = await stalled(
    ...['--benchmarkType', 'DISCOVER', '--nClients', String(CLIENTS), '--samples'],
    ...['--discoverLimit', '1', '--warmup', '200ms', ...args]
  )
  const { rt, errors, outcomes, count } = discover
  assert.equal(errors, 0, JSON.stringify(outcomes))
  assert.ok(Number(rt.all.max?.ms) >= 1500, `max ${rt.all.max?.ms} ms`)
  return { count, rt, samples }
}

function stalledServer() {
  test('open model: everybody who would have asked meanwhile waits, and p99 shows it', TIMEOUT, async () => {
    // as many as p99 needs, in time enough to stand still in
    const { count, rt, samples } = await stalledWithoutLoss('--rate', '150', '--duration', '7s')
    assert.equal(count, 1050)
    assert.ok(Number(rt.all.p99?.ms) >= 1500, `p99 ${rt.all.p99?.ms} ms`)
    // those due in the first quarter of the stall, at least
    assert.ok(samples.filter(sample => responseMs(sample) >= 1500).length >= 60)
  })

  test('closed model: only one operation of each client waits, and p99 hides it', TIMEOUT, async () => {
    // as many as p99 needs, however long the machine takes for them, and no faster than clients that think
    const { rt, samples } = await stalledWithoutLoss(...['--benchmarkRuns', '1020'], '--thinkTime', '10ms')
    assert.ok(samples.filter(sample => responseMs(sample) >= 1500).length <= CLIENTS)
    assert.ok(Number(rt.all.p99?.ms) < Number(rt.all.max?.ms) / 4, `p99 ${rt.all.p99?.ms} ms`)
  })
}

async function lateServer() {
  const loadtest = start(
    [
      ...['--benchmarkType', 'DISCOVER', '--nClients', String(CLIENTS), '--rate', '5', '--duration', '8s'],
      ...['--timeout', '2s', '--warmup', '0', '--initialRegistrations', '0'],
      ...['--server', 'process']
    ],
    { env: { RENDEZVOUS_REPLY_DELAY: '3s' } }
  )
  const { code, result, stderr } = await loadtest.ended
  assert.equal(result.status, 'complete', stderr)
  assert.deepEqual(operation(result, 'DISCOVER').outcomes, { TIMEOUT: 40 })
  // not one succeeded
  assert.equal(code, 1)
  assertSumsAgree(result)
}
