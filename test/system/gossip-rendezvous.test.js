import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runGossip, small, startGossip } from '../acceptance/gossip-network.js'
import { PAIRS, SERVER, TIMEOUT } from '../acceptance/loadtest.js'
import { ON_LINUX, send } from '../acceptance/processes.js'

const NODES = 6
const K = 3
/** Replies that are long enough in coming to kill a server before the last. */
const SLOW_SERVER = { env: { RENDEZVOUS_REPLY_DELAY: '3s' } }

describe('gossip nodes that find one another at a rendezvous server', PAIRS, () => {
  test('join into a network that delivers everything, each step timed', TIMEOUT, async () => {
    const { code, stdout, stderr, result } = await runGossip([
      ...small(NODES),
      ...['--topology', `rendezvous:k=${K}`, '--topics', '2', '--messages', '20', '--rate', '10'],
      ...['--refreshEvery', '200ms']
    ])
    assert.equal(code, 0, stderr)
    const { topology, rendezvous, delivery } = result.outcome
    assert.ok(rendezvous !== null)
    assert.equal(delivery.delivered, delivery.expected)
    assert.equal(rendezvous.connect.count, NODES)
    assert.equal(rendezvous.register.count, 2 * NODES, 'each node under both topics')
    assert.equal(rendezvous.discover.count, 2 * NODES)
    assert.deepEqual(rendezvous.found, { min: NODES - 1, avg: NODES - 1, max: NODES - 1 })
    assert.equal(rendezvous.failed, 0)
    const pairs = topology.edges.map(([a, b]) => `${Math.min(a, b)}/${Math.max(a, b)}`)
    assert.equal(new Set(pairs).size, topology.edgeCount, 'two nodes are joined once')
    const chosen = rendezvous.dial.count + rendezvous.alreadyConnected
    assert.equal(chosen, topology.edgeCount + rendezvous.bothWays)
    assert.ok(
      chosen >= NODES * K && chosen <= 2 * NODES * K,
      `each node chose ${K} a topic, of ${chosen} in all`
    )
    assert.match(stdout, /^\| Rendezvous register +\| +12 \|/m)
    // the server stays: nodes go on to register and discover while they publish
    const { server } = rendezvous
    assert.ok(server !== undefined && server.register.count >= NODES && server.discover.count >= NODES)
    assert.equal(server.failed, 0)
    assert.ok(Number(server.cpu.averagePercent) > 0 && Number(server.memory.averageBytes) > 0)
    assert.match(stdout, /^\| REGISTER \(refresh\) +\| +\d+ \|/m)
  })

  test('end with the name of a server that died', { ...TIMEOUT, ...ON_LINUX }, async () => {
    const args = [...small(4, 1), '--topology', 'rendezvous:k=2', '--messages', '10']
    const run = startGossip(args, SLOW_SERVER)
    await run.line(/✔ 4 nodes started/)
    send(await run.pid(SERVER), 'SIGKILL')
    const { code, stdout, stderr, folders } = await run.ended
    assert.equal(code, 1)
    assert.match(stderr, /^.*server .*SIGKILL.* \(SERVER_(DIED|NOT_STARTED)\)$/m)
    assert.deepEqual([stdout, folders], ['', []])
    assert.deepEqual(await run.leftAfter(), [])
  })
})
