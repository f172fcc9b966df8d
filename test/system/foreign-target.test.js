import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { basename } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { multiaddr } from '@multiformats/multiaddr'
import { derivePrivateKey } from '../../src/client/identities.js'
import { createClientNode } from '../../src/client/node.js'
import { rendezvousClient } from '../../src/client/rendezvous-client.js'
import { findStack } from '../../src/libp2p/stacks.js'
import { assertComplete, assertSumsAgree, operation, warningCodes } from '../acceptance/consistent.js'
import { startForeignServer } from '../acceptance/foreign-server.js'
import { QUICK, run, start, TIMEOUT } from '../acceptance/loadtest.js'
import { assertNeverBegan } from '../acceptance/never-began.js'
import { ON_LINUX, send } from '../acceptance/processes.js'
import { until } from '../until.js'

const PEER = '12D3KooWGjMCwDWeCzgZ1tAFuUbBLRqHgtdVMZxqYsD9GPXMzSzd'

/** Not every machine has it. */
const WITH_IPV6 = isIPv6Here() ? {} : { skip: 'this machine has no ::1' }

function isIPv6Here() {
  return Object.values(networkInterfaces()).some(all => all?.some(({ address }) => address === '::1'))
}

/** @typedef {Awaited<ReturnType<typeof startForeignServer>>} ForeignServer */

async function startStranger() {
  const node = await createClientNode({
    privateKey: await derivePrivateKey(1, 'stranger', 0),
    services: { rendezvous: rendezvousClient() }
  })
  after(() => node.stop())
  await node.start()
  return node
}

/**
 * What a stranger sees on a server.
 *
 * @param {Awaited<ReturnType<typeof startStranger>>} stranger
 * @param {ForeignServer} server
 */
async function discovered(stranger, server) {
  const found = []
  for await (const { registrations, rejected } of stranger.services.rendezvous.discoverAll(
    multiaddr(server.multiaddr)
  )) {
    assert.deepEqual(rejected, [])
    found.push(...registrations)
  }
  return found
}

/** How often a server was asked. @param {ForeignServer} server */
const answered = ({ gauge }) => gauge('rendezvous_operations_total{type="DISCOVER",status="OK"}')

/** Requests of 4 clients that cannot all be of 50 ms. */
const MORE_THAN_WARMUP = 25

describe('a server that is not ours', () => {
  /** All of these tests, one after the other. @type {ForeignServer} */
  let server
  before(async () => {
    server = await startForeignServer([], { wholeFile: true })
  }, TIMEOUT)

  test('gets registrations of distinct peers over the wire, in namespaces of this run, and all are taken back after Ctrl-C', {
    ...TIMEOUT,
    ...ON_LINUX
  }, async () => {
    const stranger = await startStranger()
    const loadtest = start(
      [
        ...['--target', server.multiaddr, '--targetPid', String(server.pid), '--initialRegistrations', '30'],
        ...['--benchmarkType', 'DISCOVER', '--duration', '60s', '--warmup', '50ms'],
        ...['--thinkTime', '50ms']
      ],
      { ownGroup: true }
    )
    await loadtest.line(/✔ 30 registrations/)
    const found = await discovered(stranger, server)
    await stranger.stop()
    assert.deepEqual(
      [await loadtest.server(), (await loadtest.workers()).length],
      [undefined, 1],
      'no server is started'
    )
    await loadtest.measured()
    loadtest.ctrlC()
    const { code, result, folder } = await loadtest.ended
    assert.deepEqual([code, result.reason?.code], [130, 'INTERRUPTED'])
    assert.equal(found.length, 30)
    assert.equal(new Set(found.map(({ peerId }) => String(peerId))).size, 30, 'distinct peers')
    // its id is that of other runs at this minute, too
    const prefix = `loadtest-${result.id}-`
    const namespaces = [...new Set(found.map(({ ns }) => ns))].sort()
    assert.deepEqual(
      namespaces.map(ns => ns.slice(0, prefix.length)),
      Array(5).fill(prefix)
    )
    assert.match(namespaces.map(ns => ns.slice(prefix.length)).join(' '), /^(\w{8})-0 \1-1 \1-2 \1-3 \1-4$/)
    assert.equal(result.id, basename(folder))
    // one more finds out whether the server takes them
    assert.equal(await server.gauge('rendezvous_operations_total{type="REGISTER",status="OK"}'), 31)
    assert.equal(await server.settled('rendezvous_registrations'), 0)
    assert.equal(await server.settled('rendezvous_connections'), 0)
    assert.equal(result.outcome.target.kind, 'address')
    assert.ok((result.outcome.server?.cpu.averagePercent ?? 0) > 0)
    assert.ok((result.outcome.server?.memory.averageBytes ?? 0) > 1e7)
    assert.ok(!warningCodes(result).includes('LEFT_UNTIL_TTL'))
    assert.deepEqual(await loadtest.leftAfter(), [])
  })

  for (const args of [
    ['UNREGISTER', '--connectionPerOperation', '--initialRegistrations', '0'],
    ['MIXED', '--registerMode', 'new', '--rate', '200', '--initialRegistrations', '10']
  ])
    test(`is left without a registration after ${args.join(' ')}`, TIMEOUT, async () => {
      const ended = await run([
        ...['--target', server.multiaddr, '--benchmarkType', ...args],
        ...QUICK,
        ...['--benchmarkRuns', '40']
      ])
      assertComplete(ended)
      assert.equal(await server.settled('rendezvous_registrations'), 0)
      // the process was not named
      assert.equal(ended.result.outcome.server, null)
      assert.ok(warningCodes(ended.result).includes('SERVER_NOT_SAMPLED'))
    })

  test('that takes other times to live: it is found out which, and with which flag', TIMEOUT, async () => {
    const ended = await run([
      ...['--target', server.multiaddr, '--ttl', '60s', '--initialRegistrations', '0'],
      ...QUICK
    ])
    // what the specification recommends
    assertNeverBegan(
      ended,
      'TTL_REFUSED',
      /a time to live of 60 s and accepts 7,200 to 259,200 s: use --ttl 7200s/
    )
    assert.equal(await server.settled('rendezvous_registrations'), 0)
  })

  test('that is another peer than the address says: one line says so, exit code 1', TIMEOUT, async () => {
    const target = server.multiaddr.replace(/p2p\/.*/, `p2p/${PEER}`)
    const ended = await run(['--target', target, ...QUICK, '--initialRegistrations', '10'])
    const message =
      /^could not connect to .*12D3KooWGj\S+: another peer answers there: correct the id after \/p2p\//
    assertNeverBegan(ended, 'WRONG_PEER', message)
  })

  test('beside another one shares the clients; those of one that goes are at the other one, and what it left unanswered is told apart', {
    ...TIMEOUT,
    ...ON_LINUX
  }, async () => {
    const servers = [await startForeignServer(), server]
    const asked = () => Promise.all(servers.map(answered))
    const before = await asked()
    const ending = run([
      ...['--targets', servers.map(({ multiaddr }) => multiaddr).join(','), '--failover', '--nClients', '4'],
      ...['--benchmarkType', 'DISCOVER', '--discoverInexistentNamespaces', '--initialRegistrations', '0'],
      ...['--rate', '40/s', '--duration', '6s', '--warmup', '50ms', '--timeout', '30s']
    ])
    const enough = async () => (await asked()).every((count, i) => count > before[i] + MORE_THAN_WARMUP)
    await until(enough, { everyMs: 50 })
    send(servers[0].pid, 'SIGSTOP')
    await sleep(1000)
    send(servers[0].pid, 'SIGKILL')
    const ended = await ending
    assertComplete(ended)
    const { OK, SERVER_GONE, ...others } = operation(ended.result, 'DISCOVER').outcomes
    assert.deepEqual(others, {})
    assert.ok(SERVER_GONE >= 10, `${SERVER_GONE} were under way`)
    assert.ok(OK > SERVER_GONE)
    assert.deepEqual(ended.result.outcome.dialled, { reconnects: 2, failovers: 2 })
    assert.deepEqual(ended.result.plan.targets?.length, 2)
    assert.match(ended.stderr, /2 servers at \/ip4/)
    assert.match(ended.stdout, /Not every DISCOVER succeeded: \d+ SERVER_GONE\./)
  })

  test('that is killed in mid-run ends it with exit code 1, the partial result kept', {
    ...TIMEOUT,
    ...ON_LINUX
  }, async () => {
    const before = await answered(server)
    const ending = run([
      ...['--target', server.multiaddr, '--initialRegistrations', '10', '--benchmarkType', 'DISCOVER'],
      ...['--duration', '40s', '--warmup', '50ms', '--timeout', '2s'],
      ...['--thinkTime', '50ms']
    ])
    await until(async () => (await answered(server)) > before + MORE_THAN_WARMUP, { everyMs: 50 })
    send(server.pid, 'SIGKILL')
    const { code, stdout, result } = await ending
    assert.equal(code, 1)
    assert.deepEqual([result.status, result.reason?.code], ['partial', 'SERVER_HUNG'])
    assert.match(
      stdout,
      /Partial result: the server has not answered for \d+\.\d s, while \d+ operations failed/
    )
    assert.ok(operation(result, 'DISCOVER').outcomes.OK > 0)
    assertSumsAgree(result)
    assert.ok(warningCodes(result).includes('LEFT_UNTIL_TTL'))
  })
})

describe('a server of ours that somebody else has started', TIMEOUT, () => {
  test('says that its limits held replies back, and the run says that they were measured', async () => {
    const server = await startForeignServer(['--unlimitedFrom', ''])
    const { code, result } = await run([
      ...['--target', server.multiaddr, '--targetPid', String(server.pid), '--initialRegistrations', '0'],
      ...['--nClients', '1', '--duration', '2s', '--warmup', '50ms', '--strict']
    ])
    assert.ok(warningCodes(result).includes('SERVER_LIMITED'), `${warningCodes(result)}`)
    assert.ok(Number(result.outcome.limitedReplies) > 0)
    assert.equal(code, 4)
  })

  test('has no limits for its own machine, at ::1 neither', { ...TIMEOUT, ...WITH_IPV6 }, async () => {
    const server = await startForeignServer([], { listen: '/ip6/::1/tcp/0' })
    const ended = await run([
      ...['--target', server.multiaddr, '--targetPid', String(server.pid)],
      ...['--initialRegistrations', '30', '--nClients', '12', '--benchmarkRuns', '1000', '--warmup', '50ms']
    ])
    assertComplete(ended)
    assert.ok(!warningCodes(ended.result).includes('SERVER_LIMITED'))
    assert.equal(await server.gauge('rendezvous_requests_late_total'), 0)
  })
})

describe('a target that cannot be tested: one line says why, exit code 1, no folder', () => {
  for (const registrations of ['10', '0'])
    test(`it refuses connections, with ${registrations} registrations`, TIMEOUT, async () => {
      const nobody = ['--target', `/ip4/127.0.0.1/tcp/1/p2p/${PEER}`, ...QUICK, '--timeout', '3s']
      const ended = await run([...nobody, '--initialRegistrations', registrations])
      const message =
        /^could not connect to \/ip4\/127\.0\.0\.1\/tcp\/1\/p2p\/12D3KooWGj\S+: nothing listens there/
      assertNeverBegan(ended, 'REFUSED', message)
    })

  test('it does not speak the protocol', TIMEOUT, async t => {
    const node = await findStack('libp2p-3').createNode({
      privateKey: await derivePrivateKey(1, 'stranger', 1),
      addresses: { listen: ['/ip4/127.0.0.1/tcp/0'] }
    })
    await node.start()
    t.after(() => node.stop())
    const ended = await run([
      ...['--target', String(node.getMultiaddrs()[0]), ...QUICK, '--timeout', '3s'],
      ...['--initialRegistrations', '0']
    ])
    assertNeverBegan(ended, 'UNSUPPORTED', /does not support .*\/rendezvous\/1\.0\.0/)
  })
})
