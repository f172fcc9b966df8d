import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { RESULT_SCHEMAS } from '../scenarios.js'
import { leftInDocker, NEEDS_DOCKER } from './docker.js'
import { nextSeed } from './docker-run.js'
import { call, runCommand, TIMEOUT } from './loadtest.js'

describe('node index.js abuse', () => {
  test('holds honest clients under abuse against those without, with no limit lifted', TIMEOUT, async () => {
    const ended = await runCommand([
      ...[
        '--abuse',
        'slow',
        '--pairs',
        '1',
        '--stretch',
        '500ms',
        '--warmup',
        '0',
        '--rate',
        '100/s',
        '--quiet'
      ],
      ...['--threshold', 'errors.abused < 50', '--threshold', 'ratio.p99.high < 2']
    ])
    // too few pairs for an interval
    assert.equal(ended.code, 3, ended.stderr)
    const { outcome, status } = RESULT_SCHEMAS.abuse.parse(ended.result)
    assert.equal(status, 'complete')
    const { target, cases, thresholds } =
      /** @type {import('../../src/scenarios/abuse/abuse-types.js').AbuseOutcome} */ (outcome)
    assert.equal(target.settings.unlimitedFrom.value, '')
    const [{ name, pairs, asked, p50, p99, rssBytes, longestTurnMs }] = cases
    assert.deepEqual([cases.length, name, pairs.length, asked], [1, 'slow', 1, { quiet: 50, abused: 50 }])
    assert.ok(p50 !== null && p50.quietMs > 0 && p99 === null)
    assert.ok(Number(rssBytes.abused) > 10e6 && Number(longestTurnMs.abused) > 0)
    assert.deepEqual(
      thresholds.map(({ passed }) => passed),
      [true, false]
    )
    assert.match(ended.stdout, /\| slow +\|/)
  })

  test('has the server in a container where peers keep addresses of their own, limited, and leaves none', {
    ...TIMEOUT,
    ...NEEDS_DOCKER
  }, async () => {
    const seed = nextSeed()
    const ended = await runCommand([
      ...['abuse', 'slow', '--pairs', '1', '--stretch', '500ms', '--warmup', '0', '--rate', '100/s'],
      ...['--server', 'docker', '--memory', '512MiB', '--seed', String(seed)]
    ])
    assert.equal(ended.code, 0, ended.stderr)
    const { outcome, run } = RESULT_SCHEMAS.abuse.parse(ended.result)
    const { target, spreads, cases } =
      /** @type {import('../../src/scenarios/abuse/abuse-types.js').AbuseOutcome} */ (outcome)
    assert.deepEqual([target.kind, target.container?.memoryBytes, spreads], ['docker', 512 * 2 ** 20, true])
    assert.match(target.multiaddr ?? '', /^\/ip4\/127\.0\.0\.1\/tcp\/\d+\/p2p\//)
    const [{ p50, longestTurnMs, rssBytes }] = cases
    assert.ok(Number(p50?.quietMs) > 0 && Number(longestTurnMs.abused) > 0 && Number(rssBytes.abused) > 10e6)
    assert.match(String(run.versions['server image']), /^sha256:/)
    assert.match(
      await readFile(join(ended.folder, 'report.md'), 'utf8'),
      /^\| Container memory, MB +\| 536\.9 +\|$/m
    )
    assert.deepEqual(await leftInDocker(seed, 'abuse'), [])
  })

  test('refuses what cannot be, all at once, with exit code 2', TIMEOUT, async () => {
    const { code, stderr } = await call(['abuse', 'smoke', '--pairs', '0'])
    assert.equal(code, 2)
    assert.match(stderr, /^2 problems:\n.*--kinds smoke.*\n.*--pairs 0/)
  })
})
