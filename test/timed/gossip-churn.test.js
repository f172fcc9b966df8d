import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { runCommand, startCommand, THREES, TIMEOUT } from '../acceptance/loadtest.js'

/**
 * @typedef {import('../../src/scenarios/gossip/outcome.js').GossipResult} GossipResult
 * @typedef {Omit<import('../acceptance/loadtest.js').Outcome, 'result'> & { result: GossipResult }} ChurnedEnd
 * @typedef {import('../../src/scenarios/gossip/outcome.js').ChurnResult} ChurnResult
 */

const STABLE = 6
const EPHEMERAL = 2
const SMALL = [
  ...['--nodes', String(STABLE + EPHEMERAL), '--workers', '2', '--topology', 'random-degree:k=6'],
  ...['--churn', `${EPHEMERAL},every=4s,away=1s,dials=3,settle=3s`, '--heartbeat_interval', '200ms'],
  // what a busy machine loses does not come any more: by default it is waited for 30 s
  ...['--rate', '5/s', '--cooldown', '5s']
]

describe('gossip nodes that are replaced', THREES, () => {
  describe('2 ephemeral gossip nodes that are replaced among 6 stable ones for 16 s', () => {
    /** @type {ChurnedEnd} */
    let ended
    /** @type {Required<ChurnResult>} */
    let churn
    before(async () => {
      ended = /** @type {any} */ (await runCommand(['gossip', ...SMALL, '--duration', '16s', '--csv']))
      assert.equal(ended.code, 0, ended.stderr)
      churn = /** @type {Required<ChurnResult>} */ (ended.result.outcome.churn)
    }, TIMEOUT)

    test('are killed and replaced in turn, and those that take their places receive messages', () => {
      const { started, killed, failed, listed } = churn.lives
      assert.deepEqual([started, killed, failed], [3, 3, 0])
      assert.deepEqual(
        listed.map(({ node, slot }) => [node, slot]),
        [
          [6, 6],
          [7, 7],
          [8, 6],
          [9, 7],
          [10, 6]
        ]
      )
      for (const { startDueMs, startedMs, connectedMs, firstDeliveryMs } of listed.slice(EPHEMERAL)) {
        assert.ok(Number(startedMs) >= Number(startDueMs))
        assert.ok(Number(connectedMs) > Number(startedMs))
        assert.ok(Number(firstDeliveryMs) > Number(startedMs))
      }
      assert.equal(churn.firstDelivery.count, 3)
    })

    test('are expected to receive what is published while they are there, and no more', () => {
      const { delivery, messages, nodes, anomalies } = ended.result.outcome
      // at the end of the time a busy machine may be too late for the last ones
      assert.equal(messages.planned, 80)
      assert.ok(messages.published >= 72 && messages.published <= 80, String(messages.published))
      assert.ok(delivery.delivered <= delivery.expected)
      assert.ok(Number(delivery.ratio) > 0.9, JSON.stringify(ended.result.outcome.missing))
      // published by stable nodes only: each message is expected at the 5 others, and at no more than the 2 that are up
      assert.ok(delivery.expected >= 5 * messages.published && delivery.expected < 7 * messages.published)
      assert.ok(nodes.every(({ node, published }) => published === 0 || node < STABLE))
      assert.equal(anomalies.duplicateReceipts, 0)
      assert.equal(anomalies.unknownMessages, 0)
      // the last one killed is gone from 12 s on: nothing published after it is expected there
      assert.ok(nodes[8].expected < nodes[0].expected)
      const { joining, leaving } = churn.apart
      assert.ok(joining.expected > 0 && joining.delivered > 0 && joining.delivered <= joining.expected)
      assert.ok(leaving.expected > 0 && leaving.delivered <= leaving.expected)
    })

    test('count every receipt once: expected, apart, or as a duplicate', () => {
      const { apart, receipts, afterRestart, again, latency } = churn
      const apartSum =
        apart.joining.delivered +
        apart.leaving.delivered +
        Number(apart.earlier?.delivered) +
        apart.away.delivered
      assert.equal(receipts, ended.result.outcome.delivery.delivered + apartSum + again)
      assert.equal(latency.withDuplicates.count, receipts)
      assert.equal(latency.withoutDuplicates.count, receipts - again - afterRestart)
    })

    test('change the peers of the others', () => {
      const ups = churn.peers.map(({ ephemeral }) => ephemeral?.nodes ?? 0)
      assert.ok(Math.max(...ups) === EPHEMERAL && Math.min(...ups) < EPHEMERAL, ups.join(' '))
      // what a busy worker has not told in time is not among those of its second
      const stable = churn.peers.map(point => point.stable?.nodes ?? 0)
      assert.equal(Math.max(...stable), STABLE, stable.join(' '))
      assert.ok(Number(churn.deliveriesPerMinute) > 0)
    })

    test('are cut off without the others taking their streams for aborted ones', () => {
      assert.equal(ended.result.outcome.streams.aborted, 0)
    })

    test('stand in the terminal, in the page and in CSV', async () => {
      assert.match(ended.stdout, /, while 3 nodes were killed and 3 started in their places/)
      const files = await readdir(ended.folder)
      for (const file of ['churn.csv', 'lives.csv', 'nodes-up.csv', 'delivery.csv', 'report.md'])
        assert.ok(files.includes(file), file)
      const page = await readFile(join(ended.folder, 'report.html'), 'utf8')
      for (const id of ['peers', 'first-delivery']) assert.match(page, new RegExp(`id="${id}"`))
    })
  })

  test('a run that is interrupted in the middle keeps what was measured', TIMEOUT, async () => {
    const loadtest = startCommand('gossip', [...SMALL, '--duration', '60s'])
    await loadtest.line(/publishing while nodes are replaced +[6-9]\.\d s/)
    loadtest.signal('SIGINT')
    const { code, result } = /** @type {ChurnedEnd} */ (/** @type {unknown} */ (await loadtest.ended))
    assert.equal(code, 130)
    assert.equal(result.status, 'partial')
    assert.ok(Number(result.outcome.churn?.departures) >= 1)
    assert.equal((await loadtest.leftAfter()).length, 0)
  })
})
