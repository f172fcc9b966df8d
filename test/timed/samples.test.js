import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertComplete, operation, operations } from '../acceptance/consistent.js'
import { PAIRS, run, start, TIMEOUT } from '../acceptance/loadtest.js'
import { ON_LINUX, send } from '../acceptance/processes.js'
import { ofPhase, quantile, responseMs, samplesIn } from '../acceptance/samples.js'

const QUANTILES = /** @type {const} */ ({ p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, p999: 0.999 })

/** Times are counted in whole µs, in buckets at most 0.1 % wide. @param {number} ms */
const tolerance = ms => ms * 0.001 + 0.001

/** @param {string} what @param {number} ms @param {number} exactMs */
const assertNear = (what, ms, exactMs) =>
  assert.ok(Math.abs(ms - exactMs) <= tolerance(exactMs), `${what}: ${ms} ms, exactly ${exactMs} ms`)

/**
 * @param {import('../../src/result/types.js').Result} result
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

describe('--samples keeps every operation', PAIRS, () => {
  test(
    'closed model, several rounds and workers: percentiles are those of all samples pooled',
    TIMEOUT,
    async () => {
      // odd numbers, so that no percentile falls between two operations
      const ended = await run([
        ...['--samples', '--benchmarkType', 'MIXED', '--benchmarkRuns', '37', '--workers', '2'],
        ...['--nClients', '5', '--thinkTime', '2ms', '--minDuration', '2s'],
        ...['--warmup', '50ms', '--probeRate', '0']
      ])
      assertComplete(ended)
      assert.ok(ended.result.outcome.rounds.length >= 2, 'more than one round')
      const samples = await samplesIn(ended.folder)
      assertFiguresAreExact(ended.result, ofPhase(samples, 'measure'))
      const file = await readFile(join(ended.folder, 'samples-0.csv'), 'utf8')
      assert.equal(file.split('\n')[0], 'due_ns,sent_ns,replied_ns,type,outcome,phase')
    }
  )

  test('open model with losses: percentiles count from the due time, lost operations included', {
    ...TIMEOUT,
    ...ON_LINUX
  }, async () => {
    const loadtest = start([
      ...['--samples', '--benchmarkType', 'DISCOVER', '--rate', '60', '--duration', '5s', '--timeout', '1s'],
      ...['--connectionPerOperation', '--warmup', '100ms', '--probeRate', '0']
    ])
    await loadtest.measured()
    const server = await loadtest.server()
    send(server, 'SIGSTOP')
    await sleep(2000)
    send(server, 'SIGCONT')
    const ended = await loadtest.ended
    assertComplete(ended)
    const { count, outcomes } = operation(ended.result, 'DISCOVER')
    assert.equal(count, 300)
    assert.ok(outcomes.TIMEOUT > 0)
    assertFiguresAreExact(ended.result, await samplesIn(ended.folder))
  })
})
