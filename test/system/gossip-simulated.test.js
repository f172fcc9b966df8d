import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { assertGossipAgrees, missingOf, runGossip } from '../acceptance/gossip-network.js'
import { PAIRS, TIMEOUT } from '../acceptance/loadtest.js'

/**
 * @typedef {import('../../src/scenarios/gossip/outcome.js').GossipResult} GossipResult
 */

const SIMULATED = ['--network', 'simulated', '--linkLatency', '50ms']

describe('what is done to a simulated network is told, and what is missing has that for its reason', {
  ...PAIRS,
  ...TIMEOUT
}, () => {
  const BUSY = [...SIMULATED, '--nodes', '12', '--signing', 'off']

  /** The first of the reasons is there, and none that is not among them. @param {GossipResult} result @param {string[]} reasons */
  function assertMissing(result, reasons) {
    const seen = Object.keys(missingOf(result))
    assert.ok(result.outcome.missing.pairs > 0)
    assert.ok(seen.includes(reasons[0]), `${seen}`)
    assert.deepEqual(
      seen.filter(name => !reasons.includes(name)),
      []
    )
  }

  test('a partition that resets connections, after which nobody asks for what is old', async () => {
    const { code, stderr, result, stdout } = await runGossip([
      ...[...BUSY, '--topology', 'full', '--duration', '10s', '--rate', '5/s'],
      ...['--partition', 'reset@1s-7s:0-5|rest']
    ])
    assert.equal(code, 0, stderr)
    assert.equal(result.status, 'complete')
    assertGossipAgrees(result)
    const { delivery, missing } = result.outcome
    assert.equal(delivery.expected - delivery.delivered, missing.pairs)
    assert.ok(Number(delivery.ratio) > 0.6, `${missing.pairs} missing`)
    assertMissing(result, ['partition'])
    assert.match(stdout, /^\| partition +\| +\d+ \|/m)
  })

  test('a topology of two parts, and nothing passes between them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'two-parts-'))
    const path = join(folder, 'two-parts.txt')
    await writeFile(path, '0 1\n1 2\n3 4\n4 5\n')
    const { code, stderr, result, stdout } = await runGossip([
      ...[
        ...SIMULATED,
        ...'--signing off --topology'.split(' '),
        `file:${path}`,
        ...'--messages 6 --rate 5/s'.split(' ')
      ],
      ...['--warmup', '2s', '--cooldown', '2s']
    ])
    await rm(folder, { recursive: true })
    assert.equal(code, 0, stderr)
    assertGossipAgrees(result)
    assert.deepEqual(missingOf(result), { unreachable: 18 })
    assert.match(stdout, /^\| unreachable \| +18 \|/m)
    assert.doesNotMatch(stdout + stderr, /longer --cooldown/)
  })

  test('churn, in a line: who is away is expected nowhere, and the counts say so', async () => {
    const { code, stderr, result, stdout, folder } = await runGossip([
      ...[...BUSY, '--topology', 'line', '--duration', '20s', '--rate', '5/s'],
      ...['--churn', '10%/s,away=5s']
    ])
    assert.equal(code, 0, stderr)
    assert.equal(result.status, 'complete')
    assertGossipAgrees(result)
    const { churn, messages, delivery } = result.outcome
    assert.ok(churn && churn.departures > 5 && churn.returns > 0)
    assert.equal(messages.published + messages.failed, messages.planned)
    assert.ok(messages.failed > 0)
    assert.ok(delivery.expected < messages.published * 11)
    assertMissing(result, ['churn', 'no-mesh'])
    const report = await readFile(join(folder, 'report.md'), 'utf8')
    assert.match(report, new RegExp(`^\\| Departures +\\| ${churn.departures} `, 'm'))
    assert.match(report, /^## Deliveries that are not expected$/m)
    assert.match(stdout, /could not be published: \d+ NODE_AWAY/)
  })

  test('a send queue that is too short refuses RPCs', async () => {
    const { code, stderr, result, folder } = await runGossip([
      ...[...BUSY, '--topology', 'full', '--duration', '2s', '--rate', '20/s', '--messageBytes', '20000'],
      ...['--upBandwidth', '100kB/s', '--sendQueue', '1', '--cooldown', '20s']
    ])
    assert.equal(code, 0, stderr)
    assert.equal(result.status, 'complete')
    assert.ok(Number(result.outcome.counters.refusedRpcs) > 0)
    assertMissing(result, ['send-queue'])
    const report = await readFile(join(folder, 'report.md'), 'utf8')
    assert.match(report, /^\| RPCs dropped at a full send queue \(--sendQueue\) +\| [1-9]/m)
  })
})
