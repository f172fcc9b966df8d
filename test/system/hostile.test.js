import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { leftInDocker, NEEDS_DOCKER } from '../acceptance/docker.js'
import { nextSeed } from '../acceptance/docker-run.js'
import { run, start, TIMEOUT } from '../acceptance/loadtest.js'
import { ON_LINUX } from '../acceptance/processes.js'
import { RESULT_SCHEMAS } from '../scenarios.js'

/** Time for a pair on a machine with other work, too. */
const SHORT = [
  ...['--hostile', 'slow', '--hostileEvery', '500ms', '--warmup', '200ms'],
  ...['--benchmarkType', 'DISCOVER', '--rate', '100/s', '--nClients', '4', '--initialRegistrations', '20']
]

/** @param {any} document @returns {import('../../src/report/schema.js').HostileOutcome} */
const hostileOf = document => {
  const { hostile } = /** @type {any} */ (RESULT_SCHEMAS.rendezvous.parse(document).outcome)
  assert.ok(hostile !== undefined)
  return hostile
}

describe('node index.js --hostile', TIMEOUT, () => {
  test('has quiet and hostile stretches beside a load, with no limit lifted, and recovers', async () => {
    const ended = await run([
      ...SHORT,
      ...['--threshold', 'hostile.errors < 50', '--threshold', 'hostile.ratio.p99.high < 2']
    ])
    // too few operations for p99
    assert.equal(ended.code, 3, ended.stderr)
    const { target, thresholds } = /** @type {any} */ (ended.result).outcome
    assert.equal(target.settings.server.unlimitedFrom, '')
    assert.deepEqual(
      thresholds.map((/** @type {{ passed: boolean }} */ { passed }) => passed),
      [true, false]
    )
    const { pairs, left, spreads, p50, recoveryMs, longestTurnMs, rssBytes } = hostileOf(ended.result)
    assert.ok(pairs.length > 0)
    for (const [i, pair] of pairs.entries()) {
      assert.deepEqual([pair.hostileFirst, pair.quiet.count, pair.hostile.count], [i % 2 === 1, 50, 50])
      assert.equal(Number(pair.hostile.recoveryMs) % 250, 0)
    }
    assert.ok(p50 !== null && p50.quietMs > 0 && p50.hostileMs > 0)
    assert.ok(recoveryMs !== null && spreads)
    assert.ok(Number(rssBytes.hostile) > 10e6 && Number(longestTurnMs.hostile) > 0 && Number(left?.heap) > 0)
    assert.match(ended.stdout, /^\| quiet +\|/m)
    assert.match(ended.stdout, /^\| hostile +\|/m)
  })

  test('keeps what was measured when it is interrupted, and leaves no process', {
    ...TIMEOUT,
    ...ON_LINUX
  }, async () => {
    const loadtest = start([...SHORT, '--duration', '1m'], { ownGroup: true })
    await loadtest.measured()
    loadtest.ctrlC()
    const { code, result, stderr } = await loadtest.ended
    assert.equal(code, 130, stderr)
    const { pairs, unfinished } = hostileOf(result)
    assert.ok(pairs.length + unfinished > 0)
    assert.deepEqual(await loadtest.leftAfter(), [])
  })

  test('has the server in a container where peers keep addresses of their own, limited, and leaves none', {
    ...TIMEOUT,
    ...NEEDS_DOCKER
  }, async () => {
    const seed = nextSeed()
    const ended = await run([
      ...SHORT,
      ...['--duration', '15s', '--server', 'docker', '--memory', '512MiB', '--seed', String(seed)]
    ])
    assert.equal(ended.code, 0, ended.stderr)
    const { target } = /** @type {any} */ (ended.result).outcome
    assert.deepEqual([target.kind, target.container?.memoryBytes], ['docker', 512 * 2 ** 20])
    assert.match(target.multiaddr ?? '', /^\/ip4\/127\.0\.0\.1\/tcp\/\d+\/p2p\//)
    const { spreads, pairs, longestTurnMs } = hostileOf(ended.result)
    assert.ok(spreads && pairs.length > 0 && Number(longestTurnMs.hostile) > 0)
    assert.match(
      await readFile(join(ended.folder, 'report.md'), 'utf8'),
      /^\| Container memory, MB +\| 536\.9 +\|$/m
    )
    assert.deepEqual(await leftInDocker(seed, 'rendezvous'), [])
  })
})
