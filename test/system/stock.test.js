import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runGossip, small } from '../acceptance/gossip-network.js'
import { run, TIMEOUT } from '../acceptance/loadtest.js'

const SHORT = [
  ...['--duration', '1s', '--warmup', '50ms', '--nClients', '2', '--initialRegistrations', '10'],
  ...['--server', 'process']
]

/** What of ours changes how libp2p works. */
const OURS =
  /coalescing|signedOnce|crypto|guarded|peerStore|registrar|logger|connectionMonitor|v8|keepAlive|^connectionManager$/

/** @param {Record<string, unknown>} settings */
const oursAmong = settings => Object.keys(settings).filter(name => OURS.test(name))

test(
  'rendezvous --stock: server and clients are libp2p as published, the header says so, and what is left is listed with its reason',
  TIMEOUT,
  async () => {
    const stock = await run(['--stock', ...SHORT])
    assert.equal(stock.code, 0, stock.stderr)
    assert.match(stock.stderr, / · our server, stock, in a process$/m)
    const { server, clients } = /** @type {any} */ (stock.result.outcome.target.settings)
    assert.deepEqual([oursAmong(server), oursAmong(clients)], [[], []])
    assert.equal(server.stock, true)
    assert.ok('connectionManager.allow' in server && 'yamux.maxOutboundStreams' in clients)
    const tuned = await run(SHORT)
    assert.match(tuned.stderr, / · our server, tuned, in a process$/m)
    const settings = /** @type {any} */ (tuned.result.outcome.target.settings)
    for (const name of ['noise.coalescingEncrypter', 'yamux.coalescingMuxer', 'peerStore', 'logger'])
      assert.ok(name in settings.server && name in settings.clients, name)
    for (const name of ['tcp.guardedTransport', 'v8.heapGrowingPercent', 'v8.maxSemiSpaceMB'])
      assert.ok(name in settings.server, name)
  }
)

test(
  'gossip --stock: nodes ping as libp2p does by itself, and keep what one host needs',
  TIMEOUT,
  async () => {
    const { code, result, stderr } = await runGossip([
      ...[...small(4, 2), '--topology', 'full', '--messages', '5', '--rate', '10', '--stock']
    ])
    assert.equal(code, 0, stderr)
    assert.match(stderr, / · 4 nodes, stock, in 2 processes · /)
    const settings = /** @type {any} */ (result.outcome.network.settings)
    assert.deepEqual(oursAmong(settings), [])
    assert.equal(settings['connectionManager.maxConnections'].value, 100_000)
    assert.equal(settings['gossipsub.scoreParams.IPColocationFactorWeight'].value, 0)
  }
)
