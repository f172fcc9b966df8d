import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { listStrictWarnings } from '../../src/report/warnings.js'
import { assertGossipAgrees, ended, runGossip } from '../acceptance/gossip-network.js'
import { TIMEOUT } from '../acceptance/loadtest.js'
import { outside, startBetweenNamespaces, WHERE_POSSIBLE } from '../acceptance/namespaces.js'

/** What depends on how busy the machine is. */
const OF_MACHINE = [
  'ROUTER_LATE',
  'PUBLISH_LATE',
  'GENERATOR_LIMITED',
  'NETWORK_NOT_AS_ASKED',
  'NOT_PUBLISHED'
]
const ASKED = '--linkLatency 40ms --linkLoss 2% --upBandwidth 2MB/s --congestionControl reno'.split(' ')
const CUT = ['--partition', 'hold@1s-2s:0|1,2']

describe('three nodes on the kernel’s TCP, as a user without rights', {
  ...WHERE_POSSIBLE,
  ...TIMEOUT
}, () => {
  const was = WHERE_POSSIBLE.skip ? null : outside()
  /** @type {import('../acceptance/gossip-network.js').GossipOutcome} */
  let outcome
  /** @type {import('../acceptance/processes.js').Process[]} */
  let left

  before(async () => {
    const loadtest = startBetweenNamespaces(
      [...ASKED, ...CUT, '--heartbeat_interval', '200ms', '--duration', '3s', '--rate', '10/s'],
      { wholeFile: true }
    )
    outcome = await ended(loadtest)
    left = await loadtest.leftAfter()
  })

  test('every message comes, losses and partition or not; nobody sooner than the latency', () => {
    assert.equal(outcome.code, 0, outcome.stderr)
    const { delivery, latency, messages } = outcome.result.outcome
    // how many are published in time is the machine's
    assert.ok(messages.published > 20, JSON.stringify(messages))
    assert.equal(delivery.expected, 2 * messages.published)
    assert.equal(delivery.ratio, 1)
    // a jitter of a hundredth is usual
    assert.ok(Number(latency.all.p50?.ms) >= 39)
    assertGossipAgrees(outcome.result)
  })

  test('what was lost, cut off and carried is counted, and nothing was lost that was not asked for', () => {
    const { namespaces } = outcome.result.outcome.network
    const { router, dropped } = /** @type {NonNullable<typeof namespaces>} */ (namespaces)
    assert.ok(router !== null && router.packets > 100)
    assert.ok(router.cut > 0, 'TCP went on trying while they were cut off')
    assert.deepEqual([router.overflowed, dropped], [0, 0])
    assert.ok(Number(router.cpuMicrosPerPacket) > 0 && router.lateness.count > 0)
  })

  test('what was found before the run stands beside what was asked for, and the congestion control', () => {
    const { namespaces } = outcome.result.outcome.network
    assert.deepEqual(namespaces?.congestionControl, { asked: 'reno', found: 'reno' })
    assert.equal(namespaces.step, 'router')
    const [{ what, roundTrip, loss, rate }, ...more] = namespaces.links
    assert.deepEqual(
      [what, more.length, roundTrip.askedMs, loss?.asked, rate?.asked],
      ['every link', 0, 80, 0.02, 2e6]
    )
    assert.ok(Number(roundTrip.foundMs) >= 79)
    assert.ok(Number(loss?.packets) > 1000 && loss?.asAsked, JSON.stringify(loss))
    assert.ok(Number(rate?.found) > 0 && Number(rate?.found) < 2.4e6)
    const why = listStrictWarnings(outcome.result).filter(({ code }) => !OF_MACHINE.includes(code))
    assert.deepEqual(why, [])
  })

  test('the report has the links, planned and measured, and the router', async () => {
    assert.match(outcome.stderr, /· 3 nodes, tuned, in 3 processes · ring on real TCP between namespaces/)
    const report = await readFile(join(outcome.folder, 'report.md'), 'utf8')
    assert.match(report, /^\| every link \(0 – 1\) \| +80 \| +\d/m)
    assert.match(report, /^## Router between network namespaces\n\n\| TCP .*\n.*\n\| reno \| /m)
    assert.match(report, /^\| Router: a packet was late by +\| +\d/m)
  })

  test('nothing is left of it, and nothing outside of its namespaces has changed', () => {
    assert.deepEqual(left, [])
    assert.deepEqual(outside(), was)
  })
})

// in this process: what a run leaves, and as whom it can be run, is told above
test('nodes leave and return, and connections are reset, while messages are published', {
  ...WHERE_POSSIBLE,
  ...TIMEOUT
}, async () => {
  const { code, stderr, result } = await runGossip([
    ...['--network', 'namespaces', '--nodes', '3', '--topology', 'ring'],
    ...['--linkLatency', '10ms', '--churn', '40%/s,away=600ms', '--partition', 'reset@1s-2s:0|1,2'],
    ...['--duration', '4s', '--rate', '10/s', '--heartbeat_interval', '200ms']
  ])
  assert.deepEqual([code, result.status], [0, 'complete'], stderr)
  const { churn, delivery, anomalies, messages } = result.outcome
  assert.ok(churn && churn.departures > 0 && churn.returns > 0, JSON.stringify(churn))
  assert.ok(messages.failed > 0, 'what is due at a node that is away is not published')
  assert.ok(delivery.delivered > 0, JSON.stringify(delivery))
  assert.deepEqual([anomalies.negativeLatencies, anomalies.duplicateReceipts], [0, 0])
})
