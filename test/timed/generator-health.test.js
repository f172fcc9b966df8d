import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertComplete, operation, warningCodes } from '../acceptance/consistent.js'
import { run, TIMEOUT } from '../acceptance/loadtest.js'

/** @param {string[]} args */
async function complete(...args) {
  const ended = await run([...args, '--benchmarkType', 'DISCOVER'])
  assertComplete(ended)
  return ended
}

const FULL = [
  ...['--nClients', '100', '--workers', '1', '--no-streamPerOperation', '--discoverLimit', '20'],
  ...['--duration', '1s', '--warmup', '200ms']
]

/** @param {Awaited<ReturnType<typeof complete>>['result']} result */
const addedMedianMs = ({ run: { health } }) => health[0].added.p50?.ms ?? NaN

test(
  '100 clients in one process measure themselves, and marks follow what they added; one client adds less',
  TIMEOUT,
  async () => {
    const { result, stdout } = await complete(...FULL)
    const { rt } = operation(result, 'DISCOVER')
    // whether they are marked, and as whose doing, depends on what else the machine does; that marks follow brackets does not
    const times = [rt.all.p50, rt.all.p90].filter(time => time !== null)
    assert.ok(times.length > 0)
    for (const { ms, lowMs = 0, doubtful } of times) {
      assert.ok(lowMs > 0 && lowMs < ms, `a bracket from ${lowMs} to ${ms} ms`)
      assert.equal(doubtful, ms - lowMs > 0.1 * ms)
    }
    const pressed = Number(result.run.lateness?.pressurePercent) > 50
    assert.ok(
      pressed || !warningCodes(result).includes('PERCENTILES_DOUBTFUL'),
      'at full load it is no warning'
    )
    assert.equal(
      /^\*m? doubtful: .* added more than a tenth of this time\.$/m.test(stdout),
      /\d\*/.test(stdout)
    )

    const { result: ofOne } = await complete(
      ...['--nClients', '1', '--benchmarkRuns', '200', '--minDuration', '1s', '--warmup', '200ms']
    )
    // whether its median is marked depends on what else the machine does; that it waits for no other client does not
    const [one, full] = [ofOne, result].map(addedMedianMs)
    assert.ok(one * 4 < full, `added to the median: ${one} ms by one client, ${full} ms by 100`)
    assert.equal(ofOne.run.health.length, 1)
    assert.ok(ofOne.run.health[0].utilization < 1)
    assert.equal(ofOne.run.health[0].added.count, operation(ofOne, 'DISCOVER').count)
  }
)
