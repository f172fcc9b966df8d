import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertComplete, operation, warningCodes } from './consistent.js'
import { run, TIMEOUT } from './loadtest.js'

/** @param {string[]} args */
async function complete(...args) {
  const ended = await run([...args, '--benchmarkType', 'DISCOVER', '--probeRate', '0'])
  assertComplete(ended)
  return ended
}

test(
  '200 clients in one process measure themselves: the figures are marked, and it is said what to change',
  TIMEOUT,
  async () => {
    const { result, stdout } = await complete(
      ...['--nClients', '200', '--workers', '1', '--no-streamPerOperation', '--discoverLimit', '20'],
      ...['--duration', '3s', '--warmup', '200ms']
    )
    const { rt } = operation(result, 'DISCOVER')
    assert.ok(rt.all.p90?.doubtful || rt.all.p50?.doubtful, 'a percentile is doubtful')
    assert.ok(warningCodes(result).includes('PERCENTILES_DOUBTFUL'))
    assert.match(stdout, /^\| DISCOVER .* [\d.,]+\* \|/m)
    assert.match(stdout, /^\* doubtful: the load generator itself added more than a tenth of this time\.$/m)
    assert.match(
      stdout,
      /⚠ The load generator itself added more than a tenth of DISCOVER .* Try more --workers, fewer --nClients/
    )
  }
)

test(
  'one client that waits for each reply does not queue behind itself: its median is not marked',
  TIMEOUT,
  async () => {
    /** @returns {Promise<Awaited<ReturnType<typeof complete>>['result']>} */
    const quietRun = async (tries = 3) => {
      const { result } = await complete(...['--nClients', '1', '--duration', '2s', '--warmup', '200ms'])
      // a machine that is busy with something else may mark it once, a generator that waits for itself always does
      const { doubtful } = operation(result, 'DISCOVER').rt.all.p50 ?? {}
      return doubtful && tries > 1 ? quietRun(tries - 1) : result
    }
    const result = await quietRun()
    assert.equal(operation(result, 'DISCOVER').rt.all.p50?.doubtful, false)
    assert.equal(result.run.health.length, 1)
    assert.ok(result.run.health[0].utilization < 1)
    assert.equal(result.run.health[0].added.count, operation(result, 'DISCOVER').count)
  }
)

test('an independent probe stands under the table, with its count', TIMEOUT, async () => {
  const { stdout, result } = await run([
    ...[
      '--nClients',
      '2',
      '--duration',
      '2500ms',
      '--warmup',
      '50ms',
      '--benchmarkType',
      'DISCOVER',
      '--probeRate',
      '80'
    ]
  ])
  const count = result.outcome.probe?.operations.DISCOVER?.count ?? 0
  // Poisson arrivals of mean 200: within five standard deviations
  assert.ok(count > 100 && count < 300, String(count))
  assert.match(
    stdout,
    new RegExp(
      `An independent probe, one client of its own process at 80\\.0/s, saw DISCOVER p50 .* \\(${count} operations\\)\\.`
    )
  )
})
