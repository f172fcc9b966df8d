import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { startCommand, TIMEOUT } from '../acceptance/loadtest.js'
import { AS_USER, openFolder, outside, WHERE_POSSIBLE } from '../acceptance/namespaces.js'
import { RESULT_SCHEMAS } from '../scenarios.js'

const LOSSY = ['--network', 'namespaces', '--linkLoss', '2%']

/** @param {readonly string[]} args - the command first, if there is one */
async function joined([first, ...args]) {
  const loadtest = startCommand(first, [...args, ...LOSSY], { ...AS_USER, outputDir: openFolder() })
  const ended = await loadtest.ended
  assert.equal(ended.code, 0, ended.stderr)
  assert.deepEqual(await loadtest.leftAfter(), [])
  const report = await readFile(join(ended.folder, 'report.md'), 'utf8')
  for (const title of ['Links', 'Router'])
    assert.match(report, new RegExp(`^## ${title} between network namespaces$`, 'm'))
  return /** @type {any} */ (ended)
}

/** What was asked for and found. @param {any} namespaces */
function assertFound({ step, links: [{ roundTrip, loss }], router }, /** @type {number} */ roundTripMs) {
  assert.equal(step, 'router')
  assert.ok(Math.abs(roundTrip.askedMs - roundTripMs) < 0.02, `${roundTrip.askedMs} ms`)
  assert.ok(roundTrip.foundMs >= roundTripMs - 1, `${roundTrip.foundMs} ms`)
  assert.ok(loss.asAsked && loss.packets > 1000, JSON.stringify(loss))
  assert.ok(router.packets > 0 && router.overflowed === 0, JSON.stringify(router))
}

describe('between network namespaces, as a user without rights', { ...WHERE_POSSIBLE, ...TIMEOUT }, () => {
  const was = WHERE_POSSIBLE.skip ? null : outside()

  test('files are moved over the links of each round, and what these were found to be is said', async () => {
    const rounds = ['--latencies', '30ms', '--bandwidths', '2MB', '--no-unlimitedBandwidthCase']
    const { result } = await joined([
      ...['transfer', '--ways', 'stream', '--repeats', '1', '--size', '64KiB'],
      ...rounds
    ])
    RESULT_SCHEMAS.transfer.parse(result)
    const { cases, namespaces, line } = result.outcome
    assert.deepEqual([cases.length, namespaces.length, line.slowStart], [2, 2, true])
    for (const [i, latencyMs] of [0, 30].entries()) {
      assert.deepEqual([namespaces[i].latencyMs, namespaces[i].bytesPerSecond], [latencyMs, 2e6])
      assertFound(namespaces[i], 2 * latencyMs)
    }
    for (const { latencyMs, roundTripMs, failed } of cases) {
      assert.equal(failed, 0)
      assert.ok(roundTripMs >= 2 * latencyMs * 0.98, `${roundTripMs} ms`)
    }
  })

  test('bytes of perf and HTTP/2 go over one link', async () => {
    const { result } = await joined([
      ...['perf', '--measures', 'upload,latency', '--streams', '1'],
      ...['--size', '64KiB', '--repeats', '1', '--exchanges', '3'],
      ...['--latencies', '20ms', '--bandwidths', '2MB', '--protocols', 'perf,http2']
    ])
    RESULT_SCHEMAS.transfer.parse(result)
    assertFound(result.outcome.namespaces[0], 40)
    assert.equal(result.outcome.transfers.length, 2)
    for (const { roundTripMs } of result.outcome.rows) assert.ok(roundTripMs >= 39, `${roundTripMs} ms`)
  })

  test('each rendezvous client asks a server in a namespace of its own, which can be started again', async () => {
    const { result, stderr } = await joined([
      ...['--nClients', '2', '--benchmarkType', 'DISCOVER', '--initialRegistrations', '10'],
      ...['--duration', '3s', '--warmup', '50ms'],
      ...['--linkLatency', '20ms', '--fault', 'at=1s restart=200ms']
    ])
    RESULT_SCHEMAS.rendezvous.parse(result)
    const { namespaces, operations, target, registrations, faults } = result.outcome
    assertFound(namespaces, 40)
    assert.match(target.multiaddr, /^\/ip4\/10\.0\.0\.1\/tcp\/\d+\//)
    // its control port is on this side
    assert.equal(registrations.before, 10)
    assert.ok(operations.DISCOVER.outcomes.OK > 0, JSON.stringify(operations.DISCOVER.outcomes))
    assert.equal(faults[0].registrationsLost, 10)
    assert.match(stderr, / · our server, tuned, in a network namespace/)
  })

  test('clients that come and go register and discover over their links', async () => {
    const { result } = await joined([
      ...[
        ...['rendezvous', '--nClients', '3', '--churn', '1,every=2s,away=1s', '--benchmarkType', 'DISCOVER'],
        ...['--rate', '30/s', '--discoverLimit', '100', '--ttl', '4s', '--initialRegistrations', '0']
      ],
      ...['--duration', '6s', '--warmup', '200ms', '--server', 'process', '--linkLatency', '20ms']
    ])
    RESULT_SCHEMAS.rendezvous.parse(result)
    const { namespaces, churn, operations } = result.outcome
    assertFound(namespaces, 40)
    const { started, killed, failed } = churn.lives
    assert.ok(killed >= 1 && started >= killed && failed === 0, JSON.stringify(churn.lives))
    for (const type of ['REGISTER', 'DISCOVER']) {
      assert.ok(operations[type].outcomes.OK > 0, JSON.stringify(operations[type].outcomes))
      // the reply comes a round trip later at the least; a jitter of a hundredth is usual
      assert.ok(operations[type].rt.ok.avg.ms >= 39, JSON.stringify(operations[type].rt.ok))
    }
  })

  test('nothing outside of the namespaces has changed', () => assert.deepEqual(outside(), was))
})
