import '../../src/kit/runtime.js'
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
const overheadMedianMs = ({ run: { health } }) => health[0].overhead.p50?.ms ?? NaN

test(
  '100 clients in one process have their client overhead beside every percentile; that of one client is less',
  TIMEOUT,
  async () => {
    const { result, stdout } = await complete(...FULL)
    const { rt } = operation(result, 'DISCOVER')
    const times = [rt.all.p50, rt.all.p90].filter(time => time !== null)
    assert.ok(times.length > 0)
    for (const { ms, overheadMs = 0 } of times)
      assert.ok(overheadMs > 0 && overheadMs <= ms, `${overheadMs} of ${ms} ms`)
    const more = [rt.all.p50, rt.all.p99].some(time => Number(time?.overheadMs) > Number(time?.ms) / 2)
    // how much it is, and what was used up, is the machine's
    const by = result.outcome.limitedBy?.by ?? []
    const own = by.length > 0 && by.every(name => ['load generator', 'machine'].includes(name))
    const limited = (more && by.join() !== 'server CPU') || own
    assert.equal(warningCodes(result).includes('GENERATOR_LIMITED'), limited)
    assert.doesNotMatch(stdout, /\d\*/, 'nothing is marked')

    const { result: ofOne } = await complete(
      ...['--nClients', '1', '--benchmarkRuns', '200', '--minDuration', '1s', '--warmup', '200ms']
    )
    // it waits for no other client
    const [one, full] = [ofOne, result].map(overheadMedianMs)
    assert.ok(one * 4 < full, `client overhead: ${one} ms of one client, ${full} ms of 100`)
    assert.equal(ofOne.run.health.length, 1)
    assert.ok(ofOne.run.health[0].utilization < 1)
    assert.equal(ofOne.run.health[0].overhead.count, operation(ofOne, 'DISCOVER').count)
  }
)
