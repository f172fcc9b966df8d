import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { runCommand, startCommand, THREES, TIMEOUT } from '../acceptance/loadtest.js'

/**
 * @typedef {import('../../src/scenarios/rotate-gossip/rotate-gossip-types.js').RotateGossipResult} RotateGossipResult
 * @typedef {Omit<import('../acceptance/loadtest.js').Outcome, 'result'> & { result: RotateGossipResult }} RotationEnded
 * @typedef {import('../../src/scenarios/rotate-gossip/rotate-gossip-types.js').RotateGossip} Rotation
 */

const STABLE = 6
const EPHEMERAL = 2
const SMALL = [
  ...['--stable', String(STABLE), '--ephemeral', String(EPHEMERAL), '--workers', '2', '--dials', '3'],
  ...['--rotateEvery', '4s', '--downFor', '1s', '--settle', '4s', '--heartbeat_interval', '200ms'],
  // what a busy machine loses does not come any more: by default it is waited for 30 s
  ...['--rate', '5/s', '--cooldown', '5s']
]

describe('nodes that rotate', THREES, () => {
  describe('2 ephemeral nodes that rotate among 6 stable ones for 16 s', () => {
    /** @type {RotationEnded} */
    let ended
    /** @type {Rotation} */
    let rotation
    before(async () => {
      ended = /** @type {any} */ (
        await runCommand(['rotate', 'gossip', ...SMALL, '--duration', '16s', '--csv'])
      )
      assert.equal(ended.code, 0, ended.stderr)
      rotation = /** @type {Rotation} */ (ended.result.outcome.rotation)
    }, TIMEOUT)

    test('are killed and replaced in turn, and those that take their places receive messages', () => {
      const { started, killed, failed, listed } = rotation.lives
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
      assert.equal(rotation.firstDelivery.count, 3)
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
      const { joining, leaving } = rotation.apart
      assert.ok(joining.expected > 0 && joining.delivered > 0 && joining.delivered <= joining.expected)
      assert.ok(leaving.expected > 0 && leaving.delivered <= leaving.expected)
    })

    test('count every receipt once: expected, apart, or as a duplicate', () => {
      const { apart, duplicates } = rotation
      const { observations, again, latency } = duplicates
      const apartSum =
        apart.joining.delivered + apart.leaving.delivered + apart.earlier.delivered + apart.gone.delivered
      assert.equal(observations, ended.result.outcome.delivery.delivered + apartSum + again)
      assert.equal(latency.withDuplicates.count, observations)
      assert.equal(latency.withoutDuplicates.count, observations - again - duplicates.afterRestart)
    })

    test('change the peers of the others', () => {
      const ups = rotation.peers.map(({ ephemeral }) => ephemeral?.nodes ?? 0)
      assert.ok(Math.max(...ups) === EPHEMERAL && Math.min(...ups) < EPHEMERAL, ups.join(' '))
      // what a busy worker has not told in time is not among those of its second
      const stable = rotation.peers.map(point => point.stable?.nodes ?? 0)
      assert.equal(Math.max(...stable), STABLE, stable.join(' '))
      assert.ok(Number(rotation.deliveriesPerMinute) > 0)
    })

    test('are cut off without the others taking their streams for aborted ones', () => {
      assert.equal(ended.result.outcome.streams.aborted, 0)
    })

    test('stand in the terminal, in the page and in CSV', async () => {
      assert.match(ended.stdout, /, while 3 nodes were killed and 3 started in their places/)
      const files = await readdir(ended.folder)
      for (const file of ['rotation.csv', 'lives.csv', 'nodes-up.csv', 'deliveries.csv', 'report.md'])
        assert.ok(files.includes(file), file)
      const page = await readFile(join(ended.folder, 'report.html'), 'utf8')
      for (const id of ['peers', 'first-delivery']) assert.match(page, new RegExp(`id="${id}"`))
    })
  })

  test('a run that is interrupted in mid-rotation keeps what was measured', TIMEOUT, async () => {
    const loadtest = startCommand('rotate', ['gossip', ...SMALL, '--duration', '60s'])
    await loadtest.line(/publishing while nodes are replaced +[6-9]\.\d s/)
    loadtest.signal('SIGINT')
    const { code, result } = /** @type {RotationEnded} */ (/** @type {unknown} */ (await loadtest.ended))
    assert.equal(code, 130)
    assert.equal(result.status, 'partial')
    assert.ok(Number(result.outcome.rotation?.lives.killed) >= 1)
    assert.equal((await loadtest.leftAfter()).length, 0)
  })
})
