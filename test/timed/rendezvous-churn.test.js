import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import { brokenOff, churnOf, OURS, SMALL, STEADY } from '../acceptance/churned-clients.js'
import { assertSumsAgree, sum, warningCodes } from '../acceptance/consistent.js'
import { startForeignServer } from '../acceptance/foreign-server.js'
import { PAIRS, runCommand, THREES, TIMEOUT } from '../acceptance/loadtest.js'
import { ON_LINUX, send } from '../acceptance/processes.js'

/** @param {string[]} args @param {string[]} [load] */
const run = (args, load = STEADY) => runCommand(['rendezvous', ...SMALL, ...load, ...args])

describe('clients that come and go', THREES, () => {
  describe('3 ephemeral clients among 6 stable ones, for 14 s', () => {
    /** @type {import('../acceptance/loadtest.js').Outcome} */
    let ended
    /** @type {import('../../src/scenarios/rendezvous/schema.js').Churned} */
    let churn
    before(async () => {
      // what is asked of stale records is not met, which changes nothing but the exit code
      ended = await run([...OURS, '--duration', '14s', '--csv', '--threshold', 'staleShare < 1%'])
      assert.equal(ended.code, 3, ended.stderr)
      assert.equal(ended.result.status, 'complete')
      assertSumsAgree(ended.result)
      churn = churnOf(ended.result)
    }, TIMEOUT)

    test('are killed and replaced in turn, and those that take their places register and discover', () => {
      const { started, killed, failed, listed } = churn.lives
      assert.deepEqual([started, killed, failed], [6, 6, 0])
      assert.deepEqual(
        listed.map(({ node, slot }) => [node, slot]),
        Array.from({ length: 9 }, (_, i) => [6 + i, 6 + (i % 3)])
      )
      for (const { startDueMs, startedMs, connectedMs, registeredMs, firstDiscoveryMs } of listed.slice(
        3,
        8
      )) {
        assert.ok(Number(startedMs) >= Number(startDueMs))
        assert.ok(Number(connectedMs) > Number(startedMs))
        assert.ok(Number(registeredMs) > Number(connectedMs))
        assert.ok(Number(firstDiscoveryMs) > Number(registeredMs))
      }
    })

    test('leave registrations behind, which the server counts and gives out until they expire, and not longer', () => {
      const { left, series } = churn
      assert.ok(left.registrations >= 5 && left.registrations <= 6)
      assert.ok(left.expired >= 3 && left.expired <= left.registrations)
      assert.equal(left.overdue, 0)
      assert.ok(Number(left.expiryLag?.count) > 0 && Number(left.expiryLag?.min) > -2000)
      // renewed each 2 s for 4 s: they outlive their peers by 2 to 4 s
      assert.ok(Number(left.lastSeenAfterKill.max?.ms) > 1000)
      assert.ok(series.length >= 10, String(series.length))
      assert.ok(series.some(({ dead }) => dead > 0))
      const apart = series.map(({ server, living, dead }) => Math.abs(Number(server) - living - dead))
      // what expires or is registered in this very moment
      assert.ok(sum(apart) <= series.length, apart.join(' '))
    })

    test('make part of what discoverers are given stale; what was given before counts as a duplicate', () => {
      const { discovered, cutOff } = churn
      const { withDuplicates, withoutDuplicates, duplicates } = discovered
      assert.equal(discovered.replies, ended.result.outcome.operations.DISCOVER?.outcomes.OK)
      assert.ok(withDuplicates.stale > 0 && withDuplicates.stale < withDuplicates.records / 2)
      assert.ok(withoutDuplicates.stale <= withDuplicates.stale)
      assert.equal(
        withDuplicates.records,
        withoutDuplicates.records + duplicates.again + duplicates.renewed + duplicates.inOneReply
      )
      assert.ok(
        duplicates.again > 2 * duplicates.renewed,
        `${duplicates.again} again, ${duplicates.renewed} renewed`
      )
      assert.deepEqual([duplicates.inOneReply, discovered.unknown], [0, 0])
      assert.ok(discovered.own > 0)
      assert.equal(sum(churn.series.map(({ stale }) => stale)) <= withDuplicates.stale, true)
      assert.ok(cutOff < 20)
    })

    test('are seen by others soon after they have registered', () => {
      const { visible } = churn
      assert.ok(visible.registrations >= 5)
      assert.equal(visible.seen + visible.killedUnseen + visible.endedUnseen, visible.registrations)
      assert.ok(visible.seen >= 4)
      assert.equal(visible.delay.all.count, visible.registrations)
    })

    test('do not make the server answer anything but OK, and what it was set to is recorded', () => {
      const { operations, target, registrations } = ended.result.outcome
      for (const { errors } of Object.values(operations)) assert.equal(errors, 0)
      assert.equal(/** @type {any} */ (target.settings).server.minTtl, '4s')
      // those of the living were taken back
      assert.ok(Number(registrations.after) <= churn.left.registrations)
      assert.ok(Number(churn.operationsPerMinute) > 0)
      assert.ok(Number(ended.result.outcome.server?.cpu.averagePercent) > 0)
    })

    test('fail a threshold on churn, which makes the exit code 3', () => {
      const [threshold] = ended.result.outcome.thresholds
      assert.deepEqual([threshold.text, threshold.passed], ['staleShare < 1%', false])
    })

    test('are told about in the terminal, in the page and in CSV', async () => {
      assert.match(ended.stdout, /^\| ✖ staleShare \\?< 1% /m)
      assert.match(ended.stdout, /^\| With duplicates +\| +\d+ \| +\d+ \|/m)
      assert.doesNotMatch(ended.stderr, /Warning|^ +at /m)
      const files = await readdir(ended.folder)
      for (const file of [
        'churn.csv',
        'stale-records.csv',
        'registrations-over-time.csv',
        'operations.csv',
        'report.md'
      ])
        assert.ok(files.includes(file), file)
    })
  })

  describe('other runs with churn', PAIRS, () => {
    test('with cookies, peers are given again only what was registered again', TIMEOUT, async () => {
      const { code, stderr, result } = await run(
        [...OURS, '--duration', '8s', '--cookies'],
        // a place asks about once a second: who asks again before the last reply, as on a busy machine, has no newer cookie
        ['--nNamespaces', '2', '--rate', '10/s']
      )
      assert.equal(code, 0, stderr)
      const { discovered, visible } = churnOf(result)
      const { again, renewed } = discovered.duplicates
      // without cookies almost all is given again, see above
      assert.ok(renewed > 2 * again, `${again} again, ${renewed} renewed`)
      assert.ok(visible.seen > 0)
    })

    test(
      'full peers that are replaced join the network again, and receive what is published',
      TIMEOUT,
      async () => {
        const { code, stderr, result } = await runCommand([
          ...'rendezvous --nClients 8 --churn 2,every=2s,away=1s --ttl 10s --workers 2'.split(' '),
          ...['--mix', 'register=5,discover=40,publish=10', '--rate', '50/s', '--discoverLimit', '200'],
          ...[...OURS, '--warmup', '200ms', '--duration', '12s']
        ])
        assert.equal(code, 0, stderr)
        const { gossip } = result.outcome
        assert.ok(gossip?.churn?.lives && gossip.churn.firstDelivery)
        const { lives, firstDelivery, apart } = gossip.churn
        assert.deepEqual([lives.started, lives.killed, lives.failed], [5, 5, 0])
        assert.deepEqual(
          [lives.started, lives.killed],
          [churnOf(result).lives.started, churnOf(result).lives.killed]
        )
        assert.ok(firstDelivery.count - Number(firstDelivery.never) >= 4, JSON.stringify(firstDelivery))
        const { expected, delivered } = gossip.delivery
        // who is started late on a busy machine misses some
        assert.ok(apart.joining.delivered > 0 && expected > 200 && delivered > 0.8 * expected)
        assert.equal(gossip.anomalies.duplicateReceipts, 0)
      }
    )

    test(
      'a server of others gets back what living peers have registered, and is told of what stays',
      TIMEOUT,
      async () => {
        const server = await startForeignServer(['--minTtl', '1s'])
        const { code, stderr, result } = await run(['--target', server.multiaddr, '--duration', '7s'])
        assert.equal(code, 0, stderr)
        const { series, left } = churnOf(result)
        assert.ok(series.length > 3 && series.every(point => point.server === null))
        assert.ok(left.registrations > 0)
        assert.ok(warningCodes(result).includes('LEFT_UNTIL_TTL'))
        assert.ok((await server.gauge('rendezvous_registrations')) <= left.registrations)
        assert.equal(await server.gauge('rendezvous_connections'), 0)
      }
    )
  })

  test('a server of others that does not allow the time to live is said to', TIMEOUT, async () => {
    const server = await startForeignServer()
    const { code, result } = await run(['--target', server.multiaddr, '--duration', '3s'])
    assert.deepEqual([code, result.reason?.code], [1, 'E_INVALID_TTL'])
    assert.match(String(result.reason?.message), /give a --ttl that the server allows/)
  })

  // what else can end it is in test/broken
  describe('a run with churn that ends early keeps what was measured, says why, and leaves no process', {
    ...ON_LINUX,
    ...PAIRS
  }, () => {
    test('the server is killed', TIMEOUT, async () => {
      const { code, stdout, result } = await brokenOff(async loadtest =>
        send(await loadtest.server(), 'SIGKILL')
      )
      assert.deepEqual([code, result.reason?.code], [1, 'SERVER_DIED'])
      assert.match(stdout, /^⚠ Partial result: the server \(pid \d+\) ended with signal SIGKILL/m)
    })
  })
})
